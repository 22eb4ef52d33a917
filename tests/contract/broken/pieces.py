"""Games that lose pieces or make some up. All are Wizard or Jest, but for one thing."""

from __future__ import annotations

from typing import Any

from engines.jest import model as jest
from engines.jest.game import JestGame
from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.wizard.game import WizardGame
from engines.wizard.model import Move, State
from engines.wizard.view import View


class ShortDeck(WizardGame):
    """A card stays in the box from the beginning."""

    def start(self, seats: int, options: Any, chance: Chance) -> State:
        state = super().start(seats, options, chance)
        state.stock.pop()
        return state


class LostCard(WizardGame):
    """The last card of a trick falls under the table."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        tricks = len(state.takers)
        events = super().play(state, seat, move)
        if len(state.takers) > tricks:
            state.fallen[-1] = state.fallen[0]
        return events


class CopiedCard(JestGame):
    """Whoever takes a card gets another one of another Jest as well."""

    def play(self, state: jest.State, seat: int, move: jest.Move) -> list[Event]:
        events = super().play(state, seat, move)
        state.jests[seat] |= state.jests[seat - 1] & -state.jests[seat - 1]
        return events


class DoubleSample(WizardGame):
    """A sample deals a card twice."""

    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        if state.stock:
            state.stock[0] = state.hands[0][0] if state.hands[0] else state.stock[-1]
        return state
