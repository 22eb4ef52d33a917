"""Stored server settings, and limits that count live matches."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.store.match_store import Place, Seat, Status, TableLimitReached, TableLimits
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import TableOptions
from tests.storage.contract.kinds import MatchStore, SqlAccess, SurfaceStore
from tests.storage.contract.test_lobbies import close_change, hosted_lobby
from tests.storage.samples import lobby_info


async def test_every_setting_comes_back_for_its_own_server_alone(matches: MatchStore) -> None:
    presets = (("jokers", "quick"), ("wizard", "as published"))
    all_of_it = ServerSettings(frozenset({3, 2**62}), False, False, False, None, 1, 2, 3, 4, presets)
    assert await matches.change_server_settings(7, lambda _: all_of_it) == all_of_it
    assert await matches.server_settings(7) == all_of_it
    assert await matches.server_settings(8) == DEFAULT_SERVER_SETTINGS
    await matches.change_server_settings(7, lambda old: replace(old, clock="1 hour", channels=frozenset()))
    assert await matches.server_settings(7) == replace(all_of_it, clock="1 hour", channels=frozenset())
    await asyncio.gather(
        matches.change_server_settings(9, lambda old: replace(old, calls=False)),
        matches.change_server_settings(9, lambda old: replace(old, tables=5)),
        matches.change_server_settings(9, lambda old: replace(old, channels=old.channels | {9})),
    )
    assert await matches.server_settings(9) == ServerSettings(frozenset({9}), calls=False, tables=5)


async def test_a_clock_of_a_newer_version_opens_no_table_and_is_left_alone(matches: MatchStore, sql: SqlAccess) -> None:
    game, bot = GAMES["wizard"], Matches(matches, GAMES, lambda: 7, features=FEATURES)
    await matches.change_server_settings(7, lambda old: replace(old, clock="1 hour"))
    await sql.execute("UPDATE servers SET clock = '2 weeks'")
    server = await bot.lobbies.change_server_settings(7, lambda old: replace(old, calls=False))
    assert (server.clock, server.is_newer, server.calls) == ("2 weeks", True, False)
    assert await sql.query("SELECT clock FROM servers") == [("2 weeks",)]
    opening = game, game.options(), Place(7, 2), Seat(5, "Ada")
    with pytest.raises(RequestRefused, match="I am being updated"):
        await bot.lobbies.open_lobby(*opening, table_options=TableOptions(clock=server.clock))
    assert await matches.find() == []
    info = await bot.lobbies.open_lobby(*opening, table_options=TableOptions(clock="3 days"))
    assert info.table_options.clock == "3 days"


async def test_a_preset_of_another_version_fixes_nothing_and_is_left_alone(matches: MatchStore, sql: SqlAccess) -> None:
    game, bot = GAMES["wizard"], Matches(matches, GAMES, lambda: 7, features=FEATURES)
    await matches.change_server_settings(7, lambda old: old.with_preset("wizard", "of tomorrow"))
    server = await bot.lobbies.change_server_settings(
        7, lambda old: replace(old.with_preset("jokers", "quick"), calls=False)
    )
    assert (server.fixed_preset(game), server.fixed_preset(GAMES["jokers"])) == (None, "quick")
    assert await sql.query("SELECT presets FROM servers") == [('{"jokers": "quick", "wizard": "of tomorrow"}',)]
    info = await bot.lobbies.open_lobby(game, game.options(hands="quick"), Place(7, 2), Seat(5, "Ada"))
    changed = await bot.lobbies.change_option(info.id, 5, "hook", "2")
    assert changed.options == game.options_adapter.dump_json(game.options(hands="quick", hook=2)).decode()
    await matches.change_server_settings(7, lambda old: old.with_preset("wizard", None).with_preset("jokers", None))
    assert await sql.query("SELECT presets FROM servers") == [("{}",)]


async def test_lobbies_are_stale_when_their_rules_are_fixed(matches: MatchStore, surfaces: SurfaceStore) -> None:
    for match, guild in (("m1", 7), ("m2", 8)):
        await matches.insert(replace(lobby_info(match), place=Place(guild, 2)), 5)
    await surfaces.mark_current({"m1": 0, "m2": 0})
    await matches.change_server_settings(7, lambda old: old.with_preset("wizard", "hook"))
    assert await surfaces.stale_matches() == ["m1"]


async def test_lobbies_are_stale_when_computers_may_play_no_longer(matches: MatchStore, surfaces: SurfaceStore) -> None:
    for match, guild in (("m1", 7), ("m2", 8), ("m3", 7)):
        await matches.insert(replace(lobby_info(match), place=Place(guild, 2)), 5)
    (started,) = [info for info in await matches.find(guild=7) if info.id == "m3"]
    await matches.commit(close_change(started, Status.RUNNING))
    await surfaces.mark_current({"m1": 0, "m2": 0, "m3": 1})
    await matches.change_server_settings(7, lambda old: replace(old, calls=False))
    assert await surfaces.stale_matches() == []
    await matches.change_server_settings(7, lambda old: replace(old, computers=False))
    assert await surfaces.stale_matches() == ["m1"]


@pytest.mark.parametrize(
    ("limits", "person"),
    [
        (TableLimits(tables_per_person=2), True),
        (TableLimits(tables_per_server=2), False),
        (TableLimits(9, 9, 2, 2), True),
    ],
)
async def test_live_matches_count_where_they_are_to(matches: MatchStore, limits: TableLimits, person: bool) -> None:
    for number, status in enumerate((Status.RUNNING, Status.PAUSED, Status.OVER)):
        info = hosted_lobby(f"m{number}", 5)
        await matches.insert(info, 5, limits)
        await matches.commit(close_change(info, status))
        if number == 1:
            with pytest.raises(TableLimitReached) as refusal:
                await matches.insert(hosted_lobby("m9", 5), 5, limits)
            assert (refusal.value.is_host_limit, refusal.value.counts_running) == (person, True)
            await matches.commit(close_change(replace(info, revision=1), Status.OVER))
    await matches.insert(hosted_lobby("m8", 5), 5, limits)


async def test_live_matches_of_a_host_count_in_all_servers(matches: MatchStore) -> None:
    limits = TableLimits(matches_per_person=3)
    for number, status in enumerate((Status.RUNNING, Status.PAUSED, Status.OVER, Status.LOBBY)):
        info = hosted_lobby(f"m{number}", 5, guild=number)
        await matches.insert(info, 5, limits)
        if status is not Status.LOBBY:
            await matches.commit(close_change(info, status))
    with pytest.raises(TableLimitReached) as refusal:
        await matches.insert(hosted_lobby("m9", 5, guild=9), 5, limits)
    assert (refusal.value.is_host_limit, refusal.value.is_everywhere) == (True, True)
    assert await matches.load_info("m9") is None
    await matches.insert(hosted_lobby("m8", 6, guild=9), 6, limits)


async def test_only_the_allowed_number_of_simultaneous_tables_in_different_servers_stays(matches: MatchStore) -> None:
    limits = TableLimits(matches_per_person=2)
    tries = (matches.insert(hosted_lobby(f"m{number}", 5, guild=number), 5, limits) for number in range(6))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(each, TableLimitReached) for each in results) == 4
    assert len(await matches.find()) == 2


@pytest.mark.parametrize("limits", [TableLimits(matches_per_person=1), TableLimits(tables_per_person=1)])
async def test_a_practice_match_takes_the_place_of_an_older_one(matches: MatchStore, limits: TableLimits) -> None:
    for number in range(2):
        info = replace(hosted_lobby(f"m{number}", 5), practice=True)
        await matches.insert(info, 5, limits)
        await matches.commit(close_change(info, Status.RUNNING))
    with pytest.raises(TableLimitReached):
        await matches.insert(hosted_lobby("m9", 5), 5, limits)


@pytest.mark.parametrize("limits", [TableLimits(matches_per_person=1), TableLimits(tables_per_person=1)])
async def test_a_practice_match_takes_the_place_of_no_match_that_became_practice(
    matches: MatchStore, limits: TableLimits
) -> None:
    sealed = replace(hosted_lobby("m0", 5), seal="5e" * 16)
    await matches.insert(sealed, 5, limits)
    await matches.commit(close_change(replace(sealed, practice=True), Status.RUNNING))
    with pytest.raises(TableLimitReached):
        await matches.insert(replace(hosted_lobby("m1", 5), practice=True), 5, limits)
