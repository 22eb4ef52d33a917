"""Sample matches to store, and faults during storage."""

from __future__ import annotations

import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from engines.store.match_store import Change, MatchInfo, MatchStorage, Move, Place, Seat, Status

NASTY_TEXTS = [
    "'; DROP TABLE matches; --",
    '"quoted" `and` [so] on',
    "100% _like_ \\ ?1 :name $x @y",
    "łódź 🃏 ‮right to left‬ é",
    "two\nlines\tand a \x00 in it",
    "",
]


def lobby_info(match: str = "m1", **changes: Any) -> MatchInfo:
    info = MatchInfo(
        match, "wizard", 1, '{"rounds":null}', Status.LOBBY, 5, Place(1, 2, 3), (Seat(5, "Eve"), Seat(6, "Bo"))
    )
    return replace(info, **{"created": 1000, "changed": 1001, **changes})


def start_change(info: MatchInfo, **changes: Any) -> Change:
    after = replace(info, status=Status.RUNNING, revision=info.revision + 1)
    change = Change(
        after, "start", 5, events='[{"to":[0],"card":3}]', checkpoint='{"n":0}', base='{"n":0}', seed="5eed"
    )
    return replace(change, **changes)


def move_change(info: MatchInfo, notation: str = "bid 2", **changes: Any) -> Change:
    number = info.moves + 1
    after = replace(info, revision=info.revision + 1, moves=number)
    move = Move(number, number % 2, number, notation, 5 + number % 2)
    change = Change(after, "play", move=move, events='[{"to":null,"bid":2}]', checkpoint=f'{{"n":{number}}}')
    return replace(change, **changes)


async def start_running(matches: MatchStorage, match: str = "m1", moves: int = 0, **changes: Any) -> MatchInfo:
    info = lobby_info(match, **changes)
    await matches.insert(info, by=5)
    change = start_change(info)
    await matches.commit(change)
    for _ in range(moves):
        change = move_change(change.info)
        await matches.commit(change)
    return change.info


def query_rows(sql: str, *values: object) -> Callable[[sqlite3.Connection], list[tuple[Any, ...]]]:
    def work(raw: sqlite3.Connection) -> list[tuple[Any, ...]]:
        return raw.execute(sql, values).fetchall()

    return work


def insert_note(key: str, value: str = "") -> Callable[[sqlite3.Connection], str]:
    """Return work that inserts a note and returns its key; it fails if the key exists."""

    def work(raw: sqlite3.Connection) -> str:
        raw.execute("INSERT INTO notes (key, value) VALUES (?, ?)", (key, value))
        return key

    return work


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Let the operating system limit the size of files, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def drop_privileges() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
