"""How well computers play, against the bars that they must reach: `tests/players/<key>/bars.toml`, where there is one.

A row is one against the others over few deals, hard with a part of its simulations, so that all of them take minutes.
Few deals tell little: a row is missed where even the upper end of its 95 % interval is below the bar, so what is not
missed is not shown to be reached. docs/players.md has the long runs, whose lower end reaches it.

What a decision costs is told in thousands of moves of OpenSpiel's hearts in the same run.
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

PLAYER_TESTS = Path(__file__).resolve().parents[1] / "tests" / "players"
FIRST_SEED = 501  # the seed of the first deal: none of those in docs/players.md
MATCHES = 2  # in which decisions are timed
SEARCHED_DECISIONS = 12  # decisions of a match for which a search is timed
REFERENCE = 0.8  # µs that a move of hearts takes where the bars were set, by which milliseconds become its moves


class Bar(BaseModel):
    """One row of the ladder, and what must be reached: a share of wins, points ahead (None: anything)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    one: str
    others: str
    seats: int
    deals: int
    options: dict[str, Any] = Field(default_factory=dict)
    share: float | None = None
    ahead: float | None = None


class Bars(BaseModel):
    """A game's rows, and the milliseconds that a decision of a level may take in mean, where the bars were set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: int
    milliseconds: dict[Level, float]
    rows: tuple[Bar, ...]


class BarResult(NamedTuple):
    """A row as it is printed, with what was reached."""

    name: str
    bar: Bar
    standing: Standing

    @property
    def is_missed(self) -> bool:
        """Whether a bar is above all of an interval."""
        pairs = ((self.bar.share, self.standing.share), (self.bar.ahead, self.standing.ahead))
        return any(least is not None and found.high < least for least, found in pairs)

    def __str__(self) -> str:
        parts = [
            _format_interval(self.standing.share, "wins", self.bar.share),
            _format_interval(self.standing.ahead, "points", self.bar.ahead),
        ]
        return f"{self.name:<44}{''.join(parts)}{self.standing.deals:>4} deals{'   missed' if self.is_missed else ''}"


def load_bars(game: AnyGame, tests: Path = PLAYER_TESTS) -> Bars | None:
    """The game's bars, if it has any."""
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
    """Seconds of the processor for a decision of each level, in mean, in matches between players alike.

    A search is asked in matches of normal, which are over sooner, for some of their decisions.
    """
    return {level: fmean(_decision_times(game, seats, level)) for level in available_levels(game)}


def measure(hearts: Callable[[], float]) -> Iterator[Row]:
    """Every game's bars; `hearts` tells how many seconds a move of the reference takes just now."""
    for game in GAMES.values():
        bars = load_bars(game)
        if bars is None:
            continue
        yield from (play_bar(game, bar, os.cpu_count() or 1) for bar in bars.rows)
        before, found = hearts(), decision_costs(game, bars.seats)
        move = (before + hearts()) / 2
        for level, seconds in found.items():
            most = bars.milliseconds.get(level)
            told = f"thousand moves of hearts: {seconds * 1000:.2f} ms"
            name = f"{game.title}, {bars.seats} seats: a decision of {level}"
            yield Figure(name, seconds / move / 1000, told, None if most is None else most / REFERENCE)


def _decision_times(game: AnyGame, seats: int, level: Level) -> Iterator[float]:
    """Seconds of each decision between several moves."""
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
    """In a match, what a seat sees that has several moves, these, and how long the choice took."""
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
