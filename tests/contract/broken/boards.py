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
        return board


class _SpoiltBoardGame(WizardGame):  # Wizard with such boards
    board: ClassVar[type[SpoiltView]]

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        values: dict[str, Any] = {field.name: getattr(view, field.name) for field in fields(View)}
        board = self.board(**values)
        object.__setattr__(board, "state", state)
        return board


def _with_spoilt_boards(spoil: Callable[[str], str]) -> type[WizardGame]:
    """Wizard with boards that are spoilt so."""

    class Spoilt(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return spoil(board)

    class SpoiltGame(_SpoiltBoardGame):
        board = Spoilt

    return SpoiltGame


def _number_seat(found: re.Match[str]) -> str:
    return f"seat {LETTERS.index(found[0])}"


WideBoard = _with_spoilt_boards(lambda board: board.replace("\n", "; "))  # all in one line
RaggedBoard = _with_spoilt_boards(lambda board: board.replace("\n", " \n"))  # lines end in spaces
NumberedBoard = _with_spoilt_boards(
    lambda board: re.sub(r"(?<=dealer )[A-F]", _number_seat, board)
)  # seats go by their numbers
UnmarkedBoard = _with_spoilt_boards(lambda board: board.replace("\n> ", "\n  "))  # nobody knows whose turn it is
BoardOfNobody = _with_spoilt_boards(
    lambda board: re.sub(r", seen by .*", "", board, count=1)
)  # it does not say whose it is
BoardWithoutHand = _with_spoilt_boards(
    lambda board: re.sub(r"(?m)^(hand: .*?) ?\S+\Z", r"\1", board)
)  # the last card is left out
RawBoard = _with_spoilt_boards(
    lambda board: board.replace("turned -", "turned None")
)  # as Python writes a card that is not there
CoarseBoard = _with_spoilt_boards(
    lambda board: re.sub(r"\non the table:.*", "", board)
)  # what lies on the table is not shown


class FickleBoard(_SpoiltBoardGame):  # no two boards are the same
    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("Wizard", f"Wizard {id(self)}", 1)


class LeakyBoard(_SpoiltBoardGame):  # the board knows the first seat's hand, though the view does not
    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            first = sum(self.state.hands[0]) if hasattr(self, "state") else 0
            return board.replace("Wizard", f"Wizard {first}", 1)
