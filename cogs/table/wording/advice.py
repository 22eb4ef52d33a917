"""What advice says of a move: first the move, then one reason. In small print, what its special card does."""

from __future__ import annotations

from typing import Any

from cogs.screens.screen import Context, GameScreen
from cogs.table.wording.player_names import escape_markdown


def advice_lines(screen: GameScreen, view: Any, move: Any, context: Context, verdict: str = "") -> list[str]:
    """Return the move in bold with a verdict behind it, such as `. Right, no other move is better.`, a line with its
    reason, and a line of small print if the move is about a special card whose effect neither line says.
    """
    label, reason = screen.choice_label(view, move, context), screen.move_reason(view, move, context)
    card = screen.special_card_in(move, view)
    effect = "" if card is None or card.effect in f"{label}\n{reason}" else f"-# {card.text}"
    return [line for line in (f"**{escape_markdown(label)}**{verdict}", reason, effect) if line]
