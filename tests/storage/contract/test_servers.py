"""What a server has chosen for its tables, as it is kept; and the limits that count matches that go on."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engines import GAMES
from engines.hosting.match import Refused
from engines.hosting.matches import Matches
from engines.store.match_store import Crowded, Limits, Place, Seat, Status
from engines.store.server_settings import UNTOUCHED, Server
from engines.store.table_options import House
from tests.storage.contract.kinds import MatchStore, Sql, SurfaceStore
from tests.storage.contract.test_lobbies import closed, hosted
from tests.storage.samples import lobby


async def test_every_setting_comes_back_for_its_own_server_alone(matches: MatchStore) -> None:
    all_of_it = Server(frozenset({3, 2**62}), False, False, False, None, 1, 2, 3, 4)
    assert await matches.arrange(7, lambda _: all_of_it) == all_of_it
    assert await matches.server(7) == all_of_it
    assert await matches.server(8) == UNTOUCHED
    await matches.arrange(7, lambda old: replace(old, clock="1 hour", channels=frozenset()))
    assert await matches.server(7) == replace(all_of_it, clock="1 hour", channels=frozenset())


async def test_a_clock_of_a_newer_version_opens_no_table_and_stays_whatever_else_is_changed(
    matches: MatchStore, sql: Sql
) -> None:
    game, bot = GAMES["wizard"], Matches(matches, GAMES, lambda: 7)
    await matches.arrange(7, lambda old: replace(old, clock="1 hour"))
    await sql.write("UPDATE servers SET clock = '2 weeks'")
    server = await bot.arrange(7, lambda old: replace(old, calls=False))
    assert (server.clock, server.newer, server.calls) == ("2 weeks", True, False)
    assert await sql.rows("SELECT clock FROM servers") == [("2 weeks",)]
    with pytest.raises(Refused, match="I am being updated"):
        await bot.open(game, game.options(), Place(7, 2), Seat(5, "Ada"), house=House(clock=server.clock))
    assert await matches.find() == []
    info = await bot.open(game, game.options(), Place(7, 2), Seat(5, "Ada"), house=House(clock="3 days"))
    assert info.house.clock == "3 days"


async def test_several_changes_at_once_all_count(matches: MatchStore) -> None:
    await asyncio.gather(
        matches.arrange(7, lambda old: replace(old, calls=False)),
        matches.arrange(7, lambda old: replace(old, tables=5)),
        matches.arrange(7, lambda old: replace(old, channels=old.channels | {9})),
    )
    assert await matches.server(7) == Server(frozenset({9}), calls=False, tables=5)


async def test_lobbies_of_a_server_are_behind_when_computers_may_sit_down_no_longer(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    for match, guild in (("m1", 7), ("m2", 8), ("m3", 7)):
        await matches.insert(replace(lobby(match), place=Place(guild, 2)), 5)
    (started,) = [info for info in await matches.find(guild=7) if info.id == "m3"]
    await matches.commit(closed(started, Status.RUNNING))
    await surfaces.settled({"m1": 0, "m2": 0, "m3": 1})
    await matches.arrange(7, lambda old: replace(old, calls=False))
    assert await surfaces.behind() == []
    await matches.arrange(7, lambda old: replace(old, computers=False))
    assert await surfaces.behind() == ["m1"]


@pytest.mark.parametrize(
    ("limits", "person"), [(Limits(own_tables=2), True), (Limits(tables=2), False), (Limits(9, 9, 2, 2), True)]
)
async def test_matches_that_go_on_count_where_they_are_to(matches: MatchStore, limits: Limits, person: bool) -> None:
    for number, status in enumerate((Status.RUNNING, Status.PAUSED, Status.OVER)):
        info = hosted(f"m{number}", 5)
        await matches.insert(info, 5, limits)
        await matches.commit(closed(info, status))
        if number == 1:
            with pytest.raises(Crowded) as refusal:
                await matches.insert(hosted("m9", 5), 5, limits)
            assert (refusal.value.person, refusal.value.going) == (person, True)
            await matches.commit(replace(closed(info, Status.OVER), info=replace(info, revision=2, status=Status.OVER)))
    await matches.insert(hosted("m8", 5), 5, limits)
