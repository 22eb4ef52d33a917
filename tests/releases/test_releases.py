"""A small database of every release: today's code opens it, finds it sound, and every match in it is played on."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from random import Random

import pytest

from cogs.table.scheduling.computer_turns import SECRET_NOTE
from engines import GAMES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.records import record
from engines.store.match_store import Status
from motley import owner_commands
from motley.version import version
from storage import Database, MatchStore, SurfaceStore
from tests.plain.inn import NOW, PEOPLE
from tests.plain.payloads import GUILD
from tests.releases.make import CHOSEN_SETTINGS, kept_databases, unpack_database
from tests.storage.sqlite.openings import query

KEPT = kept_databases()
CONDITIONS = set(Status) - {Status.ASIDE, Status.EXPIRED}
STRANGERS = range(1000, 1010)  # who take what seats are free


@pytest.fixture(params=KEPT)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path: Path = tmp_path / request.param / "motley.db"
    path.parent.mkdir()
    unpack_database(KEPT[request.param], path)
    return path


async def test_every_match_that_is_live_is_played_on_to_its_result(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Database.open(path, clock=lambda: NOW) as database:
        matches, shown = Matches(MatchStore(database), GAMES, lambda: NOW), SurfaceStore(database)
        live = await matches.find()
        if path.parent.name == version():
            assert await matches.server_settings(GUILD) == CHOSEN_SETTINGS
        assert {info.id for info in live} == {info.id async for info in matches.verify_matches()}
        assert [surface for info in live for surface in await shown.surfaces_of(info.id)]
        there = {kind for info in live for kind in decision_kinds(await matches.get_snapshot(info.id))}
        met = await asyncio.gather(*(play_to_end(matches, info.id) for info in live))
        if path.parent.name == version():
            assert set().union(*met) == there, "not every kind of decision is kept"
        for info in live:
            text = await matches.build_record(info.id)
            if text:  # not of one that has gone over to newer rules
                replayed = record.replay(record.parse_record(text), GAMES)
                assert replayed.state == (await matches.get_snapshot(info.id)).state
    said: list[str] = []
    assert owner_commands.check(path, said.append), said
    assert said[-1].startswith(f"{len(query(path, 'SELECT 1 FROM matches'))} matches:")
    assert not [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


async def play_to_end(matches: Matches, match: str) -> set[tuple[str, str]]:
    """By random legal moves of everybody, until there is a result; free seats are taken first.

    The kinds of decisions on the way.
    """
    rng, look, met = Random(match), await matches.get_snapshot(match), set[tuple[str, str]]()
    strangers = iter(STRANGERS)
    if look.info.status is Status.LOBBY:
        while len((await matches.get_snapshot(match)).info.seats) < look.game.seats[0]:
            await matches.join(match, next(strangers), "Somebody")
        await matches.start_match(match, look.info.host)
    while (await matches.get_snapshot(match)).info.status is Status.PAUSED:
        await matches.take_seat(match, next(strangers), "Somebody")
    while (look := await matches.get_snapshot(match)).info.status is Status.RUNNING:
        met |= decision_kinds(look)
        seat = rng.choice(look.due_seats())
        decision, notation = look.decisions()[seat].number, look.game.format_move(rng.choice(look.moves(seat)))
        if look.info.seats[seat].level:
            await matches.play_computer_move(match, seat, decision, notation)
        else:
            await matches.play_move(match, look.info.seats[seat].user, decision, notation)
    assert look.info.status is Status.OVER
    assert look.outcome() is not None
    return met


def decision_kinds(look: MatchSnapshot) -> set[tuple[str, str]]:
    return {(look.info.game, look.decisions()[seat].kind) for seat in look.due_seats()}


def test_that_of_this_version_has_matches_in_every_condition(tmp_path: Path) -> None:
    """`make release` wants it to be as the newest migration makes it; until then it may be older."""
    assert version() in KEPT, "python -m tests.releases.make"
    path = tmp_path / "motley.db"
    unpack_database(KEPT[version()], path)
    found = {(str(game), str(status)) for game, status in query(path, "SELECT game, status FROM matches")}
    assert found >= {(game, status.value) for game in GAMES for status in CONDITIONS}
    assert query(path, "SELECT guild FROM servers") == [(GUILD,)]
    assert {row[0] for row in query(path, "SELECT level FROM seats WHERE user > 0")} > {"", "normal"}


def test_no_kept_database_holds_a_secret(path: Path) -> None:
    """Nobody is in it but the people of the inn, and no key that computers play by."""
    assert query(path, f"SELECT 1 FROM notes WHERE key = '{SECRET_NOTE}'") == []
    assert {name for (name,) in query(path, "SELECT name FROM seats WHERE user > 0")} <= set(PEOPLE)
