"""A damaged match is set aside alone, whatever part of it is unreadable."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from engines.features.registry import FEATURES
from engines.hosting.match import NewerMatch, RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, Status, TableLimits
from engines.store.table_options import TableOptions
from storage import Database, MatchStore
from tests.engines import memory_matches
from tests.engines.memory_matches import play_first_legal, reload_live
from tests.games import GAMES
from tests.storage.sqlite.conftest import NOW
from tests.storage.sqlite.openings import query

SEED = "5eed" * 8
USERS = (11, 12, 13, 14)
BYTES = "CAST(x'ff80' AS TEXT)"  # a text that is not UTF-8

DAMAGE = {
    "votes that are no JSON": "UPDATE matches SET votes = '[1,' WHERE match = ?",
    "votes that are no list": "UPDATE matches SET votes = '7' WHERE match = ?",
    "votes of nobody": "UPDATE matches SET votes = '[\"x\"]' WHERE match = ?",
    "votes in endless brackets": "UPDATE matches SET votes = replace(hex(zeroblob(50000)), '0', '[') WHERE match = ?",
    "options that are no JSON": "UPDATE matches SET options = '{' WHERE match = ?",
    "options of another kind": 'UPDATE matches SET options = \'{"rounds":"many","banners":"x"}\' WHERE match = ?',
    "options that are no UTF-8": f"UPDATE matches SET options = {BYTES} WHERE match = ?",
    "an unknown status": "UPDATE matches SET status = 'runming' WHERE match = ?",
    "a status that is no UTF-8": f"UPDATE matches SET status = {BYTES} WHERE match = ?",
    "the status of a lobby": "UPDATE matches SET status = 'lobby' WHERE match = ?",
    "a host from elsewhere": "UPDATE matches SET host = -9 WHERE match = ?",
    "one seat less": "DELETE FROM seats WHERE seat = 1 AND match = ?",
    "no seats": "DELETE FROM seats WHERE match = ?",
    "seats in other places": "UPDATE seats SET seat = seat + 5 WHERE match = ?",
    "no state": "DELETE FROM states WHERE match = ?",
    "no base": "DELETE FROM bases WHERE match = ?",
    "another base": "UPDATE bases SET checkpoint = replace(checkpoint, '0', '1') WHERE match = ?",
    "a base that is no JSON": "UPDATE bases SET checkpoint = '' WHERE match = ?",
    "a base of later": "UPDATE bases SET moves = 1 WHERE match = ?",
    "another seed": "UPDATE states SET seed = replace(seed, '5', '6') WHERE match = ?",
    "another checkpoint": "UPDATE states SET checkpoint = replace(checkpoint, '0', '1') WHERE match = ?",
    "a checkpoint that is no UTF-8": f"UPDATE states SET checkpoint = checkpoint || {BYTES} WHERE match = ?",
    "no moves": "DELETE FROM moves WHERE match = ?",
    "one move less": "DELETE FROM moves WHERE number = 2 AND match = ?",
    "moves that are no UTF-8": f"UPDATE moves SET notation = {BYTES} WHERE match = ?",
    "moves of another seat": "UPDATE moves SET seat = seat + 1000000 WHERE match = ?",
    "moves of a seat below the first": "UPDATE moves SET seat = -1 WHERE match = ?",
    "fewer moves counted": "UPDATE matches SET moves = 0 WHERE match = ?",
    "games of another kind": "UPDATE matches SET game = 'wizard', rules = 1 WHERE match = ?",
}
NOTHING = {
    "events that are no JSON": "UPDATE events SET body = '{' WHERE match = ?",
    "no history": "DELETE FROM history WHERE match = ?",
    "names that are no UTF-8": f"UPDATE seats SET name = {BYTES} WHERE match = ?",
}


@asynccontextmanager
async def open_matches(path: Path) -> AsyncIterator[Matches]:
    async with Database.open(path, clock=lambda: NOW) as database:
        limits = TableLimits(matches_per_person=len(DAMAGE) + 1)
        yield Matches(
            MatchStore(database),
            GAMES,
            lambda: NOW,
            sources=MatchSources(new_chance=lambda: Chance(SEED)),
            limits=limits,
            features=FEATURES,
        )


async def start_match(matches: Matches, game: AnyGame) -> str:
    match = await memory_matches.start_match(matches, *USERS[: game.seats[0]], table_options=TableOptions(), game=game)
    for _ in range(3):
        await play_first_legal(matches, match)
    return match


def damage_matches(path: Path, *changes: tuple[str, str]) -> None:
    """Change stored matches as a failing disk does, without the database's own checks."""
    with closing(sqlite3.connect(path)) as raw, raw:
        (trigger,) = raw.execute("SELECT sql FROM sqlite_schema WHERE name = 'matches_in_order'").fetchone()
        raw.execute("DROP TRIGGER matches_in_order")
        for sql, match in changes:
            assert raw.execute(sql, (match,)).rowcount > 0, sql
        raw.execute(trigger)


async def make_damaged(path: Path, sql: str, game: str = "jest") -> str:
    async with open_matches(path) as matches:
        match = await start_match(matches, GAMES[game])
    damage_matches(path, (sql, match))
    return match


async def assert_goes_on(path: Path, match: str) -> None:
    async with open_matches(path) as reopened:
        assert (await play_first_legal(reopened, match)).moves == 4


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_a_damaged_match_is_set_aside_and_named_and_all_others_resume(
    path: Path, game: AnyGame, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_matches(path) as matches:
        bad = {fault: await start_match(matches, game) for fault in DAMAGE}
        good = await start_match(matches, game)
        before = await matches.cache.get_snapshot(good)
    damage_matches(path, *((DAMAGE[fault].replace(f"'{game.key}'", "'court'"), match) for fault, match in bad.items()))
    async with open_matches(path) as reopened:
        with caplog.at_level(logging.WARNING):
            assert [info.id for info in await reload_live(reopened) if info.status in LIVE] == [good]
        assert "Traceback" not in caplog.text
        assert SEED not in caplog.text
        aside = {info.id for info in await reopened.lookup.find(statuses=frozenset({Status.ASIDE}))}
        for fault, match in bad.items():
            assert f"Match {match} " in caplog.text, fault
            assert match in aside, fault
            await check_all_refused(reopened, match)
        assert await reopened.cache.get_snapshot(good) == before
        assert (await play_first_legal(reopened, good)).moves == before.info.moves + 1


async def check_all_refused(matches: Matches, match: str) -> None:
    """Check that a match that was set aside says so, and can be reset."""
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.info.status is Status.ASIDE
    assert snapshot.info.reason
    with pytest.raises(RequestRefused, match=r"set aside|not sitting"):
        await matches.moves.play_move(match, USERS[0], None, "bid 0")
    with pytest.raises(RequestRefused, match=r"set aside"):
        await matches.seating.take_seat(match, 99, "Zoe")
    assert (await matches.seating.reset_match(match, by=99)).status is Status.RESET


async def test_an_id_that_cannot_be_read_is_looked_at_once_and_all_others_are(path: Path) -> None:
    await make_damaged(path, f"UPDATE matches SET match = {BYTES} WHERE match = ?")
    async with open_matches(path) as matches:
        good = await start_match(matches, GAMES["jest"])
    async with open_matches(path) as reopened, asyncio.timeout(60):
        assert [info.id for info in await reload_live(reopened)] == [good]


async def test_a_match_that_is_said_to_be_over_and_is_not_is_no_result(path: Path) -> None:
    match = await make_damaged(path, "UPDATE matches SET status = 'over' WHERE match = ?")
    async with open_matches(path) as reopened:
        assert await reload_live(reopened) == []
        snapshot = await reopened.cache.get_snapshot(match)
        assert (snapshot.info.status, snapshot.outcome()) == (Status.ASIDE, None)
        with pytest.raises(RequestRefused):
            await reopened.records.build_record(match)


@pytest.mark.parametrize("sql", NOTHING.values(), ids=NOTHING)
async def test_a_missing_thing_that_a_match_can_do_without_does_not_stop_it(path: Path, sql: str) -> None:
    match = await make_damaged(path, sql)
    async with open_matches(path) as reopened:
        assert [info.status for info in await reload_live(reopened)] == [Status.RUNNING]
    await assert_goes_on(path, match)


async def test_setting_aside_leaves_what_was_kept_as_it_was(path: Path) -> None:
    match = await make_damaged(path, "UPDATE matches SET votes = '[1,' WHERE match = ?", "wizard")
    tables = [f"SELECT * FROM {name}" for name in ("seats", "states", "bases", "moves")]
    before = [query(path, sql) for sql in tables]
    async with Database.open(path, clock=lambda: NOW) as database:
        store = MatchStore(database)
        await reload_live(Matches(store, GAMES, lambda: NOW, features=FEATURES))
        assert (await store.load_history(match))[-1].action == "set aside"
    assert query(path, "SELECT status, votes FROM matches") == [("aside", "[1,")]
    assert [query(path, sql) for sql in tables] == before


@pytest.mark.parametrize("newer", ["rules = 99", "game = 'go'"])
async def test_a_newer_match_is_refused_and_not_written_to(path: Path, newer: str) -> None:
    match = await make_damaged(path, f"UPDATE matches SET {newer} WHERE match = ?")
    before = query(path, "SELECT * FROM matches")
    async with open_matches(path) as reopened:
        assert await reload_live(reopened) == []
        for refused in (reopened.cache.get_snapshot(match), reopened.seating.reset_match(match, by=99)):
            with pytest.raises(NewerMatch):
                await refused
        assert [info.id for info in await reopened.lookup.find()] == [match]
    assert query(path, "SELECT * FROM matches") == before
    damage_matches(path, ("UPDATE matches SET rules = 1, game = 'jest' WHERE match = ?", match))
    await assert_goes_on(path, match)


async def test_a_status_that_is_unknown_is_not_written_over(path: Path) -> None:
    match = await make_damaged(path, "UPDATE matches SET status = 'waiting' WHERE match = ?")
    async with open_matches(path) as reopened:
        assert await reload_live(reopened) == []
        assert (await reopened.cache.get_snapshot(match)).info.reason == "its status is unknown"
    damage_matches(path, ("UPDATE matches SET status = 'running' WHERE match = ?", match))
    await assert_goes_on(path, match)


async def test_a_damaged_text_is_not_told_by_the_log(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    match = await make_damaged(path, f"UPDATE moves SET notation = 'offer QH' || {BYTES} WHERE match = ?")
    caplog.set_level(logging.DEBUG)
    async with open_matches(path) as reopened:
        await reload_live(reopened)
    assert match in caplog.text
    assert "QH" not in caplog.text


async def test_a_match_of_before_the_seals_is_read_as_it_is(path: Path) -> None:
    await assert_goes_on(path, await make_damaged(path, "UPDATE bases SET seal = '' WHERE match = ?"))
