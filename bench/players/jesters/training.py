"""Trains Jesters' network, `players/jesters/weights.bin`, from matches that it plays.

`python -m bench.players.jesters.training play --by normal --matches 1500 --first 1000000 --to FILE` plays matches, and
`python -m bench.players.jesters.training fit FILE …` fits the network to those of all files. Matches with
`--by learned` are played with the network that is there, so the next fit knows what comes of its own play. The same
seeds give the same weights on the same machine with the same numpy.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import players.jesters
from bench.players.jesters.matches import SEATS, Step, play_match
from bench.players.jesters.regression import Positions, fit_network, order_positions
from bench.players.networks import np

WEIGHTS = Path(players.jesters.__file__).with_name("weights.bin")
SAVE_EVERY = 25  # matches
HELD_OUT = 8  # one of so many matches is held out of a fit


def play(to: Path, matches: int, first: int, *, with_learners: bool) -> None:
    """Play matches, and write what came after each turn. What was played is written now and then."""
    steps: list[tuple[int, Step]] = []
    for number in range(matches):
        seats = SEATS[number % len(SEATS)]
        steps += [(number, step) for step in play_match(seats, first + number, with_learners=with_learners)]
        if number % SAVE_EVERY == SAVE_EVERY - 1 or number == matches - 1:
            _save(to, steps)
            print(f"{number + 1} matches, {len(steps)} turns", flush=True)


def _save(to: Path, steps: list[tuple[int, Step]]) -> None:
    np.savez(
        to,
        features=np.array([step.features for _, step in steps], np.float16),
        gains=np.array([(step.own_gain, step.others_gain) for _, step in steps], np.float32),
        matches=np.array([number for number, _ in steps]),
        seats=np.array([step.seat for _, step in steps]),
    )


def load(files: list[Path]) -> tuple[Positions, Positions]:
    """Return the positions of all files, and those of held-out matches."""
    found = [np.load(file) for file in files]
    features, gains, seats = (np.concatenate([each[name] for each in found]) for name in ("features", "gains", "seats"))
    starts = np.cumsum([0, *(int(each["matches"].max()) + 1 for each in found)])
    matches = np.concatenate([each["matches"] + start for each, start in zip(found, starts[:-1], strict=True)])
    is_out = matches % HELD_OUT == 0
    positions, held_out = (
        order_positions(features[rows], gains[rows], matches[rows], seats[rows]) for rows in (~is_out, is_out)
    )
    return positions, held_out


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.jesters.training", description="Train the network.")
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--by", choices=("normal", "learned"), required=True)
    playing.add_argument("--matches", type=int, required=True)
    playing.add_argument("--first", type=int, required=True, help="the seed of the first match")
    playing.add_argument("--to", type=Path, required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--seed", type=int, default=1)
    fitting.add_argument("--to", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    if arguments.command == "play":
        play(arguments.to, arguments.matches, arguments.first, with_learners=arguments.by == "learned")
    else:
        arguments.to.write_bytes(fit_network(*load(arguments.files), arguments.seed).to_integers())


if __name__ == "__main__":
    main()
