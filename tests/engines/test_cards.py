"""Card names both ways."""

from __future__ import annotations

import pytest

from engines import cards


def test_every_card_has_a_name_that_reads_back() -> None:
    names = [cards.name(card) for card in range(52)]
    assert len(set(names)) == 52
    assert [cards.card(name) for name in names] == list(range(52))


@pytest.mark.parametrize(
    ("name", "card"),
    [("AC", 0), ("KC", 12), ("10D", 22), ("QS", 50), ("KS", 51), (" qs ", 50), ("10h", 35), ("jH", 36)],
)
def test_known_cards(name: str, card: int) -> None:
    assert cards.card(name) == card


@pytest.mark.parametrize("name", ["", "S", "1S", "11S", "QX", "Q", "10 H", "QSS", "0S", "🂡"])
def test_what_is_no_card_is_told_in_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match=r"is not a playing card; .*\.$"):
        cards.card(name)


@pytest.mark.parametrize("word", ["H", "h", "hearts", "Heart", " HEARTS "])
def test_suits_by_letter_and_word(word: str) -> None:
    assert cards.suit(word) == cards.HEARTS


@pytest.mark.parametrize("word", ["", "x", "he", "♥", "heartss"])
def test_what_is_no_suit_is_told_in_a_sentence(word: str) -> None:
    with pytest.raises(ValueError, match=r"is not a suit; .*\.$"):
        cards.suit(word)
