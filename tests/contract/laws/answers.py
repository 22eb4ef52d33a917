"""The law of yes-or-no answers: one that never changes makes the laws that rely on it say nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from engines.features.guesses.questions import AsksGuesses
from engines.kit.contract import Event
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.rules import move_kinds_by_decision
from tests.contract.walk import all_readers, choose_move
from tests.until_over import until_over

SHARE = 0.2  # of the positions of a match
MOVE_COUNT = 3  # legal moves of a decision
TRIED_COUNT = 30  # moves of a decision, legal or not


def answers_come_out_both_ways(helper: GameHelper, start: MatchStart) -> None:
    """Over the matches of all starts, each yes-or-no answer is sometimes yes and sometimes no.

    `constant_answers` of the helper names those that cannot be, each with a reason in a sentence, and no others.
    """
    given, constant = given_answers(helper), helper.constant_answers
    assert constant.keys() <= given.keys(), f"no yes-or-no answers: {constant.keys() - given.keys()}"
    assert all(reason.endswith(".") for reason in constant.values()), "no sentence"
    for name, values in given.items():
        if name in constant:
            assert len(values) == 1, f"{name} is not constant"
        else:
            assert len(values) == 2, f"{name} is always {values}; if it has to be, say why in `constant_answers`"


@cache
def given_answers(helper: GameHelper) -> Mapping[str, set[bool]]:
    """By question, the answers at some positions of the matches."""
    found = defaultdict[str, set[bool]](set)
    for start in helper.starts():
        for name, answer in _match_answers(helper, start):
            found[name].add(answer)
    return found


def _match_answers(helper: GameHelper, start: MatchStart) -> Iterator[tuple[str, bool]]:
    rng, state, public = Random(f"{start.seed} answers"), helper.start_state(start), list[Event]()
    vocabulary = helper.move_vocabulary(start.seats)
    for _ in until_over(helper.game, state):
        if rng.random() < SHARE:
            if isinstance(helper.game, AsksGuesses):
                question = helper.game.guess_question(helper.game.view(state, None), public)
                yield "guess_question", question is not None
            yield from _decision_answers(helper, start, state, vocabulary, rng)
        seat, move = choose_move(helper, state, rng)
        events = helper.game.play(state, seat, move)
        yield from (("is_visible_to", event.is_visible_to(None)) for event in events)
        public += [event for event in events if event.is_visible_to(None)]


def _decision_answers(
    helper: GameHelper, start: MatchStart, state: Any, vocabulary: Sequence[Any], rng: Random
) -> Iterator[tuple[str, bool]]:
    game, kinds = helper.game, move_kinds_by_decision(helper)
    view = game.view(state, None)
    for seat, decision in game.decisions(state).items():
        yield "due", decision.due
        yield "is_forced", game.is_forced(view, seat)
        moves = game.moves(state, seat)
        for move in rng.sample(moves, min(MOVE_COUNT, len(moves))):
            yield "reveals", bool(game.reveals(state, seat, move))
            for reader in all_readers(start):
                yield "is_revealing", helper.is_revealing(state, reader, seat, move)
        for move in rng.sample(vocabulary, min(TRIED_COUNT, len(vocabulary))):
            if type(move) in kinds[decision.kind]:
                yield "names_lacking", helper.names_lacking(state, seat, move)
