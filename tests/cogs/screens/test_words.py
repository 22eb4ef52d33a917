"""Words that every game's screen is made of."""

from __future__ import annotations

from cogs.screens.words import listed, short_card
from engines import cards


def test_names_in_a_list() -> None:
    assert listed([]) == ""
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Bela"]) == "Ada and Bela"
    assert listed(["Ada", "Bela", "Chidi"]) == "Ada, Bela and Chidi"


def test_a_card_is_written_one_way() -> None:
    assert [short_card(cards.card(name)) for name in ("QC", "10D", "AH", "2S")] == ["Q♣", "10♦", "A♥", "2♠"]
