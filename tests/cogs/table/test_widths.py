"""No control is longer than a telephone shows."""

from __future__ import annotations

import pytest

from cogs.jesters import words as jesters_words
from cogs.screens.control_widths import MAX_OPTION
from cogs.screens.screen import Context
from cogs.screens.words import seat_button_label
from cogs.table.pages.rules_pages import MAX_PART_LENGTH
from engines.jesters.components import catalogue
from tests.fronts import RULES
from tests.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_the_rules_fit_in_their_list(game: str) -> None:
    assert 2 <= len(RULES[game].parts) <= 25
    for title, body in RULES[game].parts:
        assert 0 < len(title) <= MAX_OPTION
        assert 0 < len(body) < MAX_PART_LENGTH  # nothing is cut off
    assert sum(len(body) for _, body in RULES[game].parts) > 1000


def test_all_components_of_jesters_fit_in_a_line() -> None:
    known = catalogue.all_components()
    faces = [jesters_words.jest_card_text(card.id) for card in known.jest_cards]
    said = [f"{face} (10th)" if faces.count(face) > 1 else face for face in faces]
    said += [f"Gift {gift.id}: {jesters_words.gift_text(gift.id)}" for gift in known.gifts]
    said += [task.name for task in (*known.performances, *known.favorites)]
    assert not [text for text in said if len(text) > MAX_OPTION]


def test_names_are_cut_in_one_place_and_inside_what_holds_their_direction() -> None:
    context = Context(("Maximiliana\\_von\\_Hohenfels", "\u2068שלום עולם\u2069"), None, plate_names=("Maximili", "B"))
    assert seat_button_label(context, 0) == "Maximiliana_von_Hohenfels"
    assert seat_button_label(context, 0, 10) == "Maximilia…"
    assert seat_button_label(context, 1) == "B \u2068שלום עולם\u2069"
    assert seat_button_label(context, 1, 8) == "B \u2068שלו…\u2069"
