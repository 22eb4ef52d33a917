"""The page's API: who may use it, and what it returns."""

from __future__ import annotations

import json
import socket
from typing import Any
from xml.etree import ElementTree

import aiohttp

from playground.server import HOST, Playground, _portrait_svg
from playground.world import ids
from tests.playground.manual_clock import ManualClock


async def test_the_snapshot_says_all(session: aiohttp.ClientSession) -> None:
    async with session.get("/play/snapshot") as answer:
        found: dict[str, Any] = await answer.json()
    async with session.ws_connect("/play/events") as events:
        assert json.loads(await events.receive_str()) == found
    assert found["type"] == "snapshot"
    people = {person["name"]: person for person in found["people"]}
    assert list(people) == ["Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta"]
    assert people["Ada"]["admin"]
    assert people["Emil"]["dms_closed"]
    assert found["bot"] == {"id": str(ids.BOT), "name": "Bot", "status": "offline"}
    assert [guild["name"] for guild in found["guilds"]] == ["The Jesters' Inn"]
    assert found["faults"] == {}


async def test_pictures_and_portraits_are_served(session: aiohttp.ClientSession) -> None:
    async with session.get(f"/avatars/{ids.ADA}.svg") as answer:
        assert (answer.status, answer.content_type) == (200, "image/svg+xml")
    for missing in ("/avatars/1.svg", "/attachments/1/1/a.png", "/nothing"):
        async with session.get(missing) as answer:
            assert answer.status == 404
    for name in ("<Ada", "&", "'", "Ada"):
        assert ElementTree.fromstring(_portrait_svg(name, 1))[-1].text == name[0]


async def test_an_impossible_request_is_refused_with_a_reason(session: aiohttp.ClientSession) -> None:
    games = str(ids.GAMES_CHANNEL)
    for person, action, more, sentence in (
        (1, "say", {}, "There is no such person."),
        (ids.ADA, "dance", {}, "There is no action 'dance'."),
        (ids.ADA, "say", {"channel_id": "1", "content": "x"}, "Unknown Channel."),
        (ids.ADA, "command", {"channel_id": games, "name": "x"}, "There is no command /x."),
        (ids.BELA, "remove_bot", {}, "Bela does not own the server."),
        (ids.BELA, "activities", {}, "Bela does not own the application."),
        (ids.ADA, "join_guild", {}, "Ada is in the server already."),
    ):
        async with session.post("/play/act", json={"person": str(person), "do": action, **more}) as answer:
            assert (answer.status, await answer.json()) == (409, {"error": sentence})
    for body in ("", "[]", "x", '{"kind": "slow"}', '{"kind": "server_errors", "count": 1, "path": "("}'):
        for path in ("/play/act", "/play/fault"):
            async with session.post(path, data=body) as answer:
                assert 400 <= answer.status < 500
                assert "error" in await answer.json()


async def test_faults_are_shown(session: aiohttp.ClientSession) -> None:
    async def fault(**parameters: Any) -> tuple[int, Any]:
        async with session.post("/play/fault", json=parameters) as answer:
            return answer.status, await answer.json()

    assert await fault(kind="slow", ms=20) == (200, {"ok": True, "faults": {"slow": {"ms": 20}}})
    await fault(kind="server_errors", count=2)
    _, body = await fault(kind="rate_limit", count=3)
    errors = {"count": 2, "status": 503, "path": ""}
    assert body["faults"] == {"slow": {"ms": 20}, "server_errors": errors, "rate_limit": {"count": 3}}
    assert await fault(kind="clear") == (200, {"ok": True, "faults": {}})
    assert (await fault(kind="restart_bot"))[0] == 409
    assert (await fault(kind="earthquake"))[0] == 409


async def test_fixed_ids_survive_a_restart_and_others_grow(clock: ManualClock) -> None:
    fixed = [ids.GAMES_CHANNEL, ids.LOUNGE_CHANNEL, ids.NO_BOTS_CHANNEL, ids.CELLAR_CHANNEL]
    numbers: list[int] = []
    for _ in range(2):
        async with Playground(clock=clock) as playground:
            world = playground.simulation.world
            assert [c.id for c in world.channels.values()] == [*fixed, ids.NEWS_CHANNEL, ids.SNUG_CHANNEL]
            assert world.open_dm(ids.ADA).id == ids.ADA + ids.DM_OFFSET
            numbers += [world.snowflakes.next_id() for _ in range(50)]
            clock.advance(1)
    assert numbers == sorted(set(numbers))
    assert numbers[0] > ids.GRETA + ids.DM_OFFSET


async def test_the_port_is_free_again_though_a_page_no_longer_reads() -> None:
    playground = Playground()
    port = int(playground.base_url.rpartition(":")[2])
    await playground.start()
    async with aiohttp.ClientSession() as session, session.ws_connect(playground.base_url + "/play/events"):
        (queue,) = playground.page._listeners
        while not queue.full():
            queue.put_nowait("{}")
        await playground.stop()
    socket.create_server((HOST, port)).close()
