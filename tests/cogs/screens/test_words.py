"""Words that every game's screen is made of."""

from __future__ import annotations

from cogs.screens.words import listed


def test_names_in_a_list() -> None:
    assert listed([]) == ""
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Bela"]) == "Ada and Bela"
    assert listed(["Ada", "Bela", "Chidi"]) == "Ada, Bela and Chidi"
