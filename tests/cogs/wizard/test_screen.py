"""Wizard's screens, beyond the laws: how what is offered is called, ordered and asked for."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from cogs.screens import words
from cogs.screens.screen import WORDS, Button, Buttons, Context, Control, Option, Screen, Select
from cogs.wizard.front import FRONT
from cogs.wizard.spec import HandPicture
from engines.wizard import WIZARD
from engines.wizard.model import State
from tests.cogs.wizard.states import LONG_NAMES, context, finished, positions, text


def hand(state: State, seat: int, given: Context) -> Screen:
    return FRONT.screen.hand(
        WIZARD.view(state, seat), WIZARD.decisions(state).get(seat), WIZARD.moves(state, seat), given
    )


def parts(control: Control) -> tuple[Button | Option, ...]:
    assert isinstance(control, Buttons | Select)
    return control.buttons if isinstance(control, Buttons) else control.options


@pytest.mark.parametrize("seats", [3, 6])
def test_a_long_draw_for_the_deal_fits_too(seats: int) -> None:
    state = next(positions(seats, 1))
    state.draws[:0] = [(53,) * seats] * 6
    assert len(text(hand(state, state.turn, context(seats, LONG_NAMES, ("x" * 200,) * 12)))) <= WORDS


def test_controls_keep_their_order_as_the_hand_shrinks() -> None:
    turns = [state for state in positions(3, 16) if state.turn == 0]
    for before, after in pairwise(turns):
        one, two = offered(before), offered(after)
        shared = [move for move in one if move in two]
        assert shared == [move for move in two if move in one]


def offered(state: State) -> list[str]:
    return [part.move for control in hand(state, 0, context(3)).controls for part in parts(control)]


@pytest.mark.parametrize(("dealt", "buttons", "listed"), [(1, 2, 0), (5, 6, 0), (9, 10, 0), (10, 10, 11), (20, 10, 21)])
def test_a_bid_is_a_row_of_likely_numbers_and_a_list_of_all_when_there_are_more(
    dealt: int, buttons: int, listed: int
) -> None:
    state = next(s for s in positions(3, 17) if s.round == dealt and s.phase == "bid")
    row, *rest = hand(state, state.turn, context(3)).controls
    assert [part.move for part in parts(row)] == [f"bid {tricks}" for tricks in range(buttons)]
    assert sum(len(parts(select)) for select in rest) == listed


def test_up_to_ten_cards_are_buttons_and_more_are_a_list() -> None:
    seen = set()
    for state in positions(3, 20):
        if state.phase == "play":
            (control,) = hand(state, state.turn, context(3)).controls
            many = len(parts(control)) > 10
            assert isinstance(control, Select if many else Buttons)
            seen.add(many)
    assert seen == {True, False}


def test_the_trump_is_named_by_four_buttons() -> None:
    state = next(s for seed in range(100) for s in positions(3, seed, rounds=3) if s.phase == "trump")
    (row,) = hand(state, state.turn, context(3)).controls
    assert isinstance(row, Buttons)
    assert [(part.label, part.move) for part in row.buttons] == [
        *(("Spades", "trump S"), ("Hearts", "trump H"), ("Clubs", "trump C"), ("Diamonds", "trump D"))
    ]


def test_the_hand_lies_still_on_others_turns_and_marks_what_may_be_played_on_its_own() -> None:
    for state in positions(4, 18, rounds=8):
        for seat in range(4):
            screen = hand(state, seat, context(4))
            assert screen.picture is not None
            assert isinstance(screen.picture.spec, HandPicture)
            faces = screen.picture.spec.cards
            playing = seat == state.turn and state.phase == "play"
            assert {face.raised != face.dimmed for face in faces} <= ({True} if playing else {False})
            assert (
                {face.key[-1] for face in faces if face.trump} <= {"CDHS"[state.trump]}
                if state.trump is not None
                else True
            )


def test_the_sheet_has_every_round_and_the_totals_and_the_result_has_every_round() -> None:
    state = finished(5, 19)
    outcome = WIZARD.outcome(state)
    assert outcome is not None
    sheet = FRONT.screen.sheet(WIZARD.view(state, None), context(5)).above[0]
    rounds, _, totals = sheet.partition("\n**Total**\n")
    assert len(re.findall(r"^\*\*\d+\*\*: A.*\xa0· B", rounds, re.MULTILINE)) == 12
    assert totals.splitlines() == [
        f"{words.seat(context(5), seat)}: {str(points).replace('-', '−')}" for seat, points in enumerate(outcome.points)
    ]
    screen = FRONT.screen.result(WIZARD.view(state, None), outcome, context(5))
    assert screen.controls == ()
    assert rounds in screen.below
