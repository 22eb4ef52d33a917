"""Tools for the authors of lessons, `docs/lessons/<key>.txt`.

    python -m tests.lesson_tools show wizard
    python -m tests.lesson_tools search wizard --seats 3 --seat A < wanted.txt

`show` prints each step: its text, the learner's board, and how each legal move is answered. `search` tries seeds until
one does what the lines of its input want, in this order:

    see dealer C           the seat's text board matches this pattern
    not hand:.*jester      it does not match this pattern
    legal bid 1            this is a legal move of the seat
    A bid 1                this move is made; a seed for which it is illegal is dropped
    *                      the computer whose turn it is makes its move
    *C                     the same, and it must be C's turn
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from itertools import count, islice
from random import Random
from typing import Any

from cogs.features.lessons.game_lesson import GameLesson
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter, parse_seat
from players.levels import player_model_of
from tests.features.exercises import LESSONS
from tests.game_uis import GAME_UIS


def find_seed(game: AnyGame, seats: int, options: Any, seat: int, wanted: Sequence[str]) -> tuple[str, list[str]]:
    """Return the first seed that does what is wanted, and its moves as lines of a record."""
    for number in count():
        moves = made_moves(game, seats, options, seat, wanted, f"{number:032x}")
        if moves is not None:
            return f"{number:032x}", moves
    raise AssertionError


def made_moves(
    game: AnyGame, seats: int, options: Any, seat: int, wanted: Sequence[str], seed: str
) -> list[str] | None:
    """Return the moves of a seed as lines of a record; None if it does not do what is wanted."""
    state, rng = game.start(seats, options, Chance(seed)), Random(seed)
    lines: list[str] = []
    for line in wanted:
        verb, _, rest = line.partition(" ")
        if verb in ("see", "not"):
            if bool(re.search(rest, str(game.view(state, seat)))) != (verb == "see"):
                return None
        elif verb == "legal":
            if game.parse_move(rest) not in game.moves(state, seat):
                return None
        elif (mover := _mover(game, state, verb)) is None:
            return None
        else:
            moves = game.moves(state, mover)
            if verb[0] == "*":
                move = player_model_of(game).choose_move(game.view(state, mover), moves, rng)
            else:
                move = game.parse_move(rest)
            try:
                game.check(state, mover, move)
            except IllegalMove:
                return None
            game.play(state, mover, move)
            lines.append(f"{len(lines) + 1} {letter(mover)} {game.format_move(move)}")
    return lines


def _mover(game: AnyGame, state: Any, word: str) -> int | None:
    """Return the seat that a line lets move, if it is its turn."""
    decisions = game.decisions(state)
    name = word.removeprefix("*")
    seat = parse_seat(name) if name else min(each for each, decision in decisions.items() if decision.due)
    return seat if seat in decisions else None


def step_report(lesson: GameLesson, number: int) -> str:
    """Return what there is to know of a step."""
    step, snapshot = lesson.step(number), lesson.snapshot(number)
    lines = [f"=== {number} of {lesson.step_count} {step.rules} after {step.played} moves", step.text, ""]
    lines += [str(snapshot.view(lesson.seat)), ""]
    if not step.asked:
        return "\n".join(lines)
    lines.append(f"asks for {step.asked} ({lesson.asked_label(number)})")
    for move in islice(snapshot.moves(lesson.seat), 40):
        notation = lesson.game.format_move(move)
        answer = lesson.answer_move(number, notation)
        lines.append(f"  {notation}: {answer.kind} {answer.text}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    search, show = commands.add_parser("search"), commands.add_parser("show")
    for each in (search, show):
        each.add_argument("key", choices=GAME_UIS)
    search.add_argument("--seats", type=int, required=True)
    search.add_argument("--options", default="{}")
    search.add_argument("--seat", default="A")
    arguments = parser.parse_args()
    lesson = LESSONS[arguments.key]
    if arguments.command == "show":
        print("\n\n".join(step_report(lesson, number) for number in range(1, lesson.step_count + 1)))
        return 0
    game, seat = lesson.game, parse_seat(arguments.seat)
    wanted = [line.strip() for line in sys.stdin if line.strip()]
    options = game.options_adapter.validate_json(arguments.options)
    seed, moves_ = find_seed(game, arguments.seats, options, seat, wanted)
    print(f"seed: {seed}", *moves_, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
