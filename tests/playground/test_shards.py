"""Several servers, divided into shards, each with its own session."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from playground.page.client import PlaygroundClient
from playground.server import Playground
from playground.simulation.gateway import Opcode
from playground.simulation.interactions import InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids
from tests.playground.discord_rest import RestClient
from tests.playground.manual_clock import ManualClock
from tests.playground.simulation.test_gateway import GUILDS, RecordingTransport, identify, resume_session

GUILD_IDS = [ids.id_in_guild(ids.GUILD, number) for number in range(4)]
SHARDS = [ids.shard_of(guild, 8) for guild in GUILD_IDS]


def make_simulation(**more: Any) -> Simulation:
    options = {"guilds": 4, "shards": 8, "rate_limited": False, **more}
    return Simulation("http://127.0.0.1:1", clock=ManualClock(), **options)


@pytest.fixture
def simulation() -> Simulation:
    return make_simulation()


@pytest.fixture
def wires(simulation: Simulation) -> list[RecordingTransport]:
    return [identify(simulation, shard=[number, 8]) for number in range(8)]


def changes_since_ready(wire: RecordingTransport) -> list[str]:
    frames = (frame for frame in wire.frames if frame["t"] in {"CHANNEL_UPDATE", "INTERACTION_CREATE"})
    return [frame["d"].get("guild_id", "nowhere") for frame in frames]


def test_a_shard_alone_is_told_of_its_server(simulation: Simulation, wires: list[RecordingTransport]) -> None:
    assert len(set(SHARDS)) == 4
    assert 0 in SHARDS  # one guild shares it with the direct messages
    assert [guild.owner_id for guild in simulation.world.guilds.values()] == [ids.ADA, ids.BELA, ids.CHIDI, ids.DORA]
    for number, wire in enumerate(wires):
        ready, *created = [frame for frame in wire.frames if frame["op"] == Opcode.DISPATCH]
        own_guilds = [str(guild) for guild, shard in zip(GUILD_IDS, SHARDS, strict=True) if shard == number]
        assert ready["d"]["shard"] == [number, 8]
        assert [guild["id"] for guild in ready["d"]["guilds"]] == own_guilds
        assert [frame["d"]["id"] for frame in created] == own_guilds


def test_events_of_a_server_are_sent_on_its_shard(simulation: Simulation, wires: list[RecordingTransport]) -> None:
    for number, guild in enumerate(GUILD_IDS):
        games = simulation.world.channels[ids.id_in_guild(ids.GAMES_CHANNEL, number)]
        simulation.world.notify_channel_changed(games)
        simulation.interactions.start_interaction(InteractionKind.COMMAND, ids.BELA, games, {"name": "x"})
        shards = [shard for shard, wire in enumerate(wires) if str(guild) in changes_since_ready(wire)]
        assert shards == [SHARDS[number]]
        assert changes_since_ready(wires[SHARDS[number]]) == [str(guild)] * 2


def test_direct_messages_are_told_on_the_first_shard_alone(
    simulation: Simulation, wires: list[RecordingTransport]
) -> None:
    dm = simulation.world.open_dm(ids.BELA)
    simulation.interactions.start_interaction(InteractionKind.COMMAND, ids.BELA, dm, {"name": "x"})
    assert [changes_since_ready(wire) for wire in wires] == [["nowhere"], *[[]] * 7]


def test_the_bot_is_online_once_every_server_and_the_direct_messages_are_heard(simulation: Simulation) -> None:
    assert simulation.bot_status == "offline"
    wires = {number: identify(simulation, shard=[number, 8]) for number in {0, *SHARDS[1:]}}
    assert (simulation.bot_status, simulation.gateway.uncovered_guilds()) == ("partly", [GUILD_IDS[0]])
    wires[SHARDS[0]] = identify(simulation, shard=[SHARDS[0], 8])
    assert simulation.gateway.is_online
    simulation.gateway.close_connection(wires[0], 4000)
    alone = GUILD_IDS[SHARDS.index(0)]
    assert (simulation.bot_status, simulation.gateway.uncovered_guilds()) == ("partly", [0, alone])


def test_a_shard_that_cannot_be_or_has_too_many_servers_is_hung_up_on(simulation: Simulation) -> None:
    shards: list[Any] = [[8, 8], [-1, 8], [0, 0], ["0", 8], [0], "0/8", 3]
    assert [identify(make_simulation(), shard=shard).closed for shard in shards] == [4010] * len(shards)
    simulation.gateway.guilds_per_shard = 3
    assert identify(simulation, shard=None).closed == 4011
    assert identify(simulation, shard=[1, 2]).closed is None


def test_one_shard_of_each_bucket_begins_in_five_seconds() -> None:
    simulation = make_simulation(rate_limited=True, concurrency=2)
    clock = simulation.clock
    assert isinstance(clock, ManualClock)
    invalid_session = {"op": Opcode.INVALID_SESSION, "d": False, "s": None, "t": None}
    assert identify(simulation, shard=[0, 8]).event_names[0] == "READY"
    assert identify(simulation, shard=[1, 8]).event_names[0] == "READY"
    assert identify(simulation, shard=[2, 8]).last_frame == invalid_session
    clock.advance(5)
    third = identify(simulation, shard=[2, 8])
    assert third.event_names[0] == "READY"
    assert identify(simulation, shard=[4, 8]).last_frame == invalid_session
    assert resume_session(simulation, third.session_id, 1).event_names[-1] == "RESUMED"  # that starts no session
    limits = {"total": 1000, "remaining": 995, "reset_after": 0, "max_concurrency": 2}
    assert simulation.start_limit.limit_object() | {"reset_after": 0} == limits
    clock.advance(24 * 60 * 60)
    assert simulation.start_limit.limit_object()["remaining"] == 1000


def test_one_shard_resumes_with_what_it_missed(simulation: Simulation, wires: list[RecordingTransport]) -> None:
    own_shard = SHARDS[2]
    assert simulation.gateway.drop_connections(own_shard) == 1
    assert [wire.closed for wire in wires] == [4000 if number == own_shard else None for number in range(8)]
    simulation.gateway.close_connection(wires[own_shard], 4000)
    simulation.world.notify_channel_changed(simulation.world.channels[ids.id_in_guild(ids.GAMES_CHANNEL, 2)])
    resumed = resume_session(simulation, wires[own_shard].session_id, wires[own_shard].last_frame["s"])
    assert resumed.event_names == ["CHANNEL_UPDATE", "RESUMED"]


@pytest.mark.parametrize("resumable", [False, True])
def test_one_shards_session_is_over(resumable: bool, simulation: Simulation, wires: list[RecordingTransport]) -> None:
    own_shard = SHARDS[1]
    simulation.gateway.invalidate_sessions(own_shard, resumable=resumable)
    invalid_sessions = [wire.last_frame["d"] for wire in wires if wire.last_frame["op"] == Opcode.INVALID_SESSION]
    assert invalid_sessions == [resumable]
    assert wires[own_shard].last_frame["op"] == Opcode.INVALID_SESSION
    simulation.gateway.close_connection(wires[own_shard], 4000)
    resumed = resume_session(simulation, wires[own_shard].session_id, 2)
    assert resumed.last_frame["t" if resumable else "op"] == ("RESUMED" if resumable else Opcode.INVALID_SESSION)
    assert resume_session(simulation, wires[SHARDS[2]].session_id, 2).event_names == ["RESUMED"]


def test_somebody_who_has_a_server_in_common_with_the_bot_can_be_written_to(simulation: Simulation) -> None:
    for guild in list(simulation.world.guilds.values())[:3]:
        simulation.remove_bot(guild)
    assert [guild.name for guild in simulation.world.shared_guilds(ids.BELA)] == ["Moonrakers"]
    del simulation.world.guilds[GUILD_IDS[3]].members[ids.BELA]
    assert simulation.world.shared_guilds(ids.BELA) == []


def test_a_servers_own_command_stands_there_for_the_one_of_everywhere(simulation: Simulation) -> None:
    simulation.commands.add_command(None, {"name": "deal", "description": "Deal", "type": 1})
    simulation.commands.add_command(GUILD_IDS[1], {"name": "deal", "description": "Deal here", "type": 1})
    commands = [simulation.commands.find_command("deal", guild) for guild in GUILD_IDS]
    assert [each["description"] for each in commands if each] == ["Deal", "Deal here", "Deal", "Deal"]
    assert len(simulation.commands.all_commands()) == 2


async def test_the_gateway_says_into_how_many_shards_and_how_fast() -> None:
    async with Playground(guilds=4, shards=8, concurrency=4) as playground, RestClient.connect(playground) as rest:
        body = (await rest.send_request("GET", "/gateway/bot")).body
        assert (body["shards"], body["session_start_limit"]["max_concurrency"]) == (8, 4)
        guilds = (await rest.send_request("GET", "/users/@me/guilds")).body
        assert [guild["id"] for guild in guilds] == [str(guild) for guild in GUILD_IDS]
        roles = (await rest.send_request("GET", f"/guilds/{GUILD_IDS[2]}/roles")).body
        assert roles[0]["id"] == str(GUILD_IDS[2])


async def test_the_log_tells_which_process_sent_what_and_to_which_shard() -> None:
    async with (
        Playground(guilds=4, shards=8, rate_limited=False) as playground,
        PlaygroundClient.connect(playground.base_url) as visitor,
    ):
        doors = {name: await playground.open_process_api(name) for name in ("first", "second")}
        headers = {"Authorization": f"Bot {playground.simulation.token}"}
        async with aiohttp.ClientSession(headers=headers) as bot:
            for name, api in doors.items():
                async with bot.get(f"{api}/gateway/bot") as answer:
                    gateway = (await answer.json())["url"]
                assert gateway.split("/")[2] == api.split("/")[2], "each goes on by its own door"
                async with bot.ws_connect(gateway) as line:
                    await line.receive_json()
                    shard = [SHARDS[0] if name == "first" else SHARDS[1], 8]
                    identity = {"token": playground.simulation.token, "intents": GUILDS, "shard": shard}
                    await line.send_json({"op": Opcode.IDENTIFY, "d": identity})
                    ready = await line.receive_json()
                    assert ready["d"]["resume_gateway_url"] == gateway
        log = await visitor.fetch_request_log()
    assert [(each["method"], each.get("process"), each.get("shard")) for each in log] == [
        *(("GET", "first", None), ("READY", "first", [SHARDS[0], 8]), ("GUILD_CREATE", "first", [SHARDS[0], 8])),
        *(("GET", "second", None), ("READY", "second", [SHARDS[1], 8]), ("GUILD_CREATE", "second", [SHARDS[1], 8])),
    ]


async def test_all_processes_of_a_bot_share_its_fifty_requests_a_second(clock: ManualClock) -> None:
    clock.freeze()
    async with Playground(clock=clock) as playground:
        doors = [await playground.open_process_api(str(number)) for number in range(3)]
        headers = {"Authorization": f"Bot {playground.simulation.token}"}
        answers = []
        for number in range(60):
            address = f"{doors[number % 3]}/users/@me"
            async with aiohttp.ClientSession(headers=headers) as process, process.get(address) as answer:
                answers.append((answer.status, (await answer.json()).get("global")))
        assert answers == [(200, None)] * 50 + [(429, True)] * 10


async def test_people_act_in_the_server_that_they_name() -> None:
    async with (
        Playground(guilds=2, rate_limited=False) as playground,
        PlaygroundClient.connect(playground.base_url) as visitor,
    ):
        bela, second = visitor.player("Bela"), str(GUILD_IDS[1])
        world = playground.simulation.world
        await bela.act("leave_guild", guild_id=second)
        assert [ids.BELA in guild.members for guild in world.guilds.values()] == [True, False]
        left = await visitor.wait_until(lambda: [each for each in visitor.people if each["out"]], "her leaving")
        assert [(each["name"], each["out"], each["admin"]) for each in left] == [("Bela", [second], [second])]
        await bela.act("join_guild", guild_id=second)
        await bela.act("remove_bot", guild_id=second)
        assert [guild.has_bot for guild in world.guilds.values()] == [True, False]
        await bela.act("add_bot", guild_id=second)
        message = await bela.send_message("Good evening", "The Old Mill/games")
        assert visitor.channels[message.channel_id]["guild_id"] == second
        assert bela.channel_id("games") == str(ids.GAMES_CHANNEL)
