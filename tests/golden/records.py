"""Whole matches by random seats, kept as records; `python -m tests.golden.records` makes those that are missing.

They lie in `tests/engines/<key>/golden/`, those that were chosen for what happens in them in `meant` below; beside them
`digests.txt` has a line a record: a hash of all its events and of its last checkpoint. A record is never made again:
rules that change get a new version, and the records of the old one must still replay under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from engines.hosting.records.record import Record, RecordMove, Replay, format_record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from tests.contract.helper import MatchPlan
from tests.contract.helpers import HELPERS
from tests.games import GAMES, game_test_folder
from tests.until_over import until_over

DIGESTS = "digests.txt"
NAMES = ("Ana", "李雷", "Čeněk", "Dan: the “Wizard”", "E", "Fatima")


def record_folders() -> list[Path]:
    every = (game_test_folder(key) / folder for key in GAMES for folder in ("golden", "golden/meant"))
    return [folder for folder in every if folder.exists()]


def records_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.txt")) if path.name != DIGESTS]


def random_record_paths() -> list[Path]:
    return [path for key in GAMES for path in records_in(game_test_folder(key) / "golden")]


def load_digests(folder: Path) -> Mapping[str, str]:
    return dict(line.split(" ", 1) for line in (folder / DIGESTS).read_text(encoding="utf-8").splitlines())


def replay_digest(game: AnyGame, replay: Replay) -> str:
    events = b"\n".join(game.events_adapter.dump_json(list(events)) for events in replay.events)
    return sha256(events + b"\n" + game.checkpoint_adapter.dump_json(replay.state)).hexdigest()[:32]


def play_plan(game: AnyGame, plan: MatchPlan, seed: str) -> tuple[Record, Replay]:
    rng = Random(f"{game.key} {plan}")
    options = game.options_adapter.validate_python(dict(plan.options))
    state = game.start(plan.seats, options, Chance(seed))
    record_moves: list[RecordMove] = []
    events: list[tuple[Any, ...]] = []
    for decisions in until_over(game, state):
        seat = rng.choice([seat for seat, decision in decisions.items() if decision.due])
        move = rng.choice(game.moves(state, seat))
        record_moves.append(RecordMove(seat, game.format_move(move)))
        events.append(tuple(game.play(state, seat, move)))
    text = game.options_adapter.dump_json(options).decode()
    outcome = game.outcome(state)
    record = Record(game.key, game.version, plan.seats, text, seed, tuple(record_moves), outcome, NAMES[: plan.seats])
    return record, Replay(state, tuple(events))


def _make_missing(key: str, plans: Mapping[str, MatchPlan]) -> None:
    folder = game_test_folder(key) / "golden"
    folder.mkdir(exist_ok=True)
    known = dict(load_digests(folder)) if (folder / DIGESTS).exists() else {}
    for name, plan in plans.items():
        path = folder / f"{name}.txt"
        if not path.exists():
            seed = sha256(f"{key}/{name}".encode()).hexdigest()[:32]
            record, replay = play_plan(GAMES[key], plan, seed)
            path.write_text(format_record(record), encoding="utf-8")
            known[name] = replay_digest(GAMES[key], replay)
    (folder / DIGESTS).write_text("".join(f"{name} {known[name]}\n" for name in sorted(known)), encoding="utf-8")


if __name__ == "__main__":
    for game, helper in HELPERS.items():
        _make_missing(game, helper.golden_plans())
