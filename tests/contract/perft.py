"""Positions counted at small depth, the same for ever; `python -m tests.contract.perft` writes those of new games.

A line of a game's `perft.txt`: seats, options as JSON, seed, and the numbers of ways to make one move, two, three, …;
where several seats may act, the first of those that the match waits for goes first. Counts that change are a change of
the rules, of the shuffle, or a mistake: never write them anew without knowing which.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from tests.contract.helpers import HELPERS
from tests.games import GAMES, kept

MOST = 4000  # ways at the deepest level that is counted


@dataclass(frozen=True, slots=True)
class Count:
    """A line of a file."""

    seats: int
    options: str
    seed: str
    ways: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.seats} {self.options} {self.seed} {' '.join(map(str, self.ways))}"


def counts(game: AnyGame) -> list[Count]:
    """What is on file for a game."""
    path = kept(game.key) / "perft.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    parts = [line.split(" ") for line in lines]
    return [Count(int(seats), options, seed, tuple(map(int, ways))) for seats, options, seed, *ways in parts]


def ways(game: AnyGame, count: Count) -> Iterator[int]:
    """The ways to make one move, two, three, … from the start that the line tells of."""
    level = [game.start(count.seats, game.settings.validate_json(count.options), Chance(count.seed))]
    while level:
        level = [after for state in level for after in _after(game, state)]
        yield len(level)


def _after(game: AnyGame, state: Any) -> Iterator[Any]:
    """Every state after one more move."""
    for seat in [seat for seat, decision in sorted(game.decisions(state).items()) if decision.due][:1]:
        for move in game.moves(state, seat):
            after = game.copy(state)
            game.play(after, seat, move)
            yield after


def _write(game: AnyGame) -> None:
    """Count from every start of the game's helper."""
    lines = []
    for start in HELPERS[game.key].starts():
        count = Count(start.seats, game.settings.dump_json(start.options).decode(), start.seed, ())
        found: list[int] = []
        for number in ways(game, count):
            if number == 0 or number > MOST:
                break
            found.append(number)
        lines.append(f"{Count(count.seats, count.options, count.seed, tuple(found))}\n")
    (kept(game.key) / "perft.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    for key, new in GAMES.items():
        if not (kept(key) / "perft.txt").exists():
            _write(new)
