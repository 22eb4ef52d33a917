"""An outage of Discord's costs its own length and a few seconds, however many clicks and matches there are in it."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from cogs.table.pages import custom_ids
from tests.end_to_end.simulated_server import SimulatedServer
from tests.messages import is_about_match, message_text, move_buttons

TABLES = (("Ada", "Bela", "Chidi"), ("Dora", "Emil", "Fumi"), ("Bela", "Dora", "Ada"), ("Fumi", "Chidi", "Emil"))


async def assert_right(w: SimulatedServer, match: str) -> None:
    now, name = await w.load_snapshot(match), await w.due_name_now(match)
    table_message = await w.find_table(match)
    assert f"Waiting for {name} to" in message_text(table_message)
    for seat in now.info.seats:
        (one,) = [m for m in w.public_messages(w[seat.name].user.dm_channel) if is_about_match(m, match)]
        assert bool(move_buttons(one)) == (seat.name == name)


async def start_matches(w: SimulatedServer, tables: int) -> list[str]:
    return [await w.seat_and_start(names, rounds=6) for names in TABLES[:tables]]


async def make_due_move(w: SimulatedServer, match: str) -> str:
    """Whose turn it is makes a move, by a click on their hand, even where that has not caught up; who that was."""
    now, (name, hand) = await w.load_snapshot(match), await w.due_hand(match)
    (seat,) = now.due_seats()
    notation = now.game.format_move(now.moves(seat)[0])
    await w.forge_click(name, hand, custom_ids.move_id(match, now.decisions()[seat].number, notation))
    return name


def count_probes(sent: list[tuple[str, str]]) -> int:
    return sum(path.startswith("/users/") and method == "GET" for method, path in sent)


@pytest.mark.parametrize("seconds", [1, 8, 33, 120])
@pytest.mark.parametrize("broken", [503, aiohttp.ClientConnectionError])
async def test_ten_seconds_after_an_outage_all_is_right(server: SimulatedServer, seconds: int, broken: Any) -> None:
    matches = await start_matches(server, 4)
    if broken == 503:
        server.env.inject_error("*", "*", status=broken, times=None)
    else:
        server.cut_connections(error=broken, times=None)
    for second in range(seconds):
        if second < 26:  # a click a second, each on another table; what is asked is done though the answer is lost
            await make_due_move(server, matches[second % 4])
        await server.env.advance_time(1)
    for match in matches[:seconds]:
        assert await server.move_count(match)
    server.open_dms()
    await server.env.advance_time(10)
    for match in matches:
        await assert_right(server, match)
    assert not server.bot.reconciler.connectivity.is_down


async def test_while_discord_is_down_one_request_asks_for_all_matches(server: SimulatedServer) -> None:
    matches = await start_matches(server, 4)
    server.env.inject_error("*", "*", status=503, times=None)
    for match in matches:
        await make_due_move(server, match)
    await server.env.advance_time(8)
    before = len(server.sent_requests())
    await server.env.advance_time(60)
    sent = server.sent_requests(before)
    assert count_probes(sent) == len(sent)
    assert 60 / 8 <= len(sent) <= 60 / 4
    known = len(server.sent_requests())
    for match in matches:  # nor does a click make the bot send more than its answer
        await make_due_move(server, match)
    answers = ("/interactions/", "/webhooks/")
    assert [path for _, path in server.sent_requests(known) if not path.startswith(answers)] == []


async def test_clicks_make_no_pause_longer(server: SimulatedServer) -> None:
    (match,) = await start_matches(server, 1)
    server.env.inject_error("*", "*", status=503, times=None)
    for _ in range(26):  # all within eight seconds
        await make_due_move(server, match)
        await server.env.advance_time(0.3)
    before = len(server.sent_requests())
    await server.env.advance_time(8)
    assert count_probes(server.sent_requests(before)) >= 1


@pytest.mark.parametrize("by", ["click", "command"])
async def test_a_click_or_a_command_that_got_through_ends_the_waiting_for_all(server: SimulatedServer, by: str) -> None:
    first, second = await start_matches(server, 2)
    server.env.inject_error("*", "*", status=503, times=None)
    await make_due_move(server, first)
    await make_due_move(server, second)
    await server.env.advance_time(60)
    assert server.bot.reconciler.connectivity.is_down
    server.open_dms()
    if by == "click":
        await make_due_move(server, first)
    else:
        await server["Greta"].slash(server.table, "motley help")
    await assert_right(server, first)
    await assert_right(server, second)


async def test_trouble_of_one_match_holds_no_other_up(server: SimulatedServer) -> None:
    first, second, *_ = await start_matches(server, 2)
    channel = (await server.find_table(first))["channel_id"]
    server.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=503, times=None)
    await make_due_move(server, first)
    await server.env.advance_time(20)
    assert not server.bot.reconciler.connectivity.is_down
    before = len(server.sent_requests())
    for _ in range(3):
        await make_due_move(server, second)
        await assert_right(server, second)
    assert [p for m, p in server.sent_requests(before) if m == "PATCH" and f"/channels/{channel}/" in p] == []
    name = await make_due_move(server, first)
    assert move_buttons(server.find_hand(name, first)) == []
    server.open_dms()
    await server.env.advance_time(8)
    await assert_right(server, first)


async def test_after_an_outage_the_next_one_begins_with_a_short_pause(server: SimulatedServer) -> None:
    (match,) = await start_matches(server, 1)
    for _ in range(2):
        server.env.inject_error("*", "*", status=503, times=None)
        await make_due_move(server, match)
        before = len(server.sent_requests())
        await server.env.advance_time(4)
        assert count_probes(server.sent_requests(before)) == 2
        await server.env.advance_time(30)
        server.open_dms()
        await server.env.advance_time(10)
        await assert_right(server, match)
