"""Games that break a law of text boards each. All are Wizard, but for the board."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, ClassVar

from engines.kit.seats import LETTERS
from engines.wizard.game import WizardGame
from engines.wizard.model import State, View


class Board(View):
    """A view whose board is spoilt; `state` is what it should not know."""

    __slots__ = ("state",)
    state: State

    def __str__(self) -> str:
        return self.spoilt(super().__str__())

    def spoilt(self, board: str) -> str:
        """The board as it is shown."""
        return board


class _Shows(WizardGame):
    """Wizard with such boards."""

    board: ClassVar[type[Board]]

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        values: dict[str, Any] = {field.name: getattr(view, field.name) for field in fields(View)}
        shown = self.board(**values)
        object.__setattr__(shown, "state", state)
        return shown


class WideBoard(_Shows):
    """All in one line."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return board.replace("\n", "; ")


class RaggedBoard(_Shows):
    """Lines end in spaces."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return board.replace("\n", " \n")


class NumberedBoard(_Shows):
    """Seats are named by their numbers."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return re.sub(r"(?<=dealer )[A-F]", lambda found: f"seat {LETTERS.index(found[0])}", board)


class UnmarkedBoard(_Shows):
    """Nobody knows whose turn it is."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return board.replace("\n> ", "\n  ")


class BoardOfNobody(_Shows):
    """It does not say whose it is."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return re.sub(r", seen by .*", "", board, count=1)


class BoardWithoutHand(_Shows):
    """The last card of the hand is left out."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return re.sub(r"^(hand: .*?) ?\S+\Z", r"\1", board, flags=re.MULTILINE)


class RawBoard(_Shows):
    """A turned card that is not there is shown as Python writes it."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return board.replace("turned -", "turned None")


class CoarseBoard(_Shows):
    """What lies on the table is not shown."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return re.sub(r"\non the table:.*", "", board)


class FickleBoard(_Shows):
    """No two boards are the same."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            return board.replace("Wizard", f"Wizard {id(self)}", 1)


class LeakyBoard(_Shows):
    """The board knows the first seat's hand, though the view does not."""

    class board(Board):
        def spoilt(self, board: str) -> str:
            first = sum(self.state.hands[0]) if hasattr(self, "state") else 0
            return board.replace("Wizard", f"Wizard {first}", 1)
