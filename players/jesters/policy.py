"""The policy of Jesters: what rules of thumb say in each moment of a turn."""

from __future__ import annotations

from engines.jesters.model import Keep, Move
from players.jesters import attempts, plans, value_estimates
from players.jesters.seen import Seen


def choose(seen: Seen) -> Move:
    """The best by what things are held to be worth."""
    match seen.phase:
        case "turn":
            return plans.best(seen)
        case "attempt":
            return attempts.ways(seen)[0].move
        case "mark":
            return attempts.marking(seen)
        case "keep":
            return keep(seen)
    raise ValueError("The match is over.")


def keep(seen: Seen) -> Move:
    """The better one of the Gifts drawn."""
    return Keep(max((gift for gift in seen.drawn if gift), key=lambda gift: value_estimates.gift(seen, gift)))
