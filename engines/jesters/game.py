"""Jesters' rules (docs/rules/jesters.md), S1–S24."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from engines.chance import Chance
from engines.choices import Choices
from engines.game import Decision, Event, Game, Outcome
from engines.jesters import attempt, effects, moves, rounds, scoring, views
from engines.jesters.check import check
from engines.jesters.events import AnyEvent, Learned
from engines.jesters.model import (
    FAVORITE,
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Options,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    State,
    Unmark,
    UseGift,
    View,
)
from engines.jesters.sample import sample
from engines.turns import in_turn


class JestersGame(Game[State, Move, View, Options]):
    """Learn Techniques, roll them for Performances, and have the most Fame after three rounds."""

    key: ClassVar[str] = "jesters"
    title: ClassVar[str] = "Jesters"
    seats: ClassVar[range] = range(2, 5)
    version: ClassVar[int] = 1
    options = Options
    state = State
    event = AnyEvent
    notation = moves.NOTATION

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """S1–S4: lay everything out, and deal."""
        self.fitting(seats, options)
        return rounds.begin(seats, chance)

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time."""
        return in_turn(state)

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """What the moment of the turn asks for; choices of dice once each, whatever their order."""
        if seat != state.turn:
            return ()
        match state.phase:
            case "turn":
                return _turn(state, seat)
            case "attempt":
                return attempt.choices(state, seat)
            case "mark":
                return attempt.marks(state)
            case "keep":
                return tuple(map(Keep, state.drawn))
            case "over":
                return ()

    def check(self, state: State, seat: int, move: Move) -> None:
        """Refuse what is out of turn, out of phase or against S6–S13."""
        check(state, seat, move)

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        """Make the move; the next turn, the end of a round and the final scoring follow by themselves."""
        state.numbers[seat] += 1
        return _PLAYS[type(move)](state, seat, move)

    def outcome(self, state: State) -> Outcome | None:
        """S19: the most Fame wins."""
        return None if state.final is None else scoring.outcome(state.final)

    def view(self, state: State, seat: int | None) -> View:
        """Everything but the others' hands, the piles, and Gifts that only others have seen."""
        return views.view(state, seat)

    def sample(self, view: View, chance: Chance) -> State:
        """Deal what is unseen out again, with respect to all that the seat has seen."""
        return sample(view, chance)


def _turn(state: State, seat: int) -> Sequence[Move]:
    """S5: learn with any card, perform anything with any of one's dice, or pass."""
    middle, owned = tuple(state.middle), tuple(state.dice[seat])
    ways = [(card, colours) for card in state.hands[seat] for colours in effects.learnable(card, middle)]
    targets = tuple(state.board) if seat in state.done else (*state.board, FAVORITE)
    return Choices(moves.made(Learn, ways), moves.performs(targets, owned), moves.LAST)


def _learn(state: State, seat: int, move: Learn) -> list[Event]:
    """S6: the card is discarded for the Techniques of its top half."""
    taken = effects.taken(move.card, move.colours, tuple(state.middle))
    for colour in taken:
        state.middle[colour] -= 1
        state.dice[seat][colour] += 1
    state.hands[seat].remove(move.card)
    state.discard.append(move.card)
    return [Learned(seat=seat, card=move.card, dice=taken), *rounds.pass_on(state)]


_PLAYS: Mapping[type[Move], Callable[[State, int, Any], list[Event]]] = {
    Learn: _learn,
    Perform: attempt.begin,
    Pass: lambda state, seat, move: rounds.leave_round(state, seat),
    Spend: attempt.spend,
    Reroll: attempt.reroll,
    UseGift: attempt.use_gift,
    Mark: attempt.mark,
    Unmark: attempt.mark,
    Roll: attempt.change_marked,
    Paint: attempt.change_marked,
    Finish: lambda state, seat, move: rounds.finish(state, seat),
    Keep: lambda state, seat, move: rounds.keep(state, seat, move.gift),
}

JESTERS_GAME = JestersGame()
