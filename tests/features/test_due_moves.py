"""Moves that a feature makes for people: a feature that names wrong ones, or fails, holds up nobody."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.table.scheduling.computer_turns import FeatureMoves
from engines.hosting.feature import DueMoves, Feature
from engines.hosting.match import MatchSnapshot
from engines.store.rows import NO_ROWS, Rows
from tests.engines.memory_matches import Clock, make_matches, start_match
from tests.engines.memory_store import MemoryStore


class Surfaces:
    async def hand_rows(self, *_: object, fresh: bool) -> Rows:
        return NO_ROWS


def moves_of(*features: Feature) -> FeatureMoves:
    services: Any = SimpleNamespace(
        surfaces=Surfaces(), matches=SimpleNamespace(editor=SimpleNamespace(features=features))
    )
    return FeatureMoves(services, lambda *_: None)


class NamesMoves(Feature):
    name = "names"

    def __init__(self, choose: Callable[[MatchSnapshot], Mapping[int, str]]) -> None:
        self._choose = choose

    def due_moves(self, snapshot: MatchSnapshot, rows: Rows) -> DueMoves:
        return DueMoves(self._choose(snapshot))


def first_move(snapshot: MatchSnapshot) -> dict[int, str]:
    seat = snapshot.due_seats()[0]
    return {seat: snapshot.game.format_move(snapshot.moves(seat)[0])}


def other_seat(snapshot: MatchSnapshot) -> dict[int, str]:
    ((seat, notation),) = first_move(snapshot).items()
    return {(seat + 1) % len(snapshot.info.seats): notation}


def failing_due_moves(snapshot: MatchSnapshot) -> dict[int, str]:
    raise KeyError(snapshot.info.id)


BROKEN: dict[str, Callable[[MatchSnapshot], Mapping[int, str]]] = {
    "an illegal move": lambda snapshot: dict.fromkeys(first_move(snapshot), "bid 60"),
    "no move at all": lambda snapshot: dict.fromkeys(first_move(snapshot), "a pony"),
    "a seat that is not due": other_seat,
    "a seat that is not there": lambda snapshot: {9: "bid 0"},
    "an error": failing_due_moves,
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_broken_feature_is_logged_and_the_others_still_move(
    broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    matches = make_matches(MemoryStore(), Clock())
    snapshot = await matches.cache.get_snapshot(await start_match(matches, rounds=2))
    assert await moves_of(NamesMoves(first_move)).find_due(snapshot) == first_move(snapshot)
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        both = moves_of(NamesMoves(BROKEN[broken]), NamesMoves(first_move))
        assert await both.find_due(snapshot) == first_move(snapshot)
        assert await moves_of(NamesMoves(BROKEN[broken])).find_due(snapshot) == {}
    assert len(caplog.records) == 2


async def test_a_wrong_move_keeps_no_other_seat_of_the_feature_waiting() -> None:
    matches = make_matches(MemoryStore(), Clock())
    snapshot = await matches.cache.get_snapshot(await start_match(matches, rounds=2))
    both = NamesMoves(lambda snapshot: {**other_seat(snapshot), **first_move(snapshot)})
    assert await moves_of(both).find_due(snapshot) == first_move(snapshot)
