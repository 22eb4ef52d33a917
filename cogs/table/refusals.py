"""A refusal as a person gets to see it: the sentence, and where a rule forbids the move, its id and a way to it."""

from __future__ import annotations

from cogs.table import ids
from cogs.table.page import Block, Press, Text, rows
from engines.game import AnyGame, IllegalMove
from engines.match import Refused


def told(game: AnyGame, refused: Refused | IllegalMove) -> tuple[Block, ...]:
    """What is said on top of a hand, or as the answer to a command."""
    rule = refused.rule if isinstance(refused, IllegalMove) else None
    if rule is None:
        return (Text(f"**{refused}**"),)
    return (Text(f"**{refused}** ({rule})"), *rows((Press(f"Rule {rule}", ids.rule(game.key, rule)),)))
