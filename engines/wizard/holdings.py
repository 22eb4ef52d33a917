"""What a view tells about the cards in other hands: those that are unseen, and the suits that a hand lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engines.kit.sampling import remaining_cards
from engines.wizard.deck import CAROUSEL, SUIT, pack, suit_to_follow
from engines.wizard.view import View

LaidTrick = tuple[int, Sequence[int]]
"""Who led, and the cards in the order played."""


class Past(NamedTuple):
    """What was played in a part of a round: by place, its cards, and the suits that it did not follow (W7)."""

    played: list[list[int]]
    voids: list[set[int]]


def known_voids(view: View) -> list[set[int]]:
    """Return, by place, the suits that it has shown this round not to have by not following them (W7)."""
    return read_past(view.seats, view.places, laid_tricks(view)).voids


def laid_tricks(view: View) -> Sequence[LaidTrick]:
    """Return this round's tricks, with the one on the table."""
    return [(trick.leader, trick.cards) for trick in view.tricks] + [(view.leader, view.trick)]


def tricks_before_pass(view: View) -> int:
    """Return how many tricks were complete when the Carousel's cards went to the left (W24), or all."""
    for number, trick in enumerate(view.tricks, 1):
        if view.has_passed and view.phase != "pass" and CAROUSEL in trick.cards:
            return number
    return len(view.tricks) + 1


def read_past(seats: int, places: int, tricks: Iterable[LaidTrick]) -> Past:
    """Return what these tricks show of each place. A dummy shows nothing by its cards (W19)."""
    played: list[list[int]] = [[] for _ in range(places)]
    voids: list[set[int]] = [set() for _ in range(places)]
    for leader, cards in tricks:
        for i, card in enumerate(cards):
            place = (leader + i) % places
            played[place].append(card)
            asked = suit_to_follow(cards[:i])
            if asked is not None and SUIT[card] not in (asked, None) and place < seats:
                voids[place].add(asked)
    return Past(played, voids)


def unseen_cards(view: View) -> list[int]:
    """Return the cards whose place the seat cannot know, sorted."""
    turned = () if view.turned is None else (view.turned,)
    return remaining_cards(pack(view.specials), *[trick.cards for trick in view.tricks], view.trick, view.hand, turned)
