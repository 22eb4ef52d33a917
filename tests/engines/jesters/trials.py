"""Trials of Jesters: what a seat wins that is dealt a Gift of one kind on purpose, or that ignores failure.

`python -m tests.engines.jesters.trials` plays what is missing on record, part by part, and may be stopped at any time;
with the names of trials it plays those alone, so that two processes can share the work. Each part is a line of
trials.jsonl. Should the first part go otherwise than on record, that trial begins anew.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from engines.jesters import JESTERS
from engines.jesters.components import catalogue as parts
from engines.jesters.events import Attempted, Completed
from engines.jesters.model import Learn, Options, Pass, Perform, State
from engines.kit.chance import Chance
from tests.engines.jesters.policy import choose

SEATS = 4
PARTS = 100
GAMES = 40  # in each
HEEDLESS = "heedless"  # the trial of a seat that plans and mends as if a failure cost nothing
RECORD = Path(__file__).with_name("trials.jsonl")
_FIRST = 10_000  # the number of the first game; those below are for trying components out


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a trial: what was won of its games, shared wins in parts, and how the attempts of that seat went.

    `learns` and `turns` are those of all seats.
    """

    trial: str
    part: int
    won: float
    attempts: int
    met: int
    failures: int
    learns: int
    turns: int


@cache
def kinds() -> dict[str, list[int]]:
    """The Gifts of each kind: of what they do."""
    found: dict[str, list[int]] = defaultdict(list)
    for gift in parts.components().gifts:
        found[type(gift.effect).__name__].append(gift.id)
    return dict(found)


def trials() -> list[str]:
    """All trials: a kind of Gift each, and ignoring failure."""
    return [*kinds(), HEEDLESS]


def played(trial: str, part: int) -> Part:
    """One part of a trial, always the same games."""
    won, counts = 0.0, [0] * 5
    for number in range(GAMES * part, GAMES * (part + 1)):
        state = JESTERS.start(SEATS, Options(), Chance(f"{_FIRST + number:032x}"))
        seat = number % SEATS
        if trial != HEEDLESS:
            gifts = kinds()[trial]
            deal(state, seat, gifts[number // SEATS % len(gifts)])
        _play(state, seat, trial == HEEDLESS, counts)
        outcome = JESTERS.outcome(state)
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
        counts[2] += state.failures[seat]
    return Part(trial, part, round(won, 4), *counts)


def deal(state: State, seat: int, gift: int) -> None:
    """At the start of a game, change a seat's Gift for that one, wherever it is."""
    (own,) = state.gifts[seat]
    for gifts in (*state.gifts, state.gift_pile):
        if gift in gifts:
            gifts[gifts.index(gift)] = own
    state.gifts[seat] = [gift]


def _play(state: State, seat: int, heedless: bool, counts: list[int]) -> None:
    """Play to the end; count that seat's attempts and those that succeed, and everybody's turns."""
    while decisions := JESTERS.decisions(state):
        (acting,) = decisions
        move = choose(JESTERS.view(state, acting), heedless and acting == seat)
        counts[3] += isinstance(move, Learn)
        counts[4] += isinstance(move, Learn | Perform | Pass)
        for event in JESTERS.play(state, acting, move):
            if acting == seat:
                counts[0] += isinstance(event, Attempted)
                counts[1] += isinstance(event, Completed)


def recorded() -> dict[str, list[Part]]:
    """What is on record, trial by trial, the parts in their order."""
    lines = RECORD.read_text(encoding="utf-8").splitlines() if RECORD.exists() else []
    found = sorted(map(_PART.validate_json, lines), key=lambda part: part.part)
    return {trial: [part for part in found if part.trial == trial] for trial in trials()}


def share(parts: Sequence[Part]) -> float:
    """The share of games won."""
    return sum([part.won for part in parts]) / (GAMES * len(parts))


def record(names: Sequence[str]) -> None:
    """Play what is missing of these trials, a part of each in turn; at the end of all, put the lines in order."""
    there = recorded()
    for trial in names:
        if there[trial] and there[trial][0] != played(trial, 0):
            _keep([part for trial_parts in there.values() for part in trial_parts if part.trial != trial])
            there[trial] = []
    for number in range(PARTS):
        for trial in names:
            if number not in [part.part for part in there[trial]]:
                with RECORD.open("ab") as file:
                    file.write(_PART.dump_json(played(trial, number)) + b"\n")
    there = recorded()
    if all(len(there[trial]) == PARTS for trial in trials()):
        _keep([part for trial in trials() for part in there[trial]])


def _keep(parts: Sequence[Part]) -> None:
    RECORD.write_bytes(b"".join([_PART.dump_json(part) + b"\n" for part in parts]))


_PART = TypeAdapter(Part)

if __name__ == "__main__":
    record(sys.argv[1:] or trials())
