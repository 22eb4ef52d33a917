"""The policy with the blunders of a beginner at Jesters: hasty attempts, forgotten Gifts, careless discards."""

from __future__ import annotations

from random import Random

from engines.jesters import effects
from engines.jesters.components.catalogue import Opposite, Recolour
from engines.jesters.model import Keep, Move, Pass, Perform, Reroll, Spend, UseGift
from engines.jesters.requirements.evaluation import is_met
from players.jesters import attempts, plans, policy
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import SeatKnowledge


def choose_with_blunders(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return the policy's move, or one as good to it, or that of a player who overlooked something."""
    match knowledge.phase:
        case "turn":
            return _turn_move(knowledge, rng)
        case "attempt":
            return _attempt_move(knowledge, rng)
        case "keep":
            return Keep(rng.choice([gift for gift in knowledge.drawn if gift]))
    return policy.choose_move(knowledge)


def _turn_move(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Return, now and then, the first idea: any attempt that the dice allow, or any plan, unless it is hopeless."""
    if rng.random() >= load_weights().hasty:
        return rng.choice(policy.equal_moves(knowledge))
    found = plans.ranked_plans(knowledge)
    passing = next(plan.value for plan in found if isinstance(plan.move, Pass))
    others = [plan.move for plan in found if plan.value > passing - load_weights().hopeless]
    others = [move for move in others if not isinstance(move, Pass)]
    attempts_now = [move for move in others if isinstance(move, Perform)]
    return rng.choice(attempts_now or others or [found[0].move])


def _attempt_move(knowledge: SeatKnowledge, rng: Random) -> Move:
    """Forget, now and then, Gifts, and what Jest cards change, unless that completes the task; discard any card."""
    found = [way.move for way in attempts.move_values(knowledge)]
    if rng.random() < load_weights().forgetful:
        found = [each for each in found if not isinstance(each, UseGift | Spend) or _completes(knowledge, each)]
    move = found[0]
    if isinstance(move, Reroll) and rng.random() < load_weights().careless:
        return Reroll(rng.choice(knowledge.hand))
    return move


def _completes(knowledge: SeatKnowledge, move: UseGift | Spend) -> bool:
    """Whether nothing but a colour that a Gift gives is missing after the move."""
    effect = effects.gift_effect(move.gift) if isinstance(move, UseGift) else None
    if isinstance(effect, Recolour):
        return True
    faces = list(knowledge.faces)
    if isinstance(move, Spend):
        faces[move.die - 1] = move.face
    elif isinstance(effect, Opposite) and move.die:
        faces[move.die - 1] = 7 - faces[move.die - 1]
    eased = attempts.analyze_attempt(knowledge).eased
    return is_met(eased, tuple(zip(knowledge.colours, faces, strict=True)))
