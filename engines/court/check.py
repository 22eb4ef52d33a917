"""The errors for illegal moves of the Court (C3)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.court import board, deck, moves
from engines.court.board import SQUARE_NAMES, START_SQUARES
from engines.court.deck import ACES, COURT_CARDS, JACK, KING, MENHIR, NUMBER_CARDS
from engines.court.model import (
    FULL_HEALTH,
    Attack,
    Cause,
    Discard,
    Give,
    Heal,
    Move,
    Phase,
    Place,
    Push,
    SetMenhir,
    Skip,
    State,
    Step,
    Strike,
)
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter_range
from engines.kit.turns import out_of_turn_error

MOVE_PHASES: Mapping[type[Move], Phase] = {
    Step: "move",
    Skip: "move",
    Push: "hinder",
    Attack: "hinder",
    Strike: "hinder",
    Heal: "hinder",
    SetMenhir: "hinder",
    Discard: "hinder",
}
"""The phase of a seat's own turn in which each kind of move is allowed. Placing and giving back are owed instead."""
PLACE_RULES: Mapping[Cause, str] = {"start": "T2", "crossed": "T6", "knocked out": "T10", "enclosed": "T11"}
"""The rule by which an absent Mage is placed."""


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove for a move out of turn, out of phase or against T2, T4, T8–T10 and T14."""
    if state.owed:
        _check_owed(state, seat, move)
    elif seat != state.turn or state.phase != MOVE_PHASES.get(type(move)):
        raise _wrong_phase(state, seat, move)
    else:
        _check_card(state, seat, move)


def _check_owed(state: State, seat: int, move: Move) -> None:
    """T14: while a decision is owed, only its seat may act, and the match waits."""
    debt = state.owed[0]
    if seat != debt.seat:
        what = "place a Mage" if debt.what == "place" else "give back a banner"
        raise IllegalMove(None, f"Another player has to {what} first.")
    if debt.what == "place":
        if not isinstance(move, Place):
            rule = "T2" if debt.cause == "start" else "T14"
            raise IllegalMove(rule, "Place your Mage on a starting square first.")
        _check_place(state, move.square, PLACE_RULES[debt.cause])
    else:
        if not isinstance(move, Give):
            raise IllegalMove("T14", "Choose a banner to give back first.")
        if move.suit not in state.banners[seat]:
            raise IllegalMove(None, "You can only give back a banner that you have claimed.")


def _wrong_phase(state: State, seat: int, move: Move) -> IllegalMove:
    """Return the error for a move in the wrong phase."""
    if seat != state.turn or state.phase == "over":
        return out_of_turn_error(state)
    if isinstance(move, Place):
        return IllegalMove("T6", "Your Mage is on the board already.")
    if isinstance(move, Give):
        return IllegalMove("T10", "You can give back a banner only when your Mage is knocked out.")
    if state.phase == "move":
        return IllegalMove("T3", "Move your own Mage first. That is Phase One.")
    return IllegalMove("T3", "Phase One is over. Now hinder the others with a card, or discard one.")


def _check_card(state: State, seat: int, move: Move) -> None:
    """Check the move against the hand and the board, with the most common moves first."""
    match move:
        case Step():
            _check_step(state, seat, move.card)
        case Push():
            _check_push(state, seat, move.card, move.target)
        case Attack():
            _check_attack(state, seat, move.card, move.targets)
        case Discard():
            _check_in_hand(state, seat, move.card)
        case SetMenhir():
            _check_menhir(state, seat, move.square)
        case Strike():
            _check_ace(state, seat, move.card)
        case Heal():
            _check_heal(state, seat, move.card)
        case Skip():
            _check_skip(state, seat)


def _has_number_card(hand: list[int]) -> bool:
    """Whether these cards include a number card."""
    return any(card in NUMBER_CARDS for card in hand)


def _check_place(state: State, square: int, rule: str) -> None:
    if square not in START_SQUARES:
        raise IllegalMove(
            rule, f"Place your Mage on a starting square: {', '.join(SQUARE_NAMES[s] for s in START_SQUARES)}."
        )
    if square in state.mages:
        raise IllegalMove(rule, f"There is already a Mage on {SQUARE_NAMES[square]}.")


def _check_in_hand(state: State, seat: int, card: int) -> None:
    if card not in state.hands[seat]:
        raise deck.CARD_NAMES.not_in_hand_error(card)


def _check_step(state: State, seat: int, card: int) -> None:
    if card in NUMBER_CARDS and card in state.hands[seat]:
        return
    _check_in_hand(state, seat, card)
    if card not in COURT_CARDS:
        moved_by = "a number card, or a jack, queen or king if you have none"
        raise IllegalMove("T4", f"{_capitalize(deck.card_in_words(card))} cannot move your Mage. Use {moved_by}.")
    if _has_number_card(state.hands[seat]):
        raise IllegalMove("T4", "You have a number card, so you must move with a number card.")


def _check_skip(state: State, seat: int) -> None:
    if _has_number_card(state.hands[seat]):
        raise IllegalMove("T4", "You have a number card, so you cannot skip.")


def _check_push(state: State, seat: int, card: int, target: int) -> None:
    _check_in_hand(state, seat, card)
    _check_seat(state, target)
    if card not in NUMBER_CARDS:
        raise IllegalMove("T8", "You need a number card, 2 to 10, to move another Mage.")
    if target == seat:
        raise IllegalMove("T8", "In Phase Two you move another player's Mage, not your own.")


def _check_seat(state: State, target: int) -> None:
    if not 0 <= target < len(state.mages):
        raise IllegalMove(None, f"This match has the seats {letter_range(len(state.mages))}.")


def _check_attack(state: State, seat: int, card: int, targets: tuple[int, ...]) -> None:
    _check_in_hand(state, seat, card)
    for target in targets:
        _check_seat(state, target)
    if card not in COURT_CARDS:
        raise IllegalMove("T9", "You need a jack, queen or king to attack.")
    others = moves.other_seats(len(state.mages), seat)
    if tuple(sorted(targets)) not in moves.attack_targets(card, others):
        if seat in targets:
            raise IllegalMove("T9", "You cannot attack your own Mage.")
        raise IllegalMove("T9", _attack_target_text(card, len(others)))


def _attack_target_text(card: int, others: int) -> str:
    """Explain whom a court card attacks."""
    if others < 3:
        return "With 2 or 3 players any jack, queen or king attacks all opponents, so do not name a seat."
    if card % 13 == KING:
        return "A king attacks all opponents, so do not name a seat."
    return "A jack attacks one opponent." if card % 13 == JACK else "A queen attacks one opponent, or two."


def _check_ace(state: State, seat: int, card: int) -> None:
    _check_in_hand(state, seat, card)
    if card not in ACES:
        raise IllegalMove("T8", "You need an ace for that.")


def _check_heal(state: State, seat: int, card: int) -> None:
    _check_ace(state, seat, card)
    if state.health[seat] == FULL_HEALTH:
        raise IllegalMove("T8", "Your Mage already has full health.")


def _check_menhir(state: State, seat: int, square: int) -> None:
    _check_in_hand(state, seat, MENHIR)
    reason = board.menhir_refusal(state, square)
    if reason:
        raise IllegalMove("T8" if square in board.SQUARES else None, reason)


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]
