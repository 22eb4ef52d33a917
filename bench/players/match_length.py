"""Estimates how long people take for a match, by number of players: `bench.players.match_length [game …]`.

Computers play the matches, with fixed seeds, by each of the game's presets, or with its default options if it has none.
Each decision counts with the time that a person thinks about it; simultaneous decisions overlap. The games' intros
(`cogs/<key>/intro.py`) state the minutes of the defaults, rounded up to the next five.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import log2
from statistics import median
from typing import Any

from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.options import set_options
from players import Level, make_player

LOOK, DOUBLING = 4.0, 2.0
"""Seconds of thinking: to see what has changed and to tap, and for each doubling of the number of legal moves.

By Hick's law the time to choose grows with the logarithm of the number of choices. That makes 4 seconds for the only
legal card, 8 for one of four moves, and 20 for one of 250 trades.
"""
MATCHES = 21
LEVEL: Level = "normal"


@dataclass(frozen=True, slots=True)
class Length:
    """The length of a game's matches with this number of players; all numbers are medians."""

    title: str
    preset: str
    seats: int
    decisions: float
    minutes: float

    def __str__(self) -> str:
        return f"{self.title:<32}{self.preset:<14}{self.seats:>7}{self.decisions:>11.0f}{self.minutes:>9.0f}"


def measure(game: AnyGame, seats: int, matches: int = MATCHES, preset: str = "") -> Length:
    """Measure a number of matches by a preset, or with the default options."""
    options = set_options(game, {}, preset or None)
    played = [play_match(game, seats, seed, options) for seed in range(matches)]
    decisions, seconds = (median(each) for each in zip(*played, strict=True))
    return Length(game.title, preset, seats, decisions, seconds / 60)


def play_match(game: AnyGame, seats: int, seed: int, options: Any) -> tuple[int, float]:
    """Play one match; return its number of decisions, and the seconds that people take for it."""
    state = game.start(seats, options, Chance(f"{seed:032x}"))
    computer, now, decisions = make_player(game, LEVEL), 0.0, 0
    since: dict[tuple[int, int], float] = {}  # since when a seat has a decision
    while due := {seat: decision.number for seat, decision in game.decisions(state).items() if decision.due}:
        moves = {seat: game.moves(state, seat) for seat in due}
        answers = {
            seat: since.setdefault((seat, number), now) + thinking(len(moves[seat])) for seat, number in due.items()
        }
        seat = min(answers, key=lambda seat: (answers[seat], seat))
        now = max(now, answers[seat])
        game.play(state, seat, computer.policy_move(game.view(state, seat), moves[seat], f"{seed} {decisions}"))
        decisions += 1
    return decisions, now


def thinking(moves: int) -> float:
    """Return the seconds that a person thinks about a decision with this number of legal moves."""
    return LOOK + DOUBLING * log2(moves)


def main(keys: Sequence[str]) -> None:
    """Run the command line (see the module)."""
    print(f"{'game':<32}{'rules':<14}{'players':>7}{'decisions':>11}{'minutes':>9}")
    for game in (GAMES[key] for key in keys or GAMES):
        for preset, seats in product(game.presets or ("",), game.seats):
            print(measure(game, seats, preset=preset), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
