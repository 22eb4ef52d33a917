"""Jokers' screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from random import Random

import pytest

from cogs.jokers.controls import hand_controls, short_choice_label, trade_offers
from cogs.jokers.game_ui import GAME_UI
from cogs.screens.screen import MAX_SCREEN_TEXT, Buttons, Picks, Select
from engines.jokers import JOKERS, deck
from engines.jokers.model import RoundScored, State
from engines.jokers.turn import STALL_TURNS
from tests.cogs.jokers.states import (
    finished_state,
    hand_screen,
    make_context,
    match_positions,
    screen_text,
)
from tests.engines.jokers.positions import FULL, PLAIN, parse_position, play_moves


def hand_picks(state: State) -> Picks | None:
    return next((c for c in hand_screen(state, state.turn).controls if isinstance(c, Picks)), None)


def test_no_more_is_picked_than_the_draw_pile_has() -> None:
    control = hand_picks(parse_position("draw: 3"))
    assert control is not None
    assert control.most == 3
    one = hand_picks(parse_position("draw: 1"))
    assert one is not None
    assert one.most == 1
    assert hand_picks(parse_position("draw: 0")) is None


def test_what_stands_above_the_controls_has_as_many_lines_all_through_a_match() -> None:
    for seat in range(2):
        given = make_context(news=("something",) * seat)
        assert len({"\n".join(hand_screen(state, seat, given).above).count("\n") for state in match_positions(16)}) == 1


# Full hands


def hand_buttons(state: State) -> dict[str, str | None]:
    """Return the buttons by label, with their confirmation texts."""
    controls = hand_screen(state, state.turn).controls
    return {b.label: b.confirm for control in controls if isinstance(control, Buttons) for b in control.buttons}


def test_k9_a_full_hand_can_be_declared_and_ending_the_turn_with_it_is_asked_for() -> None:
    state = parse_position(f"hand: {FULL}")
    assert set(hand_buttons(state)) == {"Declare for 80", "Done"}
    asked = hand_buttons(state)["Done"]
    assert asked is not None
    assert "80 points" in asked


def test_ending_the_turn_with_another_hand_is_not_asked_for() -> None:
    assert hand_buttons(parse_position(f"hand: {PLAIN} | pile: 3C")) == {
        "Safety 1": None,
        "Safety 2": None,
        "Done": None,
    }


def test_in_the_last_turn_a_full_hand_cannot_be_declared_and_nothing_is_asked() -> None:
    state = parse_position(f"hand: {FULL} | other: AH 2H 3H 4H 5H 6H 7H 8H | pile: 3C")
    play_moves(state, "declare", "done")
    state = parse_position(f"other: {FULL} | hand: AH 2H 3H 4H 5H 6H 7H 8H | pile: 3C")
    play_moves(state, "declare")
    assert hand_buttons(state) == {"Safety 1": None, "Safety 2": None, "Done": None}
    assert "Your last turn of this round" in hand_screen(state, 1).above[0]


# Autocomplete of trades


def offered_when_typed(state: State, typed: str) -> list[str]:
    view = JOKERS.view(state, state.turn)
    return [value for _, value in trade_offers(view, JOKERS.moves(state, state.turn), typed)]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("", "5D|10D|9C|KC|2S|JS|joker".replace("|", " ").split(" ")),
        ("j", ["JS", "joker"]),
        ("JS", None),
        ("1", ["10D"]),
        ("JS 9", ["JS 9C"]),
        ("js, 9c", None),
        ("joker joker j", ["joker joker JS"]),
        ("joker joker joker", []),
        ("4H", []),
        ("JS JS", []),
        ("nonsense", []),
        ("JS  ", None),
    ],
)
def test_a_trade_is_completed_by_its_last_card(typed: str, values: list[str] | None) -> None:
    state = parse_position("hand: 5D 10D 9C KC 2S JS joker joker")
    found = offered_when_typed(state, typed)
    for value in found:
        JOKERS.check(state, 0, JOKERS.parse_move(f"trade {value}"))
    if values is None:
        assert found[0] == " ".join(map(deck.card_name, map(deck.parse_card, typed.replace(",", " ").split())))
        assert len(found) > 4
    else:
        assert sorted(found) == sorted(values)


def test_a_completed_trade_is_no_larger_than_the_draw_pile_and_needs_a_trade() -> None:
    state = parse_position("hand: 5D 10D 9C KC 2S JS joker joker | draw: 2")
    assert offered_when_typed(state, "5D 10D") == ["5D 10D"]
    assert offered_when_typed(state, "5D 10D 9C") == []
    play_moves(state, "trade 5D", "trade 10D")
    assert offered_when_typed(state, "") == []


def test_whole_random_trades_are_completed_card_by_card() -> None:
    rng = Random(3)
    for state in match_positions(3):
        control = hand_picks(state)
        if control is None:
            continue
        typed = ""
        for _ in range(rng.randint(1, control.most)):
            found = [value for value in offered_when_typed(state, f"{typed} " if typed else "") if value != typed]
            assert len(found) <= 8
            typed = rng.choice(found)
        JOKERS.check(state, state.turn, JOKERS.parse_move(f"trade {typed}"))


def test_moves_are_offered_with_the_cards_they_are_about() -> None:
    state = parse_position("pile: 3C 4D joker | safety: 5H KD / AS 2C")
    play_moves(state, "safety 1")
    view = JOKERS.view(state, 0)
    assert [short_choice_label(view, move) for move in JOKERS.moves(state, 0)] == [
        *("joker", "4♦", "3♣", "Keep the safety card")
    ]


def test_of_two_jokers_within_reach_each_says_how_deep_it_lies() -> None:
    state = parse_position("pile: joker 4D joker | safety: 3H KD / AS 2C")
    play_moves(state, "safety 1")
    view = JOKERS.view(state, 0)
    assert [short_choice_label(view, move) for move in JOKERS.moves(state, 0)][:3] == ["joker at 1", "4♦", "joker at 3"]


def test_k4_what_may_be_taken_stands_as_the_pile_is_drawn_and_the_safety_card_after_it() -> None:
    state = parse_position("pile: 3C 4D joker | safety: 5H KD / AS 2C")
    play_moves(state, "safety 1")
    assert [*hand_buttons(state)] == ["3♣", "4♦", "joker", "Keep the 5♥"]


def test_k4_a_discard_that_leaves_a_full_hand_says_so() -> None:
    state = parse_position("hand: 2S 3S 4S 5S 9H 9C 9D KH | pile: 6S | safety: AH KD / AS 2C")
    play_moves(state, "safety 1", "take 1")
    (control,) = hand_controls(JOKERS.view(state, 0), JOKERS.moves(state, 0))
    assert isinstance(control, Select)
    said = {option.label: option.description for option in control.options}
    assert said["K♥"] == "leaves a full hand: +75 declared"
    assert said["9♦"] == "leaves a hand worth +25 if you lose"


def test_the_sheet_of_the_longest_match_fits_a_message() -> None:
    state = finished_state(13, rounds=12)
    outcome, view = JOKERS.outcome(state), JOKERS.view(state, None)
    assert outcome is not None
    given = make_context(("a" + "\\_" * 31, "b" + "\\_" * 31), ("x" * 200,) * 12)
    assert len(screen_text(GAME_UI.screen.result(view, outcome, given))) <= MAX_SCREEN_TEXT
    assert len(GAME_UI.screen.sheet(view, given).above[0]) <= MAX_SCREEN_TEXT


def test_the_end_of_a_match_has_its_sheet() -> None:
    state = finished_state(3)
    outcome = JOKERS.outcome(state)
    assert outcome is not None
    assert GAME_UI.screen.result(JOKERS.view(state, None), outcome, make_context()).controls == ()


# News


@pytest.mark.parametrize(
    ("at", "moves", "why"),
    [("draw: 0", ("done",), "(no cards left to draw)"), ("", ("done",) * STALL_TURNS, "(nobody traded)")],
)
def test_k10_k11_where_nobody_has_declared_the_news_say_why_the_round_is_over(
    at: str, moves: tuple[str, ...], why: str
) -> None:
    (scored,) = [event for event in play_moves(parse_position(at), *moves) if isinstance(event, RoundScored)]
    assert why in (GAME_UI.screen.narrate_briefly(scored, make_context()) or "")
