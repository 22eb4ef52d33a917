"""What a private note adds to pages, and the controls that it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.notes.commands import NoteCommands
from cogs.features.notes.controls import NOTE_WRITER, NoteActions
from cogs.features.notes.form import open_press
from cogs.features.notes.words import note_line, whole_note
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.page import Press
from engines.features.notes import PLAYER_NOTES


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
        """Return the whole note."""
        return (f"**Your note**\n{whole_note(note)}",) if (note := note_of(facts)) else ()

    def menu_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to the form, for players of a match that has begun."""
        info = facts.snapshot.info
        is_theirs = info.seat_of(facts.reader) is not None and facts.snapshot.state is not None
        return (open_press(info.id),) if is_theirs else ()

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, and the form."""
        own = NoteActions(actions)
        return (
            FeatureControl("open", own.open_form, NOTE_WRITER),
            FeatureControl("write", own.save_note, NOTE_WRITER, edits=True, is_form=True),
        )


def note_of(facts: Facts) -> str:
    """Return the reader's note; empty if there is none."""
    return next((row.note for row in facts.rows.of(PLAYER_NOTES)), "")
