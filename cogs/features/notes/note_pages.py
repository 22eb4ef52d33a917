"""Private notes on pages: on one line, and whole in the form. Pure functions."""

from __future__ import annotations

import math

from cogs.screens.control_widths import LINE_WIDTH, estimate_width
from cogs.screens.truncation import truncate
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import Form
from cogs.table.wording.player_names import markdown_name

MAX_NOTE_LENGTH = 300  # characters, as Discord counts them: in UTF-16 units, so that the form can show each note
NOTE_PREFIX = "Note: "


def note_line(note: str) -> str:
    """Return a note as one line of small print, escaped for markdown and shortened to a phone; empty without a note."""
    if not note:
        return ""
    short = truncate(note.replace("\n", " · "), LINE_WIDTH, lambda text: math.ceil(estimate_width(text)))
    return f"-# {NOTE_PREFIX}{markdown_name(short)}"


def form_id(match: str) -> str:
    """Return the custom id of the form."""
    return feature_id("notes", match, "write")


def note_form(match: str, note: str) -> Form:
    """Return the form in which a player writes their private note about a match."""
    return Form(
        form_id(match),
        f"Your note about match {match}",
        "Note",
        "Only you can see it. It is shown with your hand. If you leave it empty, it is deleted.",
        note,
        MAX_NOTE_LENGTH,
    )
