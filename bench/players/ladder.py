"""Compares players: one seat against all others, the same deals from every seat, with 95% intervals.

`python -m bench.players.ladder wizard normal easy --seats 4 --deals 40 --option rounds=5` prints the share of wins (a
shared win counts in parts), the points ahead of the others' mean, and the processor time of a decision for each.
`hard/4` is hard with a quarter of its simulations, `hard*4` with four times as many, and `policy` is normal without
variety. `seer` is hard, but sees all cards that anybody has seen.
`tests.engines.jesters.policy:choose_move` is a function of a view, or of a state, a seat and chance; then it gets a
sampled state behind the view.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, Protocol

from bench.players.seer import Seer, unseen_shuffler
from engines import GAMES
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import Budget, PlayerModel, make_player, search
from players.levels import player_model_of


class Chooser(Protocol):
    """Anything that can play a seat."""

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose one of the moves."""


class RandomChooser:
    """Plays any legal move."""

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose any of them."""
        return rng.choice(moves)


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def from_values(cls, values: Sequence[float]) -> Interval:
        """Compute it from independent values by the normal approximation."""
        mean = fmean(values)
        half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
        return cls(mean, mean - half, mean + half)

    def __str__(self) -> str:
        return f"{self.mean:.2f} ({self.low:.2f} to {self.high:.2f})"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one match for the seat in question, and the processor seconds of a choice for both sides."""

    share: float
    ahead: float
    one: tuple[float, ...]
    others: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One player against the others over many deals; the fair share of wins is one divided by the seats."""

    share: Interval
    ahead: Interval
    one: float  # mean seconds of a choice
    others: float
    deals: int

    def __str__(self) -> str:
        cost = f"{self.one * 1000:.2f} ms against {self.others * 1000:.2f} ms a decision"
        return f"share {self.share}, ahead by {self.ahead} points, {cost}, {self.deals} deals"


@dataclass(frozen=True, slots=True)
class Searcher:
    """Plays what a search with this budget finds."""

    model: PlayerModel[Any, Any, Any]
    budget: Budget

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose one of the moves."""
        return search(self.model, view, moves, rng, self.budget).move


@dataclass(frozen=True, slots=True)
class PolicyChooser:
    """Plays the policy's one best move: *normal* without variety."""

    model: PlayerModel[Any, Any, Any]

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose one of the moves."""
        return self.model.choose_move(view, moves, rng)


@dataclass(frozen=True, slots=True)
class FunctionChooser:
    """Plays what a function returns for a view, or for a sampled state behind it."""

    game: AnyGame
    function: Callable[..., Any]

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose one of the moves."""
        needed = [each for each in signature(self.function).parameters.values() if each.default is each.empty]
        if len(needed) == 1:
            return self.function(view)
        return self.function(self.game.sample(view, Chance(f"{rng.getrandbits(128):032x}")), view.seat, rng)


def make_chooser(game: AnyGame, name: str) -> Chooser:
    """Build a player from its name (see the module). Raises ValueError if the game has no such level."""
    if name == "random":
        return RandomChooser()
    if name == "policy":
        return PolicyChooser(player_model_of(game))
    module, colon, function = name.partition(":")
    if colon:
        return FunctionChooser(game, getattr(importlib.import_module(module), function))
    level, sign, number = name.partition("*") if "*" in name else name.partition("/")
    shuffle = unseen_shuffler(game) if level == "seer" else None
    if level == "seer" and shuffle is None:
        raise ValueError(f"{game.title} has no seer.")
    known = make_player(game, "hard" if shuffle else level)  # type: ignore[arg-type]
    budget = known.budget
    if sign:
        if budget is None or not number.isdecimal() or not int(number):
            raise ValueError(f"{name} is not a valid part of a search.")
        several = budget.simulations * int(number) if sign == "*" else budget.simulations // int(number)
        budget = replace(budget, simulations=max(1, several))
    if shuffle is not None:
        assert budget is not None
        return Seer(game, known.model, budget, shuffle)
    return Searcher(known.model, budget) if sign and budget is not None else known


def play_deal(key: str, one: str, others: str, seats: int, options: dict[str, Any], seed: int) -> list[MatchResult]:
    """Play the same deal once from every seat."""
    game = GAMES[key]
    return [
        play_match(game, make_chooser(game, one), make_chooser(game, others), seat, seats, options, seed)
        for seat in range(seats)
    ]


def play_match(
    game: AnyGame, one: Chooser, others: Chooser, own: int, seats: int, options: dict[str, Any], seed: int
) -> MatchResult:
    """Play one match with `one` in seat `own`."""
    state = game.start(
        seats, game.validate_setup(seats, game.options_adapter.validate_python(options)), Chance(f"{seed:032x}")
    )
    times: tuple[list[float], list[float]] = ([], [])
    rng = Random(f"{seed} {own}")
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        seat = due[0]
        view, moves = game.view(state, seat), game.moves(state, seat)
        chooser = one if seat == own else others
        if isinstance(chooser, Seer):
            chooser.truth = state
        start = process_time()
        move = chooser.choose_move(view, moves, rng)
        times[seat != own].append(process_time() - start)
        game.check(state, seat, move)
        game.play(state, seat, move)
    outcome = game.outcome(state)
    assert outcome is not None
    share = (own in outcome.winners) / len(outcome.winners)
    rest = fmean(points for seat, points in enumerate(outcome.points) if seat != own)
    return MatchResult(share, outcome.points[own] - rest, tuple(times[0]), tuple(times[1]))


def play_deals(
    key: str, one: str, others: str, seats: int, seeds: Sequence[int], options: dict[str, Any], *, workers: int = 1
) -> list[list[MatchResult]]:
    """Play the deals with these seeds, each from every seat."""
    run: Callable[[int], list[MatchResult]] = partial(play_deal, key, one, others, seats, options)
    if workers == 1:
        return [run(seed) for seed in seeds]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(run, seeds))


def play_ladder(
    key: str,
    one: str,
    others: str,
    seats: int,
    deals: int,
    options: dict[str, Any] | None = None,
    *,
    first_seed: int = 1,
    workers: int = 1,
) -> Standing:
    """Play one against all others over the deals, each from every seat.

    A deal is one value of the intervals.
    """
    seeds = range(first_seed, first_seed + deals)
    found = play_deals(key, one, others, seats, seeds, options or {}, workers=workers)
    return Standing(
        Interval.from_values([fmean(match.share for match in each) for each in found]),
        Interval.from_values([fmean(match.ahead for match in each) for each in found]),
        fmean(seconds for each in found for match in each for seconds in match.one),
        fmean(seconds for each in found for match in each for seconds in match.others),
        deals,
    )


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Return the table options from `name=value` pairs; digits become numbers."""
    return {name: int(value) if value.isdigit() else value for name, value in (pair.split("=") for pair in pairs)}


def add_deal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says which deals are played."""
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--option", action="append", default=[], help="name=value, may be repeated")


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.ladder", description="Compare two players.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("one", help="easy, normal, hard, hard/4, hard*4, seer, policy, random or module:function")
    parser.add_argument("others")
    add_deal_arguments(parser)
    arguments = parser.parse_args()
    options = parse_options(arguments.option)
    print(
        play_ladder(
            arguments.game,
            arguments.one,
            arguments.others,
            arguments.seats,
            arguments.deals,
            options,
            first_seed=arguments.first,
            workers=arguments.workers,
        )
    )


if __name__ == "__main__":
    main()
