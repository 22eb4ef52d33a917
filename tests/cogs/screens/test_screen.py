"""The parts of a screen."""

from __future__ import annotations

from cogs.screens.screen import ALT, Picture


def test_an_alt_text_is_cut_to_what_discord_takes() -> None:
    assert Picture("any", "table.png", "x" * ALT).alt == "x" * ALT
    assert Picture("any", "table.png", "x" * (ALT + 1)).alt == "x" * (ALT - 1) + "…"


def test_an_alt_text_mentions_nobody() -> None:
    assert (
        Picture("any", "table.png", "@everyone: 3 points. @Here: 4.").alt
        == "@\u200beveryone: 3 points. @\u200bHere: 4."
    )
