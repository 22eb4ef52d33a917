"""Trials of Jesters: what a seat wins that is dealt a Gift of one kind on purpose, or that ignores failure.

`python -m tests.engines.jesters.trials` plays what is missing on record, part by part, and may be stopped at any time;
with the names of trials it plays those alone, so that two processes can share the work. Each part is a line of
trials.jsonl. Should the first part go otherwise than on record, that trial begins again.
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
from engines.jesters.components import catalogue
from engines.jesters.events import AttemptStarted, TaskCompleted
from engines.jesters.model import Learn, Options, Pass, Perform, State
from engines.kit.chance import Chance
from tests.engines.jesters.policy import choose_move

SEATS = 4
PART_COUNT = 100
GAMES_PER_PART = 40  # in each
HEEDLESS = "heedless"  # the trial of a seat that plans and mends as if a failure cost nothing
RECORD_FILE = Path(__file__).with_name("trials.jsonl")
_FIRST_SEED = 10_000  # the number of the first game; those below are for trying components out


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
def gifts_by_kind() -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for gift in catalogue.all_components().gifts:
        found[type(gift.effect).__name__].append(gift.id)
    return dict(found)


def all_trials() -> list[str]:
    return [*gifts_by_kind(), HEEDLESS]


def play_part(trial: str, part: int) -> Part:
    won, counts = 0.0, [0] * 5
    for number in range(GAMES_PER_PART * part, GAMES_PER_PART * (part + 1)):
        state = JESTERS.start(SEATS, Options(), Chance(f"{_FIRST_SEED + number:032x}"))
        seat = number % SEATS
        if trial != HEEDLESS:
            gifts = gifts_by_kind()[trial]
            deal_gift(state, seat, gifts[number // SEATS % len(gifts)])
        _play_game(state, seat, trial == HEEDLESS, counts)
        outcome = JESTERS.outcome(state)
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
        counts[2] += state.failures[seat]
    return Part(trial, part, round(won, 4), *counts)


def deal_gift(state: State, seat: int, gift: int) -> None:
    """At the start of a game, change a seat's Gift for that one, in any place."""
    (own,) = state.gifts[seat]
    for gifts in (*state.gifts, state.gift_pile):
        if gift in gifts:
            gifts[gifts.index(gift)] = own
    state.gifts[seat] = [gift]


def _play_game(state: State, seat: int, heedless: bool, counts: list[int]) -> None:
    """Play to the end; count that seat's attempts and those that succeed, and everybody's turns."""
    while decisions := JESTERS.decisions(state):
        (acting,) = decisions
        move = choose_move(JESTERS.view(state, acting), heedless and acting == seat)
        counts[3] += isinstance(move, Learn)
        counts[4] += isinstance(move, Learn | Perform | Pass)
        for event in JESTERS.play(state, acting, move):
            if acting == seat:
                counts[0] += isinstance(event, AttemptStarted)
                counts[1] += isinstance(event, TaskCompleted)


def load_parts() -> dict[str, list[Part]]:
    lines = RECORD_FILE.read_text(encoding="utf-8").splitlines() if RECORD_FILE.exists() else []
    found = sorted(map(_PART.validate_json, lines), key=lambda part: part.part)
    return {trial: [part for part in found if part.trial == trial] for trial in all_trials()}


def win_share(parts: Sequence[Part]) -> float:
    return sum([part.won for part in parts]) / (GAMES_PER_PART * len(parts))


def record_trials(names: Sequence[str]) -> None:
    """Play what is missing of these trials, a part of each in turn; at the end of all, put the lines in order."""
    parts = load_parts()
    for trial in names:
        if parts[trial] and parts[trial][0] != play_part(trial, 0):
            _save_parts([part for trial_parts in parts.values() for part in trial_parts if part.trial != trial])
            parts[trial] = []
    for number in range(PART_COUNT):
        for trial in names:
            if number not in [part.part for part in parts[trial]]:
                with RECORD_FILE.open("ab") as file:
                    file.write(_PART.dump_json(play_part(trial, number)) + b"\n")
    parts = load_parts()
    if all(len(parts[trial]) == PART_COUNT for trial in all_trials()):
        _save_parts([part for trial in all_trials() for part in parts[trial]])


def _save_parts(parts: Sequence[Part]) -> None:
    RECORD_FILE.write_bytes(b"".join([_PART.dump_json(part) + b"\n" for part in parts]))


_PART = TypeAdapter(Part)

if __name__ == "__main__":
    record_trials(sys.argv[1:] or all_trials())
