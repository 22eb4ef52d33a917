"""Positions counted at small depth, the same for ever; `python -m tests.contract.perft` writes those of new games.

A line of a game's `perft.txt`: seats, options as JSON, seed, and the numbers of ways to make one move, two, three, …;
where several seats may act, the first of those that the match waits for goes first. Counts that change are a change of
the rules, of the shuffle, or a mistake: never write them again without knowing which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from tests.contract.helpers import HELPERS
from tests.games import GAMES, game_test_folder

MAX_POSITIONS = 4000  # ways at the deepest level that is counted
LINE_PATTERN = re.compile(r"^(\d) (\{.*\}) ([0-9a-f]{32}) ([\d ]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PerftLine:
    seats: int
    options: str
    seed: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.seats} {self.options} {self.seed} {' '.join(map(str, self.counts))}"


def load_counts(game: AnyGame) -> list[PerftLine]:
    path = game_test_folder(game.key) / "perft.txt"
    found = LINE_PATTERN.findall(path.read_text(encoding="utf-8") if path.exists() else "")
    return [
        PerftLine(int(seats), options, seed, tuple(map(int, counts.split()))) for seats, options, seed, counts in found
    ]


def count_positions(game: AnyGame, count: PerftLine) -> Iterator[int]:
    """The ways to make one move, two, three, … from the start that the line tells of."""
    level = [game.start(count.seats, game.options_adapter.validate_json(count.options), Chance(count.seed))]
    while level:
        level = [after for state in level for after in _next_states(game, state)]
        yield len(level)


def _next_states(game: AnyGame, state: Any) -> Iterator[Any]:
    for seat in [seat for seat, decision in sorted(game.decisions(state).items()) if decision.due][:1]:
        for move in game.moves(state, seat):
            after = game.copy(state)
            game.play(after, seat, move)
            yield after


def _write_counts(game: AnyGame) -> None:
    """Count from every start of the game's helper."""
    lines = []
    for start in HELPERS[game.key].starts():
        count = PerftLine(start.seats, game.options_adapter.dump_json(start.options).decode(), start.seed, ())
        found: list[int] = []
        for number in count_positions(game, count):
            if number == 0 or number > MAX_POSITIONS:
                break
            found.append(number)
        lines.append(f"{PerftLine(count.seats, count.options, count.seed, tuple(found))}\n")
    (game_test_folder(game.key) / "perft.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    for key, new in GAMES.items():
        if not (game_test_folder(key) / "perft.txt").exists():
            _write_counts(new)
