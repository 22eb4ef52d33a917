"""`python -m engines play wizard` plays a match on the terminal; `python -m engines check FILE …` verifies records."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from glob import escape, glob
from typing import Any

from engines import GAMES, terminal
from engines.hosting.records import record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.options import change_option
from engines.kit.seats import LETTERS, letter, parse_seat


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    parser = _build_parser()
    options = parser.parse_args(arguments)
    try:
        return _check_files(options.files) if options.command == "check" else _play(options)
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}.")


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m engines", description="Play a match on the terminal, or check the record of one."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play a match: each seat is asked for its moves in turn")
    play.add_argument("game", choices=list(GAMES))
    play.add_argument("--seats", type=int, help="the number of seats (default: the fewest the game allows)")
    play.add_argument(
        "--seed", type=_parse_seed, help="up to 32 hex digits that decide all chance (default: a random seed)"
    )
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="set an option of the game")
    play.add_argument("--random", default="", metavar="SEATS", help="seats that move at random, such as BC, or all")
    play.add_argument("--record", metavar="FILE", help="write the record of the match to a new file")
    check = commands.add_parser("check", help="verify the deals, the moves and the results of matches")
    check.add_argument("files", nargs="+", metavar="FILE", help="a record, or a folder with records (*.txt)")
    return parser


def _parse_seed(typed: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{1,32}", typed):
        raise ArgumentTypeError("A seed is 1 to 32 hex digits.")
    return typed.lower().zfill(32)


def _play(options: Namespace) -> int:
    """Play a match. Raises ValueError with a sentence if it cannot start."""
    game = GAMES[options.game]
    seats = game.seats[0] if options.seats is None else options.seats
    at_random = _parse_random_seats(options.random, seats)
    game_options = _parse_options(game, options.option)
    game.validate_setup(seats, game_options)
    seed = options.seed or Chance.with_new_seed().seed
    with ExitStack() as stack:
        # Open the file first, so that nobody plays a match whose record cannot be written.
        file = stack.enter_context(open(options.record, "x", encoding="utf-8")) if options.record else None
        player = terminal.Terminal(input, print)
        match_record = terminal.TerminalMatch(game, seats, game_options, seed, at_random, player).play_match()
        if file is not None:
            file.write(record.format_record(match_record))
    return 0


def _parse_options(game: AnyGame, typed: Sequence[str]) -> Any:
    options = game.options()
    for each in typed:
        name, _, value = each.partition("=")
        options = change_option(game, options, name, value)
    return options


def _parse_random_seats(typed: str, seats: int) -> frozenset[int]:
    if typed.lower() == "all":
        return frozenset(range(seats))
    found = frozenset(map(parse_seat, typed.replace(",", "")))
    if found and max(found) >= seats:
        raise ValueError(f"There is no seat {letter(max(found))} at this table, only {LETTERS[:seats]}.")
    return found


def _check_files(paths: Sequence[str]) -> int:
    """Check records, and those in folders. Return 0 if all are correct, 1 if not."""
    files = [file for path in paths for file in sorted(glob(f"{escape(path)}/*.txt")) or [path]]
    if files == [*paths] and len(files) == 1:
        return 0 if _check_file(files[0]) else 1
    correct = 0
    for file in files:
        print(f"{file}:")
        correct += _check_file(file)
        print()
    print(f"Correct: {correct} of {len(files)} {'record' if len(files) == 1 else 'records'}.")
    return 0 if correct == len(files) else 1


def _check_file(file: str) -> bool:
    """Return whether a record is correct, and say what is wrong or right with it."""
    try:
        with open(file, encoding="utf-8", newline="") as opened:
            content = opened.read()
    except OSError as error:
        print(f"Cannot check {file}: {error.strerror}.")
        return False
    except UnicodeDecodeError:
        print(f"Cannot check {file}: it is not a text file.")
        return False
    return terminal.check_record(content, GAMES, print)


if __name__ == "__main__":
    sys.exit(main())
