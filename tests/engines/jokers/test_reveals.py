"""Which moves of Jokers show something hidden, to whom, and what is said of it."""

from __future__ import annotations

import pytest

from engines.jokers import JOKERS
from tests.engines.jokers.positions import FULL, PLAIN, PLAIN2, TOOLS, parse_position, play_moves


def test_k3_a_trade_shows_its_player_what_they_draw() -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | top: 4C joker")
    assert TOOLS.describe_reveals(state, "trade AC 3D") == "A: You drew the 4 of clubs and a joker."
    assert JOKERS.describe_reveal(state, 0, JOKERS.parse_move("trade AC"), 1) == "Another player drew cards."


def test_k4_a_safety_card_is_shown_to_both_and_what_follows_shows_nothing() -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | pile: 4D | safety: 6H KD / AS joker")
    assert TOOLS.describe_reveals(state, "safety 1") == "AB: The safety card was the 6 of hearts."
    play_moves(state, "safety 1")
    assert {TOOLS.describe_reveals(state, text) for text in ("take 1", "keep")} == {"nobody"}
    play_moves(state, "take 1")
    assert TOOLS.describe_reveals(state, "discard 4D") == "nobody"


def test_k9_a_declared_hand_and_the_end_of_a_turn_show_nothing_hidden() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2}")
    assert {TOOLS.describe_reveals(state, text) for text in ("declare", "done")} == {"nobody"}


@pytest.mark.parametrize(("rounds", "reveal"), [(2, "AB: A new round was dealt."), (1, "B: Both hands were shown.")])
def test_k16_the_end_of_a_round_shows_the_next_deal_or_the_other_hand(rounds: int, reveal: str) -> None:
    state = parse_position(f"rounds: {rounds} | hand: {PLAIN} | other: {PLAIN2}")
    play_moves(state, "done", "done", "done")
    assert TOOLS.describe_reveals(state, "done") == reveal


def test_k16_a_hand_that_is_all_that_one_has_not_seen_is_not_hidden() -> None:
    state = parse_position(f"rounds: 1 | hand: {PLAIN} | other: {PLAIN2} | draw: 0")
    assert TOOLS.describe_reveals(state, "done") == "A: Both hands were shown."
    state.down = [[False, False], [False, False]]
    assert TOOLS.describe_reveals(state, "done") == "nobody"


def test_k16_a_hand_that_was_declared_is_not_hidden() -> None:
    state = parse_position(f"rounds: 1 | hand: {FULL} | other: {PLAIN2}")
    play_moves(state, "declare")
    assert TOOLS.describe_reveals(state, "done") == "nobody"
