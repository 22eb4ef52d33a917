"""Draws from the piles of Jesters, and tracks what everybody knows about them."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jesters.events import CardsDrawn, PileRefilled
from engines.jesters.model import State
from engines.kit.contract import Event


def deal_cards(state: State, seats: Sequence[int], number: int, events: list[Event]) -> tuple[int, ...]:
    """Deal Jest cards one at a time in that order of seats, up to a number each or until none is left (C6)."""
    numbers = [0] * len(state.hands)
    dealt: list[list[int]] = [[] for _ in seats]
    for _ in range(number):
        for cards in dealt:
            if state.draw or _refill_draw_pile(state, events):
                cards.append(state.draw.pop())
    for seat, cards in sorted(zip(seats, dealt, strict=True)):
        if cards:
            state.hands[seat] = sorted(state.hands[seat] + cards)
            numbers[seat] = len(cards)
            events.append(CardsDrawn(seat=seat, cards=tuple(sorted(cards)), to=(seat,)))
    return tuple(numbers)


def _refill_draw_pile(state: State, events: list[Event]) -> bool:
    """S15: shuffle the discards into a new draw pile, if there are any."""
    if not state.discard:
        return False
    state.refills += 1
    for card in state.discard:
        state.packs[card - 1] = state.refills
    state.draw = state.chance.shuffle(state.discard)
    state.discard = []
    events.append(PileRefilled(cards=len(state.draw)))
    return True


def draw_gifts(state: State, number: int) -> None:
    """S10: draw Gifts from the top of their pile for a seat to choose from, with the seats that know each of them."""
    for _ in range(min(number, len(state.gift_pile))):
        at_the_bottom = len(state.under) == len(state.gift_pile)  # only Gifts that were put under the pile are left
        state.drawn_known.append(state.under.pop() if at_the_bottom else ())
        state.drawn.append(state.gift_pile.pop())


def put_gift_under(state: State, seat: int, gift: int, known_by: Sequence[int]) -> None:
    """S10: put a Gift that this seat has seen under the pile. Seats that knew it now know its place as well."""
    state.gift_pile.insert(0, gift)
    state.under.insert(0, tuple(sorted({*known_by, seat})))
