"""Who learns something hidden by a move of Wizard, and what a player is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.contract import Event
from engines.kit.phrases import join_phrases
from engines.wizard.deals import known_voids
from engines.wizard.deck import CARD_NAMES, SUIT
from engines.wizard.house_rules import DUMMY_TABLE, is_blind_round
from engines.wizard.model import BidsRevealed, CardPassed, CardPlayed, HandDealt, RoundDealt, State
from engines.wizard.view import view

DUMMY = DUMMY_TABLE - 1  # the place of the dummy hand (W19)


def seats_shown(state: State, after: State, seat: int) -> frozenset[int]:
    """Return the seats that learn something hidden by a move of a seat between these two states."""
    seats = frozenset(range(len(state.scores)))
    if after.round > state.round or _shows_blind_hands(state, after):  # W2: every deal is shuffled
        return seats
    seats_seeing: set[int] = set()
    if _turns_up_dummy_card(state, after):
        seats_seeing.update(other for other in seats if not _knows_dummy_card(state, after, other))
    if _shows_bids(state, after):  # the mover's own bid does not count
        seats_seeing.update(other for other in seats if seats - {other, seat})
    if _changes_hands(state, after):  # nor does the mover's own card, which goes to the left
        seats_seeing.update(seats - {(seat + 1) % len(seats)})
    return frozenset(seats_seeing)


def reveal_text(events: Sequence[Event], reader: int) -> str:
    """Say what came to light by a move with these events."""
    kinds = {type(event): event for event in events}
    if RoundDealt in kinds:
        return "A new round was dealt."
    if HandDealt in kinds:
        return "Everybody has seen their cards."
    if BidsRevealed in kinds:
        return "The bids were revealed."
    for event in events:
        if isinstance(event, CardPassed) and event.receiver == reader:
            return f"The cards were passed, and you got {CARD_NAMES.card_phrase(event.card)}."
    cards = [event.card for event in events if isinstance(event, CardPlayed) and event.seat == DUMMY]
    return f"The dummy hand turned up {join_phrases(map(CARD_NAMES.card_phrase, cards))}."


def _shows_blind_hands(state: State, after: State) -> bool:
    """W18: the last bid of a blind round shows everybody their own hand."""
    return state.phase == "bid" and after.phase != "bid" and is_blind_round(state.blind, state.round)


def _shows_bids(state: State, after: State) -> bool:
    """W16: the last hidden bid shows all of them. W17: the end of the round shows late ones."""
    if state.bidding == "hidden":
        return state.phase == "bid" and after.phase != "bid"
    return state.bidding == "late" and len(after.sheet) > len(state.sheet)


def _changes_hands(state: State, after: State) -> bool:
    """W24: the last choice passes all cards."""
    return state.phase == "pass" and after.phase != "pass"


def _turns_up_dummy_card(state: State, after: State) -> bool:
    """W19: the dummy's next card is turned up in the round."""
    return len(state.hands) > len(state.scores) and len(after.hands[DUMMY]) < len(state.hands[DUMMY])


def _knows_dummy_card(state: State, after: State, seat: int) -> bool:
    """Whether no card of another kind can be the dummy's next one, for all that the seat knows."""
    card, other = state.hands[DUMMY][-1], 1 - seat
    if {*state.hands[DUMMY], *state.stock} != {card}:
        return False
    is_void = not state.specials and SUIT[card] in known_voids(view(after, seat))[other]  # W7: cannot hold it instead
    return is_void or {*after.hands[other]} <= {card}
