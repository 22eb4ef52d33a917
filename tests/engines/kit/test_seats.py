"""Seats by their letters: written and read in one place, the same as in the pictures."""

from __future__ import annotations

import pytest

from cogs.pictures.raster import theme
from engines.kit.seats import LETTERS, letter, letter_range, parse_seat
from tests.games import GAMES


def test_a_letter_reads_back_in_either_case() -> None:
    for number, name in enumerate("ABCDEF"):
        assert letter(number) == name
        assert parse_seat(name) == parse_seat(name.lower()) == parse_seat(f" {name} ") == number
    assert [letter_range(number) for number in (2, 4, 6)] == ["A to B", "A to D", "A to F"]


@pytest.mark.parametrize("text", ["", " ", "1", "²", "G", "AB", "ß", "Ａ", "🃏", "A B"])
def test_a_text_that_is_no_letter_of_a_seat_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a seat. Write its letter, such as B\.$"):
        parse_seat(text)


def test_there_are_letters_for_every_game_and_the_pictures_have_the_same() -> None:
    assert len(LETTERS) == max(game.seats[-1] for game in GAMES.values())
    assert theme.SEAT_LETTERS == LETTERS
