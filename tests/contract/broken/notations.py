"""Games that break a law of how moves are written and seats named each. All are Wizard or Jest, but for one thing."""

from __future__ import annotations

import re

from engines.jest import model as jest
from engines.jest.game import JestGame
from engines.kit.contract import BadNotation, IllegalMove
from engines.kit.seats import letter
from engines.wizard.game import WizardGame
from engines.wizard.model import Move


class AmbiguousNotation(WizardGame):
    """The suits' letters are missing."""

    def write(self, move: Move) -> str:
        return super().write(move).rstrip("CDHS")


class OneWayNotation(WizardGame):
    """What is written cannot be read."""

    def write(self, move: Move) -> str:
        return super().write(move) + "!"


class LongNotation(WizardGame):
    """A notation that fits no button."""

    def write(self, move: Move) -> str:
        return super().write(move).replace(" ", " " * 90)


class PedanticNotation(WizardGame):
    """Reads its own capitals only."""

    def read(self, text: str) -> Move:
        return super().read(text if text.strip() == self.write(super().read(text)) else "?")


class CommaNotation(WizardGame):
    """Takes no comma between words."""

    def read(self, text: str) -> Move:
        return super().read("?" if "," in text else text)


class CrashingNotation(WizardGame):
    """What is no move is an error of Python's."""

    def read(self, text: str) -> Move:
        if not text.strip():
            raise IndexError
        return super().read(text)


class NumberedNotation(JestGame):
    """Offers are named by number: `take 2 up`."""

    def write(self, move: jest.Move) -> str:
        return (
            f"take {move.source + 1} {'up' if move.up else 'down'}"
            if isinstance(move, jest.Take)
            else super().write(move)
        )

    def read(self, text: str) -> jest.Move:
        return super().read(re.sub(r"\b[1-6]\b", lambda number: letter(int(number[0]) - 1), text))


class LenientNotation(JestGame):
    """Writes letters, and reads numbers as well."""

    def read(self, text: str) -> jest.Move:
        return super().read(re.sub(r"\b[1-6]\b", lambda number: letter(int(number[0]) - 1), text))


class NumberedRefusal(JestGame):
    """A refusal counts the offers."""

    def check(self, state: jest.State, seat: int, move: jest.Move) -> None:
        if isinstance(move, jest.Take) and move.source >= len(state.jests):
            raise IllegalMove("J6", f"There are offers 1 to {len(state.jests)}.")
        super().check(state, seat, move)


class NumberedExample(JestGame):
    """What is no move is answered by what would not be one either."""

    def read(self, text: str) -> jest.Move:
        try:
            return super().read(text)
        except BadNotation:
            raise BadNotation("Write whose offer, by seat number, and up or down.") from None
