"""Handles requests about a player's private note on a match."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.notes.form import note_form
from cogs.features.notes.words import MAX_NOTE_LENGTH
from cogs.screens.truncation import utf16_length
from cogs.table.access.rights import Access, Phase, Who
from cogs.table.access.visit import Visit, not_seated
from cogs.table.actions.table_actions import TableActions
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_names import clean_text
from engines.features.notes import PLAYER_NOTES, PlayerNote
from engines.hosting.match import RequestRefused
from engines.store.rows import DropRow, PutRow


def _too_early(visit: Visit) -> RequestRefused:
    too_early = RequestRefused("You can write a note as soon as the match has started.")
    return not_seated(visit) if visit.seat is None else too_early


NOTE_WRITER = Access(Who.SEATED, ~Phase.LOBBY, not_now=_too_early)


def _require_started(visit: Visit) -> None:
    if visit.snapshot.state is None:
        raise _too_early(visit)


class NoteActions:
    """Requests of players for their own notes. A note belongs to the person, so nobody else is ever shown it."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._reconciler = actions.context.reconciler

    async def open_form(
        self, reply: InteractionReply, visit: Visit, rest: str = "", values: Sequence[str] = ()
    ) -> None:
        """Open the form with the user's present note."""
        _require_started(visit)
        match, user = visit.match, visit.user
        rows = await self._actions.context.surfaces.rows(PLAYER_NOTES, match)
        await reply.open_form(note_form(match, next((row.note for row in rows if row.user == user), "")))

    async def save_note(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Store the user's note, or delete it if the text is empty; say so in the menu from which they wrote it."""
        _require_started(visit)
        match, user, note = visit.match, visit.user, clean_text(values[0])
        if (length := utf16_length(note)) > MAX_NOTE_LENGTH:
            raise RequestRefused(
                f"A note has at most {MAX_NOTE_LENGTH} characters, and yours has {length}. Nothing was changed."
            )
        row = PutRow(PLAYER_NOTES, PlayerNote(match, user, note)) if note else DropRow(PLAYER_NOTES, (match, user))
        await self._reconciler.write_hand_row(match, visit.own_seat, row)
        reply.is_saved = True
        said = "Your note is saved. Only you see it, on your hand." if note else "You have no note about this match."
        await self._actions.say_in_menu(reply, visit, said)
