"""Games and screens that break a law of taking moves back each. All are Wizard or Jest otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from cogs.screens.screen import Context, Screen
from cogs.wizard.screen import WizardScreen
from engines.jest import model
from engines.jest.game import JestGame
from engines.kit.contract import Decision, Event
from engines.wizard.game import WizardGame
from engines.wizard.model import BidsRevealed, Move, State


class UnseenTakes(JestGame):  # a face-down card is said to show its taker nothing
    def reveals(self, state: model.State, seat: int, move: model.Move) -> frozenset[int]:
        return super().reveals(state, seat, move) if len(state.waiting) == 1 else frozenset()


class OwnBidsOnly(WizardGame):  # hidden bids are said to come to light for the last bidder alone
    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        learners = super().reveals(state, seat, move)
        return learners & {seat} if state.phase == "bid" else learners


class SilentDeal(WizardGame):  # a deal is said to show nobody anything
    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        learners = super().reveals(state, seat, move)
        return frozenset() if self.state_after(state, seat, move).round > state.round else learners


class NamedSpectator(WizardGame):  # a deal is said to show something to a seat that nobody has
    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        learners = super().reveals(state, seat, move)
        return learners | {len(state.scores)} if learners else learners


class AskingPlays(WizardGame):  # a game that makes the move when it is only asked about it
    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        learners = super().reveals(state, seat, move)
        self.play(state, seat, move)
        return learners


class NamesAll(WizardGame):  # whatever is played is said to show everybody something
    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        return frozenset(range(len(state.scores)))


class NamesAllTakers(JestGame):  # a card that lay face up is said to show its taker something
    def reveals(self, state: model.State, seat: int, move: model.Move) -> frozenset[int]:
        return super().reveals(state, seat, move) | ({seat} if isinstance(move, model.Take) else set())


class TellsAll(JestGame):  # everybody is told which card was taken face down
    def describe_reveal(self, state: model.State, seat: int, move: model.Move, reader: int) -> str:
        return super().describe_reveal(state, seat, move, seat)


class Speechless(WizardGame):  # what comes to light at the end of a round is not said in words
    def reveal_text(self, events: Sequence[Event], reader: int) -> str:
        return "bids" if any(isinstance(event, BidsRevealed) for event in events) else super().reveal_text(events, 0)


class CountingPlays(WizardGame):  # every seventh move that this process plays is told twice
    played: ClassVar[int] = 0

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        CountingPlays.played += 1
        events = super().play(state, seat, move)
        return events if CountingPlays.played % 7 else [*events, *events]


class RemembersMoves(WizardGame):  # the moves of a decision are computed once, whatever became of the decision
    found: ClassVar[dict[object, Sequence[Move]]] = {}

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        key = (state.chance.seed, state.round, seat, state.numbers[seat], state.phase, state.turn)
        return self.found.setdefault(key, super().moves(state, seat))


class SharedTrick(WizardGame):  # a copy lays its cards on the same trick
    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.trick = state.trick
        return other


class StaleHand(WizardScreen):
    """A hand that is drawn once for as many moves as have been made."""

    def __init__(self) -> None:
        self._drawn: dict[object, Screen] = {}

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        key = (view.seat, view.seats, view.round, view.numbers)
        return self._drawn.setdefault(key, super().hand(view, decision, moves, context))


class DrawingCounter(WizardScreen):
    """A hand that looks different every other time it is drawn."""

    def __init__(self) -> None:
        self._count = 0

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        self._count += 1
        return super().hand(view, decision, moves if self._count % 7 else moves[::-1], context)
