"""Matches from which Jesters' network learns: players that now and then try something else, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from engines.jesters import JESTERS, effects, turn
from engines.jesters.model import Keep, Learn, Move
from engines.kit.chance import Chance
from players.jesters import attempts, learned, plans, policy
from players.jesters.features import certain_fame, describe
from players.jesters.seat_knowledge import SeatKnowledge, knowledge_from_state

SEATS = (2, 3, 4, 2, 3, 4, 2)  # of one match after the other
LEARNER_SHARE = 0.7  # of the seats, in matches with learners


class Exploration(NamedTuple):
    """How often a player tries something else: any learning, another plan, another change of dice, another Gift.

    The other plan is one of the best, likelier if it is not far behind: by a factor of e for each `scale` of Fame.
    """

    learning: float
    plan: float
    plans: int
    scale: float
    attempt: float
    gift: float


BY_RULE = Exploration(0.05, 0.25, 12, 1.2, 0.06, 0.4)
LEARNED = Exploration(0.0, 0.2, 10, 0.8, 0.03, 0.2)


class Step(NamedTuple):
    """A seat after a turn: its description, and the Fame that it and the others' mean gained until the end."""

    seat: int
    features: Sequence[float]
    own_gain: float
    others_gain: float


def play_match(seats: int, seed: int, *, with_learners: bool) -> list[Step]:
    """Play a match. Without learners, all seats play by the rule of thumb; with learners, some do, and are left out."""
    state, rng = JESTERS.start(seats, JESTERS.options(), Chance(f"{seed:032x}")), Random(seed)
    learners = [with_learners and rng.random() < LEARNER_SHARE for _ in range(seats)]
    if with_learners and not any(learners):
        learners[0] = True
    ended: list[Step] = []  # with the Fame so far in place of the gains
    while state.final is None:
        seat = state.turn
        knowledge = knowledge_from_state(state, seat)
        move = _explore(knowledge, rng, is_learner=learners[seat])
        after = learned.knowledge_after_turn(knowledge, move)
        turn.play(state, seat, move)
        if after is not None and state.phase != "keep" and learners[seat] == with_learners:
            fame = certain_fame(after)
            own = fame.pop(seat)
            ended.append(Step(seat, describe(after), own, sum(fame) / len(fame)))
    totals = state.final.totals
    return [
        Step(seat, features, totals[seat] - own, (sum(totals) - totals[seat]) / (seats - 1) - others)
        for seat, features, own, others in ended
    ]


def _explore(knowledge: SeatKnowledge, rng: Random, *, is_learner: bool) -> Move:
    habits = LEARNED if is_learner else BY_RULE
    other: Move | None = None
    match knowledge.phase:
        case "turn":
            drawn = rng.random()
            if drawn < habits.learning:
                other = _any_learning(knowledge, rng)
            if other is None and drawn < habits.learning + habits.plan:
                other = _good_plan(knowledge, rng, habits, is_learner=is_learner)
        case "attempt" if rng.random() < habits.attempt:
            other = rng.choice([way.move for way in attempts.move_values(knowledge)][:3])
        case "keep" if rng.random() < habits.gift:
            other = Keep(rng.choice([gift for gift in knowledge.drawn if gift]))
    if other is not None:
        return other
    return learned.choose_move(knowledge) if is_learner else policy.choose_move(knowledge)


def _any_learning(knowledge: SeatKnowledge, rng: Random) -> Move | None:
    moves = [
        Learn(card, colours) for card in knowledge.hand for colours in effects.learnable_colours(card, knowledge.middle)
    ]
    return rng.choice(moves) if moves else None


def _good_plan(knowledge: SeatKnowledge, rng: Random, habits: Exploration, *, is_learner: bool) -> Move:
    values: dict[Move, float] = {}
    for plan in learned.rank_moves(knowledge) if is_learner else plans.ranked_plans(knowledge):
        values.setdefault(plan.move, plan.value)
    best = [*values.items()][: habits.plans]
    weights = [exp((value - best[0][1]) / habits.scale) for _, value in best]
    return rng.choices([move for move, _ in best], weights)[0]
