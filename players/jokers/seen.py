"""What a seat knows for its decisions, from a view or, in a playout, from a state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engines.jokers import deck
from engines.jokers.deck import CARD_BIT, JOKER
from engines.jokers.model import Phase, State
from engines.jokers.view import View

NON_JOKERS = CARD_BIT[JOKER] - 1
"""The 52 cards that are not jokers."""


class SeatKnowledge(NamedTuple):
    """What a seat knows for a decision. Cards are bits as in a hand; `live` are those of the 52 in unknown places."""

    phase: Phase
    hand: int
    live: int
    theirs: int  # the cards that the other hand is known to have
    draw: int
    discard: Sequence[int]
    down: Sequence[bool]
    turned: int | None
    trades: int
    is_last_turn: bool  # the opponent has declared, so this is the seat's last turn


def knowledge_from_state(state: State, seat: int) -> SeatKnowledge:
    """Return what a seat knows of a state."""
    others_cards, hand = state.known[1 - seat], state.hands[seat]
    return SeatKnowledge(
        state.phase,
        hand,
        _unknown_cards(hand | others_cards, state.discard, state.turned),
        others_cards,
        len(state.draw),
        state.discard,
        state.down[seat],
        state.turned,
        state.trades,
        state.declared is not None,
    )


def knowledge_from_view(view: View) -> SeatKnowledge:
    """Return what the view's seat knows."""
    seat = view.seat
    assert seat is not None
    hand, others_cards = deck.make_hand(view.hand), deck.make_hand(view.known[1 - seat])
    return SeatKnowledge(
        view.phase,
        hand,
        _unknown_cards(hand | others_cards, view.discard, view.turned),
        others_cards,
        view.draw,
        view.discard,
        [card is None for card in view.safety[seat]],
        view.turned,
        view.trades,
        view.declared is not None,
    )


def _unknown_cards(own: int, discard: Iterable[int], turned_card: int | None) -> int:
    known_cards = own
    for card in discard:
        known_cards |= CARD_BIT[card]
    if turned_card is not None:
        known_cards |= CARD_BIT[turned_card]
    return NON_JOKERS & ~known_cards
