"""Faults: connections that break before and after a request takes effect, and refusals that are hard to provoke."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest

from playground.page.client import PlaygroundClient, RequestRejected
from playground.server import Playground
from playground.simulation.faults import CountedFault
from playground.world import ids
from tests.playground.discord_rest import COMMANDS_PATH, GAMES_PATH, RestClient
from tests.playground.jester_bot import JesterBot


def games_messages(playground: Playground) -> list[str]:
    return [message.data["content"] for message in playground.simulation.world.messages[ids.GAMES_CHANNEL].values()]


async def send_succeeds(rest: RestClient, content: str) -> bool:
    try:
        await rest.post_message(content)
    except aiohttp.ServerDisconnectedError:
        return False
    return True


@pytest.mark.parametrize(("kind", "stand"), [("cut_connections", ["three"]), ("lose_answers", ["one", "two", "three"])])
async def test_a_cut_connection_leaves_the_expected_state(
    kind: str, stand: list[str], playground: Playground, rest: RestClient
) -> None:
    getattr(playground.simulation.faults, kind)(count=2)
    assert [await send_succeeds(rest, word) for word in ("one", "two", "three")] == [False, False, True]
    assert games_messages(playground) == stand
    cuts = [(entry["status"], entry.get("cut")) for entry in rest.simulation.request_log.entries_since(0)]
    assert cuts == [((0, "before") if len(stand) == 1 else (200, "after"))] * 2 + [(200, None)]


async def test_a_share_of_all_requests_is_cut_and_the_same_one_for_a_seed(rest: RestClient) -> None:
    async def cut(seed: int) -> list[int]:
        rest.simulation.faults.cut_connections(percent=20, seed=seed)
        return [number for number in range(100) if not await send_succeeds(rest, str(number))]

    first = await cut(1)
    assert first == await cut(1)
    assert first != await cut(2)
    assert 8 <= len(first) <= 35
    rest.simulation.faults.clear()
    assert all([await send_succeeds(rest, "x") for _ in range(30)])


async def test_faults_meet_only_paths_and_methods_that_match(rest: RestClient) -> None:
    rest.simulation.faults.cut_connections(count=1, path="/messages$")
    rest.simulation.faults.lose_answers(count=1, path="^/users")
    assert (await rest.send_request("GET", GAMES_PATH)).status == 200
    assert not await send_succeeds(rest, "x")
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await rest.send_request("POST", "/users/@me/channels", {"recipient_id": str(ids.ADA)})
    assert ids.ADA + ids.DM_OFFSET in rest.simulation.world.channels
    assert rest.simulation.faults.page_object() == {}
    rest.simulation.faults.start_server_errors(1, 403, "commands$", "PUT")
    assert (await rest.send_request("GET", COMMANDS_PATH)).status == 200
    assert (await rest.send_request("PUT", COMMANDS_PATH, [])).status == 403
    assert (await rest.send_request("PUT", COMMANDS_PATH, [])).status == 200


async def test_discord_py_meets_a_cut_connection_as_such(visitor: PlaygroundClient, bot: JesterBot) -> None:
    """It passes on aiohttp's error, which is not an OSError."""
    games = bot.get_partial_messageable(ids.GAMES_CHANNEL)
    for kind, message_count in (("cut_connections", 0), ("lost_answers", 1)):
        await visitor.cause_fault(kind, count=1)
        with pytest.raises(aiohttp.ServerDisconnectedError) as caught:
            await games.send("Hello")
        assert not isinstance(caught.value, OSError | discord.DiscordException)
        assert len(visitor.messages[str(ids.GAMES_CHANNEL)]) == message_count
    await games.send("Hello")


async def test_many_requests_at_once_are_cut_each_for_itself(playground: Playground, rest: RestClient) -> None:
    rest.simulation.faults.cut_connections(percent=25, seed=3)
    rest.simulation.faults.lose_answers(percent=25, seed=4)
    answered = await asyncio.gather(*(send_succeeds(rest, str(number)) for number in range(60)))
    assert 15 <= sum(answered) <= 50
    assert {str(number) for number, came in enumerate(answered) if came} < set(games_messages(playground))


async def test_no_malformed_fault_is_taken(playground: Playground, session: aiohttp.ClientSession) -> None:
    lost: list[dict[str, Any]] = [{"percent": -1}, {"count": "many"}, {"path": "("}]
    asks = [{"kind": "cut_connections", "percent": percent} for percent in (101, "x")]
    for fault in (*asks, *({"kind": "lost_answers", **each} for each in lost)):
        async with session.post("/play/fault", json=fault) as answer:
            assert answer.status == 400, fault
            assert "error" in await answer.json()
        assert playground.simulation.faults.page_object() == {}


async def test_cuts_are_shown_on_the_page_as_long_as_they_last(session: aiohttp.ClientSession) -> None:
    async def fault(**parameters: Any) -> Any:
        async with session.post("/play/fault", json=parameters) as answer:
            return (await answer.json())["faults"]

    await fault(kind="cut_connections", percent=2.5, seed=7)
    assert await fault(kind="lost_answers", count=3, path="callback$") == {
        "cut_connections": {"percent": 2.5},
        "lost_answers": {"count": 3, "percent": 100.0, "path": "callback$"},
    }
    assert await fault(kind="clear") == {}


async def test_a_bare_rate_limit_says_nothing_of_how_long(visitor: PlaygroundClient, bot: JesterBot) -> None:
    """A proxy in front of Discord answers like this: discord.py does not wait and retry."""
    games = bot.get_partial_messageable(ids.GAMES_CHANNEL)
    await visitor.cause_fault("bare_rate_limit", count=1)
    with pytest.raises(discord.HTTPException) as caught:
        await games.send("Hello")
    assert (caught.value.status, caught.value.code) == (429, 0)
    assert "Retry-After" not in caught.value.response.headers
    await games.send("Hello")


async def test_the_bot_is_forbidden_and_allowed_to_write(visitor: PlaygroundClient, bot: JesterBot) -> None:
    games, ada = bot.get_partial_messageable(ids.GAMES_CHANNEL, guild_id=ids.GUILD), visitor.player("Ada")
    thread = await (await games.send("Hello")).create_thread(name="Match")
    permissions: dict[str, Any] = {
        "channel_id": str(thread.id),
        "permissions": ["send_messages", "send_messages_in_threads"],
    }
    await ada.act("allow_bot", **permissions, allowed=False)
    for place in (games, thread):
        with pytest.raises(discord.Forbidden):
            await place.send("Hello")
    await ada.act("allow_bot", **permissions, allowed=True)
    for place in (games, thread):
        await place.send("Hello")
    with pytest.raises(RequestRejected, match="may not"):
        await visitor.player("Bela").act("allow_bot", **permissions, allowed=False)


async def test_a_block_of_the_application_is_json_without_a_waiting_time(
    playground: Playground, rest: RestClient
) -> None:
    playground.simulation.faults.start_counted(CountedFault.BLOCKED, 1)
    response = await rest.send_request("GET", GAMES_PATH)
    assert response.status_and_code == (429, 0)
    assert "You are being blocked" in response.body["message"]
    assert "retry_after" not in response.body
    assert (await rest.send_request("GET", GAMES_PATH)).status == 200


async def test_a_token_that_is_reset_is_void_at_once(playground: Playground, session: aiohttp.ClientSession) -> None:
    before = playground.simulation.token
    playground.simulation.reset_token()
    for token, status in ((before, 401), (playground.simulation.token, 200)):
        async with session.get(f"/api/v10{GAMES_PATH}", headers={"Authorization": f"Bot {token}"}) as answer:
            assert answer.status == status
