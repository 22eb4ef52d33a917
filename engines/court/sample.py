"""A full state that could lie behind a view of the Court."""

from __future__ import annotations

from collections import Counter

from engines.chance import Chance
from engines.court import deck
from engines.court.deck import KINDS, NUMBERS
from engines.court.model import State, View
from engines.sampling import deal_out, rest


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the unseen cards anew."""
    hands, draw = _hidden(view, chance)
    return State(
        chance=chance.fork(),
        goal=view.goal,
        cap=view.cap,
        rolls=list(view.rolls),
        order=list(view.order),
        phase=view.phase,
        turn=view.turn,
        turns=view.turns,
        owed=list(view.owed),
        mages=list(view.mages),
        menhirs=list(view.menhirs),
        health=list(view.health),
        banners=list(view.banners),
        hands=hands,
        bare=list(view.bare),
        draw=draw,
        pool=view.pool,
        discard=list(view.discard),
        attacked=view.attacked,
        moved=view.moved,
        knocked=list(view.knocked),
        ending=view.ending,
        numbers=list(view.numbers),
    )


def unseen(view: View) -> list[int]:
    """The cards of the other hands and of the draw pile, sorted."""
    return rest(deck.pack(len(view.mages)), view.discard, view.hand)


def _hidden(view: View, chance: Chance) -> tuple[list[list[int]], list[int]]:
    """Everybody's hand, and the draw pile.

    Each other hand is two places: for the cards that everybody knows to be no number cards, and for the others. The
    last place is the draw pile. Cards that were not in the pile it was shuffled from are marked by KINDS more: they
    are in hands.
    """
    room: list[int] = []
    for seat, (size, bare) in enumerate(zip(view.hand_sizes, view.bare, strict=True)):
        room += (0, 0) if seat == view.seat else (bare, size - bare)
    room.append(view.draw)
    *parts, draw = deal_out(_marked(view), room, lambda place, card: _fits(place, card, len(room)), chance)
    hands = [sorted(card % KINDS for card in [*a, *b]) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    if view.seat is not None:
        hands[view.seat] = list(view.hand)
    return hands, chance.shuffled(draw)


def _marked(view: View) -> list[int]:
    """The unseen cards, those marked that cannot be in the draw pile."""
    cards = Counter(unseen(view))
    kept = cards - Counter(view.pool)
    return [*(cards - kept).elements(), *(card + KINDS for card in kept.elements())]


def _fits(place: int, card: int, places: int) -> bool:
    """Whether a card, marked or not, can be in that place."""
    if place == places - 1:
        return card < KINDS
    return place % 2 == 1 or card % KINDS not in NUMBERS
