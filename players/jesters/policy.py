"""The policy of Jesters for each moment of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from engines.jesters.model import Keep, Move
from players.jesters import attempts, plans, value_estimates
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import SeatKnowledge


def choose_move(knowledge: SeatKnowledge) -> Move:
    """Return the move with the best estimated value."""
    match knowledge.phase:
        case "turn":
            return plans.best_plan_move(knowledge)
        case "attempt":
            return attempts.move_values(knowledge)[0].move
        case "mark":
            return attempts.choose_marking_move(knowledge)
        case "keep":
            return choose_gift(knowledge)
    raise ValueError("The match is over.")


def equal_moves(knowledge: SeatKnowledge) -> list[Move]:
    """Return that move, and others that are about as good."""
    found: Sequence[tuple[float, Move]] = ()
    match knowledge.phase:
        case "turn":
            found = plans.ranked_plans(knowledge)
        case "attempt":
            found = attempts.move_values(knowledge)
        case "keep":
            gifts = [gift for gift in knowledge.drawn if gift]
            found = [(value_estimates.gift_value(knowledge, gift), Keep(gift)) for gift in gifts]
    best = max((value for value, _ in found), default=0.0)
    near = [move for value, move in found if value >= best - load_weights().equal]
    return list(dict.fromkeys([choose_move(knowledge), *near]))


def choose_gift(knowledge: SeatKnowledge) -> Move:
    """Return the better of the drawn Gifts."""
    return Keep(
        max((gift for gift in knowledge.drawn if gift), key=lambda gift: value_estimates.gift_value(knowledge, gift))
    )
