"""`python -m tests.puzzle_tools wizard --number 10` makes the missing puzzles, `docs/puzzles/<key>/<nn>.txt`.

Computers play whole matches by their policy. A decision becomes a puzzle if one move is clearly better than all others,
the policy or the blunders of a beginner choose another one, and its kind is not taken too often. Each
match gives one puzzle at most. A puzzle is the record of the match with one more header, the number of the move.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from engines.hosting.records.record import Record, RecordMove, format_record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players.advice import compare_on_view, hint_budget
from players.levels import player_model_of
from tests.games import GAMES, game_root
from tests.until_over import until_over

NAMES = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
MOVES = range(2, 13)  # the number of legal moves of a puzzle
CERTAIN = 5.0  # standard errors by which the best move leads
SHARE = 0.5  # of the puzzles of a game that may be of one kind


def play_match(game: AnyGame, seed: str) -> tuple[Record, list[tuple[int, Any, str]]]:
    """Return the record of a match between computers, and its decisions: number, view and kind."""
    rng = Random(seed)
    seats = rng.choice(game.seats[:3])
    state = game.start(seats, game.options(), Chance(seed))
    model = player_model_of(game)
    moves: list[RecordMove] = []
    faced: list[tuple[int, Any, str]] = []
    for decisions in until_over(game, state):
        due = [seat for seat, decision in decisions.items() if decision.due]
        legal = game.moves(state, due[0])
        if len(legal) in MOVES:
            faced.append((len(moves) + 1, game.view(state, due[0]), decisions[due[0]].kind))
        move = model.choose_move(game.view(state, due[0]), legal, rng)
        moves.append(RecordMove(due[0], game.format_move(move)))
        game.play(state, due[0], move)
    options = game.options_adapter.dump_json(game.options()).decode()
    record = Record(game.key, game.version, seats, options, seed, tuple(moves), game.outcome(state), NAMES[:seats])
    return record, faced


def is_puzzle(game: AnyGame, view: Any, seed: str) -> bool:
    """Whether one move is clearly the best, and a beginner or the plain policy misses it."""
    model, simulations = player_model_of(game), hint_budget(player_model_of(game)).simulations
    best, second, *_ = compare_on_view(game, view, seed, simulations)
    if second.behind <= CERTAIN * second.error:
        return False
    legal = game.moves(game.sample(view, Chance("00" * 16)), view.seat)
    tempted = [model.choose_move(view, legal, Random(seed))]
    tempted += [model.choose_with_blunders(view, legal, Random(number)) for number in range(5)]
    return any(move != best.move for move in tempted)


def find_puzzles(game: AnyGame, wanted: int) -> Iterator[str]:
    """Yield the texts of that many puzzles."""
    kinds: Counter[str] = Counter()
    for number in count(1):
        seed = f"{number:032x}"
        record, faced = play_match(game, seed)
        Random(seed).shuffle(faced)
        for move, view, kind in faced[:12]:
            if kinds[kind] <= SHARE * wanted and is_puzzle(game, view, seed):
                kinds[kind] += 1
                yield format_record(record).replace("\n\n", f"\ndecision: {move}\n\n", 1)
                break
        if kinds.total() == wanted:
            return


def puzzle_folder(key: str) -> Path:
    return game_root(key) / "docs" / "puzzles" / key


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("key", choices=GAMES)
    parser.add_argument("--number", type=int, default=5)
    arguments = parser.parse_args()
    folder = puzzle_folder(arguments.key)
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(find_puzzles(GAMES[arguments.key], arguments.number), 1):
        path = folder / f"{number:02}.txt"
        if not path.exists():
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(game_root(arguments.key)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
