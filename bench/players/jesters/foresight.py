"""Shows how well Jesters' network foresees the end of held-out matches, round by round.

`python -m bench.players.jesters.foresight --matches 60 --first 80001` plays matches of *normal*, and prints how far the
value of positions after turns correlates with the final value, and the same for the Fame that is certain by then.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from statistics import correlation

from engines.jesters import JESTERS, turn
from engines.kit.chance import Chance
from players.jesters import learned, policy
from players.jesters.features import certain_fame
from players.jesters.seat_knowledge import knowledge_from_state


def play_match(seats: int, seed: int) -> list[tuple[int, float, float, float]]:
    """Return, for each turn, its round, the value of the position, the certain Fame, and the final value."""
    state = JESTERS.start(seats, JESTERS.options(), Chance(f"{seed:032x}"))
    ended: list[tuple[int, int, float, float]] = []
    while state.final is None:
        seat = state.turn
        knowledge = knowledge_from_state(state, seat)
        move = policy.choose_move(knowledge)
        after = learned.knowledge_after_turn(knowledge, move)
        turn.play(state, seat, move)
        if after is not None and state.phase != "keep":
            fame = certain_fame(after)
            own = fame.pop(seat)
            certain = own - learned.OTHERS_WEIGHT * sum(fame) / len(fame)
            ended.append((seat, after.round, learned.position_value(after), certain))
    totals = state.final.totals
    return [(number, value, certain, learned.final_value(totals, seat)) for seat, number, value, certain in ended]


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.jesters.foresight", description="Test the network.")
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--first", type=int, default=80001, help="the seed of the first match")
    arguments = parser.parse_args()
    found: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for seed in range(arguments.first, arguments.first + arguments.matches):
        for number, value, certain, final in play_match(JESTERS.seats[seed % len(JESTERS.seats)], seed):
            found[number].append((value, certain, final))
    for number, rows in sorted(found.items()):
        values, fame, finals = ([row[part] for row in rows] for part in range(3))
        print(f"round {number}: value {correlation(values, finals):.2f}, certain Fame {correlation(fame, finals):.2f}")


if __name__ == "__main__":
    main()
