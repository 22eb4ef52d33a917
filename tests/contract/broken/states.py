"""Games that break a law of states and what comes out of them each. All are Wizard or Jest, but for one thing."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.wizard.game import WizardGame
from engines.wizard.model import HandDealt, Move, State
from engines.wizard.view import View

STATES = TypeAdapter(State)


class EventForSpectators(WizardGame):
    """The hands that are dealt are addressed to spectators too."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        events = super().play(state, seat, move)
        return [replace(e, to=(e.seat, None)) if isinstance(e, HandDealt) else e for e in events]  # type: ignore[arg-type]


class UnknownEvent(WizardGame):
    """An event that is none of the game's own."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        return [*super().play(state, seat, move), Event()]


class SharedCopy(WizardGame):
    """A copy has the hands in common with the original."""

    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.hands = list(state.hands)
        return other


class SharedChance(WizardGame):
    """A copy draws from the original's source."""

    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.chance = state.chance
        return other


class ForgetfulCopy(WizardGame):
    """A copy has lost the last trick of the round before."""

    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.last = None
        return other


class ForeignRandomness(WizardGame):
    """A deal is shuffled once more, by a source of its own."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        events = super().play(state, seat, move)
        random.shuffle(state.stock)
        return events


class ForeignStart(WizardGame):
    """The first dealer comes from a source of its own."""

    def start(self, seats: int, options: Any, chance: Chance) -> State:
        return super().start(seats, options, Chance(f"{random.getrandbits(128):032x}"))


class _WithoutLast:
    """Stores a state without the last trick of the round before."""

    def dump_json(self, state: State) -> bytes:
        return STATES.dump_json(replace(state, last=None))

    def validate_json(self, stored: bytes) -> State:
        return STATES.validate_json(stored)


class ForgetfulCheckpoint(WizardGame):
    """What was stored is not all that there was."""

    checkpoint_adapter = _WithoutLast()  # type: ignore[assignment]


class MutableView(WizardGame):
    """A view that hands out the scores themselves."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), scores=state.scores)  # type: ignore[arg-type]
