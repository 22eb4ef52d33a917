"""The gateway's sessions, without a network."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.simulation.gateway import LATE_SECONDS, Opcode
from playground.simulation.interactions import InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids
from tests.playground.manual_clock import ManualClock

GUILDS = 1
MESSAGES = 1 << 9


class RecordingTransport:
    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, frame: str) -> None:
        self.frames.append(json.loads(frame))

    def hang_up(self, code: int) -> None:
        self.closed = code

    @property
    def event_names(self) -> list[str]:
        return [frame["t"] for frame in self.frames if frame["op"] == Opcode.DISPATCH]

    @property
    def last_frame(self) -> dict[str, Any]:
        return self.frames[-1]

    @property
    def session_id(self) -> str:
        return str(self.frames[1]["d"]["session_id"])


def make_simulation() -> Simulation:
    return Simulation("http://127.0.0.1:1", clock=ManualClock())


@pytest.fixture
def simulation() -> Simulation:
    return make_simulation()


@pytest.fixture
def wire(simulation: Simulation) -> RecordingTransport:
    return identify(simulation)


def advance_clock(simulation: Simulation, seconds: float) -> None:
    assert isinstance(simulation.clock, ManualClock)
    simulation.clock.advance(seconds)


def send_frame(simulation: Simulation, wire: RecordingTransport, op: Opcode, data: Any) -> None:
    simulation.gateway.handle_frame(wire, json.dumps({"op": op, "d": data}))


def open_connection(simulation: Simulation, op: Opcode, **data: Any) -> RecordingTransport:
    wire = RecordingTransport()
    simulation.gateway.open_connection(wire)
    send_frame(simulation, wire, op, {"token": simulation.token, **data})
    return wire


def identify(simulation: Simulation, intents: int = GUILDS, **data: Any) -> RecordingTransport:
    return open_connection(simulation, Opcode.IDENTIFY, intents=intents, **data)


def resume_session(simulation: Simulation, session: str, sequence: int) -> RecordingTransport:
    return open_connection(simulation, Opcode.RESUME, session_id=session, seq=sequence)


def test_identify_gets_ready_and_the_guild(simulation: Simulation, wire: RecordingTransport) -> None:
    assert wire.frames[0]["op"] == Opcode.HELLO
    assert wire.event_names == ["READY", "GUILD_CREATE"]
    guild = wire.last_frame["d"]
    names = ["games", "lounge", "no-bots", "cellar", "news", "snug"]
    assert [channel["name"] for channel in guild["channels"]] == names
    assert [member["user"]["id"] for member in guild["members"]] == [str(ids.BOT)]
    assert simulation.gateway.is_online


def test_a_heartbeat_is_acknowledged_and_a_wrong_token_hung_up_on(
    simulation: Simulation, wire: RecordingTransport
) -> None:
    send_frame(simulation, wire, Opcode.HEARTBEAT, 2)
    assert wire.last_frame["op"] == Opcode.HEARTBEAT_ACK
    assert identify(make_simulation(), token="stolen").closed == 4004


def test_resume_replays_what_was_missed_and_nothing_else(simulation: Simulation, wire: RecordingTransport) -> None:
    simulation.gateway.close_connection(wire, 4000)
    assert not simulation.gateway.is_online
    simulation.gateway.dispatch("INTERACTION_CREATE", {"id": "1"})
    resumed = resume_session(simulation, wire.session_id, 2)
    assert resumed.event_names == ["INTERACTION_CREATE", "RESUMED"]
    assert resumed.frames[1]["s"] == 3
    assert simulation.gateway.is_online


def test_an_ended_an_unknown_and_an_impossible_session_are_invalid(
    simulation: Simulation, wire: RecordingTransport
) -> None:
    for session, sequence in (("nonsense", 1), (wire.session_id, 99)):
        assert resume_session(simulation, session, sequence).last_frame["op"] == Opcode.INVALID_SESSION
    simulation.gateway.close_connection(wire, 1000)  # by which the bot ends it
    invalid_session = {"op": Opcode.INVALID_SESSION, "d": False, "s": None, "t": None}
    assert resume_session(simulation, wire.session_id, 2).last_frame == invalid_session


def test_events_need_their_intents(simulation: Simulation) -> None:
    wire = identify(simulation, GUILDS)
    curious = make_simulation()
    other = identify(curious, GUILDS | MESSAGES)
    for each in (simulation, curious):
        channel = each.world.channels[ids.GAMES_CHANNEL]
        each.message_builder.post_message(channel, ids.ADA, {"content": "Psst"})
        each.world.notify_channel_changed(channel)
    assert wire.event_names[2:] == ["CHANNEL_UPDATE"]
    assert other.event_names[2:] == ["MESSAGE_CREATE", "CHANNEL_UPDATE"]
    assert other.frames[3]["d"]["content"] == ""


def test_an_interaction_carries_what_discord_py_needs(simulation: Simulation, wire: RecordingTransport) -> None:
    message = simulation.message_builder.post_message(
        simulation.world.channels[ids.GAMES_CHANNEL], ids.BOT, {"content": "x"}
    )
    click = InteractionKind.COMPONENT, ids.BELA, simulation.world.channels[ids.GAMES_CHANNEL], {"custom_id": "a"}
    simulation.interactions.start_interaction(*click, source=message)
    data = wire.last_frame["d"]
    assert data["message"]["id"] == str(message.id)
    assert data["member"]["user"]["id"] == str(ids.BELA)
    assert (data["guild_id"], data["context"]) == (str(ids.GUILD), 0)
    needed = {"token", "version", "application_id", "entitlements", "attachment_size_limit", "app_permissions"}
    assert needed <= set(data)
    dm = simulation.world.open_dm(ids.BELA)
    simulation.interactions.start_interaction(InteractionKind.COMMAND, ids.BELA, dm, {"name": "x"})
    private = wire.last_frame["d"]
    assert private["user"]["id"] == str(ids.BELA)
    assert "member" not in private
    assert "guild_id" not in private


def test_a_new_identify_forgets_the_session_whose_line_is_gone(
    simulation: Simulation, wire: RecordingTransport
) -> None:
    simulation.gateway.close_connection(wire, 4000)
    advance_clock(simulation, 5)
    identify(simulation)
    assert resume_session(simulation, wire.session_id, 2).last_frame["op"] == Opcode.INVALID_SESSION


def test_two_that_identify_alike_are_both_told(simulation: Simulation, wire: RecordingTransport) -> None:
    advance_clock(simulation, 5)
    wires = [wire, identify(simulation)]
    change_channels(simulation, ids.GAMES_CHANNEL)
    assert [sent_channels(wire) for wire in wires] == [["games"], ["games"]]


def sent_channels(wire: RecordingTransport) -> list[str]:
    return [frame["d"]["name"] for frame in wire.frames if frame["t"] == "CHANNEL_UPDATE"]


def change_channels(simulation: Simulation, *channels: int) -> None:
    for channel in channels:
        simulation.world.notify_channel_changed(simulation.world.channels[channel])


def test_events_come_late_or_twice_on_demand(simulation: Simulation, wire: RecordingTransport) -> None:
    simulation.faults.delay_events(count=1)
    change_channels(simulation, ids.GAMES_CHANNEL, ids.NEWS_CHANNEL, ids.LOUNGE_CHANNEL)
    assert sent_channels(wire) == ["news", "games", "lounge"]
    simulation.faults.delay_events(count=1)
    change_channels(simulation, ids.GAMES_CHANNEL)
    assert sent_channels(wire)[3:] == []
    advance_clock(simulation, LATE_SECONDS)
    assert sent_channels(wire)[3:] == ["games"]
    simulation.faults.double_events(count=1, path="^CHANNEL_")
    change_channels(simulation, ids.GAMES_CHANNEL, ids.NEWS_CHANNEL)
    assert sent_channels(wire)[4:] == ["games", "games", "news"]
    advance_clock(simulation, 5)
    simulation.faults.delay_events()
    assert identify(simulation).event_names == ["READY", "GUILD_CREATE"], "a session begins in disorder"


def test_events_that_are_late_at_a_disconnect_come_with_the_resume(
    simulation: Simulation, wire: RecordingTransport
) -> None:
    simulation.faults.delay_events(count=1)
    change_channels(simulation, ids.GAMES_CHANNEL)
    simulation.gateway.close_connection(wire, 4000)
    resumed = resume_session(simulation, wire.session_id, 2)
    change_channels(simulation, ids.NEWS_CHANNEL)
    assert sent_channels(resumed) == ["games", "news"]


def test_events_sent_without_a_connection_come_once(simulation: Simulation, wire: RecordingTransport) -> None:
    simulation.gateway.close_connection(wire, 4000)
    simulation.faults.delay_events(count=1)
    change_channels(simulation, ids.GAMES_CHANNEL)
    resumed = resume_session(simulation, wire.session_id, 2)
    change_channels(simulation, ids.NEWS_CHANNEL)
    change_channels(simulation, ids.LOUNGE_CHANNEL)
    advance_clock(simulation, LATE_SECONDS)
    assert sorted(sent_channels(resumed)) == ["games", "lounge", "news"]
    assert sent_channels(resumed)[0] == "games"
