"""Measures what Jest's *hard* could still gain: against *normal* in all other seats, the same deals from every seat.

`python -m bench.players.jest.limits hard hard*4 seer --seats 4 --deals 60 --first 102001` prints for each player the
share of wins, how much more that is than the first player's, and the points ahead, with 95 % intervals; and the median
and the 95th percentile of a decision's processor time. `hard*4` has four times the simulations. The seer is *hard* with
all cards on the table: it samples only what is still to be dealt. `seer to the end` also plays on to the end of the
match instead of forecasting it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import fmean, median, quantiles
from time import process_time

from bench.players.ladder import Interval, MatchResult
from engines.jest import JEST
from engines.jest.model import State
from engines.jest.view import View
from engines.kit.chance import Chance
from players import make_player
from players.jest.player_model import JestPlayerModel
from players.search import search


class SeerModel(JestPlayerModel):
    """Knows the state of the match, but not what will be dealt."""

    truth: State | None = None
    to_the_end = False

    def world_sampler(self, view: View, rng: Random) -> Callable[[], State]:
        """Return a sampler of the true state with another future."""
        assert self.truth is not None
        truth = self.truth

        def draw_world() -> State:
            world = JEST.copy(truth)
            world.chance = Chance(f"{rng.getrandbits(128):032x}")
            world.deck = world.chance.shuffle(world.deck)
            return world

        return draw_world

    def last_round(self, state: State) -> int:
        """Return the last round of a playout."""
        return JEST.view(state, None).rounds if self.to_the_end else super().last_round(state)


def make_model(name: str) -> JestPlayerModel:
    """Return the model of a player (see the module). Raises ValueError for an unknown name."""
    if name == "hard":
        return JestPlayerModel()
    if name not in ("seer", "seer to the end"):
        raise ValueError(f"{name} is no player.")
    model = SeerModel()
    model.to_the_end = name != "seer"
    return model


def play_match(name: str, own: int, seats: int, seed: int) -> MatchResult:
    """Play one match with this player in seat `own`."""
    name, _, times = name.partition("*")
    model, normal = make_model(name), make_player(JEST, "normal")
    assert model.budget is not None
    budget = replace(model.budget, simulations=model.budget.simulations * int(times or 1))
    state, rng = JEST.start(seats, JEST.options(), Chance(f"{seed:032x}")), Random(f"{seed} {own}")
    took: tuple[list[float], list[float]] = ([], [])
    while state.phase != "over":
        seat = state.waiting[0]
        view, moves = JEST.view(state, seat), JEST.moves(state, seat)
        start = process_time()
        if seat != own:
            move = normal.choose_move(view, moves, rng)
        else:
            if isinstance(model, SeerModel):
                model.truth = state
            move = search(model, view, moves, rng, budget).move
        took[seat != own].append(process_time() - start)
        JEST.play(state, seat, move)
    outcome = JEST.outcome(state)
    assert outcome is not None
    rest = fmean(points for seat, points in enumerate(outcome.points) if seat != own)
    share = (own in outcome.winners) / len(outcome.winners)
    return MatchResult(share, outcome.points[own] - rest, tuple(took[0]), tuple(took[1]))


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.jest.limits", description="Measure limits.")
    parser.add_argument(
        "players", nargs="+", help="hard, seer or 'seer to the end'; with *4: four times the simulations"
    )
    parser.add_argument("--seats", type=int, choices=JEST.seats, default=4)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    said = parser.parse_args()
    first: list[float] = []
    for name in said.players:
        deals = [
            [play_match(name, own, said.seats, seed) for own in range(said.seats)]
            for seed in range(said.first, said.first + said.deals)
        ]
        shares = [fmean(match.share for match in each) for each in deals]
        first = first or shares
        gain = Interval.from_values([mine - other for mine, other in zip(shares, first, strict=True)])
        ahead = Interval.from_values([fmean(match.ahead for match in each) for each in deals])
        took = [1000 * seconds for each in deals for match in each for seconds in match.one]
        late = quantiles(took, n=20)[-1]
        print(f"{name}: share {Interval.from_values(shares)}, which is {gain} more than the first", flush=True)
        print(f"  ahead by {ahead}, {median(took):.0f} ms, 95 of 100 below {late:.0f}", flush=True)


if __name__ == "__main__":
    main()
