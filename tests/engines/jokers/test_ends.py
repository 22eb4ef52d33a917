"""Jokers by the book: how rounds and matches end (K9 to K11, K16, K17), and the notation."""

from __future__ import annotations

import pytest

from engines.jokers import JOKERS, deck, model
from engines.jokers.model import Declare, Discard, Done, Keep, Take, Trade, TurnUp
from engines.kit.contract import Outcome
from engines.kit.errors import BadNotation
from tests.engines.jokers import positions
from tests.engines.jokers.positions import FULL, PLAIN, PLAIN2, parse_cards, parse_position, play_moves, table_view

FULL2 = "5C 6C 7C 8C 9C JH QH KH"


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
    assert "declare" in positions.legal_notations(state)
    assert positions.seat_to_act(state) == 0
    [event] = play_moves(state, "declare")
    assert isinstance(event, model.HandDeclared)
    assert positions.seat_to_act(state) == 1


def test_k9_only_a_full_hand_can_be_declared_but_it_need_not_be_and_not_while_a_safety_card_is_being_used() -> None:
    state = parse_position(f"hand: {FULL} | pile: 4C | safety: 2C AD / 6C 4S")
    assert positions.legal_notations(state) == ["safety 1", "safety 2", "declare", "done"]
    assert len(positions.legal_trades(state)) == 255
    for move in ("safety 1", "keep"):
        play_moves(state, move)
        assert positions.expect_refusal(state, "declare").rule == "K4"
    play_moves(state, "discard 2C", "done")
    assert table_view(state).declared is None
    state = parse_position(f"hand: {FULL.replace('5D', '4D')}")
    assert positions.legal_notations(state) == ["done"]
    assert positions.expect_refusal(state, "declare").rule == "K9"


def test_k9_it_ends_the_turn_at_once_and_the_other_has_one_more_full_turn_without_declaring() -> None:
    state = parse_position(f"hand: {FULL} | other: {FULL2} | pile: 4C | safety: 2C AD / 2H 2D")
    assert play_moves(state, "declare") == [model.HandDeclared(seat=0, cards=tuple(sorted(parse_cards(FULL))))]
    assert positions.expect_refusal(state, "done", seat=0).reason == "It is not your turn."
    assert positions.legal_notations(state) == ["safety 1", "safety 2", "done"]
    assert len(positions.legal_trades(state)) == 255
    assert "won" in positions.expect_refusal(state, "declare").reason
    assert not JOKERS.is_forced(table_view(state), 1)
    play_moves(state, "trade 5C", "safety 1", "keep", "discard 2H", "trade 6C", "safety 2", "keep", "discard 2D")
    assert positions.seat_to_act(state) == 1
    assert JOKERS.is_forced(table_view(state), 1), "everybody knows that nothing else is left"
    [ended, scored, *_] = play_moves(state, "done")
    assert ended == model.TurnEnded(seat=1, idle=False)
    assert isinstance(scored, model.RoundScored)
    assert (scored.result.ending, scored.result.declared) == ("declared", 0)


PILE_ENDS = f"other: {PLAIN2} | safety: 3C 4D / 6C 4S"
ROUND_ENDS = [
    # (position, moves, what is still possible then, moves up to the end, the ending and who declared, points)
    (f"hand: {FULL} | other: {FULL2}", ["declare"], "trade done", [], ("declared", 0), (20 + 60, 40 + 20)),
    (
        f"hand: {PLAIN} | draw: 1 | top: 2H | {PILE_ENDS}",
        *(["trade AC"], "safety done", ["safety 1", "keep", "discard 3C"], ("empty", None), (-40, -40)),
    ),
    (
        f"hand: {FULL} | draw: 0 | {PILE_ENDS}",
        *(["declare"], "safety done", ["safety 2", "keep", "discard 4S"], ("declared", 0), (80, -40)),
    ),
    (f"hand: {FULL} | other: {PLAIN2}", ["done"] * 3, "trade done", [], ("stall", None), (60, -40)),
]


@pytest.mark.parametrize(("position", "moves", "possible", "last", "ending", "points"), ROUND_ENDS)
def test_k9_k10_k11_a_round_ends_a_turn_after_a_declaration_with_an_empty_draw_pile_or_after_four_idle_turns(
    position: str,
    moves: list[str],
    possible: str,
    last: list[str],
    ending: tuple[str, int | None],
    points: tuple[int, int],
) -> None:
    state = parse_position(position)
    play_moves(state, *moves)
    assert positions.legal_notations(state) == [f"safety {number}" for number in (1, 2) if "safety" in possible] + [
        "done"
    ]
    assert bool(positions.legal_trades(state)) == ("trade" in possible)
    play_moves(state, *last)
    assert (table_view(state).round, table_view(state).still) == (1, moves.count("done"))
    scored = play_moves(state, "done")[1]
    assert isinstance(scored, model.RoundScored)
    assert (scored.result.ending, scored.result.declared) == ending
    assert [score.win for score in scored.result.scores] == [20 if seat == ending[1] else 0 for seat in (0, 1)]
    assert tuple(score.points for score in scored.result.scores) == points
    assert table_view(state).last == scored.result
    assert (table_view(state).round, table_view(state).still) == (2, 0)


@pytest.mark.parametrize(
    "moves", [["trade AC"], ["safety 1", "keep", "discard 3C"], ["safety 1", "take 1", "discard 4C"]]
)
def test_k11_a_trade_or_a_safety_card_begins_the_count_again(moves: list[str]) -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | pile: 4C | safety: 3C 4D / 6C 4S")
    play_moves(state, "done", "done", *moves, "done")
    assert table_view(state).still == 0
    play_moves(state, "done", "done", "done")
    assert table_view(state).round == 1
    play_moves(state, "done")
    assert table_view(state).round == 2
    assert table_view(state).still == 0


@pytest.mark.parametrize("rounds", [1, 2])
def test_k16_the_declared_hand_is_shown_at_once_the_other_at_scoring_and_safety_cards_never(rounds: int) -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | rounds: {rounds} | safety: 3C 4D / 6C 4S")
    full = tuple(sorted(parse_cards(FULL)))
    for seat in (1, None):
        assert JOKERS.view(state, seat).known == ((), ())
    play_moves(state, "declare")
    for seat in (1, None):
        assert JOKERS.view(state, seat).known == (full, ())
    play_moves(state, "done")
    view = table_view(state)
    assert view.last is not None
    assert (view.last.round, view.last.hands) == (1, (full, tuple(sorted(parse_cards(PLAIN2)))))
    assert view.safety == ((None, None), (None, None))
    assert bool(JOKERS.decisions(state)) == (rounds == 2)
    if rounds == 2:  # nothing of the old round is known of the new hands
        assert (view.round, view.known, view.declared) == (2, ((), ()), None)


@pytest.mark.parametrize(("scores", "places"), [("0 0", (1, 2)), ("0 200", (2, 1)), ("0 120", (1, 1))])
def test_k17_the_higher_total_wins_and_equal_totals_are_a_draw(scores: str, places: tuple[int, int]) -> None:
    state = parse_position(f"hand: {FULL} | other: {PLAIN2} | rounds: 1 | scores: {scores}")
    assert JOKERS.outcome(state) is None
    play_moves(state, "declare", "done")
    assert JOKERS.outcome(state) == Outcome(places, (80, int(scores.split()[1]) - 40))
    assert positions.expect_refusal(state, "done", seat=0).rule is None
    assert not JOKERS.moves(state, 0)


# --- Notation


def test_notation_is_read_and_what_is_no_move_is_refused_in_a_sentence() -> None:
    moves: dict[str, object] = {
        "trade 4C 9D JH": Trade(tuple(parse_cards("4C 9D JH"))),
        "Trade  10h, JOKER": Trade(tuple(parse_cards("10H joker"))),
        "safety 2": TurnUp(2),
        "take 13": Take(13),
        "keep": Keep(),
        "discard joker": Discard(deck.JOKER),
        " DECLARE ": Declare(),
        "done": Done(),
    }
    assert {text: JOKERS.parse_move(text) for text in moves} == moves
    for text in (
        *("", "trade", "trade 1C", f"trade {PLAIN} 4C", "safety", "safety x", "take 1 2", "take 100", "take ³"),
        *("keep 4C", "discard", "discard 4C 5C", "done now", "declare!", "bid 3"),
    ):
        with pytest.raises(BadNotation, match=r"^[A-Z“].*\.$"):
            JOKERS.parse_move(text)
