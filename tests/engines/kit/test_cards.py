"""Playing cards: every name both ways, and a sentence for what is none."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from engines import court, jest, jokers, wizard
from engines.kit import cards

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
IN_ORDER = [rank + suit for suit in "CDHS" for rank in RANKS]


def test_every_card_has_a_name_that_reads_back_in_any_case() -> None:
    assert [cards.card_name(card) for card in range(52)] == IN_ORDER
    for write in (str, str.lower, str.title, "  {} ".format):
        assert [cards.parse_card(write(name)) for name in IN_ORDER] == list(range(52))
    assert tuple(cards.RANKS) == RANKS
    assert (cards.CLUBS, cards.DIAMONDS, cards.HEARTS, cards.SPADES) == (0, 1, 2, 3)
    assert [word[0].upper() for word in cards.SUIT_WORDS] == list(cards.SUITS) == list("CDHS")


@pytest.mark.parametrize(
    "name",
    ["", " ", "S", "10", "1S", "11S", "0S", "TH", "QX", "Q", "H10", "10 H", "QSS", "AHA", "CD", "10♥", "🂡", "wizard"],
)
def test_a_text_that_is_no_card_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match=r"is not a card. Write it like 10H or QS\.$") as caught:
        cards.parse_card(name)
    assert str(caught.value).startswith(f"“{name.strip()}”")


def test_a_card_is_named_in_a_sentence() -> None:
    phrases = [cards.card_phrase(cards.parse_card(name)) for name in ("AC", "2D", "10H", "JS", "QC", "KD")]
    assert phrases[:3] == ["the ace of clubs", "the 2 of diamonds", "the 10 of hearts"]
    assert phrases[3:] == ["the jack of spades", "the queen of clubs", "the king of diamonds"]


def test_a_game_names_its_own_cards_from_52_on() -> None:
    names = cards.CardNames(
        cards.SpecialCard("fool", "the Fool"),
        cards.SpecialCard("star", "a Star", aliases=("stars",)),
        examples=("10H", "fool", "star"),
    )
    assert [names.card_name(card) for card in (0, 22, 52, 53)] == ["AC", "10D", "fool", "star"]
    assert [names.parse_card(text) for text in ("ac", " 10D", "Fool", "STAR ", "stars")] == [0, 22, 52, 53, 53]
    assert [names.card_phrase(card) for card in (0, 52, 53)] == ["the ace of clubs", "the Fool", "a Star"]
    with pytest.raises(ValueError, match=r"^“sun” is not a card. Write it like 10H, fool or star\.$"):
        names.parse_card("sun")
    refused = [names.not_in_hand_error(card) for card in (-1, 0, 52, 54)]
    assert [refusal.reason for refusal in refused] == [
        *("There is no such card.", "You do not hold the ace of clubs.", "You do not hold the Fool."),
        "There is no such card.",
    ]
    assert all(refusal.rule is None for refusal in refused)


@pytest.mark.parametrize("suit", range(4))
def test_every_suit_is_read_by_its_letter_and_its_word_in_one_or_many(suit: int) -> None:
    word = cards.SUIT_WORDS[suit]
    for text in (word, word.upper(), word.title(), word[:-1], word[0], word[0].upper(), f" {word} "):
        assert cards.parse_suit(text) == suit


@pytest.mark.parametrize("word", ["", " ", "x", "he", "hear", "heart s", "♥", "heartss", "CD", "0", "none"])
def test_a_text_that_is_no_suit_is_explained_in_a_sentence(word: str) -> None:
    with pytest.raises(ValueError, match=r"is not a suit. Write clubs, diamonds, hearts or spades\.$") as caught:
        cards.parse_suit(word)
    assert str(caught.value).startswith(f"“{word.strip()}”")


@pytest.mark.parametrize(
    ("deck", "special"),
    [(wizard.deck, ["wizard", "jester"]), (jest.deck, ["joker"]), (jokers.deck, ["joker"]), (court.deck, ["menhir"])],
)
def test_a_text_that_is_no_card_is_answered_with_how_cards_are_written(deck: ModuleType, special: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^“w” is not a card. Write it like .+\.$") as caught:
        deck.parse_card("w")
    *_, examples = str(caught.value).removesuffix(".").partition(" like ")
    written = re.split(r", | or ", examples)
    assert set(special) <= set(written)
    assert [deck.card_name(deck.parse_card(name)) for name in written] == written
