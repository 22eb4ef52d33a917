"""The policy with the blunders of a beginner at Jesters: hasty attempts, unused Gifts and cards, giving up early."""

from __future__ import annotations

from random import Random

from engines.jesters.model import Finish, Keep, Move, Pass, Perform, Spend, UseGift
from players.jesters import attempts, plans, policy
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import SeatKnowledge


def choose_with_blunders(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return the policy's move, or that of a player who overlooked something."""
    match knowledge.phase:
        case "turn":
            return _turn_move(knowledge, rng)
        case "attempt":
            return _attempt_move(knowledge, rng)
        case "keep":
            return Keep(rng.choice([gift for gift in knowledge.drawn if gift]))
    return policy.choose_move(knowledge)


def _turn_move(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return, now and then, the first idea: any attempt that the dice allow, or any plan."""
    found = plans.ranked_plans(knowledge)
    if rng.random() >= load_weights().hasty:
        return found[0].move
    attempts_now = [plan.move for plan in found if isinstance(plan.move, Perform)]
    others = [plan.move for plan in found if not isinstance(plan.move, Pass)]
    return rng.choice(attempts_now or others or [found[0].move])


def _attempt_move(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Ignore, now and then, Gifts or Jest cards; without another idea, give up."""
    found = [way.move for way in attempts.move_values(knowledge) if way.value >= 0]
    if rng.random() < load_weights().forgetful:
        found = [move for move in found if not isinstance(move, UseGift | Spend)]
    return found[0] if found else Finish()
