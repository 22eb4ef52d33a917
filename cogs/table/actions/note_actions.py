"""Handles requests about a player's private note on a match."""

from __future__ import annotations

from cogs.screens.truncation import utf16_length
from cogs.table.actions.context import ActionContext
from cogs.table.pages import menu_pages
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_notes import MAX_NOTE_LENGTH, clean_note
from engines.hosting.match import RequestRefused


class NoteActions:
    """Requests of players for their own notes. A note belongs to the person, so nobody else is ever shown it."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context
        self._reconciler = context.keeper

    async def open_form(self, reply: InteractionReply, match: str) -> None:
        """Open the form with the user's present note."""
        await self._require_hand(match, reply.interaction.user.id)
        note = await self._reconciler.player_note(match, reply.interaction.user.id)
        await reply.open_form(menu_pages.note_form(match, note))

    async def save_note(self, reply: InteractionReply, match: str, text: str) -> str:
        """Store the user's note, or delete it if the text is empty. Returns a sentence that says so."""
        user, note = reply.interaction.user.id, clean_note(text)
        seat = await self._require_hand(match, user)
        if (length := utf16_length(note)) > MAX_NOTE_LENGTH:
            raise RequestRefused(
                f"A note has at most {MAX_NOTE_LENGTH} characters, and yours has {length}. Nothing was changed."
            )
        await self._reconciler.change_player_note(match, user, seat, note)
        reply.is_saved = True
        return "Your note is saved. Only you see it, on your hand." if note else "You have no note about this match."

    async def _require_hand(self, match: str, user: int) -> int:
        """Return the user's seat in a match that has begun. Raises RequestRefused."""
        seat = await self._context.require_seat(match, user)
        if (await self._context.matches.get_snapshot(match)).state is None:
            raise RequestRefused("You can write a note as soon as the match has started.")
        return seat
