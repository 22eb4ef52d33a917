"""Several servers, divided into shards, each with a session of its own."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from playground.page.client import Visitor
from playground.server import Playground
from playground.simulation.gateway import Op
from playground.simulation.interactions import Kind
from playground.simulation.simulation import House
from playground.world import ids
from tests.playground.discord_rest import Rest
from tests.playground.manual_clock import ManualClock
from tests.playground.simulation.test_gateway import GUILDS, Wire, resume, say

GUILD_IDS = [ids.elsewhere(ids.GUILD, number) for number in range(4)]
SHARDS = [ids.shard_of(guild, 8) for guild in GUILD_IDS]


def house(**more: Any) -> House:
    """A house with four servers, in which sessions may begin as they like, without a network."""
    return House("http://127.0.0.1:1", clock=ManualClock(), **{"guilds": 4, "shards": 8, "paced": False, **more})


def identified(where: House, shard: Any, process: str = "") -> Wire:
    """A connection that has asked for a shard."""
    wire = Wire()
    where.gateway.connected(wire, process)
    say(where, wire, Op.IDENTIFY, {"token": where.token, "intents": GUILDS, "shard": shard})
    return wire


def all_shards(where: House) -> list[Wire]:
    """A connection for each of eight shards."""
    return [identified(where, [number, 8]) for number in range(8)]


def since_ready(wire: Wire) -> list[str]:
    """What it was told of after its beginning: the channels that were changed, and whose clicks came."""
    told = (frame for frame in wire.frames if frame["t"] in {"CHANNEL_UPDATE", "INTERACTION_CREATE"})
    return [frame["d"].get("guild_id", "nowhere") for frame in told]


def session_of(wire: Wire) -> str:
    """Its session's id."""
    return str(wire.frames[1]["d"]["session_id"])


def test_each_server_lies_on_a_shard_of_its_own() -> None:
    assert len(set(SHARDS)) == 4
    assert 0 in SHARDS  # one shares it with the direct messages


def test_a_session_is_told_of_the_servers_of_its_shard_alone() -> None:
    for number, wire in enumerate(all_shards(house())):
        ready, *created = [frame for frame in wire.frames if frame["op"] == Op.DISPATCH]
        mine = [str(guild) for guild, shard in zip(GUILD_IDS, SHARDS, strict=True) if shard == number]
        assert ready["d"]["shard"] == [number, 8]
        assert [guild["id"] for guild in ready["d"]["guilds"]] == mine
        assert [frame["d"]["id"] for frame in created] == mine


def test_what_happens_in_a_server_is_told_on_its_shard_alone() -> None:
    where = house()
    wires = all_shards(where)
    for number, guild in enumerate(GUILD_IDS):
        games = where.world.channels[ids.elsewhere(ids.GAMES, number)]
        where.world.change_channel(games)
        where.interactions.begin(Kind.COMMAND, ids.BELA, games, {"name": "x"})
        told = [shard for shard, wire in enumerate(wires) if str(guild) in since_ready(wire)]
        assert told == [SHARDS[number]]
        assert since_ready(wires[SHARDS[number]]) == [str(guild)] * 2


def test_what_happens_in_direct_messages_is_told_on_the_first_shard_alone() -> None:
    where = house()
    wires = all_shards(where)
    where.interactions.begin(Kind.COMMAND, ids.BELA, where.world.open_dm(ids.BELA), {"name": "x"})
    assert [since_ready(wire) for wire in wires] == [["nowhere"], *[[]] * 7]


def test_the_bot_is_online_once_every_server_and_the_direct_messages_are_heard() -> None:
    where = house()
    assert where.bot_status == "offline"
    wires = {number: identified(where, [number, 8]) for number in {0, *SHARDS[1:]}}
    assert (where.bot_status, where.gateway.unheard()) == ("partly", [GUILD_IDS[0]])
    wires[SHARDS[0]] = identified(where, [SHARDS[0], 8])
    assert where.gateway.online
    where.gateway.disconnected(wires[0], 4000)
    alone = GUILD_IDS[SHARDS.index(0)]
    assert (where.bot_status, where.gateway.unheard()) == ("partly", [0, alone])


@pytest.mark.parametrize("shard", [[8, 8], [-1, 8], [0, 0], ["0", 8], [0], "0/8", 3])
def test_a_shard_that_cannot_be_is_hung_up_on(shard: Any) -> None:
    assert identified(house(), shard).closed == 4010


def test_a_session_that_would_have_too_many_servers_is_hung_up_on() -> None:
    where = house()
    where.gateway.guilds_per_shard = 3
    assert identified(where, None).closed == 4011
    assert identified(where, [1, 2]).closed is None
    where.put_bot_out(where.world.home)
    assert identified(where, None).closed is None


def test_of_shards_alike_modulo_what_may_begin_at_once_one_begins_in_five_seconds() -> None:
    where = house(paced=True, concurrency=2)
    clock = where.clock
    assert isinstance(clock, ManualClock)
    refused = {"op": Op.INVALID_SESSION, "d": False, "s": None, "t": None}
    assert identified(where, [0, 8]).events[0] == "READY"
    assert identified(where, [1, 8]).events[0] == "READY"
    assert identified(where, [2, 8]).last == refused
    clock.advance(5)
    again = identified(where, [2, 8])
    assert again.events[0] == "READY"
    assert identified(where, [4, 8]).last == refused
    assert resume(where, session_of(again), 1).events[-1] == "RESUMED"  # that is no beginning
    assert where.starts.limit() | {"reset_after": 0} == {
        "total": 1000,
        "remaining": 995,
        "reset_after": 0,
        "max_concurrency": 2,
    }
    clock.advance(24 * 60 * 60)
    assert where.starts.limit()["remaining"] == 1000


def test_one_shard_is_dropped_and_resumes_with_what_it_missed() -> None:
    where = house()
    wires = all_shards(where)
    mine = SHARDS[2]
    assert where.gateway.drop(mine) == 1
    assert [wire.closed for wire in wires] == [4000 if number == mine else None for number in range(8)]
    where.gateway.disconnected(wires[mine], 4000)
    where.world.change_channel(where.world.channels[ids.elsewhere(ids.GAMES, 2)])
    again = resume(where, session_of(wires[mine]), wires[mine].last["s"])
    assert again.events == ["CHANNEL_UPDATE", "RESUMED"]


@pytest.mark.parametrize("resumable", [False, True])
def test_one_shards_session_is_over_and_may_be_resumed_or_not(resumable: bool) -> None:
    where = house()
    wires = all_shards(where)
    mine = SHARDS[1]
    where.gateway.invalidate(mine, resumable=resumable)
    over = [wire.last["d"] for wire in wires if wire.last["op"] == Op.INVALID_SESSION]
    assert over == [resumable]
    assert wires[mine].last["op"] == Op.INVALID_SESSION
    where.gateway.disconnected(wires[mine], 4000)
    again = resume(where, session_of(wires[mine]), 2)
    assert again.last["t" if resumable else "op"] == ("RESUMED" if resumable else Op.INVALID_SESSION)
    assert resume(where, session_of(wires[SHARDS[2]]), 2).events == ["RESUMED"]


def test_who_has_a_server_in_common_with_the_bot_can_be_written_to() -> None:
    where = house()
    for guild in list(where.world.guilds.values())[:3]:
        where.put_bot_out(guild)
    assert [guild.name for guild in where.world.shared(ids.BELA)] == ["Moonrakers"]
    del where.world.guilds[GUILD_IDS[3]].members[ids.BELA]
    assert where.world.shared(ids.BELA) == []


def test_rights_are_of_one_server() -> None:
    where = house()
    snapshot_owners = [guild.owner_id for guild in where.world.guilds.values()]
    assert snapshot_owners == [ids.ADA, ids.BELA, ids.CHIDI, ids.DORA]


def test_a_servers_own_command_stands_there_for_the_one_of_everywhere() -> None:
    where = house()
    where.commands.add(None, {"name": "deal", "description": "Deal", "type": 1})
    where.commands.add(GUILD_IDS[1], {"name": "deal", "description": "Deal here", "type": 1})
    seen = [where.commands.find("deal", guild) for guild in GUILD_IDS]
    assert [each["description"] for each in seen if each] == ["Deal", "Deal here", "Deal", "Deal"]
    assert len(where.commands.all()) == 2


async def test_the_gateway_says_into_how_many_shards_and_how_fast() -> None:
    async with Playground(guilds=4, shards=8, concurrency=4) as playground, Rest.to(playground) as rest:
        told = (await rest.ask("GET", "/gateway/bot")).body
        assert (told["shards"], told["session_start_limit"]["max_concurrency"]) == (8, 4)
        guilds = (await rest.ask("GET", "/users/@me/guilds")).body
        assert [guild["id"] for guild in guilds] == [str(guild) for guild in GUILD_IDS]
        roles = (await rest.ask("GET", f"/guilds/{GUILD_IDS[2]}/roles")).body
        assert roles[0]["id"] == str(GUILD_IDS[2])


async def test_the_log_tells_which_process_sent_what_and_to_which_shard() -> None:
    async with Playground(guilds=4, shards=8, paced=False) as playground, Visitor.to(playground.base) as visitor:
        doors = {name: await playground.door(name) for name in ("first", "second")}
        headers = {"Authorization": f"Bot {playground.house.token}"}
        async with aiohttp.ClientSession(headers=headers) as bot:
            for name, api in doors.items():
                async with bot.get(f"{api}/gateway/bot") as answer:
                    gateway = (await answer.json())["url"]
                assert gateway.split("/")[2] == api.split("/")[2], "each goes on by its own door"
                async with bot.ws_connect(gateway) as line:
                    await line.receive_json()
                    shard = [SHARDS[0] if name == "first" else SHARDS[1], 8]
                    told = {"token": playground.house.token, "intents": GUILDS, "shard": shard}
                    await line.send_json({"op": Op.IDENTIFY, "d": told})
                    ready = await line.receive_json()
                    assert ready["d"]["resume_gateway_url"] == gateway
        log = await visitor.requests()
    by = [(each["method"], each.get("process"), each.get("shard")) for each in log]
    assert by == [
        ("GET", "first", None),
        ("READY", "first", [SHARDS[0], 8]),
        ("GUILD_CREATE", "first", [SHARDS[0], 8]),
        ("GET", "second", None),
        ("READY", "second", [SHARDS[1], 8]),
        ("GUILD_CREATE", "second", [SHARDS[1], 8]),
    ]


async def test_all_processes_of_a_bot_share_its_fifty_requests_a_second(clock: ManualClock) -> None:
    moment = clock.now()
    clock.now = lambda: moment  # type: ignore[method-assign]
    async with Playground(clock=clock) as playground:
        doors = [await playground.door(str(number)) for number in range(3)]
        headers = {"Authorization": f"Bot {playground.house.token}"}
        answers = []
        for number in range(60):
            address = f"{doors[number % 3]}/users/@me"
            async with aiohttp.ClientSession(headers=headers) as process, process.get(address) as answer:
                answers.append((answer.status, (await answer.json()).get("global")))
        assert answers == [(200, None)] * 50 + [(429, True)] * 10


async def test_people_act_in_the_server_that_they_name() -> None:
    async with Playground(guilds=2, paced=False) as playground, Visitor.to(playground.base) as visitor:
        bela, second = visitor.player("Bela"), str(GUILD_IDS[1])
        world = playground.house.world
        await bela.act("leave_guild", guild_id=second)
        assert [ids.BELA in guild.members for guild in world.guilds.values()] == [True, False]
        left = await visitor.until(lambda: [each for each in visitor.people if each["out"]], "her leaving")
        assert [(each["name"], each["out"], each["admin"]) for each in left] == [("Bela", [second], [second])]
        await bela.act("join_guild", guild_id=second)
        await bela.act("remove_bot", guild_id=second)
        assert [guild.bot_there for guild in world.guilds.values()] == [True, False]
        await bela.act("add_bot", guild_id=second)
        said = await bela.say("Good evening", "The Old Mill/games")
        assert said.data["guild_id"] == second
        assert bela.channel("games") == str(ids.GAMES)
