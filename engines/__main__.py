"""`python -m engines play wizard` plays a match on the terminal; `python -m engines check match.txt` verifies one."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from engines import GAMES, terminal
from engines.hosting import record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.options import changed
from engines.kit.seats import LETTERS, letter, seat_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; its exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        return _check(asked.file) if asked.command == "check" else _play(asked)
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}.")


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m engines", description="Play a match on the terminal, or check the record of one."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play a match: every seat is asked in its turn")
    play.add_argument("game", choices=list(GAMES))
    play.add_argument("--seats", type=int, help="how many play; by default as few as can")
    play.add_argument(
        "--seed", type=_seed, help="up to 32 hex digits, from which all chance comes; by default a new one"
    )
    play.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    play.add_argument("--random", default="", metavar="SEATS", help="who moves at random: seats such as BC, or all")
    play.add_argument("--record", metavar="FILE", help="write the record of the match to a new file")
    check = commands.add_parser("check", help="verify a match: its deal, its moves and its result")
    check.add_argument("file", help="the record of a match")
    return parser


def _seed(typed: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{1,32}", typed):
        raise ArgumentTypeError("A seed is 1 to 32 hex digits.")
    return typed.lower().zfill(32)


def _play(asked: Namespace) -> int:
    """Play a match. Raises ValueError, with a sentence, where it cannot be begun."""
    game = GAMES[asked.game]
    seats = game.seats[0] if asked.seats is None else asked.seats
    at_random = _at_random(asked.random, seats)
    options = _options(game, asked.option)
    game.fitting(seats, options)
    seed = asked.seed or Chance.fresh().seed
    with ExitStack() as stack:
        # Opened first, so that no match is played for a record that cannot be written.
        kept = stack.enter_context(open(asked.record, "x", encoding="utf-8")) if asked.record else None
        played = terminal.Sitting(game, seats, options, seed, at_random, input, print).play()
        if kept is not None:
            kept.write(record.write(played))
    return 0


def _options(game: AnyGame, typed: Sequence[str]) -> Any:
    options = game.options()
    for each in typed:
        name, _, value = each.partition("=")
        options = changed(game, options, name, value)
    return options


def _at_random(typed: str, seats: int) -> frozenset[int]:
    if typed.lower() == "all":
        return frozenset(range(seats))
    found = frozenset(map(seat_of, typed.replace(",", "")))
    if found and max(found) >= seats:
        raise ValueError(f"There is no seat {letter(max(found))} at this table, only {LETTERS[:seats]}.")
    return found


def _check(file: str) -> int:
    """Check a record: 0 where it fits, 1 where it does not."""
    try:
        with open(file, encoding="utf-8", newline="") as opened:
            content = opened.read()
    except OSError as error:
        print(f"This cannot be checked: {file}: {error.strerror}.")
        return 1
    except UnicodeDecodeError:
        print(f"This cannot be checked: {file} is no text.")
        return 1
    return 0 if terminal.check(content, print) else 1


if __name__ == "__main__":
    sys.exit(main())
