"""The form of a private note, and the button that opens it."""

from __future__ import annotations

from cogs.features.notes.words import MAX_NOTE_LENGTH
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Form, Press


def form_id(match: str) -> str:
    """Return the custom id of the form."""
    return feature_id("notes", match, "write")


def open_press(match: str) -> Press:
    """Return the button that opens the form."""
    return Press("Note", feature_id("notes", match, "open"))


def note_form(match: str, note: str) -> Form:
    """Return the form in which a player writes their private note about a match."""
    return Form(
        form_id(match),
        f"Your note about match {match}",
        "Note",
        "Only you see it, on your hand. If you leave it empty, it is deleted.",
        note,
        MAX_NOTE_LENGTH,
    )
