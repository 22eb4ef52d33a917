"""Jokers: the best split of a hand, against the plain scorer, and by example (K6–K8, K12–K16)."""

from __future__ import annotations

import os
from random import Random

import pytest

from engines.jokers import deck
from engines.jokers.deck import JOKER
from engines.jokers.melds import Split, best_split, is_full_hand
from tests.engines.jokers import reference_scoring

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
HANDS = {0: 20_000, 1: 2_000, 2: 100}
MORE = 25 if SOAK else 1


def parse_hand(names: str) -> int:
    return deck.make_hand(map(deck.parse_card, names.split()))


def meld_lengths(split: Split, kind: str) -> tuple[int, ...]:
    return tuple(len(meld.cards) for meld in split.melds if meld.kind == kind)


def random_hand(rng: Random, jokers: int) -> list[int]:
    """Eight cards: from the whole pack, or from so few ranks or suits that melds abound."""
    suits = rng.choice([(0, 1, 2, 3), (0, 1, 2, 3), (0, 3), (1, 2), (0, 1, 2)])
    low = rng.randrange(8)
    ranks = range(13) if rng.random() < 0.4 else range(low, low + rng.randrange(4, 7))
    pack = [13 * suit + rank for suit in suits for rank in ranks]
    return [*rng.sample(pack, 8 - jokers), *[JOKER] * jokers]


def is_consistent(cards: list[int], split: Split) -> bool:
    """Whether the split uses each card of the hand once, in real melds, and its lines add up."""
    for meld in split.melds:
        meant = [divmod(card, 13) for card in meld.cards]
        assert (reference_scoring.is_run if meld.kind == "run" else reference_scoring.is_set)(meant), meld
        assert len(set(meld.cards)) == len(meld.cards), meld
        assert set(meld.jokers) <= set(meld.cards), meld
    used = [card for meld in split.melds for card in meld.cards if card not in meld.jokers]
    used += [JOKER for meld in split.melds for _ in meld.jokers]
    return sorted([*used, *split.extras]) == sorted(cards) and split.points == sum(line.points for line in split.lines)


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_k16_the_best_split_is_that_of_the_plain_scorer(jokers: int) -> None:
    rng = Random(jokers + (os.getpid() << 8 if SOAK else 0))
    fulls = 0
    for _ in range(HANDS[jokers] * MORE):
        cards = random_hand(rng, jokers)
        bits = deck.make_hand(cards)
        split = best_split(bits)
        assert is_consistent(cards, split), cards
        in_melds = 8 - len(split.extras)
        lost, expected = reference_scoring.score_hand(cards)
        assert reference_scoring.BestScore(split.points, in_melds, meld_lengths(split, "run")) == lost, cards
        assert is_full_hand(bits) == (expected is not None), cards
        if expected is not None:
            fulls += 1
            split = best_split(bits, declared=True)
            assert is_consistent(cards, split), cards
            assert not split.extras
            assert reference_scoring.BestScore(split.points, 8, meld_lengths(split, "run")) == expected, cards
    assert fulls > HANDS[jokers] // 500


def split_shape(names: str, declared: bool = False) -> list[tuple[str, int]]:
    return [(meld.kind, len(meld.cards)) for meld in best_split(parse_hand(names), declared).melds]


def scored_lines(names: str, declared: bool = False) -> list[tuple[str, int]]:
    return [(line.kind, line.points) for line in best_split(parse_hand(names), declared).lines]


def test_k6_sets_have_three_or_four_cards_of_a_rank_and_runs_three_or_more_in_a_row_of_a_suit() -> None:
    for names, melds in {
        "4C 4D 4H 6S 8C 10D QH KS": [("set", 3)],
        "4C 4D 4H 4S 8C 10D QH KS": [("set", 4)],
        "7C 7D 7H 7S joker 9D JH KS": [("run", 3), ("set", 3)],
        "4C 5C 6C 8S 9D JH KH 2D": [("run", 3)],
        "AC 2C 3C 8S 9D JH KH 5D": [("run", 3)],  # the ace is low
        "QC KC AC 8S 9D JH 5H 3D": [],  # and only low
        "4C 5D 6C 8S 9D JH KH 2D": [],  # a run has one suit
        "4C 4D 5C 8S 9D JH KH 2D": [],  # two cards are no meld
    }.items():
        assert split_shape(names) == melds


def test_k6_five_of_a_rank_is_no_meld() -> None:
    (four,) = best_split(parse_hand("7C 7D 7H 7S joker AD JH KS")).melds
    assert (four.kind, len(four.cards), four.jokers) == ("set", 4, ())
    assert not is_full_hand(parse_hand("7C 7D 7H 7S joker 9D 9H JH"))


def test_k7_each_joker_stands_for_any_card_on_its_own() -> None:
    split = best_split(parse_hand("joker joker 4C 6C 9D JD KS 2S"))
    (one, other) = split.melds
    assert {one.cards, other.cards} == {tuple(map(deck.parse_card, meld.split())) for meld in ("4C 5C 6C", "9D 10D JD")}
    assert one.jokers
    assert other.jokers
    assert split.extras == tuple(map(deck.parse_card, ("2S", "KS")))


def test_k7_it_may_stand_for_a_card_that_is_in_the_hand() -> None:
    names = "9S 9H 9D joker 8S 10S JS QS"
    split = best_split(parse_hand(names), declared=True)
    assert split_shape(names, declared=True) == [("run", 5), ("set", 3)]
    assert split.melds[0].jokers == (deck.parse_card("9S"),)
    assert deck.parse_card("9S") in split.melds[1].cards


FULL_HANDS = [
    ("3C 4C 5C 6C 7C 8C 9C 10C", "full run", 100),
    ("5D 6D 7D 8D 9D JS QS KS", "two runs", 60),
    ("5D 6D 7D 8D JS 10S QS KS", "two runs", 60),
    ("5D 6D 7D 9D 10D JD QD KD", "two runs", 60),  # of one suit
    ("AD AS AC AH 9S 9H 9D 9C", "two sets", 65),
    ("9S 9H 9D 9C 4H 5H 6H 7H", "set and run", 50),
    ("AS AC AH 3H 4H 5H 6H 7H", "set and run", 55),
    ("joker joker 9S 9H 9D 2C 3C 4C", "set and run", 55),
    ("joker joker 2C 3C 4C 6C 7C 8C", "full run", 100),
    ("joker joker AD AS AC 9S 9H 9D", "two sets", 65),
    ("joker 4D 5D 6D JS QS KS 10S", "two runs", 60),
]
NO_FULL_HANDS = ["AS AC AH 9S 9H 9D 4C 5C", "3C 4C 5C 6C 7C 8C 9C JC", "9S 9H 9D 4C 5C 6C 7C JD"]
NO_FULL_HANDS += ["joker joker 2C 4D 6H 8S 10C QD", "joker AD AS AC 9S 9H 4C 4D"]


@pytest.mark.parametrize(("names", "kind", "points"), FULL_HANDS)
def test_k8_k12_full_hands_score_their_points(names: str, kind: str, points: int) -> None:
    assert is_full_hand(parse_hand(names))
    assert scored_lines(names, declared=True)[:2] == [("win", 20), (kind, points)]
    assert not best_split(parse_hand(names), declared=True).extras


@pytest.mark.parametrize("names", NO_FULL_HANDS)
def test_k8_there_is_no_other_way(names: str) -> None:
    assert not is_full_hand(parse_hand(names))
    with pytest.raises(ValueError, match="not a full hand"):
        best_split(parse_hand(names), declared=True)


LOST_HANDS: list[tuple[str, bool, list[tuple[str, int]]]] = [
    ("4C 5C 6C 8S 9D JH KH 2D", False, [("run", 20), ("extras", -25)]),
    ("4C 5C 6C 7C 8C JH KH 2D", False, [("run", 40), ("extras", -15)]),
    ("4C 5C 6C 7C 8C 9C 10C 2D", False, [("run", 40), ("extras", -5)]),
    ("4C 4D 4H 8S 9D JH KH 2D", False, [("set", 10), ("extras", -25)]),
    ("4C 4D 4H 4S 9D 9C 9H 9S", False, [("set", 30), ("set", 35)]),
    ("4C 4D 4H 9D 9C 9H JD KS", False, [("set", 10), ("set", 10), ("extras", -10)]),
    ("AC 3D 5H 7S 9C JD KH 2S", False, [("extras", -40)]),
    # the worked examples
    ("AH 2H 3H 4H 5H 6H 7H 8H", True, [("win", 20), ("full run", 100), ("colour", 15)]),
    ("AH 2H 3H 4H 5H 6H 7H 8H", False, [("run", 75), ("colour", 15)]),
    ("joker joker 9S 9H 9D 2C 3C 4C", True, [("win", 20), ("set and run", 55), ("jokers", 5)]),
    ("joker joker 9S 9H 9D 2C 3C 4C", False, [("run", 40), ("set", 10), ("jokers", 5)]),
]


@pytest.mark.parametrize(("names", "declared", "expected"), LOST_HANDS)
def test_k13_each_meld_counts_and_each_card_in_none_costs_five(
    names: str, declared: bool, expected: list[tuple[str, int]]
) -> None:
    assert scored_lines(names, declared) == expected
    assert best_split(parse_hand(names), declared).points == sum(points for _, points in expected)


def test_k14_k15_eight_cards_of_one_colour_score_fifteen_and_both_jokers_score_five() -> None:
    for names, extra in {
        "AH 3D 5H 7D 9H JD KH 2D": [("colour", 15)],
        "AC 3S 5C 7S 9C JS KC 2S": [("colour", 15)],
        "AC 3S 5C 7S 9C JS KC 2D": [],
        "AC 3S 5C 7S 9C JS KC joker": [("colour", 15)],
        "AC 3D 5H 7D 9H JD KS joker": [],
        "AH 3D 5H 7D 9H JD joker joker": [("colour", 15), ("jokers", 5)],
        "AC 3D 5H 7D 9H JD joker joker": [("jokers", 5)],
    }.items():
        assert [line for line in scored_lines(names) if line[0] in ("colour", "jokers")] == extra


def test_k16_of_equal_splits_the_one_with_most_cards_in_melds_then_the_longest_run() -> None:
    assert split_shape("3C 4C 5C 6C 7C 8C 9C KH") == [("run", 7)]  # as much as runs of three and four
    assert split_shape("4C 4D 4H 5C 6C 7C 8C joker") == [("run", 5), ("set", 3)]  # as much as a set and a run of four
