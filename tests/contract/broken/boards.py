"""Games that break a law of text boards each. All are Wizard, but for the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar

from engines.kit.seats import LETTERS
from engines.wizard.game import WizardGame
from engines.wizard.model import State
from engines.wizard.view import View


class SpoiltView(View):  # a view whose board is spoilt; `state` is what it should not know
    __slots__ = ("state",)
    state: State

    def __str__(self) -> str:
        return self.spoil_board(super().__str__())

    def spoil_board(self, board: str) -> str:
        """The board as it is shown."""
        return board


def _spoilt(spoil: Callable[[str], str]) -> type[SpoiltView]:
    """Views whose boards are spoilt so."""

    class Spoilt(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return spoil(board)

    return Spoilt


class _SpoiltBoardGame(WizardGame):  # Wizard with such boards
    board: ClassVar[type[SpoiltView]]

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        values: dict[str, Any] = {field.name: getattr(view, field.name) for field in fields(View)}
        shown = self.board(**values)
        object.__setattr__(shown, "state", state)
        return shown


class WideBoard(_SpoiltBoardGame):  # all in one line
    board = _spoilt(lambda board: board.replace("\n", "; "))


class RaggedBoard(_SpoiltBoardGame):  # lines end in spaces
    board = _spoilt(lambda board: board.replace("\n", " \n"))


class NumberedBoard(_SpoiltBoardGame):  # seats are named by their numbers
    board = _spoilt(lambda board: re.sub(r"(?<=dealer )[A-F]", lambda found: f"seat {LETTERS.index(found[0])}", board))


class UnmarkedBoard(_SpoiltBoardGame):  # nobody knows whose turn it is
    board = _spoilt(lambda board: board.replace("\n> ", "\n  "))


class BoardOfNobody(_SpoiltBoardGame):  # it does not say whose it is
    board = _spoilt(lambda board: re.sub(r", seen by .*", "", board, count=1))


class BoardWithoutHand(_SpoiltBoardGame):  # the last card of the hand is left out
    board = _spoilt(lambda board: re.sub(r"^(hand: .*?) ?\S+\Z", r"\1", board, flags=re.MULTILINE))


class RawBoard(_SpoiltBoardGame):  # a turned card that is not there is shown as Python writes it
    board = _spoilt(lambda board: board.replace("turned -", "turned None"))


class CoarseBoard(_SpoiltBoardGame):  # what lies on the table is not shown
    board = _spoilt(lambda board: re.sub(r"\non the table:.*", "", board))


class FickleBoard(_SpoiltBoardGame):  # no two boards are the same
    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("Wizard", f"Wizard {id(self)}", 1)


class LeakyBoard(_SpoiltBoardGame):  # the board knows the first seat's hand, though the view does not
    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            first = sum(self.state.hands[0]) if hasattr(self, "state") else 0
            return board.replace("Wizard", f"Wizard {first}", 1)
