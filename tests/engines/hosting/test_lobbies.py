"""Lobbies: who comes in and who starts, how many may be open, and playing again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.hosting.due_times import LOBBY_SECONDS
from engines.hosting.lobbies import TooManyLobbies
from engines.hosting.match import Refused, standing
from engines.hosting.matches import Matches
from engines.hosting.rematch import CALL_SECONDS
from engines.store.match_store import Info, Limits, Place, Seat, Status
from engines.store.table_options import House
from engines.wizard.model import Options
from tests.engines.at_tables import ADA, BELA, CHIDI, DORA, WIZARD, Clock, lobby, over, played_out, started
from tests.engines.memory_store import MemoryStore

# Coming in and starting


async def test_a_lobby_fills_up_to_the_last_seat_and_no_further(matches: Matches) -> None:
    match = await lobby(matches, *range(1, 7))
    with pytest.raises(Refused, match="All 6 places are taken"):
        await matches.join(match, 7, "late")
    assert len((await matches.look(match)).info.seats) == 6


async def test_two_who_race_for_the_last_place_do_not_both_get_it(matches: Matches) -> None:
    match = await lobby(matches, *range(1, 6))
    done = await asyncio.gather(*(matches.join(match, user, "x") for user in (8, 9)), return_exceptions=True)
    assert sum(isinstance(one, Refused) for one in done) == 1
    assert len((await matches.look(match)).info.seats) == 6


async def test_nobody_joins_twice(matches: Matches) -> None:
    match = await lobby(matches, ADA)
    with pytest.raises(Refused, match="already joined"):
        await matches.join(match, ADA, "again")


async def test_only_the_host_starts_and_only_with_enough_players(matches: Matches) -> None:
    match = await lobby(matches, ADA, BELA)
    with pytest.raises(Refused, match="needs at least 3 players; 2 have joined"):
        await matches.start(match, ADA)
    await matches.join(match, CHIDI, "Chidi")
    with pytest.raises(Refused, match="Only the host"):
        await matches.start(match, BELA)
    assert (await matches.start(match, ADA)).status is Status.RUNNING
    with pytest.raises(Refused, match="already started"):
        await matches.start(match, ADA)


async def test_a_leaving_host_hands_the_lobby_over_and_the_last_one_closes_it(matches: Matches) -> None:
    match = await lobby(matches, ADA, BELA)
    assert (await matches.leave(match, ADA)).host == BELA
    assert (await matches.leave(match, BELA)).status is Status.CANCELLED


async def test_who_is_host_stays_so_when_an_admin_takes_somebody_else_out(matches: Matches) -> None:
    match = await lobby(matches, ADA, BELA, CHIDI)
    await matches.hand_over(match, ADA, BELA)
    assert (await matches.remove(match, CHIDI, by=99)).host == BELA
    assert (await matches.remove(match, BELA, by=99)).host == ADA


async def test_the_host_does_not_hand_over_to_themselves(matches: Matches) -> None:
    match = await lobby(matches, ADA, BELA)
    with pytest.raises(Refused, match="You are the host already"):
        await matches.hand_over(match, ADA, ADA)
    assert (await matches.look(match)).info.revision == 1


async def test_no_lobby_is_opened_with_options_of_the_house_that_cannot_be(matches: Matches) -> None:
    house: Any = House(clock="2 hours")  # type: ignore[arg-type]
    with pytest.raises(Refused, match="Clock can be none, or 5 minutes"):
        await matches.open(WIZARD, Options(), Place(1, 2), Seat(ADA, "Ada"), house=house)


async def test_the_host_hands_over_only_to_somebody_at_the_table(matches: Matches) -> None:
    match = await lobby(matches, ADA, BELA)
    with pytest.raises(Refused, match="Only somebody at the table"):
        await matches.hand_over(match, ADA, DORA)
    with pytest.raises(Refused, match="Only the host"):
        await matches.hand_over(match, BELA, BELA)
    assert (await matches.hand_over(match, ADA, BELA)).host == BELA


async def test_a_lobby_expires_after_a_day_and_not_before(matches: Matches, clock: Clock) -> None:
    match = await lobby(matches, ADA)
    clock.now += LOBBY_SECONDS - 1
    with pytest.raises(Refused):
        await matches.expire(match)
    clock.now += 1
    assert (await matches.expire(match)).status is Status.EXPIRED
    with pytest.raises(Refused, match="closed"):
        await matches.join(match, BELA, "Bela")


async def test_a_lobby_whose_channel_is_gone_is_closed_and_a_match_is_not(matches: Matches) -> None:
    match, begun = await lobby(matches, ADA, BELA), await lobby(matches, ADA, BELA, CHIDI)
    await matches.start(begun, ADA)
    info = await matches.lose(match)
    assert info.status is Status.CANCELLED
    assert standing(info) == "This match was closed before it started. Its channel was deleted."
    assert [(deed.action, deed.by, deed.reason) for deed in await matches.history(match)][-1:] == [
        ("cancel", 0, "Its channel was deleted.")
    ]
    for closed in (match, begun):
        with pytest.raises(Refused):
            await matches.lose(closed)


# How many


async def opened(matches: Matches, host: int, guild: int = 1) -> Info:
    """A lobby in that server."""
    return await matches.open(WIZARD, Options(), Place(guild, 2), Seat(host, f"user{host}"))


async def test_a_person_has_at_most_three_open_lobbies_in_a_server(matches: Matches) -> None:
    own = [await opened(matches, ADA) for _ in range(3)]
    with pytest.raises(TooManyLobbies, match=r"host of 3 open tables .* Start one of them first") as refusal:
        await opened(matches, ADA)
    assert {info.id for info in refusal.value.lobbies} == {info.id for info in own}
    await opened(matches, BELA)
    await opened(matches, ADA, guild=2)
    await matches.cancel(own[0].id, ADA)
    await opened(matches, ADA)


async def test_a_server_has_at_most_25_open_lobbies(matches: Matches) -> None:
    for host in range(25):
        await opened(matches, 100 + host)
    with pytest.raises(TooManyLobbies, match="There are 25 open tables in this server") as refusal:
        await opened(matches, ADA)
    assert len(refusal.value.lobbies) == 25
    await opened(matches, ADA, guild=2)


async def test_of_many_that_are_opened_at_once_only_as_many_as_may_be_are(matches: Matches) -> None:
    done = await asyncio.gather(*(opened(matches, ADA) for _ in range(8)), return_exceptions=True)
    assert sum(isinstance(each, TooManyLobbies) for each in done) == 5
    assert len(await matches.find(guild=1)) == 3


async def test_the_limits_are_settings(store: MemoryStore, clock: Clock) -> None:
    matches = over(store, clock, limits=Limits(person=1, server=2))
    await opened(matches, ADA)
    with pytest.raises(TooManyLobbies):
        await opened(matches, ADA)
    await opened(matches, BELA)
    with pytest.raises(TooManyLobbies):
        await opened(matches, CHIDI)


async def test_a_started_match_is_no_open_lobby(matches: Matches) -> None:
    for _ in range(3):
        await started(matches)
    assert (await opened(matches, ADA)).status is Status.LOBBY


async def test_the_hosts_part_of_a_lobby_goes_to_nobody_who_has_as_many_as_may_be(matches: Matches) -> None:
    for _ in range(3):
        await opened(matches, BELA)
    match = await lobby(matches, ADA, BELA, CHIDI)
    with pytest.raises(Refused, match="host of 3 open tables here already"):
        await matches.hand_over(match, ADA, BELA)
    assert (await matches.hand_over(match, ADA, CHIDI)).host == CHIDI
    await matches.start(match, CHIDI)
    assert (await matches.hand_over(match, CHIDI, BELA)).host == BELA


# Playing again


async def test_playing_again_seats_people_as_they_come(matches: Matches) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    first = await matches.again(match, CHIDI, "Chidi")
    assert (first.how, first.info.host, first.info.follows) == ("opened", CHIDI, match)
    assert first.info.options == (await matches.look(match)).info.options
    second = await matches.again(match, ADA, "Ada")
    assert (second.how, second.info.id) == ("joined", first.info.id)
    assert [seat.user for seat in second.info.seats] == [CHIDI, ADA]
    assert (await matches.again(match, ADA, "Ada")).how == "there"
    assert len(await matches.find()) == 1


async def test_playing_again_is_for_those_who_sat_there(matches: Matches) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    with pytest.raises(Refused, match=r"those who have played this match. You may open .* `/wizard new`"):
        await matches.again(match, DORA, "Dora")
    await matches.again(match, ADA, "Ada")
    with pytest.raises(Refused, match="those who have played"):
        await matches.again(match, DORA, "Dora")


async def test_playing_again_at_once_opens_one_lobby(matches: Matches) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    done = await asyncio.gather(*(matches.again(match, user, "x") for user in (ADA, BELA, CHIDI, ADA)))
    assert sorted(each.how for each in done) == ["joined", "joined", "opened", "there"]
    (info,) = await matches.find()
    assert {seat.user for seat in info.seats} == {ADA, BELA, CHIDI}


async def test_who_comes_after_the_start_is_told_and_opens_nothing(matches: Matches) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    new = (await matches.again(match, ADA, "Ada")).info.id
    for user in (BELA, DORA):
        await matches.join(new, user, "x")
    await matches.start(new, ADA)
    assert (await matches.again(match, ADA, "Ada")).how == "there"
    late = await matches.again(match, CHIDI, "Chidi")
    assert (late.how, late.info.id) == ("begun", new)
    assert len(await matches.find()) == 1


async def test_when_the_new_lobby_was_closed_another_is_opened(matches: Matches, clock: Clock) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    first = (await matches.again(match, ADA, "Ada")).info.id
    await matches.cancel(first, ADA)
    second = await matches.again(match, BELA, "Bela")
    assert (second.how, second.info.host) == ("opened", BELA)
    clock.now += LOBBY_SECONDS
    await matches.expire(second.info.id)
    assert (await matches.again(match, BELA, "Bela")).how == "opened"


async def test_playing_again_is_limited_as_any_opening_is(matches: Matches) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    for _ in range(3):
        await opened(matches, ADA)
    with pytest.raises(TooManyLobbies):
        await matches.again(match, ADA, "Ada")
    assert (await matches.again(match, BELA, "Bela")).how == "opened"
    assert (await matches.again(match, ADA, "Ada")).how == "joined"


async def test_nothing_is_played_again_before_its_end(matches: Matches) -> None:
    match = await started(matches, ADA, BELA, CHIDI)
    with pytest.raises(Refused, match="not over yet"):
        await matches.again(match, ADA, "Ada")


async def test_the_others_are_called_once_in_ten_minutes_also_after_a_restart(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    await matches.call(match, ADA)
    clock.now += CALL_SECONDS - 1
    for each in (matches, over(store, clock)):
        with pytest.raises(Refused, match="less than ten minutes ago"):
            await each.call(match, BELA)
    clock.now += 1
    assert (await over(store, clock).call(match, BELA)).called == clock.now
    assert (store.changes[-1].action, store.changes[-1].by) == ("call", BELA)


async def test_of_two_calls_at_once_one_is_made(matches: Matches) -> None:
    match = await played_out(matches, ADA, BELA, CHIDI)
    done = await asyncio.gather(*(matches.call(match, user) for user in (ADA, BELA)), return_exceptions=True)
    assert sum(isinstance(each, Refused) for each in done) == 1
