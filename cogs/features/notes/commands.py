"""`/motley note`."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.notes.controls import NOTE_WRITER, NoteActions
from cogs.table.access.rights import extras_of
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import (
    MATCH_DESCRIPTION,
    Choices,
    own_match_choices,
    safe_autocomplete,
    with_reply,
)
from cogs.table.transport.interaction_response import InteractionReply


class NoteCommands(FeatureCog):
    """The part of `/motley` about notes."""

    @app_commands.command(
        description="Write a note about a match, which only you see, on your hand", extras=extras_of(NOTE_WRITER)
    )
    @app_commands.describe(
        text="The new note; leave it out to see, change or delete the present one", match=MATCH_DESCRIPTION
    )
    @with_reply
    async def note(
        self,
        reply: InteractionReply,
        text: app_commands.Range[str, 1, 300] | None = None,  # MAX_NOTE_LENGTH, which discord.py does not find here
        match: str | None = None,
    ) -> None:
        """`note`: store a note, or open the form with the present one. It also works for finished matches."""
        visit, notes = await self.finder.find_latest(reply.interaction, match), NoteActions(self.actions)
        if text is None:
            await notes.open_form(reply, visit)
        else:
            await notes.save_note(reply, visit, "", (text,))

    @note.autocomplete("match")
    @safe_autocomplete
    async def _complete_noted_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)
