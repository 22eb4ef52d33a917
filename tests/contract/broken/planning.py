"""Games that break a law of planned moves each. All are Wizard otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engines.wizard.game import WizardGame
from engines.wizard.model import Move, State
from engines.wizard.moves import PLAY_MOVES
from engines.wizard.planning import NEED, WizardPlanning
from engines.wizard.view import View


class _PeepingPlanning(WizardPlanning):
    visible: ClassVar[list[int]] = []

    def moves(self, view: View) -> Sequence[Move]:
        found = super().moves(view)
        return found[::-1] if sum(self.visible) % 2 else found


class PeepingPlans(WizardGame):  # the list of cards to plan is turned around by what others hold
    planning = _PeepingPlanning()

    def view(self, state: State, seat: int | None) -> View:
        _PeepingPlanning.visible[:] = [card for hand in state.hands[:2] for card in hand]
        return super().view(state, seat)


class _HastyPlanning(WizardPlanning):
    def moves(self, view: View) -> Sequence[Move]:
        return [PLAY_MOVES[card] for card in dict.fromkeys(view.hand)] if view.phase == "play" else ()


class HastyPlans(WizardGame):  # one plans in one's own turn
    planning = _HastyPlanning()


class _NeedyPlanning(WizardPlanning):
    def conditions(self, view: View, move: Move) -> Sequence[str]:
        return tuple(dict.fromkeys((*super().conditions(view, move), NEED)))


class NeedyPlans(WizardGame):  # tricks can be needed by those who have all of theirs
    planning = _NeedyPlanning()


class _LatePlanning(WizardPlanning):
    def decision(self, view: View) -> int:
        return super().decision(view) + 1


class LatePlans(WizardGame):  # a plan is for the decision after the next
    planning = _LatePlanning()


class _StubbornPlanning(WizardPlanning):
    def failure(self, view: View, move: Move, condition: str) -> str:
        return ""


class StubbornPlans(WizardGame):  # no plan ever fails
    planning = _StubbornPlanning()
