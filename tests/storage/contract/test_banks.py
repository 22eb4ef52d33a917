"""Time banks are stored with the move that changes them, and never computed from deadlines that were postponed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.store.match_store import DueRule, MatchInfo, Place, Seat, StoreFailure, WriteConflict
from engines.store.table_options import TableOptions
from tests.engines.memory_matches import Clock, play_first_legal
from tests.storage.contract.kinds import MatchStore, SqlAccess
from tests.storage.samples import lobby_info, move_change, start_change

BANK = TableOptions("2 minutes plus 15 seconds a move", autoplay=False)


async def start_match(matches: Matches) -> str:
    game = GAMES["wizard"]
    info = await matches.lobbies.open_lobby(game, game.options(), Place(1, 2), Seat(5, "Ada"), table_options=BANK)
    for user in (6, 7):
        await matches.lobbies.join(info.id, user, f"user{user}")
    await matches.lobbies.start_match(info.id, 5)
    return info.id


async def begin_timed(matches: MatchStore, match: str) -> MatchInfo:
    lobby = lobby_info(match)
    await matches.insert(lobby, 5)
    change = start_change(lobby, due_rules=(DueRule("clock", 2000, 0, 3, 120),))
    await matches.commit(change)
    return change.info


async def test_every_process_and_every_start_knows_the_same_banks(matches: MatchStore) -> None:
    clock = Clock()
    bots = [
        Matches(matches, GAMES, clock, features=FEATURES) for _ in range(2)
    ]  # several processes, or one after the other
    match, banks = await start_match(bots[1]), [120] * 3
    for used in (30, 10, 0, 105, 5, 7):
        bots = [bots[1], bots[0] if matches.is_shared else Matches(matches, GAMES, clock, features=FEATURES)]
        snapshot = await bots[1].cache.get_fresh_snapshot(match)
        (seat,) = snapshot.due_seats()
        assert snapshot.deadline(seat) == clock.now + banks[seat]
        clock.now += used
        banks[seat] += 15 - used
        info = await play_first_legal(bots[1], match)
        assert info.banks == tuple(banks)
        loaded = await matches.load_info(match)
        assert loaded is not None
        assert loaded.banks == tuple(banks)


async def test_a_move_that_is_not_stored_leaves_bank_and_deadline(matches: MatchStore, sql: SqlAccess) -> None:
    clock = Clock()
    bot = Matches(matches, GAMES, clock, features=FEATURES)
    match = await start_match(bot)
    before, due = await matches.load_info(match), await matches.load_deadlines(match)
    assert before is not None
    taken = "INSERT INTO events (match, revision, idx, move, recipients, body) VALUES (?, ?, 0, 0, NULL, '{}')"
    await sql.execute(taken, match, before.revision + 1)
    clock.now += 50
    with pytest.raises(StoreFailure):  # the place of its event is taken
        await play_first_legal(bot, match)
    assert (await matches.load_info(match), await matches.load_deadlines(match)) == (before, due)


async def test_a_postponement_that_another_process_made_counts(matches: MatchStore) -> None:
    clock = Clock()
    bot, other = (Matches(matches, GAMES, clock, features=FEATURES) for _ in range(2))
    match = await start_match(bot)
    (seat,) = (await bot.cache.get_snapshot(match)).due_seats()
    clock.now += 10
    await matches.record_alive(clock.now)
    clock.now += 60
    await other.due_times.postpone_deadlines()
    assert (await play_first_legal(bot, match)).banks[seat] == 120 - 10 + 15


async def test_a_change_that_builds_on_other_deadlines_writes_nothing(matches: MatchStore) -> None:
    infos = [await begin_timed(matches, match) for match in ("m1", "m2", "m3")]
    stored = {info.id: frozenset(await matches.load_deadlines(info.id)) for info in infos}
    changes = [replace(move_change(info), old_deadlines=stored[info.id]) for info in infos]
    await matches.postpone_deadlines(2010, 2020)
    fresh = {info.id: frozenset(await matches.load_deadlines(info.id)) for info in infos}
    changes[1] = replace(changes[1], old_deadlines=fresh["m2"])
    changes[2] = replace(changes[2], old_deadlines=frozenset())
    results = await asyncio.gather(*map(matches.commit, changes), return_exceptions=True)
    assert [isinstance(each, WriteConflict) for each in results] == [True, False, True]
    assert [await matches.load_info(info.id) for info in infos] == [infos[0], changes[1].info, infos[2]]
    assert await matches.load_deadlines("m1") == [*fresh["m1"]]


@pytest.mark.parametrize("banks", ["", "{}", "[1", '["1", "2"]', "[1]", "[1, 2, 3]"])
async def test_banks_that_cannot_be_read_are_damage(matches: MatchStore, sql: SqlAccess, banks: str) -> None:
    await matches.insert(lobby_info(), by=5)
    await sql.execute("UPDATE matches SET banks = ?, revision = revision + 1", banks)
    info = await matches.load_info("m1")
    assert info is not None
    assert info.damage == "its time banks cannot be read"
