"""How often hands and passed cards are sampled after a swap and a pass (W23, W24), and how likely they are.

A possible round counts once for each physical deal and each choice of physical cards that lead to what a view shows: a
player with two Wizards has two ways to play or to pass one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import factorial, prod
from random import Random
from typing import NamedTuple

import pytest

from engines.kit.chance import Chance
from engines.wizard import WIZARD, deck
from engines.wizard.deck import CAROUSEL, CHAMELEON, JESTER, pack
from engines.wizard.deck import WIZARD as A_WIZARD
from engines.wizard.model import Move, Options, Play, State
from engines.wizard.view import View
from tests.engines.wizard.helper import card_suit

ALIKE = (JESTER, A_WIZARD)
DRAWN = 2000
Hands = tuple[tuple[int, ...], ...]
Passes = tuple[int | None, ...]


class Evidence(NamedTuple):
    """What a view shows of a round, as `possible_rounds` needs it."""

    view: View
    tricks: Sequence[tuple[int, Sequence[int]]]
    turning: int | None  # the trick after which cards were passed

    @classmethod
    def from_view(cls, view: View) -> Evidence:
        tricks = [*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.trick)]
        has_passed = view.has_passed and view.phase != "pass"
        turning = [number for number, (_, cards) in enumerate(tricks) if has_passed and CAROUSEL in cards]
        return cls(view, tricks, turning[0] if turning else None)

    def played(self, place: int, since: bool = False) -> list[int]:
        """The cards that a place has played, or those that it has played since cards were passed."""
        first = self.turning + 1 if since and self.turning is not None else 0
        return [
            card
            for leader, cards in self.tricks[first:]
            for number, card in enumerate(cards)
            if (leader + number) % self.view.places == place
        ]

    def lacks_suit(self, seat: int) -> bool:
        """Whether a seat has not followed a suit before cards were passed (W7)."""
        early = self.tricks[: 0 if self.turning is None else self.turning + 1]
        laid = [(deck.suit_to_follow(cards), cards[(seat - leader) % self.view.places]) for leader, cards in early]
        return any(suit is not None and card_suit(card) not in (suit, None) for suit, card in laid)


# --- All that is possible


def possible_rounds(view: View) -> Mapping[tuple[Hands, Passes], int]:
    """The hands and passed cards that can lie behind a view, with the number of ways in which they can have come."""
    evidence, found = Evidence.from_view(view), Counter[tuple[Hands, Passes]]()
    turned = () if view.turned is None else (view.turned,)
    known_cards = Counter([*view.hand, *turned, *(card for _, cards in evidence.tricks for card in cards)])
    unseen = [*(Counter(pack(view.specials)) - known_cards).elements()]
    for places in split(unseen, [0 if place == view.seat else size for place, size in enumerate(view.hand_sizes)]):
        hands = tuple(view.hand if place == view.seat else hand for place, hand in enumerate(places[:-1]))
        for passes in possible_passes(evidence, hands):
            if ways := count_histories(evidence, hands, places[-1], passes):
                found[hands, passes] += ways
    return found


def split(cards: list[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to deal cards to hands of these sizes and the stock."""
    if not sizes:
        yield [tuple(cards)]
        return
    for hand in sorted({*combinations(sorted(cards), sizes[0])}):
        for others in split([*(Counter(cards) - Counter(hand)).elements()], sizes[1:]):
            yield [hand, *others]


def possible_passes(evidence: Evidence, hands: Hands) -> Iterator[Passes]:
    """The cards by seat that can have been passed or chosen: those that are known, and else any card."""
    view, choices = evidence.view, list[set[int | None]]()
    for giver in range(view.seats):
        receiver = (giver + 1) % view.seats
        if not view.has_passed or not view.has_passed[giver]:
            choices.append({None})
        elif giver == view.seat:
            choices.append({view.passed})
        elif view.phase == "pass":
            choices.append({*hands[giver]})
        else:
            choices.append(
                {view.received} if receiver == view.seat else {*hands[receiver], *evidence.played(receiver, since=True)}
            )
    yield from product(*choices)


def count_histories(evidence: Evidence, hands: Hands, stock: Sequence[int], passes: Passes) -> int:
    """In how many ways the round can have come to these hands, up to a factor: 0 if in none."""
    view, seats, places = evidence.view, range(evidence.view.seats), evidence.view.places
    holdings = [Counter(hand) for hand in hands]
    for place, hand in enumerate(holdings):
        hand.update(evidence.played(place))
    if evidence.turning is not None:
        for giver in seats:
            holdings[giver][passes[giver] or 0] += 1
            holdings[(giver + 1) % len(seats)][passes[giver] or 0] -= 1
    dealt = [hand.copy() for hand in holdings]
    if view.swap is not None:
        dealt[view.swap.seat].subtract([view.swap.card])
        dealt[view.swap.seat][CHAMELEON] += 1
    elif view.turned is not None and any(dealt[seat][CHAMELEON] for seat in seats):
        return 0
    if any(count < 0 for hand in dealt for count in hand.values()):
        return 0
    ways = prod(24 // prod(factorial(place[card]) for place in (*dealt, Counter(stock))) for card in ALIKE)
    for number, (leader, cards) in enumerate(evidence.tricks):
        for at, card in enumerate(cards):
            place, suit = (leader + at) % places, deck.suit_to_follow(cards[:at])
            ways *= holdings[place][card]
            has_suit = any(count and card_suit(each) == suit for each, count in holdings[place].items())
            if suit is not None and place in seats and has_suit and card_suit(card) not in (suit, None):
                return 0  # W7
            holdings[place][card] -= 1
        if number == evidence.turning:
            for giver in seats:
                ways *= holdings[giver][passes[giver] or 0]
                holdings[giver][passes[giver] or 0] -= 1
            for giver in seats:
                holdings[(giver + 1) % len(seats)][passes[giver] or 0] += 1
    if view.phase == "pass":
        ways *= prod(holdings[giver][card] for giver, card in enumerate(passes) if card is not None)
    return ways


# --- Rounds that are nearly over


def late_rounds(seats: int, seed: int, carousel: bool = True) -> Iterator[State]:
    """The end of a round, with two cards in a hand at most. Wizards and Jesters are kept until the Carousel turns."""
    options = Options(hands="descending", dummy=seats == 2, chameleon=True, carousel=carousel)
    state, rng = WIZARD.start(seats, options, Chance(f"{seed:032x}")), Random(seed)
    while state.round == 1:
        seat = rng.choice([*WIZARD.decisions(state)])
        moves: list[Move] = [*WIZARD.moves(state, seat)]
        if carousel and state.phase == "play" and CAROUSEL not in state.fallen:
            is_late = len(state.hands[seat]) < 5
            others: list[Move] = [
                move for move in moves if isinstance(move, Play) and move.card not in (*ALIKE, CAROUSEL)
            ]
            moves = [move for move in moves if is_late and move == Play(CAROUSEL)] or others or moves
        WIZARD.play(state, seat, rng.choice(moves))
        if max(map(len, state.hands)) < 3:
            yield state


def facts_of(evidence: Evidence) -> Iterator[str]:
    """What makes a position worth a look."""
    view, swap = evidence.view, evidence.view.swap
    if view.phase == "pass" and any(view.has_passed):
        yield "choosing"
    if evidence.turning is not None and any(map(evidence.lacks_suit, {*range(view.seats)} - {view.seat})):
        yield "a suit lacked"
    if view.seat is not None and view.passed in ALIKE:
        receiver = (view.seat + 1) % view.seats
        if view.passed in evidence.played(receiver, since=True):
            yield "one's own card played"
            if swap is not None and (swap.seat, swap.card) == (receiver, view.passed):
                yield "passed to one who had swapped for the same"
    if swap is None or swap.seat == view.seat:
        return
    if swap.card not in ALIKE:
        yield "another card swapped"
    elif evidence.turning is None:
        if swap.card in evidence.played(swap.seat):
            yield "swapped and played without a pass"
    else:
        receiver, since = (swap.seat + 1) % view.seats, evidence.played(swap.seat, since=True)
        if evidence.played(swap.seat).count(swap.card) > since.count(swap.card):
            yield "swapped and played before the pass"
        if swap.card in since:
            yield "swapped and played since"
        if receiver == view.seat and swap.card == view.received:
            yield "such a card got from one who had swapped"
        elif receiver != view.seat and swap.card in evidence.played(receiver, since=True):
            yield "such a card played by the next seat"


POSITIONS = [
    # (fact, seats, seed, how many moves after the first position, seat or spectator)
    ("choosing", 2, 15, 3, None),
    ("a suit lacked", 3, 5, 0, 0),
    ("a suit lacked", 4, 0, 0, 1),
    ("another card swapped", 2, 21, 1, None),
    ("another card swapped", 4, 29, 0, 1),
    ("one's own card played", 3, 0, 0, 1),
    ("one's own card played", 4, 0, 2, 3),
    ("passed to one who had swapped for the same", 2, 23, 0, 0),
    ("passed to one who had swapped for the same", 3, 91, 2, 1),
    ("passed to one who had swapped for the same", 4, 6, 2, 0),
    ("swapped and played before the pass", 2, 25, 0, None),
    ("swapped and played before the pass", 3, 7, 0, 0),
    ("swapped and played since", 3, 6, 5, None),
    ("swapped and played since", 4, 6, 5, 3),
    ("such a card got from one who had swapped", 2, 7, 0, 0),
    ("such a card got from one who had swapped", 4, 8, 0, 0),
    ("such a card played by the next seat", 3, 6, 3, 1),
    ("such a card played by the next seat", 4, 64, 0, 1),
    ("swapped and played without a pass", 3, 200, 0, 1),
    ("swapped and played without a pass", 3, 214, 0, 0),
]


@pytest.mark.parametrize(("fact", "seats", "seed", "number", "seat"), POSITIONS)
def test_w23_w24_hands_and_passed_cards_are_sampled_as_often_as_they_are_likely(
    fact: str, seats: int, seed: int, number: int, seat: int | None
) -> None:
    state = next(islice(late_rounds(seats, seed, carousel="without a pass" not in fact), number, None))
    view = WIZARD.view(state, seat)
    assert fact in facts_of(Evidence.from_view(view))
    ways = possible_rounds(view)
    assert len(ways) > 2
    sampler, chance, found = WIZARD.sampler(view), Chance("2b"), Counter[tuple[Hands, Passes]]()
    for _ in range(DRAWN):
        sampled = sampler(chance)
        hands = tuple(tuple(sorted(hand)) for hand in sampled.hands)
        found[hands, tuple(sampled.passes) or (None,) * seats] += 1
    assert found.keys() <= ways.keys()
    expected = {each: DRAWN * count / sum(ways.values()) for each, count in ways.items()}
    off = sum((found[each] - mean) ** 2 / mean for each, mean in expected.items())
    assert off < len(ways) + 5 * (2 * len(ways)) ** 0.5  # chi squared: its mean, and five deviations
