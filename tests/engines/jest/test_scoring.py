"""J10–J13: what Jests are worth and who gets the trophies."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.jest import deck, scoring
from engines.jest.deck import JOKER, make_jest
from engines.jest.scoring import CONDITIONS, TrophyAward, ValueLine, settle_trophies, trophy_award, value_breakdown
from engines.kit import cards
from tests.engines.jest import reference_scoring


def jest_of_cards(text: str) -> int:
    return make_jest(map(deck.parse_card, text.split()))


def make_jests(text: str) -> list[int]:
    """Jests, by seat: `AS 2H / joker 3C`."""
    return [jest_of_cards(part) for part in text.split("/")]


def test_j13_every_subset_of_the_cards_is_worth_what_the_book_says() -> None:
    assert [deck.card_name(card) for card in deck.DECK] == reference_scoring.ALL
    for bits in range(1 << 17):
        assert scoring.jest_value(bits) == reference_scoring.jest_value(
            [name for i, name in enumerate(reference_scoring.ALL) if bits >> i & 1]
        ), bits


def test_j13_every_working_out_comes_to_the_value() -> None:
    for bits in range(0, 1 << 17, 5):  # prime to the suits' bits
        lines, points = value_breakdown(bits)
        assert points == scoring.jest_value(bits) == sum(line.points for line in lines)
        assert sorted(line.cards[0] for line in lines if line.kind != "pair") == list(deck.jest_cards(bits))


def test_j13_a_value_is_worked_out_line_by_line() -> None:
    worked_out = {
        "AS 4S 4C AD 3H": [
            *(("black", "4S", 4, 4), ("black", "AS", 1, 1), ("black", "4C", 4, 4), ("diamond", "AD", 5, -5)),
            *(("heart", "3H", 3, 0), ("pair", "4S 4C", 4, 2)),
        ],
        "AS AC joker": [
            *(("black", "AS", 5, 5), ("black", "AC", 5, 5), ("joker", "joker", 0, 4), ("pair", "AS AC", 5, 2))
        ],
        "AH joker": [("heart", "AH", 5, -5), ("joker", "joker", 0, 0)],
    }
    for jest, lines in worked_out.items():
        found = value_breakdown(jest_of_cards(jest)).lines
        assert all(isinstance(line, ValueLine) for line in found)
        assert [(line.kind, " ".join(map(deck.card_name, line.cards)), *line[2:]) for line in found] == lines


@pytest.mark.parametrize(
    ("jest", "card", "face"),
    [("AS", "AS", 5), ("AS 4S", "AS", 1), ("AS 4S", "4S", 4), ("AH 4S", "AH", 5), ("joker", "joker", 0)],
)
def test_j12_an_ace_alone_in_its_suit_is_a_5(jest: str, card: str, face: int) -> None:
    assert scoring.face_value(jest_of_cards(jest), deck.parse_card(card)) == face


def test_j11_each_card_has_its_condition() -> None:
    clubs, diamonds, hearts, spades = cards.CLUBS, cards.DIAMONDS, cards.HEARTS, cards.SPADES
    printed: dict[tuple[Any, ...], str] = {
        ("highest", clubs): "AS",
        ("highest", diamonds): "2D",
        ("highest", hearts): "3C",
        ("highest", spades): "AC",
        ("lowest", clubs): "4S",
        ("lowest", diamonds): "3D",
        ("lowest", hearts): "2C",
        ("lowest", spades): "4C",
        ("majority", 2): "3S",
        ("majority", 3): "2S",
        ("majority", 4): "AD",
        ("joker",): "AH 2H 3H 4H",
        ("best",): "joker",
        ("best without joker",): "4D",
    }
    conditions = {
        name: scoring.TrophyCondition(*condition) for condition, names in printed.items() for name in names.split()
    }
    assert {deck.card_name(card): CONDITIONS[card] for card in deck.DECK} == conditions


@pytest.mark.parametrize(
    ("trophy", "text", "seat", "measures", "tied", "card"),
    [
        # highest and lowest of a suit
        ("AS", "3C 2S / 4C / 2C AC", 1, (3, 4, 2), (), "4C"),
        ("2D", "AD 2D / 3D / 4D", 2, (2, 3, 4), (), "4D"),
        ("4S", "3C 2C / 4C / AH", 0, (2, 4, None), (), "2C"),
        ("2C", "4S / 4H / 3H", 2, (None, 4, 3), (), "3H"),
        # a lone Ace is a 5 there too
        ("AS", "AC / 4C / 2C 3C", 0, (5, 4, 3), (), "AC"),
        ("3D", "AD / 2S / 2H", 0, (5, None, None), (), "AD"),
        # majority; as many each: the strongest suit
        ("2S", "3S / 3H 3D / 4S", 1, (1, 2, None), (), None),
        ("2S", "3H / 3D / 3C", 2, (1, 1, 1), (0, 1, 2), "3C"),
        ("3S", "2H 2S / 2C 2D / AS", 0, (2, 2, None), (0, 1), "2S"),
        ("2S", "4H / 4S / 3D", 2, (None, None, 1), (), None),
        # the Joker; nobody if it is a trophy itself
        ("AH", "2S / joker / 4S", 1, (None, 1, None), (), "joker"),
        ("4H", "2S / 3S / 4S", None, (None, None, None), (), None),
        # best Jest; the highest face value card, then its suit
        ("joker", "2S / joker AS / 4S", 1, (2, 9, 4), (), None),
        ("joker", "4S 3H / 4C 2H / 2S 2D", 0, (4, 4, 0), (0, 1), "4S"),
        ("joker", "4S / AH 4C / 3S", 1, (4, 4, 3), (0, 1), "AH"),
        ("4D", "2S / joker AS / 4S", 2, (2, None, 4), (), None),
        ("4D", "2S AC / joker AS / 4C 3C", 0, (7, None, 7), (0, 2), "AC"),
        ("4D", "AD / 2D joker / 3D", 2, (-5, None, -3), (), None),
    ],
)
def test_j11_each_trophy_goes_to_the_seat_that_meets_its_condition_best(
    trophy: str, text: str, seat: int | None, measures: tuple[int | None, ...], tied: tuple[int, ...], card: str | None
) -> None:
    number = deck.parse_card(trophy)
    decided = None if card is None else deck.parse_card(card)
    assert trophy_award(number, make_jests(text)) == TrophyAward(
        number, CONDITIONS[number], seat, measures, tied, decided
    )
    assert scoring.trophy_winner(number, make_jests(text)) == seat


def test_j11_nobody_gets_the_joker_trophies_if_the_joker_is_one_itself() -> None:
    given = make_jests("AS 2S 3S 4S AC / 2C 3C 4C AD 2D / 3D 4D AH 2H 4H")
    settlement = settle_trophies((deck.parse_card("3H"), JOKER), given)
    assert settlement.winners == (None, 0)
    assert settlement.jests == (given[0] | deck.CARD_BIT[JOKER], *given[1:])


def test_j10_a_trophy_is_a_card_of_its_new_owners_jest() -> None:
    settlement = settle_trophies([deck.parse_card("2S")], make_jests("3S 3C / 2C / 4H"))
    assert settlement.winners == (0,)
    assert settlement.jests == (jest_of_cards("2S 3S 3C"), jest_of_cards("2C"), jest_of_cards("4H"))
    assert settlement.points == (10, 2, 0)


@pytest.mark.parametrize("seats", [3, 4])
def test_j10_to_j13_random_ends_are_settled_as_the_book_does(seats: int) -> None:
    rng = Random(seats)
    number = 5 - seats
    for _ in range(1500):
        pile = rng.sample(range(17), 17)
        trophies, rest = pile[:number], pile[number:]
        given = [make_jest(rest[seat::seats]) for seat in range(seats)]
        names = [set(map(deck.card_name, deck.jest_cards(one))) for one in given]
        settlement = settle_trophies(trophies, given)
        assert list(settlement.winners) == [
            reference_scoring.trophy_owner(deck.card_name(trophy), names) for trophy in trophies
        ]
        assert list(settlement.points) == reference_scoring.final_values(
            [deck.card_name(trophy) for trophy in trophies], names
        )
        for trophy, winner in zip(trophies, settlement.winners, strict=True):
            award = trophy_award(trophy, given)
            assert award.seat == winner
            _check_award(award, given)


def _check_award(award: TrophyAward, given: list[int]) -> None:
    if award.seat is None:
        assert set(award.measures) == {None}
        return
    found = [measure for measure in award.measures if measure is not None]
    best = min(found) if award.condition.test == "lowest" else max(found)
    assert award.measures[award.seat] == best
    assert award.tied == (tuple(s for s, m in enumerate(award.measures) if m == best) if found.count(best) > 1 else ())
    assert award.card is None or given[award.seat] >> award.card & 1
    assert (award.card is not None) == (bool(award.tied) or award.condition.test in ("highest", "lowest", "joker"))
