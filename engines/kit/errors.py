"""The errors of a move: one that breaks the rules, and a text that is no move at all."""

from __future__ import annotations


class IllegalMove(Exception):
    """A move that cannot be made; `reason` is a sentence for the player.

    `rule` is the id in docs/rules of the rule that forbids it. It is None if no rule does: the move is out of turn, or
    it names something that is not there or not the player's own.
    """

    def __init__(self, rule: str | None, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason


class BadNotation(IllegalMove):
    """A text that is no move of this game at all."""

    def __init__(self, reason: str) -> None:
        super().__init__(None, reason)
