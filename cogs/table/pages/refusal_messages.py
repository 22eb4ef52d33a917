"""Refusals for players: the sentence, and the rule that forbids the move with a button to it."""

from __future__ import annotations

from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, Press, Text, press_rows
from cogs.table.wording.player_names import escape_markdown, strip_invisible
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import BadNotation, IllegalMove
from engines.store.match_store import StoreFailure


def refusal_text(refusal: RequestRefused | IllegalMove | StoreFailure) -> str:
    """Return the refusal's sentence, escaped for markdown if it contains names or typed text."""
    if isinstance(refusal, BadNotation):
        return escape_markdown(strip_invisible(str(refusal)))
    return escape_markdown(str(refusal)) if isinstance(refusal, RequestRefused) and refusal.has_names else str(refusal)


def refusal_blocks(game: AnyGame, refusal: RequestRefused | IllegalMove) -> tuple[Block, ...]:
    """Return the refusal for the top of a hand, or as the reply to a command."""
    rule = refusal.rule if isinstance(refusal, IllegalMove) else None
    if rule is None:
        return (Text(f"**{refusal_text(refusal)}**"),)
    return (
        Text(f"**{refusal_text(refusal)}** ({rule})"),
        *press_rows((Press(f"Rule {rule}", custom_ids.rule_id(game.key, rule)),)),
    )
