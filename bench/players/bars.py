"""Checks the strength of computers against their bars: `tests/players/<key>/bars.toml`, if it exists.

In a row one player meets the others over few deals, and hard runs a part of its simulations, so that all rows take
minutes. Few deals prove little: a row is missed only if even the upper end of its 95% interval is below the bar.
docs/players.md has the long runs, whose lower end reaches it.

The cost of a decision is given in thousands of moves of OpenSpiel's hearts in the same run.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from bench.kit.figures import Figure, Row
from bench.players.ladder import Chooser, Interval, Standing, play_ladder
from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import Level, available_levels, make_player

PLAYER_TESTS = Path(__file__).resolve().parents[2] / "tests" / "players"
FIRST_SEED = 501  # the seed of the first deal: not one of those in docs/players.md
MATCHES = 2  # in which decisions are timed
SEARCHED_DECISIONS = 12  # decisions of a match for which a search is timed
REFERENCE = 0.8  # µs of a move of hearts on the machine for which the bars were set; converts milliseconds to moves


class Bar(BaseModel):
    """One row of the ladder, and its bar: a share of wins, points ahead (None: no bar)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    one: str
    others: str
    seats: int
    deals: int
    options: dict[str, Any] = Field(default_factory=dict)
    share: float | None = None
    ahead: float | None = None


class Bars(BaseModel):
    """A game's rows, and the mean milliseconds that a decision of a level may take on the reference machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: int
    milliseconds: dict[Level, float]
    rows: tuple[Bar, ...]


class BarResult(NamedTuple):
    """A row as printed, with its result."""

    name: str
    bar: Bar
    standing: Standing

    @property
    def is_missed(self) -> bool:
        """Return whether the bar is above the whole interval."""
        pairs = ((self.bar.share, self.standing.share), (self.bar.ahead, self.standing.ahead))
        return any(least is not None and found.high < least for least, found in pairs)

    def __str__(self) -> str:
        parts = [
            _format_interval(self.standing.share, "wins", self.bar.share),
            _format_interval(self.standing.ahead, "points", self.bar.ahead),
        ]
        return f"{self.name:<44}{''.join(parts)}{self.standing.deals:>4} deals{'   missed' if self.is_missed else ''}"


def load_bars(game: AnyGame, tests: Path = PLAYER_TESTS) -> Bars | None:
    """Load the game's bars, if it has any."""
    file = tests / game.key / "bars.toml"
    return Bars.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))) if file.exists() else None


def play_bar(game: AnyGame, bar: Bar, workers: int = 1) -> BarResult:
    """Play the row."""
    found = play_ladder(
        game.key,
        bar.one,
        bar.others,
        bar.seats,
        bar.deals,
        bar.options,
        first_seed=FIRST_SEED,
        workers=min(workers, bar.deals),
    )
    return BarResult(f"{game.title}, {bar.seats} seats: {bar.one} v {bar.others}", bar, found)


def decision_costs(game: AnyGame, seats: int) -> dict[Level, float]:
    """Return the mean processor seconds of a decision of each level, in matches between equal players.

    Searches are timed on some decisions of normal's matches, because those end sooner.
    """
    return {level: fmean(_decision_times(game, seats, level)) for level in available_levels(game)}


def measure(hearts: Callable[[], float]) -> Iterator[Row]:
    """Measure every game's bars; `hearts` returns the seconds that a move of the reference takes now."""
    for game in GAMES.values():
        bars = load_bars(game)
        if bars is None:
            continue
        yield from (play_bar(game, bar, os.cpu_count() or 1) for bar in bars.rows)
        before, found = hearts(), decision_costs(game, bars.seats)
        move = (before + hearts()) / 2
        for level, seconds in found.items():
            most = bars.milliseconds.get(level)
            text = f"thousand moves of hearts: {seconds * 1000:.2f} ms"
            name = f"{game.title}, {bars.seats} seats: a decision of {level}"
            yield Figure(name, seconds / move / 1000, text, None if most is None else most / REFERENCE)


def _decision_times(game: AnyGame, seats: int, level: Level) -> Iterator[float]:
    """Yield the seconds of each decision between several moves."""
    known = make_player(game, level)
    playing = known if known.budget is None else make_player(game, "normal")
    for seed in range(FIRST_SEED, FIRST_SEED + MATCHES):
        decisions = [*_decisions(game, seats, seed, playing)]
        if known is playing:
            yield from (seconds for _, _, seconds in decisions)
            continue
        for view, moves, _ in Random(seed).sample(decisions, min(len(decisions), SEARCHED_DECISIONS)):
            start = process_time()
            known.choose_move(view, moves, Random(seed))
            yield process_time() - start


def _decisions(game: AnyGame, seats: int, seed: int, playing: Chooser) -> Iterator[tuple[Any, Sequence[Any], float]]:
    """Yield, for each seat with several moves, its view, the moves, and the seconds of the choice."""
    state, rng = game.start(seats, game.options(), Chance(f"{seed:032x}")), Random(seed)
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        view, moves = game.view(state, due[0]), game.moves(state, due[0])
        start = process_time()
        move = playing.choose_move(view, moves, rng)
        if len(moves) > 1:
            yield view, moves, process_time() - start
        game.play(state, due[0], move)


def _format_interval(found: Interval, unit: str, least: float | None) -> str:
    return f"{found!s:>26} {unit + ('' if least is None else f', at least {least:g}'):<24}"
