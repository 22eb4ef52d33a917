"""What a private note adds to pages, the command, and the controls that it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from discord import app_commands

from cogs.features.notes.note_pages import MAX_NOTE_LENGTH, note_form, note_line
from cogs.screens.truncation import utf16_length
from cogs.table.actions.rights import Access, Phase, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit, not_seated
from cogs.table.commands.feature_ui import FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import MATCH_DESCRIPTION, with_reply
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Press
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


async def open_form(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str = "", values: Sequence[str] = ()
) -> None:
    """Open the form with the user's present note. A note belongs to the person, so nobody else is ever shown it."""
    _require_started(visit)
    rows = await actions.context.surfaces.rows(PLAYER_NOTES, visit.match)
    await reply.open_form(note_form(visit.match, next((row.note for row in rows if row.user == visit.user), "")))


async def save_note(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]
) -> None:
    """Store the user's note, or delete it if the text is empty; say so in the menu from which they wrote it."""
    _require_started(visit)
    match, user, note = visit.match, visit.user, clean_text(values[0])
    if (length := utf16_length(note)) > MAX_NOTE_LENGTH:
        raise RequestRefused(
            f"A note can have at most {MAX_NOTE_LENGTH} characters; yours has {length}. Nothing was changed."
        )
    row = PutRow(PLAYER_NOTES, PlayerNote(match, user, note)) if note else DropRow(PLAYER_NOTES, (match, user))
    await actions.reconciler.write_hand_row(match, visit.own_seat, row)
    reply.is_saved = True
    text = (
        "Your note is saved. Only you can see it. It is shown with your hand."
        if note
        else "You have no note about this match."
    )
    await actions.say_in_menu(reply, visit, text)


class NoteCommands(FeatureCog):
    """The part of `/motley` about notes."""

    @app_commands.command(
        description="Write a note about a match; only you can see it, with your hand", extras=extras_of(NOTE_WRITER)
    )
    @app_commands.describe(
        text="The new note; leave it out to see, change or delete the current one", match=MATCH_DESCRIPTION
    )
    @app_commands.autocomplete(match=FeatureCog.complete_match)
    @with_reply
    async def note(
        self,
        reply: InteractionReply,
        text: app_commands.Range[str, 1, 300] | None = None,  # MAX_NOTE_LENGTH, which discord.py does not find here
        match: str | None = None,
    ) -> None:
        """`note`: store a note, or open the form with the present one. It also works for finished matches."""
        visit = await self.finder.find_latest(reply.interaction, match)
        if text is None:
            await open_form(self.actions, reply, visit)
        else:
            await save_note(self.actions, reply, visit, "", (text,))


class NotesUI(FeatureUI):
    """Private notes: the reader's own as a line, and whole."""

    name = "notes"
    tables = (PLAYER_NOTES,)
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):note", "open"),
        OldControl(r"w:(?P<match>[a-z0-9]{8})", "write"),
    )
    motley_commands = NoteCommands

    def hand_line(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return the note in a line."""
        return map(Offer, self.list_lines(facts))

    def list_lines(self, facts: Facts) -> Iterable[str]:
        """Return the note in a line."""
        return filter(None, (note_line(note_of(facts)),))

    def menu_texts(self, facts: Facts) -> Iterable[str]:
        """Return the note in a line. The form has all of it."""
        return self.list_lines(facts)

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button to the form, for players of a match that has begun."""
        info = facts.snapshot.info
        if info.seat_of(facts.reader) is not None and facts.snapshot.state is not None:
            yield MenuEntry(MenuGroup.TABLE, 10, Press("Note", feature_id("notes", info.id, "open")))

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, and the form."""
        return (
            FeatureControl("open", partial(open_form, actions), NOTE_WRITER),
            FeatureControl("write", partial(save_note, actions), NOTE_WRITER, edits=True, is_form=True),
        )


def note_of(facts: Facts) -> str:
    """Return the reader's note; empty if there is none."""
    return next((row.note for row in facts.rows.of(PLAYER_NOTES)), "")
