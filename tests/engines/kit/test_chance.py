"""Chance: fair draws, independent sources, and exactly these draws for ever (C1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from hashlib import blake2b

import pytest
from pydantic import TypeAdapter

from engines.kit.chance import Chance

SEED = "000102030405060708090a0b0c0d0e0f"
OTHER = "5eed" * 8


def check_even(found: Iterable[Hashable], kinds: int, number: int) -> None:
    """Chi-square: so many things of so many kinds are as evenly spread as chance would have it.

    The limit is passed by less than one fair source in 100,000; the seeds are fixed, so the answer never changes.
    """
    counts = Counter(found)
    assert counts.total() == number
    assert len(counts) <= kinds, f"{len(counts)} kinds"
    expected = number / kinds
    chi = sum((count - expected) ** 2 for count in counts.values()) / expected + (kinds - len(counts)) * expected
    freedom = kinds - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5 + 8, f"chi-square {chi:.1f} with {freedom} degrees of freedom"
    assert chi > freedom - 5 * (2 * freedom) ** 0.5, f"chi-square {chi:.1f}: too even"


# --- These draws, for ever: a match that was saved must go on as it would have gone on


def test_draws_are_those_that_are_known() -> None:
    chance = Chance(SEED)
    below = [chance.randbelow(n) for n in (1, 2, 3, 6, 10, 52, 60, 100, 1000, 1 << 32, 1 << 64)]
    assert below == [0, 0, 2, 2, 4, 48, 36, 85, 15, 106221052, 10132574800539816800]
    assert chance.count == 11
    chance = Chance(OTHER)
    assert [chance.roll_die() for _ in range(20)] == [5, 5, 4, 1, 5, 5, 4, 3, 5, 2, 6, 1, 3, 3, 4, 5, 6, 6, 1, 5]
    chance = Chance(OTHER, 1000)
    assert "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(20)) == "amrrlfwcrkyaypdboaxt"
    assert Chance(OTHER).draw(range(12), 5) == ([5, 0, 6, 11, 7], [8, 1, 2, 3, 4, 10, 9])
    assert Chance(SEED).fork() == Chance("2b2f486c5df187de78d40d78bc058d14")


def test_shuffles_are_those_that_are_known() -> None:
    chance = Chance(SEED)
    assert (chance.shuffle(range(10)), chance.count) == ([8, 4, 7, 5, 1, 6, 9, 0, 2, 3], 1)
    deck = chance.shuffle(range(60))
    assert " ".join(map(str, deck)) == (
        "30 37 36 1 26 24 25 51 17 56 22 54 18 34 43 41 32 15 8 49 29 12 23 19 11 2 58 50 9 52 "
        "4 39 27 16 47 48 10 44 7 59 31 3 46 45 21 40 14 38 57 42 53 28 55 33 5 20 6 13 35 0"
    )
    assert chance.count == 2
    chance = Chance(SEED)
    shuffled = chance.shuffle(range(300))  # of more than 256
    assert (shuffled[:5], shuffled[-5:], chance.count) == ([276, 37, 102, 79, 290], [248, 38, 209, 133, 166], 49)
    assert blake2b(repr(shuffled).encode(), digest_size=8).hexdigest() == "be751c434851b422"


@pytest.mark.parametrize("count", [0, 1, 255, 256, 1 << 40])
def test_a_draw_is_a_keyed_hash_of_the_count(count: int) -> None:
    digest = blake2b(count.to_bytes(8, "big"), key=bytes.fromhex(SEED)).digest()
    chance = Chance(SEED, count)
    assert chance.randbelow(1 << 64) == int.from_bytes(digest[:8], "big")
    assert chance.count == count + 1


# --- below


def test_below_is_even() -> None:
    for n in (2, 3, 5, 6, 7, 10, 52, 60, 64, 100):
        chance = Chance(OTHER)
        check_even((chance.randbelow(n) for _ in range(100 * n)), n, 100 * n)
    # Of 2**64 numbers, the first third of these n would come up twice as often as the others.
    chance, third = Chance(OTHER), 1 << 62
    check_even((chance.randbelow(3 * third) // third for _ in range(3000)), 3, 3000)


# --- shuffled and drawn


@pytest.mark.parametrize("size", [0, 1, 2, 3, 60, 255, 256, 257, 300, 700])
def test_a_shuffle_is_a_permutation_and_leaves_the_items_alone(size: int) -> None:
    items = list(range(size))
    shuffled = Chance(SEED).shuffle(items)
    assert sorted(shuffled) == items == list(range(size))
    assert shuffled is not items


def test_all_orders_and_all_draws_come_up_equally_often_and_any_card_at_any_place() -> None:
    chance = Chance(OTHER)
    check_even((tuple(chance.shuffle(range(5))) for _ in range(6000)), 120, 6000)
    check_even((tuple(chance.draw(range(6), 3)[0]) for _ in range(6000)), 120, 6000)
    for place in (0, 1, 30, 58, 59):
        check_even((chance.shuffle(range(60))[place] for _ in range(3000)), 60, 3000)


@pytest.mark.parametrize("size", [129, 200, 255, 256, 257, 300])
def test_the_first_drawn_is_even_if_a_remainder_of_a_byte_would_not_be(size: int) -> None:
    chance = Chance(SEED)
    check_even((chance.draw(range(size), 1)[0][0] for _ in range(20 * size)), size, 20 * size)


@pytest.mark.parametrize("size", [6, 60, 256, 300])
@pytest.mark.parametrize("number", [0, 1, 5, 6])
def test_the_drawn_items_and_the_rest_are_all_items(size: int, number: int) -> None:
    drawn, rest = Chance(OTHER).draw(range(size), number)
    assert (len(drawn), len(rest)) == (number, size - number)
    assert sorted(drawn + rest) == list(range(size))


# --- What cannot be drawn is refused if looking for it would never end


@pytest.mark.parametrize("n", [0, -1, -5, (1 << 64) + 1, 1 << 70])
def test_below_refuses_what_64_bits_cannot_give(n: int) -> None:
    chance = Chance(SEED)
    with pytest.raises(ValueError, match=r"^[A-Z].*2⁶⁴\.$"):
        chance.randbelow(n)
    assert chance.count == 0


def test_there_is_no_choice_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"^[A-Z].*\.$"):
        Chance(SEED).choice(())


@pytest.mark.parametrize("size", [0, 5, 256, 300])
@pytest.mark.parametrize("number", [-1, 1, 100])
def test_no_more_are_drawn_than_there_are_and_no_fewer_than_none(size: int, number: int) -> None:
    number = size + number if number > 0 else number
    chance = Chance(SEED)
    with pytest.raises(ValueError, match=rf"^Cannot draw {number} of {size} items\.$"):
        chance.draw(range(size), number)
    assert chance.count == 0


# --- Sources


def test_a_copy_draws_the_same_and_neither_moves_the_other() -> None:
    chance = Chance(SEED, 7)
    copy = chance.copy()
    ahead = [chance.randbelow(1000) for _ in range(5)]
    assert copy == Chance(SEED, 7)
    assert [copy.randbelow(1000) for _ in range(5)] == ahead
    copy.randbelow(6)
    assert (chance.count, copy.count) == (12, 13)


def test_forks_are_sources_of_their_own_and_come_again_from_a_copy() -> None:
    chance = Chance(SEED)
    fork, before = chance.fork(), chance.copy()
    draws = {fork.randbelow(1 << 64) for _ in range(50)}
    assert chance == before
    assert not draws & {chance.randbelow(1 << 64) for _ in range(50)}
    copy = chance.copy()
    seeds = [chance.fork().seed for _ in range(50)]
    assert all(re.fullmatch(r"[0-9a-f]{32}", seed) for seed in seeds)
    assert [copy.fork().seed for _ in range(50)] == seeds
    assert len({seed[:16] for seed in seeds} | {seed[16:] for seed in seeds}) == 100


def test_a_fresh_source_has_a_seed_of_128_bits_that_nobody_has_seen() -> None:
    fresh = [Chance.with_new_seed() for _ in range(50)]
    assert all(re.fullmatch(r"[0-9a-f]{32}", chance.seed) and chance.count == 0 for chance in fresh)
    assert len({chance.seed for chance in fresh}) == 50


def test_a_source_that_was_saved_goes_on_as_it_would_have() -> None:
    chance, saved = Chance(SEED), TypeAdapter(Chance)
    chance.shuffle(range(60))
    copy = saved.validate_json(saved.dump_json(chance))
    assert copy == chance
    assert copy.shuffle(range(60)) == chance.shuffle(range(60))
