"""Whole matches by random seats, kept as records; `python -m tests.golden.records` makes those that are missing.

Beside them `digests.txt` has a line a record: a hash of all its events and of its last checkpoint. A record is never
made anew: rules that change get a new version, and the records of the old one must still replay under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from engines import GAMES
from engines.chance import Chance
from engines.game import AnyGame
from engines.record import Made, Record, Replay, write

FOLDER = Path(__file__).parent
NAMES = ("Ana", "李雷", "Čeněk", "Dan: the “Wizard”", "E", "Fatima")


@dataclass(frozen=True, slots=True)
class Plan:
    """A match to keep."""

    seats: int
    options: Mapping[str, object] = field(default_factory=dict)


PLANS: Mapping[str, Mapping[str, Plan]] = {
    "wizard": {
        "three": Plan(3),
        "four": Plan(4),
        "five": Plan(5),
        "six": Plan(6),
        "four-rounds": Plan(4, {"rounds": 4}),
        "more-rounds-than-there-are": Plan(6, {"rounds": 20}),
    },
    "jest": {"three": Plan(3), "four": Plan(4)},
    "jokers": {"six-rounds": Plan(2), "one-round": Plan(2, {"rounds": 1})},
    "court": {
        "two": Plan(2),
        "three": Plan(3),
        "four": Plan(4),
        "two-banners": Plan(4, {"banners": 2}),
        "three-banners": Plan(3, {"banners": 3, "turns": 300}),
        "thirty-turns": Plan(4, {"turns": 30}),
    },
    "jesters": {"two": Plan(2), "three": Plan(3), "four": Plan(4)},
}
"""By game and name of the record."""


def paths() -> list[Path]:
    """All records there are."""
    return sorted(FOLDER.glob("*/*.txt"))


def digests() -> Mapping[str, str]:
    """By record (`wizard/four`), the hash on file."""
    lines = (FOLDER / "digests.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def digest(game: AnyGame, replay: Replay) -> str:
    """A hash of everything that happened and of what it came to."""
    events = b"\n".join(game.events.dump_json(list(events)) for events in replay.events)
    return sha256(events + b"\n" + game.checkpoints.dump_json(replay.state)).hexdigest()[:32]


def played(game: AnyGame, plan: Plan, seed: str) -> tuple[Record, Replay]:
    """A match by random seats, and all that happened in it."""
    rng = Random(f"{game.key} {plan}")
    options = game.settings.validate_python(dict(plan.options))
    state = game.start(plan.seats, options, Chance(seed))
    made: list[Made] = []
    events: list[tuple[Any, ...]] = []
    while decisions := game.decisions(state):
        seat = rng.choice([seat for seat, decision in decisions.items() if decision.due])
        move = rng.choice(game.moves(state, seat))
        made.append(Made(seat, game.write(move)))
        events.append(tuple(game.play(state, seat, move)))
    text = game.settings.dump_json(options).decode()
    outcome = game.outcome(state)
    record = Record(game.key, game.version, plan.seats, text, seed, tuple(made), outcome, NAMES[: plan.seats])
    return record, Replay(state, tuple(events))


def _make_missing() -> None:
    known = dict(digests()) if (FOLDER / "digests.txt").exists() else {}
    for key, plans in PLANS.items():
        for name, plan in plans.items():
            path = FOLDER / key / f"{name}.txt"
            if not path.exists():
                seed = sha256(f"{key}/{name}".encode()).hexdigest()[:32]
                record, replay = played(GAMES[key], plan, seed)
                path.parent.mkdir(exist_ok=True)
                path.write_text(write(record), encoding="utf-8")
                known[f"{key}/{name}"] = digest(GAMES[key], replay)
    (FOLDER / "digests.txt").write_text("".join(f"{key} {known[key]}\n" for key in sorted(known)), encoding="utf-8")


if __name__ == "__main__":
    _make_missing()
