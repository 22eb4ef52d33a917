"""Wizard's screens: controls are the legal moves, within Discord's limits, and tell nothing hidden."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from cogs.screens import words
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Screen, Select
from cogs.wizard.front import FRONT
from cogs.wizard.spec import HandPicture
from engines.wizard import WIZARD
from engines.wizard.model import State
from tests.cogs.wizard.states import LONG_NAMES, NAMES, context, finished, hands, otherwise, positions, text

TEXT, COMPONENTS, ALT = 4000, 40, 1024
ROWS, ROW, OPTIONS, LABEL, PLACEHOLDER = 5, 5, 25, 80, 150
NOTATION = 40  # leaves a custom_id room for prefix, match and decision
MATCHES = [(3, 11), (4, 12), (5, 13), (6, 14)]


def hand(state: State, seat: int, given: Context) -> Screen:
    return FRONT.screen.hand(
        WIZARD.view(state, seat), WIZARD.decisions(state).get(seat), WIZARD.moves(state, seat), given
    )


def parts(control: Control) -> tuple[Button | Option, ...]:
    assert isinstance(control, Buttons | Select)
    return control.buttons if isinstance(control, Buttons) else control.options


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_every_control_is_a_legal_move_and_every_legal_move_has_a_control(seats: int, seed: int) -> None:
    lengths = set()
    for state in positions(seats, seed):
        for seat in range(seats):
            controls = hand(state, seat, context(seats)).controls
            legal = [WIZARD.write(move) for move in WIZARD.moves(state, seat)]
            offered = [[part.move for part in parts(control)] for control in controls]
            assert {move for moves in offered for move in moves} == set(legal)
            assert all(len(set(moves)) == len(moves) for moves in offered)
            lengths.add(len(legal))
    assert max(lengths) > 10 or seats == 6


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_controls_keep_discords_limits(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        controls = hand(state, state.turn, context(seats)).controls
        rows = sum(-(-len(parts(control)) // ROW) if isinstance(control, Buttons) else 1 for control in controls)
        assert rows <= ROWS
        for control in controls:
            if isinstance(control, Select):
                assert 1 <= len(control.options) <= OPTIONS
                assert len(control.placeholder) <= PLACEHOLDER
            for part in parts(control):
                assert 1 <= len(part.label) <= LABEL
                assert 1 <= len(part.move) <= NOTATION
                assert part.emoji is None or part.emoji in {*words.EMOJI, "🧙", "🃏"}
            assert len({part.label for part in parts(control)}) == len(parts(control))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_longest_names_and_news_fit_a_message(seats: int) -> None:
    given = context(seats, LONG_NAMES, ("x" * 200,) * 12)
    for state in positions(seats, 13):
        screens = [FRONT.screen.table(WIZARD.view(state, None), given), hand(state, state.turn, given)]
        outcome = WIZARD.outcome(state)
        if outcome:
            screens.append(FRONT.screen.result(WIZARD.view(state, None), outcome, given))
        for screen in screens:
            assert len(text(screen)) <= TEXT - 900  # what the table's own parts may add
            assert len(screen.above) + len(screen.below) + 20 + 5 <= COMPONENTS
            assert all(screen.above)
            assert all(screen.below)
            assert screen.picture is not None
            assert 0 < len(screen.picture.alt) <= ALT


@pytest.mark.parametrize("seats", [3, 6])
def test_a_long_draw_for_the_deal_fits_too(seats: int) -> None:
    state = next(positions(seats, 1))
    state.draws[:0] = [(53,) * seats] * 6
    assert len(text(hand(state, state.turn, context(seats, LONG_NAMES, ("x" * 200,) * 12)))) <= TEXT - 900


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_what_a_reader_cannot_know_changes_nothing_they_see(seats: int, seed: int) -> None:
    changed = 0
    for n, state in enumerate(positions(seats, seed)):
        other = otherwise(state, None, n)
        changed += hands(other) != hands(state)
        given = context(seats)
        assert FRONT.screen.table(WIZARD.view(other, None), given) == FRONT.screen.table(
            WIZARD.view(state, None), given
        )
        for seat in {state.turn, n % seats}:
            assert hand(otherwise(state, seat, n), seat, given) == hand(state, seat, given)
    assert changed > seats * 5


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_table_is_the_same_whoever_holds_what_while_hands_differ(seats: int) -> None:
    for state in positions(seats, 14, rounds=4):
        table = FRONT.screen.table(WIZARD.view(state, None), context(seats))
        assert table.controls == ()
        assert (
            len(
                {
                    repr(FRONT.screen.table(WIZARD.view(otherwise(state, None, n), None), context(seats)))
                    for n in range(3)
                }
            )
            == 1
        )


def test_pictures_carry_no_names_and_files_tell_nothing() -> None:
    files = set()
    for state in positions(4, 15, rounds=5):
        for screen in (FRONT.screen.table(WIZARD.view(state, None), context(4)), hand(state, 1, context(4))):
            assert screen.picture is not None
            assert not any(name in repr(screen.picture.spec) for name in NAMES)
            assert hash(screen.picture.spec) is not None
            files.add(screen.picture.name)
    assert files == {"table.png", "hand.png"}


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
    sheet = FRONT.screen.sheet(WIZARD.view(state, None), context(5))
    rounds, _, totals = sheet.partition("\n**Total**\n")
    assert len(re.findall(r"^\*\*\d+\*\*: A.*\xa0· B", rounds, re.MULTILINE)) == 12
    assert totals.splitlines() == [
        f"{'ABCDE'[seat]} {NAMES[seat]}: {str(points).replace('-', '−')}" for seat, points in enumerate(outcome.points)
    ]
    screen = FRONT.screen.result(WIZARD.view(state, None), outcome, context(5))
    assert screen.controls == ()
    assert rounds in screen.below
