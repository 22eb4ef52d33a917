"""Games that break a law of how moves are written and seats named each. All are Wizard or Jest, but for one thing."""

from __future__ import annotations

import re

from engines.jest import model
from engines.jest.game import JestGame
from engines.kit.errors import BadNotation, IllegalMove
from engines.kit.seats import letter
from engines.wizard.game import WizardGame
from engines.wizard.model import Move


class AmbiguousNotation(WizardGame):  # the suits' letters are missing
    def format_move(self, move: Move) -> str:
        return super().format_move(move).rstrip("CDHS")


class OneWayNotation(WizardGame):  # what is written cannot be read
    def format_move(self, move: Move) -> str:
        return super().format_move(move) + "!"


class LongNotation(WizardGame):  # a notation that fits no button
    def format_move(self, move: Move) -> str:
        return super().format_move(move).replace(" ", " " * 90)


class PedanticNotation(WizardGame):  # reads its own capitals only
    def parse_move(self, text: str) -> Move:
        return super().parse_move(text if text.strip() == self.format_move(super().parse_move(text)) else "?")


class CommaNotation(WizardGame):  # takes no comma between words
    def parse_move(self, text: str) -> Move:
        return super().parse_move("?" if "," in text else text)


class CrashingNotation(WizardGame):  # what is no move is an error of Python's
    def parse_move(self, text: str) -> Move:
        if not text.strip():
            raise IndexError
        return super().parse_move(text)


class LenientNotation(JestGame):  # writes letters, and reads numbers as well
    def parse_move(self, text: str) -> model.Move:
        return super().parse_move(re.sub(r"\b[1-6]\b", lambda number: letter(int(number[0]) - 1), text))


class NumberedNotation(LenientNotation):  # offers are named by number: `take 2 up`
    def format_move(self, move: model.Move) -> str:
        if not isinstance(move, model.Take):
            return super().format_move(move)
        return f"take {move.source + 1} {'up' if move.up else 'down'}"


class NumberedRefusal(JestGame):  # a refusal counts the offers
    def check(self, state: model.State, seat: int, move: model.Move) -> None:
        if isinstance(move, model.Take) and move.source >= len(state.jests):
            raise IllegalMove("J6", f"There are offers 1 to {len(state.jests)}.")
        super().check(state, seat, move)


class NumberedExample(JestGame):  # what is no move is answered by what would not be one either
    def parse_move(self, text: str) -> model.Move:
        try:
            return super().parse_move(text)
        except BadNotation:
            raise BadNotation("Write whose offer, by seat number, and up or down.") from None
