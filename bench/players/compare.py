"""Compares several players on the same deals, each in one seat against the same others, with 95% intervals.

`python -m bench.players.compare jest hard hard*4 seer --seats 4 --deals 60 --first 102001` prints for each player the
share of wins, how much more that is than the first player's, and the points ahead; and the median and the 95th
percentile of a decision's processor time. `bench.players.ladder` says what players there are.
"""

from __future__ import annotations

import argparse
from statistics import fmean, median, quantiles

from bench.players.ladder import Interval, add_deal_arguments, parse_options, play_deals
from engines import GAMES


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.compare", description="Compare several players.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("players", nargs="+", help="as for bench.players.ladder")
    parser.add_argument("--others", default="normal")
    add_deal_arguments(parser)
    arguments = parser.parse_args()
    seeds, options = range(arguments.first, arguments.first + arguments.deals), parse_options(arguments.option)
    first: list[float] = []
    for name in arguments.players:
        deals = play_deals(
            arguments.game, name, arguments.others, arguments.seats, seeds, options, workers=arguments.workers
        )
        shares = [fmean(match.share for match in each) for each in deals]
        first = first or shares
        gain = Interval.from_values([mine - other for mine, other in zip(shares, first, strict=True)])
        ahead = Interval.from_values([fmean(match.ahead for match in each) for each in deals])
        times = [1000 * seconds for each in deals for match in each for seconds in match.one]
        late = quantiles(times, n=20)[-1]
        print(f"{name}: share {Interval.from_values(shares)}, which is {gain} more than the first", flush=True)
        print(f"  ahead by {ahead}, {median(times):.0f} ms, 95 of 100 below {late:.0f}", flush=True)


if __name__ == "__main__":
    main()
