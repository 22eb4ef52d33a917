"""The errors for illegal moves of Jokers (C3)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.jokers import deck
from engines.jokers.deck import CARD_BIT, CARD_KINDS, CARD_MASK, HAND_SIZE
from engines.jokers.melds import is_full_hand
from engines.jokers.model import Declare, Discard, Done, Keep, Move, Phase, State, Take, Trade, TurnUp
from engines.jokers.moves import safety_reach
from engines.kit.errors import IllegalMove
from engines.kit.turns import out_of_turn_error

MOVE_PHASES: Mapping[type[Move], Phase] = {
    Trade: "turn",
    TurnUp: "turn",
    Declare: "turn",
    Done: "turn",
    Take: "safety",
    Keep: "safety",
    Discard: "discard",
}
"""When each kind of move may be made."""


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove for a move out of turn, out of phase or against K3, K4 and K9."""
    if seat != state.turn or state.phase == "over":
        raise out_of_turn_error(state)
    if state.phase != MOVE_PHASES[type(move)]:
        raise _wrong_phase(state, move)
    match move:
        case Trade(cards):
            _check_trade(state, seat, cards)
        case TurnUp(number):
            _check_turn_up(state, seat, number)
        case Take(depth):
            _check_take(state, depth)
        case Discard(card):
            _check_in_hand(state, seat, card)
        case Declare():
            _check_declare(state, seat)


def _wrong_phase(state: State, move: Move) -> IllegalMove:
    """Return the error for a move at the wrong moment of the turn."""
    if state.phase == "safety":
        return IllegalMove(
            "K4", "Your safety card is face up: take a card from the discard pile, or keep the safety card."
        )
    if state.phase == "discard":
        return IllegalMove("K4", "Discard a card from your hand first.")
    if isinstance(move, Discard):
        return IllegalMove("K4", "You can discard only after using a safety card. To change cards, trade them.")
    return IllegalMove("K4", "Turn up a safety card first.")


def _check_trade(state: State, seat: int, cards: tuple[int, ...]) -> None:
    if not state.trades:
        raise IllegalMove("K3", "You have already made both trades of this turn.")
    if not 1 <= len(cards) <= HAND_SIZE:
        raise IllegalMove("K3", "Trade 1 to 8 cards.")
    hand = state.hands[seat]
    for card in cards:
        if not (0 <= card < CARD_KINDS and hand & CARD_MASK[card]):
            raise _named_too_often(card) if _has_card(state, seat, card) else deck.CARD_NAMES.not_in_hand_error(card)
        hand -= CARD_BIT[card]
    if len(cards) > len(state.draw):
        left = len(state.draw)
        rule, some = (
            ("K3", f"Only {left} {'card is' if left == 1 else 'cards are'} left in the draw pile.")
            if left
            else ("K10", "The draw pile is empty.")
        )
        raise IllegalMove(rule, some)


def _has_card(state: State, seat: int, card: int) -> bool:
    return 0 <= card < CARD_KINDS and bool(state.hands[seat] & CARD_MASK[card])


def _named_too_often(card: int) -> IllegalMove:
    return IllegalMove(None, f"You named {deck.card_in_words(card)} more times than you have it.")


def _check_turn_up(state: State, seat: int, number: int) -> None:
    if number not in (1, 2):
        raise IllegalMove(None, "Your safety cards are 1 and 2.")
    if not state.down[seat][number - 1]:
        raise IllegalMove("K4", "You have already used that safety card.")
    if not state.discard:
        raise IllegalMove("K4", "You cannot use a safety card while the discard pile is empty.")


def _check_take(state: State, depth: int) -> None:
    deepest = safety_reach(state)
    if not 1 <= depth <= deepest:
        cards = "only the top card" if deepest == 1 else f"one of the top {deepest} cards"
        raise IllegalMove("K4", f"You may take {cards} of the discard pile.")


def _check_in_hand(state: State, seat: int, card: int) -> None:
    if not _has_card(state, seat, card):
        raise deck.CARD_NAMES.not_in_hand_error(card)


def _check_declare(state: State, seat: int) -> None:
    if state.declared is not None:
        raise IllegalMove("K9", "Your opponent has won the round. This is your last turn.")
    if not is_full_hand(state.hands[seat]):
        raise IllegalMove("K9", "Your hand is not full. All eight cards must be in sets and runs.")
