"""Words that the games' screens share."""

from __future__ import annotations

import pytest

from cogs.screens import words
from cogs.screens.screen import Context
from cogs.screens.words import join_with_and, short_card_text
from engines.kit import cards
from engines.kit.contract import Outcome
from tests.contexts import make_context


def test_names_in_a_list_and_a_card_are_written_one_way() -> None:
    for number, text in enumerate(("", "Ada", "Ada and Bela", "Ada, Bela and Chidi")):
        assert join_with_and(["Ada", "Bela", "Chidi"][:number]) == text
    assert [short_card_text(cards.parse_card(name)) for name in ("QC", "10D", "AH", "2S")] == ["Q♣", "10♦", "A♥", "2♠"]


@pytest.mark.parametrize(
    ("points", "places", "sentence"),
    [
        ((9, 12, 4), (2, 1, 3), "Ben wins with 12 points"),
        ((12, 12, -4), (1, 1, 3), "Ana and Ben share the win with 12 points each"),
        ((5, 5, 5), (1, 1, 1), "Ana, Ben and Cleo share the win with 5 points each"),
    ],
)
def test_an_ending_is_a_sentence(points: tuple[int, ...], places: tuple[int, ...], sentence: str) -> None:
    outcome = Outcome(places, points)
    assert words.result_headline(outcome, make_context(("Ana", "Ben", "Cleo"), None)) == sentence


def test_a_seat_is_called_by_its_name_and_by_its_letter_only_where_pictures_show_that() -> None:
    context = Context(("Ana", "李雷", "C"), None, plate_names=("Ana", "B", "C"))
    assert [words.seat_label(context, seat, 1) for seat in range(3)] == ["Ana", "B 李雷 (you)", "C"]
    assert [words.seat_button_label(context, seat) for seat in range(3)] == ["Ana", "B 李雷", "C"]
    assert words.seat_does(context, 0, 1, "lead") == "Ana leads"


def test_no_button_has_the_mark_of_a_computer() -> None:
    names = tuple(f"{name} {words.COMPUTER_MARK}" for name in ("Feste", "Rob", "李雷"))  # as Rob chose to be called
    context = Context(names, None, plate_names=("Feste", "Rob", "C"), short_names=names, computers=(0, 2))
    assert [words.seat_button_label(context, seat) for seat in range(3)] == ["Feste", names[1], "C 李雷"]
    assert [words.button_name(context, seat, is_short=True) for seat in range(3)] == ["Feste", names[1], "李雷"]
    assert words.seat_label(context, 0) == names[0], "sentences have the name"
