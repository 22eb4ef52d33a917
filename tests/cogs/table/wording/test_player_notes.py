"""Private notes: what of a typed text is stored, and how it is shown."""

from __future__ import annotations

import pytest

from cogs.features.notes.note_pages import MAX_NOTE_LENGTH, note_line
from cogs.screens.control_widths import LINE_WIDTH, estimate_width
from cogs.table.wording.player_names import clean_text


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Bela has no hearts", "Bela has no hearts"),
        ("  Bela:  no hearts \n\n\t Chidi: no spades\r\n", "Bela: no hearts\nChidi: no spades"),
        ("\u202eBe\u200bla\x00 \u2060has", "Bela has"),
        ("👩\u200d👩\u200d👧 wins", "👩\u200d👩\u200d👧 wins"),
        ("שלום", "שלום"),
        *((nothing, "") for nothing in ("", " \n ", "\u200b\u2060", "\u200d", "\u3164", "\x00")),
    ],
)
def test_a_note_is_stored_without_what_nobody_sees(typed: str, stored: str) -> None:
    assert clean_text(typed) == stored
    assert clean_text(stored) == stored


def test_a_long_note_is_not_cut_before_it_is_refused() -> None:
    assert len(clean_text("x" * 500)) == 500


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("<@1> @everyone", "\\<\\@1\\> \\@\u200beveryone"),
        ("# *b* [x](https://e.example)", "\\# \\*b\\* \\[x\\](https\\:\\/\\/e\\.example)"),
        ("שלום", "\u2068שלום\u2069"),
    ],
)
def test_a_note_is_text_and_nothing_else(note: str, text: str) -> None:
    assert note_line(note) == f"-# Note: {text}"


def test_a_hand_and_a_menu_have_one_line_of_it() -> None:
    assert note_line("One.\nTwo.") == "-# Note: One. · Two."
    for letter in "Wi*界":
        line = note_line(letter * MAX_NOTE_LENGTH)
        assert line.endswith("…")
        assert estimate_width(line.removeprefix("-# Note: ").replace("\\", "")) <= LINE_WIDTH
    assert note_line("") == ""
