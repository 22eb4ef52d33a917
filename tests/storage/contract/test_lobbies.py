"""Stored lobbies: limits on open ones, and one follower per match."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engines.store.match_store import Change, MatchInfo, Place, Status, TableLimitReached, TableLimits, WriteConflict
from tests.storage.contract.kinds import MatchStore
from tests.storage.samples import lobby_info

LIMITS = TableLimits(per_person=2, per_server=4)


def hosted_lobby(match: str, host: int, guild: int = 1) -> MatchInfo:
    return replace(lobby_info(match), host=host, place=Place(guild, 2, 0), seats=())


def close_change(info: MatchInfo, status: Status) -> Change:
    return Change(replace(info, revision=info.revision + 1, status=status), "options", 6)


@pytest.mark.parametrize(("count", "hosts", "is_host_limit"), [(2, 1, True), (4, 9, False)])
async def test_open_lobbies_of_a_host_and_of_a_server_are_limited(
    matches: MatchStore, count: int, hosts: int, is_host_limit: bool
) -> None:
    for number in range(count):
        await matches.insert(hosted_lobby(f"m{number}", 5 + number % hosts), 5, LIMITS)
    with pytest.raises(TableLimitReached) as refusal:
        await matches.insert(hosted_lobby("m4", 5), 5, LIMITS)
    assert refusal.value.is_host_limit is is_host_limit
    assert await matches.load_info("m4") is None
    if is_host_limit:
        await matches.insert(hosted_lobby("m5", 6), 6, LIMITS)
    await matches.insert(hosted_lobby("m6", 5, guild=9), 5, LIMITS)


async def test_matches_that_are_no_open_lobbies_do_not_count(matches: MatchStore) -> None:
    for number, status in enumerate(each for each in Status if each is not Status.LOBBY):
        info = hosted_lobby(f"m{number}", 5)
        await matches.insert(info, 5, TableLimits(per_person=1, per_server=1))
        await matches.commit(close_change(info, status))
    await matches.insert(hosted_lobby("m99", 5), 5, TableLimits(per_person=1, per_server=1))


async def test_only_the_allowed_number_of_simultaneous_tables_stays(matches: MatchStore) -> None:
    tries = (matches.insert(hosted_lobby(f"m{number}", 5), 5, LIMITS) for number in range(6))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, TableLimitReached) for each in results) == 4
    assert len(await matches.find(guild=1)) == 2


@pytest.mark.parametrize(("hosts", "limits"), [((5, 6), LIMITS), ((5, 5), TableLimits(1, 1))])
async def test_a_match_is_played_again_at_one_table(matches: MatchStore, hosts: list[int], limits: TableLimits) -> None:
    """Anyone who opened it already is not told of a limit."""
    tries = (
        matches.insert(replace(hosted_lobby(f"m{n}", host), follows="m9"), 5, limits) for n, host in enumerate(hosts)
    )
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, WriteConflict) for each in results) == 1
    (found,) = await matches.find(follows="m9")
    assert await matches.find(follows="m8") == []
    assert (await matches.load_info(found.id)) == found


async def test_when_that_table_is_closed_there_may_be_another(matches: MatchStore) -> None:
    info = replace(hosted_lobby("m1", 5), follows="m9")
    await matches.insert(info, 5, LIMITS)
    await matches.commit(close_change(info, Status.CANCELLED))
    await matches.insert(replace(hosted_lobby("m2", 5), follows="m9"), 5, LIMITS)
    assert [found.id for found in await matches.find(follows="m9")] == ["m2"]
