"""Jokers by the book: how rounds and matches end (K9 to K11, K16, K17), and the notation."""

from __future__ import annotations

import pytest

from engines.jokers import JOKERS, deck
from engines.jokers.model import (
    Declare,
    Discard,
    Done,
    HandDeclared,
    Keep,
    RoundScored,
    State,
    Take,
    Trade,
    TurnEnded,
    TurnUp,
)
from engines.jokers.view import View
from engines.kit.contract import Outcome
from engines.kit.errors import BadNotation
from tests.engines.jokers.positions import (
    FULL,
    PLAIN,
    PLAIN2,
    expect_refusal,
    legal_notations,
    legal_trades,
    parse_cards,
    parse_position,
    play_moves,
    seat_to_act,
)

FULL2 = "5C 6C 7C 8C 9C JH QH KH"


def table_view(state: State) -> View:
    """What everybody sees."""
    return JOKERS.view(state, None)


# --- K9: declaring


@pytest.mark.parametrize(
    "before",
    [
        [],
        ["safety 1", "keep", "discard 2C"],
        ["safety 1", "keep", "discard 2C", "safety 2", "take 1", "discard 2C"],
        ["trade 2H"],
        ["trade 2H", "safety 1", "keep", "discard 2C"],
        ["trade 2H", "trade 5D"],
    ],
)
def test_k9_a_full_hand_may_be_declared_before_between_and_after_trades(before: list[str]) -> None:
    traded = sum(move.startswith("trade") for move in before)
    cards = FULL.replace("5D", "2H") if traded else FULL
    top = ["", "5D", "5D 10D"][traded]
    state = parse_position(f"hand: {cards} | other: {PLAIN2} | pile: 4C | safety: 2C AD / 6C 4S | top: {top}")
    play_moves(state, *before)
    assert "declare" in legal_notations(state)
    assert seat_to_act(state) == 0
    [event] = play_moves(state, "declare")
    assert isinstance(event, HandDeclared)
    assert seat_to_act(state) == 1


def test_k9_it_need_not_be_declared() -> None:
    state = parse_position(f"hand: {FULL}")
    assert legal_notations(state) == ["declare", "done"]
    assert len(legal_trades(state)) == 255
    play_moves(state, "done")
    assert table_view(state).declared is None


def test_k9_a_hand_that_is_not_full_cannot_be_declared() -> None:
    state = parse_position(f"hand: {FULL.replace('5D', '4D')}")
    assert legal_notations(state) == ["done"]
    assert expect_refusal(state, "declare").rule == "K9"


def test_k9_not_while_a_safety_card_is_being_used() -> None:
    state = parse_position(f"hand: {FULL} | pile: 4C | safety: 2C AD / 6C 4S")
    play_moves(state, "safety 1")
    assert expect_refusal(state, "declare").rule == "K4"
    play_moves(state, "keep")
    assert expect_refusal(state, "declare").rule == "K4"


def test_k9_it_ends_the_turn_at_once() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2}")
    assert play_moves(state, "declare") == [HandDeclared(seat=0, cards=tuple(sorted(parse_cards(FULL))))]
    assert seat_to_act(state) == 1
    assert expect_refusal(state, "done", seat=0).reason == "It is not your turn."


def test_k9_the_other_has_one_more_full_turn_without_declaring() -> None:
    state = parse_position(f"hand: {FULL} | other: {FULL2} | pile: 4C | safety: 2C AD / 2H 2D")
    play_moves(state, "declare")
    assert legal_notations(state) == ["safety 1", "safety 2", "done"]
    assert len(legal_trades(state)) == 255
    assert "won" in expect_refusal(state, "declare").reason
    play_moves(state, "trade 5C", "safety 1", "keep", "discard 2H", "trade 6C", "safety 2", "keep", "discard 2D")
    assert seat_to_act(state) == 1
    [ended, scored, *_] = play_moves(state, "done")
    assert ended == TurnEnded(seat=1, idle=False)
    assert isinstance(scored, RoundScored)
    assert (scored.result.ending, scored.result.declared) == ("declared", 0)


def test_k9_it_wins_the_round_even_against_another_full_hand() -> None:
    state = parse_position(f"hand: {FULL} | other: {FULL2}")
    play_moves(state, "declare", "done")
    [row] = table_view(state).sheet
    assert [score.win for score in row] == [20, 0]
    assert [score.points for score in row] == [20 + 60, 40 + 20]


# --- K10: an empty draw pile


def test_k10_the_turn_in_which_the_draw_pile_runs_out_goes_on_and_then_the_round_ends() -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | draw: 1 | safety: 3C 4D / 6C 4S")
    play_moves(state, "trade AC")
    assert legal_notations(state) == ["safety 1", "safety 2", "done"]
    assert not legal_trades(state)
    play_moves(state, "safety 1", "keep", "discard 3C")
    scored = play_moves(state, "done")[1]
    assert isinstance(scored, RoundScored)
    assert (scored.result.ending, scored.result.declared) == ("empty", None)
    assert [score.win for score in scored.result.scores] == [0, 0]
    assert [score.points for score in scored.result.scores][1] == -40


def test_k10_it_may_still_be_declared_in_that_turn() -> None:
    state = parse_position(f"hand: {FULL.replace('5D', '2H')} | other: {PLAIN2} | draw: 1 | top: 5D")
    play_moves(state, "trade 2H", "declare")
    assert seat_to_act(state) == 1
    assert table_view(state).round == 1


def test_k10_an_empty_pile_after_a_declaration_leaves_safety_cards_only() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | draw: 0 | safety: 3C 4D / 6C 4S")
    play_moves(state, "declare")
    assert legal_notations(state) == ["safety 1", "safety 2", "done"]
    assert not legal_trades(state)
    play_moves(state, "safety 2", "keep", "discard 4S", "done")
    last = table_view(state).last
    assert last is not None
    assert (last.ending, last.declared) == ("declared", 0)
    assert [score.points for score in last.scores] == [80, -40]


# --- K11: nobody does anything


def test_k11_four_idle_turns_in_a_row_end_the_round_with_two_lost_hands() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2}")
    play_moves(state, "done", "done", "done")
    assert table_view(state).still == 3
    scored = play_moves(state, "done")[1]
    assert isinstance(scored, RoundScored)
    assert (scored.result.ending, scored.result.declared) == ("stall", None)
    assert [score.points for score in scored.result.scores] == [60, -40]


@pytest.mark.parametrize(
    "moves", [["trade AC"], ["safety 1", "keep", "discard 3C"], ["safety 1", "take 1", "discard 4C"]]
)
def test_k11_a_trade_or_a_safety_card_begins_the_count_anew(moves: list[str]) -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | pile: 4C | safety: 3C 4D / 6C 4S")
    play_moves(state, "done", "done", *moves, "done")
    assert table_view(state).still == 0
    play_moves(state, "done", "done", "done")
    assert table_view(state).round == 1
    play_moves(state, "done")
    assert table_view(state).round == 2
    assert table_view(state).still == 0


# --- K16: what is shown


def test_k16_the_declared_hand_is_shown_at_once_and_the_other_at_scoring() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | rounds: 1 | safety: 3C 4D / 6C 4S")
    for seat in (1, None):
        assert JOKERS.view(state, seat).known == ((), ())
    play_moves(state, "declare")
    for seat in (1, None):
        assert JOKERS.view(state, seat).known == (tuple(sorted(parse_cards(FULL))), ())
    play_moves(state, "done")
    last = table_view(state).last
    assert last is not None
    assert last.hands == (tuple(sorted(parse_cards(FULL))), tuple(sorted(parse_cards(PLAIN2))))


def test_k16_safety_cards_still_face_down_are_not_shown() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | rounds: 1 | safety: 3C 4D / 6C 4S")
    play_moves(state, "declare", "done")
    assert not JOKERS.decisions(state)
    assert table_view(state).safety == ((None, None), (None, None))


def test_k16_the_result_stays_in_sight_in_the_next_round_and_nothing_of_the_old_one_is_known_of_the_new_hands() -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | rounds: 2")
    play_moves(state, "declare", "done")
    view = table_view(state)
    assert view.last is not None
    assert view.last.round == 1
    assert view.round == 2
    assert view.known == ((), ())
    assert view.declared is None


# --- K17: the end


@pytest.mark.parametrize(("scores", "places"), [("0 0", (1, 2)), ("0 200", (2, 1)), ("0 120", (1, 1))])
def test_k17_the_higher_total_wins_and_equal_totals_are_a_draw(scores: str, places: tuple[int, int]) -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | rounds: 1 | scores: {scores}")
    assert JOKERS.outcome(state) is None
    play_moves(state, "declare", "done")
    assert JOKERS.outcome(state) == Outcome(places, (80, int(scores.split()[1]) - 40))
    assert expect_refusal(state, "done", seat=0).rule is None
    assert not JOKERS.moves(state, 0)


# --- Notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("trade 4C 9D JH", Trade(tuple(parse_cards("4C 9D JH")))),
        ("Trade  10h, JOKER", Trade(tuple(parse_cards("10H joker")))),
        ("safety 2", TurnUp(2)),
        ("take 13", Take(13)),
        ("keep", Keep()),
        ("discard joker", Discard(deck.JOKER)),
        (" DECLARE ", Declare()),
        ("done", Done()),
    ],
)
def test_notation_is_read(text: str, move: object) -> None:
    assert JOKERS.parse_move(text) == move


@pytest.mark.parametrize(
    "text",
    [
        *("", "trade", "trade 1C", f"trade {PLAIN} 4C", "safety", "safety x", "take 1 2", "take 100", "take ³"),
        *("keep 4C", "discard", "discard 4C 5C", "done now", "declare!", "bid 3"),
    ],
)
def test_what_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadNotation, match=r"^[A-Z“].*\.$"):
        JOKERS.parse_move(text)
