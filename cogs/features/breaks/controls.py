"""Handles requests to begin and to end a break, which counts in every match of a person."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.breaks.break_pages import BACK, break_page
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages.custom_ids import only_value
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.breaks import BREAK_SECONDS, end_break, take_break


class BreakActions:
    """Requests of people for their own breaks."""

    def __init__(self, actions: TableActions) -> None:
        self._settings = actions.settings
        self._matches = actions.matches

    async def change_break(self, reply: InteractionReply, length: str, values: Sequence[str]) -> None:
        """Begin a break of this length, or of the chosen one if it is empty; BACK ends the one that the user is on."""
        user, length, until = reply.interaction.user.id, length or only_value(values), 0
        if length == BACK:
            await end_break(self._matches.rests, user)
        else:
            until = await take_break(self._matches.rests, user, length)
        reply.is_saved = True
        self._matches.editor.on_due(0)  # it may now be earlier
        found = await self._matches.lookup.find(user=user)
        titles = [f"{self._matches.lookup.game_title(info.game)}, match `{info.id}`" for info in found]
        await reply.show_page(break_page(until, BREAK_SECONDS.get(length, 0), found, titles))
        self._settings.wake_hands(user, found)
