"""What moves do in Jesters: learning here; attempts and endings in their own modules (S5–S15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.jesters import attempt, effects, rounds
from engines.jesters.events import TechniquesLearned
from engines.jesters.model import (
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    State,
    Unmark,
    UseGift,
)
from engines.kit.contract import Event


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move, and then the next turn, the end of a round and the final scoring if they follow."""
    state.numbers[seat] += 1
    return _MOVE_HANDLERS[type(move)](state, seat, move)


def _learn(state: State, seat: int, move: Learn) -> list[Event]:
    """S6: discard the card for the Techniques of its top half."""
    taken = effects.taken_techniques(move.card, move.colours, tuple(state.middle))
    for colour in taken:
        state.middle[colour] -= 1
        state.dice[seat][colour] += 1
    state.hands[seat].remove(move.card)
    state.discard.append(move.card)
    return [TechniquesLearned(seat=seat, card=move.card, dice=taken), *rounds.pass_turn(state)]


_MOVE_HANDLERS: Mapping[type[Move], Callable[[State, int, Any], list[Event]]] = {
    Learn: _learn,
    Perform: attempt.begin_attempt,
    Pass: lambda state, seat, move: rounds.leave_round(state, seat),
    Spend: attempt.spend_card,
    Reroll: attempt.buy_reroll,
    UseGift: attempt.use_gift,
    Mark: attempt.change_mark,
    Unmark: attempt.change_mark,
    Roll: attempt.change_marked_dice,
    Paint: attempt.change_marked_dice,
    Finish: lambda state, seat, move: rounds.finish_attempt(state, seat),
    Keep: lambda state, seat, move: rounds.keep_gift(state, seat, move.gift),
}
