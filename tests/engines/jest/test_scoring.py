"""J10–J13: what Jests are worth and who gets the trophies."""

from __future__ import annotations

from random import Random

import pytest

from engines.jest import deck, scoring
from engines.jest.deck import JOKER, make_jest
from engines.jest.scoring import (
    CONDITIONS,
    TrophyAward,
    TrophyCondition,
    ValueLine,
    settle_trophies,
    trophy_award,
    value_breakdown,
)
from engines.kit import cards
from tests.engines.jest import by_the_book as book


def jest_of_cards(text: str) -> int:
    """The Jest of these cards: `AS 2H joker`."""
    return make_jest(map(deck.parse_card, text.split()))


def make_jests(text: str) -> list[int]:
    """Jests, by seat: `AS 2H / joker 3C`."""
    return [jest_of_cards(part) for part in text.split("/")]


def jest_names(jest: int) -> set[str]:
    return {deck.card_name(card) for card in deck.jest_cards(jest)}


# --- J13, J12: values


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("", 0),
        # the worked examples
        ("AS AC", 12),
        ("AS 2S AC", 8),
        ("joker AH 2H", -3),
        ("joker AH", -5),
        ("joker AH 2H 3H 4H", 10),
        ("AS 4S 4C AD 3H", 6),
        # black cards add, diamonds subtract, hearts count nothing by themselves
        ("2S 3S 4C", 9),
        ("2D 3D 4D", -9),
        ("AH 2H 3H 4H", 0),
        ("AH", 0),
        # the Joker alone, and with one to three hearts
        ("joker", 4),
        ("joker 2S", 6),
        ("joker 4H", -4),
        ("joker 2H 3H 4H", -9),
        ("joker AH 3H 4H", -8),
        # an Ace alone in its suit is a 5, also where it subtracts
        ("AD", -5),
        ("AD 2D", -3),
        ("AS", 5),
        ("AS AD AH AC", 7),
        # pairs are of the same face value
        ("2S 2C", 6),
        ("2S 2C 3S 3C", 14),
        ("AS 2S AC 3C", 9),
        ("AS 2S AC 2C", 10),
        ("4S 4H 4D", 0),
        ("AS AC 2S 3S", 1 + 2 + 3 + 5),
        ("AS 2S 3S 4S AC 2C 3C 4C", 28),
    ],
)
def test_j13_the_value_of_a_jest(text: str, points: int) -> None:
    assert scoring.jest_value(jest_of_cards(text)) == points
    assert value_breakdown(jest_of_cards(text)).points == points


def test_j13_every_subset_of_the_cards_is_worth_what_the_book_says() -> None:
    assert [deck.card_name(card) for card in deck.DECK] == book.ALL
    for bits in range(1 << 17):
        assert scoring.jest_value(bits) == book.jest_value(
            [name for i, name in enumerate(book.ALL) if bits >> i & 1]
        ), bits


def test_j13_every_working_out_comes_to_the_value() -> None:
    for bits in range(0, 1 << 17, 5):  # prime to the suits' bits
        lines, points = value_breakdown(bits)
        assert points == scoring.jest_value(bits) == sum(line.points for line in lines)
        assert sorted(line.cards[0] for line in lines if line.kind != "pair") == list(deck.jest_cards(bits))


def test_j13_a_value_is_worked_out_line_by_line() -> None:
    assert value_breakdown(jest_of_cards("AS 4S 4C AD 3H")).lines == (
        ValueLine("black", (deck.parse_card("4S"),), 4, 4),
        ValueLine("black", (deck.parse_card("AS"),), 1, 1),
        ValueLine("black", (deck.parse_card("4C"),), 4, 4),
        ValueLine("diamond", (deck.parse_card("AD"),), 5, -5),
        ValueLine("heart", (deck.parse_card("3H"),), 3, 0),
        ValueLine("pair", (deck.parse_card("4S"), deck.parse_card("4C")), 4, 2),
    )
    assert value_breakdown(jest_of_cards("AS AC joker")).lines == (
        ValueLine("black", (deck.parse_card("AS"),), 5, 5),
        ValueLine("black", (deck.parse_card("AC"),), 5, 5),
        ValueLine("joker", (JOKER,), 0, 4),
        ValueLine("pair", (deck.parse_card("AS"), deck.parse_card("AC")), 5, 2),
    )
    assert value_breakdown(jest_of_cards("AH joker")).lines == (
        ValueLine("heart", (deck.parse_card("AH"),), 5, -5),
        ValueLine("joker", (JOKER,), 0, 0),
    )


@pytest.mark.parametrize(
    ("jest", "card", "face"),
    [("AS", "AS", 5), ("AS 4S", "AS", 1), ("AS 4S", "4S", 4), ("AH 4S", "AH", 5), ("joker", "joker", 0)],
)
def test_j12_an_ace_alone_in_its_suit_is_a_5(jest: str, card: str, face: int) -> None:
    assert scoring.face_value(jest_of_cards(jest), deck.parse_card(card)) == face


# --- J11: the conditions


def test_j11_what_the_cards_ask_for() -> None:
    printed = {
        "AS": TrophyCondition("highest", cards.CLUBS),
        "2S": TrophyCondition("majority", 3),
        "3S": TrophyCondition("majority", 2),
        "4S": TrophyCondition("lowest", cards.CLUBS),
        "AC": TrophyCondition("highest", cards.SPADES),
        "2C": TrophyCondition("lowest", cards.HEARTS),
        "3C": TrophyCondition("highest", cards.HEARTS),
        "4C": TrophyCondition("lowest", cards.SPADES),
        "AD": TrophyCondition("majority", 4),
        "2D": TrophyCondition("highest", cards.DIAMONDS),
        "3D": TrophyCondition("lowest", cards.DIAMONDS),
        "4D": TrophyCondition("best without joker"),
        "AH": TrophyCondition("joker"),
        "2H": TrophyCondition("joker"),
        "3H": TrophyCondition("joker"),
        "4H": TrophyCondition("joker"),
        "joker": TrophyCondition("best"),
    }
    assert {deck.card_name(card): CONDITIONS[card] for card in deck.DECK} == printed


@pytest.mark.parametrize(
    ("trophy", "text", "seat", "measures", "tied", "card"),
    [
        # highest and lowest of a suit
        ("AS", "3C 2S / 4C / 2C AC", 1, (3, 4, 2), (), "4C"),
        ("AC", "2S / 3S / 4H", 1, (2, 3, None), (), "3S"),
        ("3C", "2H joker / AH 3H / 4S", 1, (2, 3, None), (), "3H"),
        ("2D", "AD 2D / 3D / 4D", 2, (2, 3, 4), (), "4D"),
        ("4S", "3C 2C / 4C / AH", 0, (2, 4, None), (), "2C"),
        ("4C", "2S AS / 3S / 4S", 0, (1, 3, 4), (), "AS"),
        ("2C", "4S / 4H / 3H", 2, (None, 4, 3), (), "3H"),
        ("3D", "4D 2D / 3D AD / AS", 1, (2, 1, None), (), "AD"),
        # a lone Ace is a 5 there too
        ("AS", "AC / 4C / 2C 3C", 0, (5, 4, 3), (), "AC"),
        ("4S", "AC / 4C / 2D", 1, (5, 4, None), (), "4C"),
        ("3D", "AD / 2S / 2H", 0, (5, None, None), (), "AD"),
        # majority; as many each: the strongest suit
        ("2S", "3S / 3H 3D / 4S", 1, (1, 2, None), (), None),
        ("2S", "3H / 3D / 3C", 2, (1, 1, 1), (0, 1, 2), "3C"),
        ("3S", "2H 2S / 2C 2D / AS", 0, (2, 2, None), (0, 1), "2S"),
        ("AD", "4H / 4D 4S / 4C", 1, (1, 2, 1), (), None),
        ("AD", "4H / 3S / 4D", 2, (1, None, 1), (0, 2), "4D"),
        ("2S", "4H / 4S / 3D", 2, (None, None, 1), (), None),
        # the Joker; nobody where it is a trophy itself
        ("AH", "2S / joker / 4S", 1, (None, 1, None), (), "joker"),
        ("4H", "2S / 3S / 4S", None, (None, None, None), (), None),
        # best Jest; the highest face value card, then its suit
        ("joker", "2S / joker AS / 4S", 1, (2, 9, 4), (), None),
        ("joker", "2S 2H / 3S AH 2D / 4C 3D", 0, (2, 1, 1), (), None),
        ("joker", "2S 3D / AS 2D 4D / 4C 2C 3D", 2, (-1, -1, 3), (), None),
        ("joker", "4S 3H / 4C 2H / 2S 2D", 0, (4, 4, 0), (0, 1), "4S"),
        ("joker", "4S / AH 4C / 3S", 1, (4, 4, 3), (0, 1), "AH"),
        ("joker", "4S AH 2H / 4C 4H / AC AD 2D", 0, (4, 4, 2), (0, 1), "4S"),
        ("4D", "2S / joker AS / 4S", 2, (2, None, 4), (), None),
        ("4D", "2S AC / joker AS / 4C 3C", 0, (7, None, 7), (0, 2), "AC"),
        ("4D", "AD / 2D joker / 3D", 2, (-5, None, -3), (), None),
    ],
)
def test_j11_who_gets_a_trophy_and_why(
    trophy: str,
    text: str,
    seat: int | None,
    measures: tuple[int | None, ...],
    tied: tuple[int, ...],
    card: str | None,
) -> None:
    number = deck.parse_card(trophy)
    decided = None if card is None else deck.parse_card(card)
    assert trophy_award(number, make_jests(text)) == TrophyAward(
        number, CONDITIONS[number], seat, measures, tied, decided
    )
    assert scoring.trophy_winner(number, make_jests(text)) == seat


def test_j11_nobody_gets_the_joker_trophies_where_the_joker_is_one_itself() -> None:
    given = make_jests("AS 2S 3S 4S AC / 2C 3C 4C AD 2D / 3D 4D AH 2H 4H")
    settlement = settle_trophies((deck.parse_card("3H"), JOKER), given)
    assert settlement.winners == (None, 0)
    assert settlement.jests == (given[0] | deck.CARD_BIT[JOKER], *given[1:])


def test_j10_all_trophies_are_judged_on_the_jests_as_they_are_before_any_is_given() -> None:
    given = make_jests("2C / 3S 2D / 3C 4D")
    lowest_club, highest_spade = deck.parse_card("4S"), deck.parse_card("AC")
    assert settle_trophies([lowest_club, highest_spade], given).winners == (
        0,
        1,
    )  # seat 0 has no spade yet, nor gets one first
    assert settle_trophies([highest_spade, lowest_club], given).winners == (1, 0)


def test_j10_a_trophy_is_a_card_of_its_new_owners_jest() -> None:
    settlement = settle_trophies([deck.parse_card("2S")], make_jests("3S 3C / 2C / 4H"))
    assert settlement.winners == (0,)
    assert settlement.jests == (jest_of_cards("2S 3S 3C"), jest_of_cards("2C"), jest_of_cards("4H"))
    assert settlement.points == (10, 2, 0)


def test_j12_an_ace_is_turned_back_by_a_trophy_of_its_suit() -> None:
    before = make_jests("AS AC 3H 3D / 2C 3C 4D / 2S 4S 4C")
    assert scoring.jest_value(before[0]) == 5 + 5 + 2 - 3
    settlement = settle_trophies([deck.parse_card("2S")], before)
    assert settlement.winners == (0,)  # most threes: two
    assert settlement.points[0] == 1 + 2 + 5 - 3
    assert [line.face for line in value_breakdown(settlement.jests[0]).lines] == [2, 1, 5, 3, 3]


def test_j12_the_joker_counts_against_or_for_the_hearts_that_a_trophy_adds() -> None:
    alone = settle_trophies([deck.parse_card("4H")], make_jests("joker 2S / 3S / 4S"))
    assert alone.points[0] == 2 - 4
    all_four = settle_trophies([deck.parse_card("4H")], make_jests("joker AH 2H 3H / 3S / 4S"))
    assert all_four.points[0] == 10


@pytest.mark.parametrize("seats", [3, 4])
def test_j10_to_j13_random_ends_are_settled_as_the_book_does(seats: int) -> None:
    rng = Random(seats)
    number = 5 - seats
    for _ in range(1500):
        pile = rng.sample(range(17), 17)
        trophies, rest = pile[:number], pile[number:]
        given = [make_jest(rest[seat::seats]) for seat in range(seats)]
        names = [jest_names(one) for one in given]
        settlement = settle_trophies(trophies, given)
        assert list(settlement.winners) == [book.trophy_owner(deck.card_name(trophy), names) for trophy in trophies]
        assert list(settlement.points) == book.final_values([deck.card_name(trophy) for trophy in trophies], names)
        for trophy, winner in zip(trophies, settlement.winners, strict=True):
            told = trophy_award(trophy, given)
            assert told.seat == winner
            _check_award(told, given)


def _check_award(told: TrophyAward, given: list[int]) -> None:
    """The reasons fit the verdict."""
    if told.seat is None:
        assert set(told.measures) == {None}
        return
    found = [measure for measure in told.measures if measure is not None]
    best = min(found) if told.condition.test == "lowest" else max(found)
    assert told.measures[told.seat] == best
    assert told.tied == (tuple(s for s, m in enumerate(told.measures) if m == best) if found.count(best) > 1 else ())
    assert told.card is None or given[told.seat] >> told.card & 1
    assert (told.card is not None) == (bool(told.tied) or told.condition.test in ("highest", "lowest", "joker"))
