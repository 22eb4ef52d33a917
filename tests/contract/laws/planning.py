"""Laws of moves that are planned ahead: what may be marked, under which conditions, and for which decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, cast

from cogs.features.plans.plan_controls import WordsPlans
from cogs.screens.screen import Buttons, Control, Select
from engines.features.plans.planning import planning_of
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import LONG_NAMES, hand_screen, match_snapshots
from tests.contract.walk import choose_move, random_positions
from tests.until_over import until_over

CONDITION_LENGTH = 12  # characters, so that it stands in a control's id


def plans_know_what_their_seat_knows(helper: GameHelper, start: MatchStart) -> None:
    """What can be planned, and what becomes of it, is the same in every world that the seat cannot tell apart."""
    planning, game, rng = planning_of(helper.game), helper.game, Random(start.seed)
    if planning is None:
        return
    for state in random_positions(helper, start, share=0.3):
        for seat in range(start.seats):
            other = helper.scramble_hidden(state, seat, rng)
            assert _all_texts(helper, state, seat) == _all_texts(helper, other, seat), "a plan tells"
        assert not planning.moves(game.view(state, None)), "a spectator plans"


def _all_texts(helper: GameHelper, state: Any, seat: int) -> object:
    game, planning = helper.game, planning_of(helper.game)
    assert planning is not None
    view = game.view(state, seat)
    moves = list(planning.moves(view))
    offers = [(game.format_move(move), tuple(planning.conditions(view, move))) for move in moves]
    own = [*moves, *game.moves(state, seat)]
    failures = [planning.failure(view, move, each) for move in own for each in planning.conditions(view, move)]
    return planning.decision(view), planning.situation(view), offers, failures


def plans_wait_for_a_turn_and_hold_at_first(helper: GameHelper, start: MatchStart) -> None:
    """Nobody plans in their own turn; what is offered is written and read, does not fail at once, and has conditions.

    A plan is for the decision that its seat faces next.
    """
    game, planning, rng = helper.game, planning_of(helper.game), Random(start.seed)
    if planning is None:
        return
    state = helper.start_state(start)
    promised: dict[int, int] = {}
    for decisions in until_over(game, state):
        for seat in range(start.seats):
            view = game.view(state, seat)
            moves = planning.moves(view)
            if seat in decisions:
                assert not moves, "one plans in one's own turn"
                if seat in promised:
                    assert decisions[seat].number == promised.pop(seat), "the plan is for another decision"
            for move in moves:
                promised[seat] = planning.decision(view)
                assert game.parse_move(game.format_move(move)) == move
                conditions = planning.conditions(view, move)
                assert conditions, "a move without a condition"
                assert len(set(conditions)) == len(conditions)
                for condition in conditions:
                    assert condition.isalnum(), f"no word: {condition!r}"
                    assert len(condition) <= CONDITION_LENGTH
                    assert not planning.failure(view, move, condition), f"{condition} fails at once"
        seat, move = choose_move(helper, state, rng)
        game.play(state, seat, move)


def plans_are_called_as_their_buttons(helper: GameHelper, start: MatchStart) -> None:
    """The moves that can be planned have the names and the order that their controls will have on the hand."""
    planning = planning_of(helper.game)
    if planning is None:
        return
    screen, plannable = cast(WordsPlans, helper.screen), set[str]()
    for snapshot in match_snapshots(helper, start, LONG_NAMES):
        for seat in range(start.seats):
            plannable |= {snapshot.game.format_move(move) for move in planning.moves(snapshot.view(seat))}
        for seat in snapshot.decisions():
            labels = dict(_control_labels(hand_screen(helper, snapshot, seat).controls))
            moves = [move for move in snapshot.moves(seat) if snapshot.game.format_move(move) in plannable]
            planned = {snapshot.game.format_move(move): screen.plan_label(move) for move in screen.plan_order(moves)}
            own = {notation: label for notation, label in labels.items() if notation in planned}
            assert [*planned.items()] == [*own.items()], "a plan has another name or place than its button"


def _control_labels(controls: Iterable[Control]) -> Iterator[tuple[str, str]]:
    for control in controls:
        if isinstance(control, Buttons):
            yield from ((button.move, button.label) for button in control.buttons)
        elif isinstance(control, Select):
            yield from ((option.move, option.label) for option in control.options)


def plans_without_a_failure_are_legal(helper: GameHelper, start: MatchStart) -> None:
    """Whatever the seat's turn brings, a planned move that does not fail then is legal."""
    game, planning, rng = helper.game, planning_of(helper.game), Random(start.seed)
    if planning is None:
        return
    state = helper.start_state(start)
    plans: dict[int, list[tuple[Any, str, str]]] = {}
    for decisions in until_over(game, state):
        for seat in decisions:
            view = game.view(state, seat)
            legal = set(game.moves(state, seat))
            for move, condition, situation in plans.pop(seat, []):
                if planning.situation(view) == situation and not planning.failure(view, move, condition):
                    assert move in legal, f"{game.format_move(move)} is not legal, and did not fail"
        for seat in set(range(start.seats)) - decisions.keys():
            view = game.view(state, seat)
            plans[seat] = [
                (move, condition, planning.situation(view))
                for move in planning.moves(view)
                for condition in planning.conditions(view, move)
            ]
        seat, move = choose_move(helper, state, rng)
        game.play(state, seat, move)
