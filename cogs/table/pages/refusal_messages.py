"""A refusal as a person gets to see it: the sentence, and where a rule forbids the move, its id and a way to it."""

from __future__ import annotations

from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, Press, Text, rows
from cogs.table.wording.player_names import plain, visible
from engines.hosting.match import Refused
from engines.kit.contract import AnyGame, BadNotation, IllegalMove
from engines.store.match_store import StoreFailure


def sentence(refused: Refused | IllegalMove | StoreFailure) -> str:
    """The sentence, safe in markdown where it has words of people in it: their names, or what they have typed."""
    if isinstance(refused, BadNotation):
        return plain(visible(str(refused)))
    return plain(str(refused)) if isinstance(refused, Refused) and refused.names else str(refused)


def told(game: AnyGame, refused: Refused | IllegalMove) -> tuple[Block, ...]:
    """What is said on top of a hand, or as the answer to a command."""
    rule = refused.rule if isinstance(refused, IllegalMove) else None
    if rule is None:
        return (Text(f"**{sentence(refused)}**"),)
    return (Text(f"**{sentence(refused)}** ({rule})"), *rows((Press(f"Rule {rule}", custom_ids.rule(game.key, rule)),)))
