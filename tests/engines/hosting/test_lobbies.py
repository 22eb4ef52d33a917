"""Lobbies: who comes in and who starts, how many may be open, and playing again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.hosting.match import RequestRefused, status_sentence
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import TooManyLobbies
from engines.hosting.matches.rematches import REMATCH_CALL_SECONDS
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.store.match_store import MatchInfo, Place, Seat, Status, TableLimits
from engines.store.table_options import TableOptions
from engines.wizard.model import Options
from tests.engines import memory_matches
from tests.engines.memory_matches import ADA, BELA, CHIDI, DORA, Clock, make_matches, open_lobby, play_out, start_match
from tests.engines.memory_store import MemoryStore

# Coming in and starting


async def test_a_lobby_fills_up_to_the_last_seat_and_no_further_and_nobody_joins_twice(matches: Matches) -> None:
    match = await open_lobby(matches, *range(1, 7))
    for user, refusal in ((7, "All 6 seats are taken"), (1, "already joined")):
        with pytest.raises(RequestRefused, match=refusal):
            await matches.lobbies.join(match, user, "late")
    assert len((await matches.cache.get_snapshot(match)).info.seats) == 6


async def test_two_who_race_for_the_last_place_do_not_both_get_it(matches: Matches) -> None:
    match = await open_lobby(matches, *range(1, 6))
    results = await asyncio.gather(*(matches.lobbies.join(match, user, "x") for user in (8, 9)), return_exceptions=True)
    assert sum(isinstance(one, RequestRefused) for one in results) == 1
    assert len((await matches.cache.get_snapshot(match)).info.seats) == 6


async def test_only_the_host_starts_and_only_with_enough_players(matches: Matches) -> None:
    match = await open_lobby(matches, ADA, BELA)
    with pytest.raises(RequestRefused, match="needs at least 3 players; 2 have joined"):
        await matches.lobbies.start_match(match, ADA)
    await matches.lobbies.join(match, CHIDI, "Chidi")
    with pytest.raises(RequestRefused, match="Only the host"):
        await matches.lobbies.start_match(match, BELA)
    assert (await matches.lobbies.start_match(match, ADA)).status is Status.RUNNING
    with pytest.raises(RequestRefused, match="already started"):
        await matches.lobbies.start_match(match, ADA)


async def test_the_next_person_becomes_host_and_the_last_one_to_leave_closes_the_lobby_or_ends_the_match(
    matches: Matches,
) -> None:
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    await matches.lobbies.hand_over_host(match, ADA, BELA)
    assert (await matches.seating.remove_player(match, CHIDI, by=99)).host == BELA
    assert (await matches.seating.remove_player(match, BELA, by=99)).host == ADA
    match = await open_lobby(matches, ADA, BELA)
    assert (await matches.seating.leave_match(match, ADA)).host == BELA
    assert (await matches.seating.leave_match(match, BELA)).status is Status.CANCELLED
    match = await start_match(matches)
    info = await matches.seating.leave_match(match, ADA)
    assert (info.host, info.status) == (BELA, Status.PAUSED)
    assert (await matches.seating.leave_match(match, BELA)).status is Status.PAUSED
    assert (await matches.seating.leave_match(match, CHIDI)).status is Status.ENDED


async def test_no_lobby_is_opened_with_impossible_table_options(matches: Matches) -> None:
    table_options: Any = TableOptions(clock="2 hours")  # type: ignore[arg-type]
    with pytest.raises(RequestRefused, match="Clock can be none, or 30 seconds"):
        await matches.lobbies.open_lobby(
            memory_matches.WIZARD, Options(), Place(1, 2), Seat(ADA, "Ada"), table_options=table_options
        )


async def test_the_host_hands_over_only_to_somebody_else_at_the_table(matches: Matches) -> None:
    match = await open_lobby(matches, ADA, BELA)
    for host, to, refusal in (
        (ADA, DORA, "Only a player at this table"),
        (ADA, ADA, "You are already the host"),
        (BELA, BELA, "Only the host"),
    ):
        with pytest.raises(RequestRefused, match=refusal):
            await matches.lobbies.hand_over_host(match, host, to)
    assert (await matches.cache.get_snapshot(match)).info.revision == 1
    assert (await matches.lobbies.hand_over_host(match, ADA, BELA)).host == BELA


async def test_a_lobby_expires_after_a_day_and_not_before(matches: Matches, clock: Clock) -> None:
    match = await open_lobby(matches, ADA)
    clock.now += LOBBY_SECONDS - 1
    with pytest.raises(RequestRefused):
        await matches.lobbies.expire_lobby(match)
    clock.now += 1
    assert (await matches.lobbies.expire_lobby(match)).status is Status.EXPIRED
    with pytest.raises(RequestRefused, match="cancelled"):
        await matches.lobbies.join(match, BELA, "Bela")


async def test_a_lobby_whose_channel_is_gone_is_closed_and_a_match_is_not(matches: Matches) -> None:
    match, running = await open_lobby(matches, ADA, BELA), await open_lobby(matches, ADA, BELA, CHIDI)
    await matches.lobbies.start_match(running, ADA)
    info = await matches.lobbies.close_lost_lobby(match)
    assert info.status is Status.CANCELLED
    assert status_sentence(info) == "This match was cancelled before it started. Its channel was deleted."
    assert [(action.action, action.by, action.reason) for action in await matches.lookup.load_history(match)][-1:] == [
        ("cancel", 0, "Its channel was deleted.")
    ]
    for closed in (match, running):
        with pytest.raises(RequestRefused):
            await matches.lobbies.close_lost_lobby(closed)


# How many


async def open_lobby_in(matches: Matches, host: int, guild: int = 1) -> MatchInfo:
    return await matches.lobbies.open_lobby(
        memory_matches.WIZARD, Options(), Place(guild, 2), Seat(host, f"user{host}")
    )


async def test_a_person_has_at_most_three_open_lobbies_in_a_server(matches: Matches) -> None:
    for _ in range(3):
        await start_match(matches)  # no open lobby
    own = [await open_lobby_in(matches, ADA) for _ in range(3)]
    with pytest.raises(TooManyLobbies, match=r"You host 3 open tables .* Start one of them first") as refusal:
        await open_lobby_in(matches, ADA)
    assert {info.id for info in refusal.value.lobbies} == {info.id for info in own}
    await open_lobby_in(matches, BELA)
    await open_lobby_in(matches, ADA, guild=2)
    await matches.lobbies.cancel_lobby(own[0].id, ADA)
    await open_lobby_in(matches, ADA)


async def test_a_server_has_at_most_25_open_lobbies(matches: Matches) -> None:
    for host in range(25):
        await open_lobby_in(matches, 100 + host)
    with pytest.raises(TooManyLobbies, match="There are 25 open tables on this server") as refusal:
        await open_lobby_in(matches, ADA)
    assert len(refusal.value.lobbies) == 25
    await open_lobby_in(matches, ADA, guild=2)


async def test_the_limits_are_settings(store: MemoryStore, clock: Clock) -> None:
    matches = make_matches(store, clock, limits=TableLimits(per_person=1, per_server=2))
    await open_lobby_in(matches, ADA)
    with pytest.raises(TooManyLobbies):
        await open_lobby_in(matches, ADA)
    await open_lobby_in(matches, BELA)
    with pytest.raises(TooManyLobbies):
        await open_lobby_in(matches, CHIDI)


async def test_running_matches_count_towards_what_a_person_may_host_in_all_servers(
    store: MemoryStore, clock: Clock
) -> None:
    matches = make_matches(store, clock, limits=TableLimits(matches_per_person=3))
    await start_match(matches)
    own = [await open_lobby_in(matches, ADA, guild=guild) for guild in (2, 3)]
    with pytest.raises(TooManyLobbies, match=r"You host 3 tables .* across all servers, .* Finish one") as refusal:
        await open_lobby_in(matches, ADA, guild=4)
    assert len(refusal.value.lobbies) == 3
    await open_lobby_in(matches, BELA, guild=4)
    lobby = await open_lobby(matches, BELA, ADA, CHIDI)
    with pytest.raises(RequestRefused, match="They already host 3 open tables, which"):
        await matches.lobbies.hand_over_host(lobby, BELA, ADA)
    await matches.lobbies.cancel_lobby(own[0].id, ADA)
    assert (await matches.lobbies.hand_over_host(lobby, BELA, ADA)).host == ADA


async def test_the_hosts_part_of_a_lobby_goes_to_nobody_who_has_as_many_as_may_be(matches: Matches) -> None:
    for _ in range(3):
        await open_lobby_in(matches, BELA)
    match = await open_lobby(matches, ADA, BELA, CHIDI)
    with pytest.raises(RequestRefused, match="already host 3 open tables here"):
        await matches.lobbies.hand_over_host(match, ADA, BELA)
    assert (await matches.lobbies.hand_over_host(match, ADA, CHIDI)).host == CHIDI
    await matches.lobbies.start_match(match, CHIDI)
    assert (await matches.lobbies.hand_over_host(match, CHIDI, BELA)).host == BELA


# Playing again


async def test_playing_again_seats_people_as_they_come_once_it_is_over(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, ADA, BELA, CHIDI)
    with pytest.raises(RequestRefused, match="not over yet"):
        await matches.rematches.join_rematch(match, ADA, "Ada")
    match = await play_out(matches, ADA, BELA, CHIDI)
    first = await matches.rematches.join_rematch(match, CHIDI, "Chidi")
    assert (first.outcome, first.info.host, first.info.follows) == ("opened", CHIDI, match)
    assert first.info.options == (await matches.cache.get_snapshot(match)).info.options
    second = await matches.rematches.join_rematch(match, ADA, "Ada")
    assert (second.outcome, second.info.id) == ("joined", first.info.id)
    assert [seat.user for seat in second.info.seats] == [CHIDI, ADA]
    assert (await matches.rematches.join_rematch(match, ADA, "Ada")).outcome == "there"
    assert len(await matches.lookup.find(statuses=frozenset({Status.LOBBY}))) == 1
    await matches.lobbies.cancel_lobby(first.info.id, CHIDI)
    third = await matches.rematches.join_rematch(match, BELA, "Bela")
    assert (third.outcome, third.info.host) == ("opened", BELA)
    clock.now += LOBBY_SECONDS
    await matches.lobbies.expire_lobby(third.info.id)
    assert (await matches.rematches.join_rematch(match, BELA, "Bela")).outcome == "opened"


async def test_playing_again_is_for_those_who_sat_there(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    with pytest.raises(RequestRefused, match=r"people who played in this match .* You can open .* `/wizard new`"):
        await matches.rematches.join_rematch(match, DORA, "Dora")
    await matches.rematches.join_rematch(match, ADA, "Ada")
    with pytest.raises(RequestRefused, match="people who played"):
        await matches.rematches.join_rematch(match, DORA, "Dora")


async def test_playing_again_at_once_opens_one_lobby(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    results = await asyncio.gather(
        *(matches.rematches.join_rematch(match, user, "x") for user in (ADA, BELA, CHIDI, ADA))
    )
    assert sorted(each.outcome for each in results) == ["joined", "joined", "opened", "there"]
    (info,) = await matches.lookup.find()
    assert {seat.user for seat in info.seats} == {ADA, BELA, CHIDI}


async def test_somebody_who_comes_after_the_start_is_told_and_opens_nothing(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    new = (await matches.rematches.join_rematch(match, ADA, "Ada")).info.id
    for user in (BELA, DORA):
        await matches.lobbies.join(new, user, "x")
    await matches.lobbies.start_match(new, ADA)
    assert (await matches.rematches.join_rematch(match, ADA, "Ada")).outcome == "there"
    late = await matches.rematches.join_rematch(match, CHIDI, "Chidi")
    assert (late.outcome, late.info.id) == ("begun", new)
    assert len(await matches.lookup.find()) == 1


async def test_playing_again_is_limited_as_any_opening_is(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    for _ in range(3):
        await open_lobby_in(matches, ADA)
    with pytest.raises(TooManyLobbies):
        await matches.rematches.join_rematch(match, ADA, "Ada")
    assert (await matches.rematches.join_rematch(match, BELA, "Bela")).outcome == "opened"
    assert (await matches.rematches.join_rematch(match, ADA, "Ada")).outcome == "joined"


async def test_the_others_are_called_once_in_ten_minutes_also_after_a_restart(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    await matches.rematches.note_rematch_call(match, ADA)
    clock.now += REMATCH_CALL_SECONDS - 1
    for each in (matches, make_matches(store, clock)):
        with pytest.raises(RequestRefused, match="less than ten minutes ago"):
            await each.rematches.note_rematch_call(match, BELA)
    clock.now += 1
    assert (await make_matches(store, clock).rematches.note_rematch_call(match, BELA)).called == clock.now
    assert (store.changes[-1].action, store.changes[-1].by) == ("call", BELA)


async def test_one_of_two_simultaneous_calls_is_made(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    results = await asyncio.gather(
        *(matches.rematches.note_rematch_call(match, user) for user in (ADA, BELA)), return_exceptions=True
    )
    assert sum(isinstance(each, RequestRefused) for each in results) == 1
