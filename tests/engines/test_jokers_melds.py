"""Jokers: the best split of a hand, against the plain scorer, and by example (K6–K8, K12–K16)."""

from __future__ import annotations

import os
from random import Random

import pytest

from engines.jokers import deck
from engines.jokers.deck import JOKER
from engines.jokers.melds import Split, best, full
from tests.engines import jokers_by_the_book as book

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
HANDS = {0: 20_000, 1: 2_000, 2: 100}
MORE = 25 if SOAK else 1


def hand(names: str) -> int:
    return deck.hand(map(deck.card, names.split()))


def lengths(split: Split, kind: str) -> tuple[int, ...]:
    return tuple(len(meld.cards) for meld in split.melds if meld.kind == kind)


def random_hand(rng: Random, jokers: int) -> list[int]:
    """Eight cards: from the whole pack, or from so few ranks or suits that melds abound."""
    suits = rng.choice([(0, 1, 2, 3), (0, 1, 2, 3), (0, 3), (1, 2), (0, 1, 2)])
    low = rng.randrange(8)
    ranks = range(13) if rng.random() < 0.4 else range(low, low + rng.randrange(4, 7))
    pack = [13 * suit + rank for suit in suits for rank in ranks]
    return [*rng.sample(pack, 8 - jokers), *[JOKER] * jokers]


def holds_together(cards: list[int], split: Split) -> bool:
    """Whether the split uses each card of the hand once, in real melds, and its lines add up."""
    for meld in split.melds:
        meant = [divmod(card, 13) for card in meld.cards]
        assert (book.is_run if meld.kind == "run" else book.is_set)(meant), meld
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
        bits = deck.hand(cards)
        split = best(bits)
        assert holds_together(cards, split), cards
        in_melds = 8 - len(split.extras)
        lost, expected = book.scored(cards)
        assert book.Best(split.points, in_melds, lengths(split, "run")) == lost, cards
        assert full(bits) == (expected is not None), cards
        if expected is not None:
            fulls += 1
            split = best(bits, declared=True)
            assert holds_together(cards, split), cards
            assert not split.extras
            assert book.Best(split.points, 8, lengths(split, "run")) == expected, cards
    assert fulls > HANDS[jokers] // 500
