"""The effect of Glimpse's moves, and the end of deals and of the match (G1–G7)."""

from __future__ import annotations

from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.example.engines.glimpse.deck import DECK, HAND_SIZE, is_wizard
from tests.example.engines.glimpse.model import (
    CardGlimpsed,
    CardLaid,
    CardTurned,
    DealBegun,
    GuessMade,
    HandDealt,
    Lay,
    Move,
    State,
    TurnedCard,
)
from tests.example.engines.glimpse.moves import guessing_seats


def start_match(seats: int, deals: int, chance: Chance) -> State:
    """Return the first deal. The first player is drawn at random (G4)."""
    none: list[bool | None] = [None] * seats
    state = State(chance, deals, 0, "lay", 0, [], [], [], None, none, [], [0] * seats, [0] * seats)
    _start_deal(state, first=chance.randbelow(seats))
    return state


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move. The last guess turns the card up, and the last card ends the deal."""
    state.numbers[seat] += 1
    if isinstance(move, Lay):
        state.hands[seat].remove(move.card)
        state.laid, state.phase = move.card, "guess"
        return [CardLaid(seat=seat)]
    state.guesses[seat] = move.wizard
    guessed: list[Event] = [GuessMade(seat=seat)]
    return guessed if guessing_seats(state) else guessed + _turn_card_up(state)


def _start_deal(state: State, first: int) -> list[Event]:
    """Deal three cards each (G2), and show each seat one card of its left neighbour (G3)."""
    seats = len(state.scores)
    dealt, state.rest = state.chance.draw(DECK, HAND_SIZE * seats)
    state.hands = [sorted(dealt[seat * HAND_SIZE : seat * HAND_SIZE + HAND_SIZE]) for seat in range(seats)]
    state.glimpses = [state.chance.choice(state.hands[(seat + 1) % seats]) for seat in range(seats)]
    state.deal, state.phase, state.turn, state.turned = state.deal + 1, "lay", first, []
    return [
        DealBegun(deal=state.deal, first=first),
        *(HandDealt(seat=seat, cards=tuple(hand), to=(seat,)) for seat, hand in enumerate(state.hands)),
        *(CardGlimpsed(seat=seat, card=card, to=(seat,)) for seat, card in enumerate(state.glimpses)),
    ]


def _turn_card_up(state: State) -> list[Event]:
    """Score the card: a point for each right guess, and one for the owner per wrong guess (G6)."""
    assert state.laid is not None
    owner, card, guesses = state.turn, state.laid, tuple(state.guesses)
    wizard = is_wizard(card)
    points = [int(guess == wizard) for guess in guesses]
    points[owner] = guesses.count(not wizard)
    state.scores = [score + more for score, more in zip(state.scores, points, strict=True)]
    state.turned.append(TurnedCard(owner, card, guesses))
    state.laid, state.guesses = None, [None] * len(guesses)
    state.phase, state.turn = "lay", (owner + 1) % len(guesses)
    events: list[Event] = [CardTurned(seat=owner, card=card, guesses=guesses, points=tuple(points))]
    return events if any(state.hands) else events + _end_deal(state)


def _end_deal(state: State) -> list[Event]:
    """Start the next deal with the left neighbour of the last first player, or end the match (G7)."""
    if state.deal < state.deals:
        return _start_deal(state, first=(state.turned[0].seat + 1) % len(state.scores))
    state.phase = "over"
    return []
