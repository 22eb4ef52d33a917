"""The parts of a screen."""

from __future__ import annotations

from cogs.screens.picture import ALT, Picture


def test_an_alt_text_is_cut_to_what_discord_takes_and_mentions_nobody() -> None:
    for text, alt in (
        ("x" * ALT, "x" * ALT),
        ("x" * (ALT + 1), "x" * (ALT - 1) + "…"),
        ("@everyone: 3 points. @Here: 4.", "@\u200beveryone: 3 points. @\u200bHere: 4."),
    ):
        assert Picture("any", "table.png", text).alt == alt
