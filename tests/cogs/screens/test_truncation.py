"""Text is cut between characters as a reader sees them, and never inside one."""

from __future__ import annotations

import pytest

from cogs.screens.truncation import split_characters, truncate, utf16_length

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
ONE_EACH = ["a", "é", "e\u0301", "🃏", "👍🏽", FAMILY, SCOTLAND, "🇩🇪", "🏴\u200d☠\ufe0f", "1\ufe0f\u20e3", "각", "क्"]


@pytest.mark.parametrize("one", ONE_EACH)
def test_one_character_is_one(one: str) -> None:
    assert split_characters(one) == [one]
    assert split_characters(f"x{one}{one}y") == ["x", one, one, "y"]


def test_flags_are_two_letters_each_and_joiners_stay_with_their_letters() -> None:
    assert split_characters("🇩🇪🇫🇷🇺") == ["🇩🇪", "🇫🇷", "🇺"]
    assert split_characters("علی\u200cرضا") == ["ع", "ل", "ی\u200c", *"رضا"]


@pytest.mark.parametrize("longest", range(1, 40))
@pytest.mark.parametrize("size", [len, utf16_length])
def test_cut_text_fits_and_its_characters_are_whole(longest: int, size: type[int]) -> None:
    text = "Ada " + "".join(ONE_EACH)
    short = truncate(text, longest, size)
    assert size(short) <= longest
    characters = split_characters(short.removesuffix("…"))
    assert characters == split_characters(text)[: len(characters)]
    assert short == text or short.endswith("…")


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert truncate("Ada", 3) == "Ada"
    assert truncate("Ada Lovelace", 5) == "Ada…"
    assert truncate(FAMILY, 11, utf16_length) == FAMILY
    assert truncate(FAMILY, 10, utf16_length) == "…"
    assert utf16_length("a🃏") == 3
