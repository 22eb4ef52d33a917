"""The errors of a move: a move that the rules forbid, and a text that is not a move."""

from __future__ import annotations


class IllegalMove(Exception):
    """A move that cannot be made; `reason` is a sentence for the player.

    `rule` is the id in docs/rules of the rule that forbids it. It is None if no rule does: it is not the player's turn,
    or the move names something that does not exist or belongs to somebody else.
    """

    def __init__(self, rule: str | None, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason


class BadNotation(IllegalMove):
    """A text that is not a move of this game."""

    def __init__(self, reason: str) -> None:
        super().__init__(None, reason)
