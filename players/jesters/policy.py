"""The policy of Jesters for each moment of a turn."""

from __future__ import annotations

from engines.jesters.model import Keep, Move
from players.jesters import attempts, plans, value_estimates
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


def choose_gift(knowledge: SeatKnowledge) -> Move:
    """Return the better of the drawn Gifts."""
    return Keep(
        max((gift for gift in knowledge.drawn if gift), key=lambda gift: value_estimates.gift_value(knowledge, gift))
    )
