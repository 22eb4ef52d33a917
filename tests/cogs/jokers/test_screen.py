"""Jokers' screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cogs.jokers.controls import hand_controls, short_choice_label, trade_offers
from cogs.jokers.game_ui import GAME_UI
from cogs.jokers.screen import FULL_HAND_TEXT, SAFETY_TEXT
from cogs.screens.screen import MAX_SCREEN_TEXT, Buttons, Picks, Select
from engines.jokers import JOKERS, deck, model
from engines.jokers.model import RoundScored, State
from engines.jokers.turn import STALL_TURNS
from tests.cogs.jokers.states import BENCH, match_positions
from tests.cogs.screen_bench import screen_text
from tests.engines.jokers.positions import FULL, PLAIN, parse_position, play_moves


def hand_picks(state: State) -> Picks | None:
    return next((c for c in BENCH.hand(state, state.turn).controls if isinstance(c, Picks)), None)


def test_the_text_above_the_controls_has_as_many_lines_all_through_a_match() -> None:
    for seat in range(2):
        above = [BENCH.hand(state, seat, sentences=("something",) * seat).above for state in match_positions(16)]
        assert len({"\n".join(each).count("\n") for each in above}) == 1


UNASKED = {"Safety 1": None, "Safety 2": None, "End turn": None}


def hand_buttons(state: State) -> dict[str, str | None]:
    controls = BENCH.hand(state, state.turn).controls
    return {b.label: b.confirm for control in controls if isinstance(control, Buttons) for b in control.buttons}


def test_k9_a_full_hand_can_be_declared_before_the_last_turn_and_the_end_of_the_turn_is_asked_for_only_then() -> None:
    found = hand_buttons(parse_position(f"hand: {FULL}"))
    assert set(found) == {"Declare for 80", "End turn"}
    assert "80 points" in (found["End turn"] or "")
    assert hand_buttons(parse_position(f"hand: {PLAIN} | pile: 3C")) == UNASKED
    state = parse_position(f"other: {FULL} | hand: AH 2H 3H 4H 5H 6H 7H 8H | pile: 3C")
    play_moves(state, "declare")
    assert hand_buttons(state) == UNASKED
    assert "Your last turn of this round" in BENCH.hand(state, 1).above[0]


def offered_when_typed(state: State, typed: str) -> list[str]:
    view = JOKERS.view(state, state.turn)
    return [value for _, value in trade_offers(view, JOKERS.moves(state, state.turn), typed)]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("", ["5D", "10D", "9C", "KC", "2S", "JS", "joker"]),
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


def test_a_trade_is_no_larger_than_the_draw_pile_and_needs_a_trade() -> None:
    found = [hand_picks(parse_position(f"draw: {number}")) for number in (3, 1, 0)]
    assert [control and control.most for control in found] == [3, 1, None]
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


def test_k4_moves_are_offered_with_the_cards_they_are_about() -> None:
    for pile, labels in (("joker 4D joker", "joker at 1, 4♦, joker at 3"), ("3C 4D joker", "joker, 4♦, 3♣")):
        state = parse_position(f"pile: {pile} | safety: 5H KD / AS 2C")
        play_moves(state, "safety 1")
        offered = [short_choice_label(JOKERS.view(state, 0), move) for move in JOKERS.moves(state, 0)]
        assert offered == [*labels.split(", "), "Keep the safety card"]
    assert [*hand_buttons(state)] == ["3♣", "4♦", "joker", "Keep the 5♥"]  # on the hand as the pile is drawn


def test_k4_a_discard_that_leaves_a_full_hand_says_so() -> None:
    state = parse_position("hand: 2S 3S 4S 5S 9H 9C 9D KH | pile: 6S | safety: AH KD / AS 2C")
    play_moves(state, "safety 1", "take 1")
    (control,) = hand_controls(JOKERS.view(state, 0), JOKERS.moves(state, 0))
    assert isinstance(control, Select)
    descriptions = {option.label: option.description for option in control.options}
    assert descriptions["K♥"] == "leaves a full hand: +75 if you declare it"
    assert descriptions["9♦"] == "leaves a hand worth +25 if you lose"


def test_the_sheet_of_the_longest_match_fits_a_message() -> None:
    *_, state = match_positions(13, rounds=12)
    names = ("a" + "\\_" * 31, "b" + "\\_" * 31)
    assert len(screen_text(BENCH.result(state, names, ("x" * 200,) * 12))) <= MAX_SCREEN_TEXT
    assert len(BENCH.sheet(state, names).above[0]) <= MAX_SCREEN_TEXT


FOUR, NINE, JOKER = map(deck.parse_card, ("4C", "9D", "joker"))
EVENTS: list[tuple[Any, str, str | None]] = [
    (model.RoundDealt(round=2, starter=1), "Round 2 is dealt; Ben has the first turn.", "Round 2 is dealt"),
    (model.HandDealt(seat=0, cards=(NINE, FOUR)), "You are dealt 4♣, 9♦.", None),
    (model.CardsTraded(seat=0, cards=(NINE,)), "Ana trades 1 card: 9♦.", "Ana trades 9♦"),
    (model.CardsTraded(seat=0, cards=(FOUR, NINE)), "Ana trades 2 cards: 4♣, 9♦ (on top).", "Ana trades 4♣ and 9♦"),
    (model.CardsDrawn(seat=0, cards=(JOKER,)), "You draw joker.", "You draw a joker"),
    (model.SafetyTurned(seat=0, number=2, card=NINE), "Ana turns up safety card 2: the 9♦.", "Ana turns up 9♦"),
    (model.SafetyKept(seat=0, card=NINE), "Ana keeps the safety card, the 9♦.", "Ana keeps 9♦"),
    (model.CardDiscarded(seat=0, card=NINE), "Ana discards the 9♦.", "Ana discards 9♦"),
    (model.HandDeclared(seat=1, cards=(NINE, FOUR)), "Ben declares a full hand: 4♣, 9♦.", "Ben declares a full hand"),
    (model.TurnEnded(seat=0, idle=False), "Ana ends the turn.", None),
    (model.TurnEnded(seat=0, idle=True), "Ana ends the turn, without a trade or a safety card.", None),
]


@pytest.mark.parametrize(("event", "sentence", "briefly"), EVENTS, ids=lambda value: getattr(value, "kind", ""))
def test_an_event_is_told_in_a_sentence_and_briefly(event: Any, sentence: str, briefly: str | None) -> None:
    context = BENCH.context(2, ("Ana", "Ben"))
    assert GAME_UI.screen.narrate(event, context) == sentence
    assert GAME_UI.screen.narrate_briefly(event, context) == briefly


def test_k10_k11_the_news_say_why_a_round_is_over() -> None:
    for at, turns, why in (
        ("draw: 0", 1, "ends because the draw pile is empty, and gives "),
        ("", STALL_TURNS, "ends because nobody traded, and gives "),
    ):
        events = play_moves(parse_position(at), *["done"] * turns)
        (scored,) = [event for event in events if isinstance(event, RoundScored)]
        assert why in (GAME_UI.screen.narrate_briefly(scored, BENCH.context(2)) or "")


def test_k4_a_turn_begins_with_what_a_safety_card_does_while_one_can_be_used() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 3C")
    assert BENCH.hand(state, 0).worth_text == SAFETY_TEXT
    play_moves(state, "trade 3D")
    assert BENCH.hand(state, 0).worth_text == FULL_HAND_TEXT
    assert BENCH.hand(parse_position(f"hand: {PLAIN}"), 0).worth_text == FULL_HAND_TEXT
