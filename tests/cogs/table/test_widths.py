"""No control is longer than a telephone shows."""

from __future__ import annotations

import pytest

from cogs.jesters import words as jesters_words
from cogs.screens.control_widths import MAX_OPTION
from cogs.screens.emoji import Emoji, playing_card_emoji
from cogs.screens.screen import Context
from cogs.screens.words import seat_button_label
from cogs.table.pages.page import Page, Press, press_rows
from cogs.table.pages.rules_pages import MAX_PART_LENGTH
from engines.jesters.components import catalogue
from tests.contract.shown import page_buttons
from tests.game_uis import RULES
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
    labels = [f"{face} (10th)" if faces.count(face) > 1 else face for face in faces]
    labels += [f"Gift {gift.id}: {jesters_words.gift_text(gift.id)}" for gift in known.gifts]
    labels += [task.name for task in (*known.performances, *known.favorites)]
    assert not [text for text in labels if len(text) > MAX_OPTION]


def test_names_are_cut_in_one_place_and_inside_what_holds_their_direction() -> None:
    context = Context(("Maximiliana\\_von\\_Hohenfels", "\u2068שלום עולם\u2069"), None, plate_names=("Maximili", "B"))
    assert seat_button_label(context, 0) == "Maximiliana_von_Hohenfels"
    assert seat_button_label(context, 0, 10) == "Maximilia…"
    assert seat_button_label(context, 1) == "B \u2068שלום עולם\u2069"
    assert seat_button_label(context, 1, 8) == "B \u2068שלו…\u2069"


@pytest.mark.parametrize(("count", "has_emoji"), [(1, True), (4, True), (5, False), (8, True), (9, False), (11, True)])
def test_an_emoji_costs_no_row_of_buttons(count: int, has_emoji: bool) -> None:
    presses = [Press(f"{number}♥", f"m:{number}", emoji=playing_card_emoji(26)) for number in range(2, 2 + count)]
    rows = press_rows(presses)
    shown_buttons = page_buttons(Page(rows))
    assert [press.label for press in shown_buttons] == [press.label for press in presses]
    assert {press.emoji for press in shown_buttons} == ({playing_card_emoji(26)} if has_emoji else {None})
    assert len(rows) == len(press_rows([Press(press.label, press.to) for press in presses]))


def test_an_emoji_that_says_something_keeps_its_row() -> None:
    marked = [Press(f"{number}♥", f"m:{number}", emoji=Emoji("hearts", "♥️")) for number in range(5)]
    assert len(press_rows(marked)) == 2
    assert all(press.emoji for press in page_buttons(Page(press_rows(marked))))
