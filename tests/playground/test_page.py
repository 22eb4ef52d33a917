"""The page's API: who may use it, and what it returns."""

from __future__ import annotations

import json
import socket
from typing import Any
from xml.etree import ElementTree

import aiohttp
import pytest

from playground.server import HOST, Playground, _portrait_svg
from playground.world import ids
from tests.playground.manual_clock import ManualClock


async def test_the_snapshot_says_all(playground: Playground) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(playground.base_url + "/play/snapshot") as answer:
            found: dict[str, Any] = await answer.json()
        async with session.ws_connect(playground.base_url + "/play/events") as events:
            assert json.loads(await events.receive_str()) == found
    assert found["type"] == "snapshot"
    people = {person["name"]: person for person in found["people"]}
    assert list(people) == ["Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta"]
    assert people["Ada"]["admin"]
    assert people["Emil"]["dms_closed"]
    assert found["bot"] == {"id": str(ids.BOT), "name": "Motley", "status": "offline"}
    assert [guild["name"] for guild in found["guilds"]] == ["The Jesters' Inn"]
    assert found["faults"] == {}


async def test_pictures_and_portraits_are_served(playground: Playground) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{playground.base_url}/avatars/{ids.ADA}.svg") as answer:
            assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        for missing in ("/avatars/1.svg", "/attachments/1/1/a.png", "/nothing"):
            async with session.get(playground.base_url + missing) as answer:
                assert answer.status == 404


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"person": "1", "do": "say"}, "There is no such person."),
        ({"person": str(ids.ADA), "do": "dance"}, "There is no action 'dance'."),
        ({"person": str(ids.ADA), "do": "say", "channel_id": "1", "content": "x"}, "Unknown Channel."),
        (
            {"person": str(ids.ADA), "do": "command", "channel_id": str(ids.GAMES_CHANNEL), "name": "x"},
            "There is no command /x.",
        ),
        ({"person": str(ids.BELA), "do": "remove_bot"}, "Bela does not own the server."),
        ({"person": str(ids.BELA), "do": "activities"}, "Bela does not own the application."),
        ({"person": str(ids.ADA), "do": "join_guild"}, "Ada is in the server already."),
    ],
)
async def test_what_cannot_be_done_is_said(asked: dict[str, str], sentence: str, playground: Playground) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.post(playground.base_url + "/play/act", json=asked) as answer,
    ):
        assert answer.status == 409
        assert await answer.json() == {"error": sentence}


@pytest.mark.parametrize(
    "body", ["", "[]", "x", '{"kind": "slow"}', '{"kind": "server_errors", "count": 1, "path": "("}']
)
async def test_nonsense_is_answered(body: str, playground: Playground) -> None:
    async with aiohttp.ClientSession() as session:
        for path in ("/play/act", "/play/fault"):
            async with session.post(playground.base_url + path, data=body) as answer:
                assert 400 <= answer.status < 500
                assert "error" in await answer.json()


async def test_faults_are_shown(playground: Playground) -> None:
    async with aiohttp.ClientSession() as session:

        async def fault(**asked: Any) -> tuple[int, Any]:
            async with session.post(playground.base_url + "/play/fault", json=asked) as answer:
                return answer.status, await answer.json()

        assert await fault(kind="slow", ms=20) == (200, {"ok": True, "faults": {"slow": {"ms": 20}}})
        await fault(kind="server_errors", count=2)
        _, told = await fault(kind="rate_limit", count=3)
        assert told["faults"] == {
            "slow": {"ms": 20},
            "server_errors": {"count": 2, "status": 503, "path": ""},
            "rate_limit": {"count": 3},
        }
        assert await fault(kind="clear") == (200, {"ok": True, "faults": {}})
        assert (await fault(kind="restart_bot"))[0] == 409
        assert (await fault(kind="earthquake"))[0] == 409


async def test_fixed_ids_survive_a_restart_and_others_grow() -> None:
    clock = ManualClock()
    seen: list[int] = []
    for _ in range(2):
        async with Playground(clock=clock) as playground:
            world = playground.simulation.world
            fixed = [
                ids.GAMES_CHANNEL,
                ids.LOUNGE_CHANNEL,
                ids.NO_BOTS_CHANNEL,
                ids.CELLAR_CHANNEL,
                ids.NEWS_CHANNEL,
                ids.SNUG_CHANNEL,
            ]
            assert [c.id for c in world.channels.values()] == fixed
            assert world.open_dm(ids.ADA).id == ids.ADA + ids.DM_OFFSET
            seen += [world.snowflakes.next_id() for _ in range(50)]
            clock.advance(1)
    assert seen == sorted(set(seen))
    assert seen[0] > ids.GRETA + ids.DM_OFFSET


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


def test_a_portrait_is_drawn_whatever_somebody_is_called() -> None:
    for name in ("<Ada", "&", "'", "Ada"):
        assert ElementTree.fromstring(_portrait_svg(name, 1))[-1].text == name[0]
