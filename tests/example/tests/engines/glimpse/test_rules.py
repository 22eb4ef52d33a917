"""Tests of Glimpse's rules G1 to G8, and of the error messages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.kit.chance import Chance
from engines.kit.contract import Outcome
from engines.kit.errors import BadNotation, IllegalMove
from tests.example.engines.glimpse import GLIMPSE
from tests.example.engines.glimpse.deck import is_wizard
from tests.example.engines.glimpse.model import CardGlimpsed, CardTurned, DealBegun, Options, State


def position(*hands: list[int], deals: int = 1) -> State:
    """Return a deal of these hands that the first seat begins. Each seat glimpsed its neighbour's lowest card."""
    state = GLIMPSE.start(len(hands), Options(deals), Chance("c0ffee00" * 4))
    rest = sorted({*range(1, 13)}.difference(*hands))
    glimpses = [min(hands[(seat + 1) % len(hands)]) for seat in range(len(hands))]
    return replace(state, turn=0, hands=[hand.copy() for hand in hands], rest=rest, glimpses=glimpses)


def play(state: State, *moves: str) -> list[object]:
    happened: list[object] = []
    for text in moves:
        seat, move = next(iter(GLIMPSE.decisions(state))), GLIMPSE.parse_move(text)
        GLIMPSE.check(state, seat, move)
        happened += GLIMPSE.play(state, seat, move)
    return happened


def refusal_of(state: State, seat: int, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as refusal:
        GLIMPSE.check(state, seat, GLIMPSE.parse_move(text))
    return refusal.value


def dealt_state() -> State:
    return position([1, 2, 9], [3, 4, 10], [5, 6, 11])


def test_g1_from_seven_on_cards_are_wizards() -> None:
    assert [card for card in range(1, 13) if is_wizard(card)] == [7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("seats", [3, 4])
def test_g2_everybody_is_dealt_three_cards(seats: int) -> None:
    state = GLIMPSE.start(seats, Options(), Chance("07"))
    assert [len(hand) for hand in state.hands] == [3] * seats
    assert sorted(sum(state.hands, state.rest)) == [*range(1, 13)]


def test_g3_everybody_sees_one_card_of_the_left_neighbour_and_all_are_as_likely() -> None:
    places = set()
    for number in range(100):
        state = GLIMPSE.start(3, Options(), Chance(f"{number:032x}"))
        for seat in range(3):
            card = GLIMPSE.view(state, seat).glimpse
            assert card in state.hands[(seat + 1) % 3]
            places.add(state.hands[(seat + 1) % 3].index(card))
    assert places == {0, 1, 2}
    assert GLIMPSE.view(state, None).glimpse is None


@pytest.mark.parametrize("card", [3, 10])
def test_g3_in_every_sample_the_neighbour_holds_the_card_that_was_glimpsed_or_has_laid_it(card: int) -> None:
    state = dealt_state()
    play(state, "lay 1", "guess fool", "guess fool", f"lay {card}")
    lies = set()
    for number in range(60):
        sampled = GLIMPSE.sample(GLIMPSE.view(state, 0), Chance(f"{number:032x}"))
        assert 3 in (*sampled.hands[1], sampled.laid)
        lies.add(sampled.laid == 3)
    assert lies == {False, True}


def test_g4_the_first_player_is_drawn_and_then_play_goes_clockwise() -> None:
    assert {GLIMPSE.start(3, Options(), Chance(f"{number:032x}")).turn for number in range(30)} == {0, 1, 2}
    state = dealt_state()
    for owner in (0, 1, 2, 0):
        assert list(GLIMPSE.decisions(state)) == [owner]
        play(state, f"lay {state.hands[owner][0]}", "guess fool", "guess fool")


def test_g4_nothing_is_guessed_before_a_card_is_laid() -> None:
    assert refusal_of(dealt_state(), 0, "guess fool").rule == "G4"
    assert refusal_of(dealt_state(), 1, "guess fool").reason == "It is not your turn."
    assert refusal_of(dealt_state(), 0, "lay 3").reason == "You do not hold 3."


def test_g5_all_others_guess_in_any_order_and_once() -> None:
    state = dealt_state()
    play(state, "lay 9")
    assert list(GLIMPSE.decisions(state)) == [1, 2]
    assert refusal_of(state, 1, "lay 3").rule == "G5"
    GLIMPSE.play(state, 2, GLIMPSE.parse_move("guess wizard"))
    assert list(GLIMPSE.decisions(state)) == [1]
    assert refusal_of(state, 2, "guess fool").rule is None


def test_g5_a_card_face_down_and_a_guess_are_secret() -> None:
    state = dealt_state()
    play(state, "lay 9", "guess fool")
    assert [GLIMPSE.view(state, seat).laid for seat in (0, 1, 2, None)] == [9, None, None, None]
    assert [GLIMPSE.view(state, seat).guess for seat in (0, 1, 2, None)] == [None, False, None, None]
    assert GLIMPSE.view(state, None).guessed == (False, True, False)


@pytest.mark.parametrize(
    ("guesses", "points"), [("wizard wizard", (0, 1, 1)), ("wizard fool", (1, 1, 0)), ("fool fool", (2, 0, 0))]
)
def test_g6_a_right_guess_counts_for_the_guesser_and_a_wrong_one_for_the_owner(
    guesses: str, points: tuple[int, ...]
) -> None:
    state = dealt_state()
    *_, event = play(state, "lay 9", *(f"guess {guess}" for guess in guesses.split()))
    assert isinstance(event, CardTurned)
    assert (event.seat, event.card, event.points) == (0, 9, points)
    assert tuple(state.scores) == points


def test_g7_the_left_neighbour_of_the_starter_begins_the_next_deal() -> None:
    state = position([1], [3], [5], deals=2)
    state.rest.clear()
    happened = play(state, *("lay 1", "guess fool", "guess fool"), *("lay 3", "guess fool", "guess fool"))
    assert not any(isinstance(event, DealBegun) for event in happened)
    happened = play(state, "lay 5", "guess fool", "guess fool")
    assert [event for event in happened if isinstance(event, DealBegun)] == [DealBegun(deal=2, first=1)]
    assert [event.to for event in happened if isinstance(event, CardGlimpsed)] == [(0,), (1,), (2,)]
    assert (state.deal, state.turn, state.turned) == (2, 1, [])


def test_g7_after_the_last_deal_the_match_is_over() -> None:
    state = position([1], [3], [5])
    play(state, *("lay 1", "guess fool", "guess fool"), *("lay 3", "guess fool", "guess fool"))
    assert GLIMPSE.outcome(state) is None
    play(state, "lay 5", "guess fool", "guess fool")
    assert not GLIMPSE.decisions(state)
    assert refusal_of(state, 0, "lay 1").reason == "The game is over."


@pytest.mark.parametrize(
    ("second", "outcome"),
    [("guess wizard", Outcome((1, 2, 3), (3, 2, 1))), ("guess fool", Outcome((1, 1, 1), (2, 2, 2)))],
)
def test_g8_the_most_points_win_and_ties_share(second: str, outcome: Outcome) -> None:
    state = position([1], [3], [5])
    for card in (1, 3, 5):
        play(state, f"lay {card}", "guess fool", second)
    assert GLIMPSE.outcome(state) == outcome


@pytest.mark.parametrize("text", ["lay", "lay x", "lay 1 2", "guess", "guess 3", "guess joker", "guess fool 3"])
def test_a_text_that_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadNotation, match=r"\.$"):
        GLIMPSE.parse_move(text)
