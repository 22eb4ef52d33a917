"""Laws of what may be done: who may act, what is legal, and what is said of what is not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from random import Random
from typing import Any

from engines.kit.chance import Chance
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.law import refusal_of
from tests.contract.malformed import malformed_moves
from tests.contract.walk import choose_move, random_positions
from tests.game_uis import RULES
from tests.until_over import until_over

MOST_SEATS = 9
"""More than any game has."""


def starts_are_for_the_seats_that_the_options_allow(helper: GameHelper, start: MatchStart) -> None:
    """A match starts exactly for the numbers of players that `seats_with` names; only fewer than `seats` are added."""
    game = helper.game
    allowed = game.seats_with(start.options)
    assert game.seats_with(game.options()) == game.seats, "the default options are for other numbers of players"
    assert set(game.seats) <= set(allowed), "an option takes seats away"
    assert allowed[-1] == game.seats[-1], "an option adds seats at the end"
    for seats in range(MOST_SEATS):
        try:
            game.start(seats, start.options, Chance(start.seed))
            started = True
        except ValueError:
            started = False
        assert started == (seats in allowed), f"{seats} players {'can' if started else 'cannot'} start"


def matches_end(helper: GameHelper, start: MatchStart) -> None:
    """A match by random moves is over after fewer moves than anybody could want to play."""
    for _ in random_positions(helper, start, share=0):
        pass


def over_exactly_when_nobody_may_act(helper: GameHelper, start: MatchStart) -> None:
    """No decisions ⇔ an outcome; who may act has moves, who may not has none, and somebody is waited for."""
    game = helper.game
    for state in random_positions(helper, start):
        decisions, outcome = game.decisions(state), game.outcome(state)
        assert bool(decisions) != (outcome is not None), "over, and yet somebody may act"
        assert not decisions or any(decision.due for decision in decisions.values()), "nobody is waited for"
        assert set(decisions) <= set(range(start.seats))
        for seat in range(start.seats):
            assert bool(game.moves(state, seat)) == (seat in decisions), f"seat {seat}: moves and decisions disagree"
    assert outcome is not None
    assert len(outcome.places) == len(outcome.points) == start.seats
    for place in outcome.places:
        assert place == 1 + sum(other < place for other in outcome.places), "places leave a gap"


def decisions_are_numbered_by_seat(helper: GameHelper, start: MatchStart) -> None:
    """A choice raises its own seat's number, and nobody's number ever falls."""
    game, rng = helper.game, Random(start.seed)
    state = helper.start_state(start)
    newest = [-1] * start.seats
    for decisions in until_over(game, state):
        for seat, decision in decisions.items():
            assert decision.number >= newest[seat], f"seat {seat} meets an old number again"
            newest[seat] = decision.number
        seat, move = choose_move(helper, state, rng)
        game.play(state, seat, move)
        newest[seat] += 1


def check_accepts_what_moves_lists(helper: GameHelper, start: MatchStart) -> None:
    """Over the whole vocabulary, `check` lets pass exactly the moves, put in canonical order; it changes nothing."""
    game = helper.game
    vocabulary = helper.move_vocabulary(start.seats)
    for state in random_positions(helper, start, share=0.5):
        before = game.checkpoint_adapter.dump_json(state)
        for seat in range(start.seats):
            listed = game.moves(state, seat)
            assert len(set(listed)) == len(listed), "a move is listed twice"
            assert list(listed) == list(game.moves(state, seat)), "the order is not stable"
            accepted = {helper.canonical_move(move) for move in vocabulary if _is_allowed(helper, state, seat, move)}
            assert accepted == set(listed), f"check and moves differ by {accepted ^ set(listed)}"
        assert game.checkpoint_adapter.dump_json(state) == before, "listing or checking changed the state"


def _is_allowed(helper: GameHelper, state: Any, seat: int, move: Any) -> bool:
    refusal = refusal_of(lambda: helper.game.check(state, seat, move))
    return refusal is None


def check_refuses_what_is_malformed(helper: GameHelper, start: MatchStart) -> None:
    """Of legal moves with one part changed, `check` lets pass those that are legal, and refuses all others in words."""
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start, share=0.5):
        for seat in game.decisions(state):
            listed = game.moves(state, seat)
            some = [rng.choice(listed) for _ in range(6)]
            for move in {other for each in (*some, listed[0], listed[-1]) for other in malformed_moves(each, rng)}:
                if _is_allowed(helper, state, seat, move):
                    assert helper.canonical_move(move) in listed, f"{move} is let pass"


def refusals_cite_the_rule_that_forbids(helper: GameHelper, start: MatchStart) -> None:
    """A move that is refused by a rule cites one that the rules page shown to players says; no other refusal cites any.

    Out of turn there is no rule to cite, and none where what the move names is not there or not the seat's own.
    Whatever belongs to another moment is refused by a rule.
    """
    game = helper.game
    vocabulary = helper.move_vocabulary(start.seats)
    kinds = move_kinds_by_decision(helper)
    for state in random_positions(helper, start, share=0.2):
        decisions = game.decisions(state)
        for seat in range(start.seats):
            for move in vocabulary:
                refusal = refusal_of(partial(game.check, state, seat, move))
                if refusal is None:
                    continue
                if refusal.rule is not None:
                    assert refusal.rule in RULES[game.key].pages_by_rule, f"the page does not say {refusal.rule}"
                forbidden = seat in decisions and not (
                    type(move) in kinds[decisions[seat].kind] and helper.names_lacking(state, seat, move)
                )
                assert (refusal.rule is not None) == forbidden, f"{move}: {refusal.reason} ({refusal.rule})"


@cache
def move_kinds_by_decision(helper: GameHelper) -> Mapping[str, set[type]]:
    """By kind of decision, the kinds of moves that are made at it in all the matches."""
    found: dict[str, set[type]] = {}
    for state in (state for start in helper.starts() for state in random_positions(helper, start)):
        for seat, decision in helper.game.decisions(state).items():
            found.setdefault(decision.kind, set()).update(map(type, helper.game.moves(state, seat)))
    return found
