"""Games that break a law of text boards each. All are Wizard, but for the board."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, ClassVar

from engines.kit.seats import LETTERS
from engines.wizard.game import WizardGame
from engines.wizard.model import State
from engines.wizard.view import View


class SpoiltView(View):
    """A view whose board is spoilt; `state` is what it should not know."""

    __slots__ = ("state",)
    state: State

    def __str__(self) -> str:
        return self.spoil_board(super().__str__())

    def spoil_board(self, board: str) -> str:
        """The board as it is shown."""
        return board


class _SpoiltBoardGame(WizardGame):
    """Wizard with such boards."""

    board: ClassVar[type[SpoiltView]]

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        values: dict[str, Any] = {field.name: getattr(view, field.name) for field in fields(View)}
        shown = self.board(**values)
        object.__setattr__(shown, "state", state)
        return shown


class WideBoard(_SpoiltBoardGame):
    """All in one line."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("\n", "; ")


class RaggedBoard(_SpoiltBoardGame):
    """Lines end in spaces."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("\n", " \n")


class NumberedBoard(_SpoiltBoardGame):
    """Seats are named by their numbers."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return re.sub(r"(?<=dealer )[A-F]", lambda found: f"seat {LETTERS.index(found[0])}", board)


class UnmarkedBoard(_SpoiltBoardGame):
    """Nobody knows whose turn it is."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("\n> ", "\n  ")


class BoardOfNobody(_SpoiltBoardGame):
    """It does not say whose it is."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return re.sub(r", seen by .*", "", board, count=1)


class BoardWithoutHand(_SpoiltBoardGame):
    """The last card of the hand is left out."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return re.sub(r"^(hand: .*?) ?\S+\Z", r"\1", board, flags=re.MULTILINE)


class RawBoard(_SpoiltBoardGame):
    """A turned card that is not there is shown as Python writes it."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("turned -", "turned None")


class CoarseBoard(_SpoiltBoardGame):
    """What lies on the table is not shown."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return re.sub(r"\non the table:.*", "", board)


class FickleBoard(_SpoiltBoardGame):
    """No two boards are the same."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            return board.replace("Wizard", f"Wizard {id(self)}", 1)


class LeakyBoard(_SpoiltBoardGame):
    """The board knows the first seat's hand, though the view does not."""

    class board(SpoiltView):
        def spoil_board(self, board: str) -> str:
            first = sum(self.state.hands[0]) if hasattr(self, "state") else 0
            return board.replace("Wizard", f"Wizard {first}", 1)
