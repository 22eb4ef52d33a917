"""The gateway's sessions, without a network."""

from __future__ import annotations

import json
from typing import Any

from playground.simulation.gateway import LATE_SECONDS, Op
from playground.simulation.interactions import Kind
from playground.simulation.simulation import House
from playground.world import ids
from tests.playground.manual_clock import ManualClock

GUILDS = 1
MESSAGES = 1 << 9


class Wire:
    """A connection that keeps what it was sent."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, frame: str) -> None:
        self.frames.append(json.loads(frame))

    def hang_up(self, code: int) -> None:
        self.closed = code

    @property
    def events(self) -> list[str]:
        """The dispatched events' names."""
        return [frame["t"] for frame in self.frames if frame["op"] == Op.DISPATCH]

    @property
    def last(self) -> dict[str, Any]:
        """The newest frame."""
        return self.frames[-1]


def house() -> House:
    """A house without a network."""
    return House("http://127.0.0.1:1", clock=ManualClock())


def wind(where: House, seconds: float) -> None:
    """Time passes."""
    assert isinstance(where.clock, ManualClock)
    where.clock.advance(seconds)


def say(where: House, wire: Wire, op: Op, data: Any) -> None:
    """The bot sends a frame."""
    where.gateway.received(wire, json.dumps({"op": op, "d": data}))


def identified(where: House, intents: int = GUILDS, token: str | None = None) -> Wire:
    """A connection that has identified."""
    wire = Wire()
    where.gateway.connected(wire)
    say(where, wire, Op.IDENTIFY, {"token": token or where.token, "intents": intents})
    return wire


def resume(where: House, session: str, seen: int) -> Wire:
    """A connection that asks to resume."""
    wire = Wire()
    where.gateway.connected(wire)
    say(where, wire, Op.RESUME, {"token": where.token, "session_id": session, "seq": seen})
    return wire


def test_identify_gets_ready_and_the_guild() -> None:
    where = house()
    wire = identified(where)
    assert wire.frames[0]["op"] == Op.HELLO
    assert wire.events == ["READY", "GUILD_CREATE"]
    guild = wire.last["d"]
    assert [channel["name"] for channel in guild["channels"]] == [
        "games",
        "lounge",
        "no-bots",
        "cellar",
        "news",
        "snug",
    ]
    assert [member["user"]["id"] for member in guild["members"]] == [str(ids.BOT)]
    assert where.gateway.online


def test_a_wrong_token_is_hung_up_on() -> None:
    assert identified(house(), token="stolen").closed == 4004


def test_a_heartbeat_is_acknowledged() -> None:
    where = house()
    wire = identified(where)
    say(where, wire, Op.HEARTBEAT, 2)
    assert wire.last["op"] == Op.HEARTBEAT_ACK


def test_resume_replays_what_was_missed_and_nothing_else() -> None:
    where = house()
    wire = identified(where)
    session = wire.frames[1]["d"]["session_id"]
    where.gateway.disconnected(wire, 4000)
    assert not where.gateway.online
    where.gateway.dispatch("INTERACTION_CREATE", {"id": "1"})
    again = resume(where, session, 2)
    assert again.events == ["INTERACTION_CREATE", "RESUMED"]
    assert again.frames[1]["s"] == 3
    assert where.gateway.online


def test_a_session_ended_by_the_bot_cannot_be_resumed() -> None:
    where = house()
    wire = identified(where)
    session = wire.frames[1]["d"]["session_id"]
    where.gateway.disconnected(wire, 1000)
    assert resume(where, session, 2).last == {"op": Op.INVALID_SESSION, "d": False, "s": None, "t": None}


def test_an_unknown_or_impossible_resume_is_an_invalid_session() -> None:
    where = house()
    session = identified(where).frames[1]["d"]["session_id"]
    assert resume(where, "nonsense", 1).last["op"] == Op.INVALID_SESSION
    assert resume(where, session, 99).last["op"] == Op.INVALID_SESSION


def test_events_need_their_intents() -> None:
    where = house()
    wire = identified(where, GUILDS)
    curious = house()
    other = identified(curious, GUILDS | MESSAGES)
    for each in (where, curious):
        channel = each.world.channels[ids.GAMES]
        each.scribe.post(channel, ids.ADA, {"content": "Psst"})
        each.world.change_channel(channel)
    assert wire.events[2:] == ["CHANNEL_UPDATE"]
    assert other.events[2:] == ["MESSAGE_CREATE", "CHANNEL_UPDATE"]
    assert other.frames[3]["d"]["content"] == ""


def test_an_interaction_carries_what_discord_py_needs() -> None:
    where = house()
    wire = identified(where)
    message = where.scribe.post(where.world.channels[ids.GAMES], ids.BOT, {"content": "x"})
    where.interactions.begin(
        Kind.COMPONENT, ids.BELA, where.world.channels[ids.GAMES], {"custom_id": "a"}, source=message
    )
    data = wire.last["d"]
    assert data["message"]["id"] == str(message.id)
    assert data["member"]["user"]["id"] == str(ids.BELA)
    assert (data["guild_id"], data["context"]) == (str(ids.GUILD), 0)
    assert {"token", "version", "application_id", "entitlements", "attachment_size_limit", "app_permissions"} <= set(
        data
    )
    dm = where.world.open_dm(ids.BELA)
    where.interactions.begin(Kind.COMMAND, ids.BELA, dm, {"name": "x"})
    private = wire.last["d"]
    assert private["user"]["id"] == str(ids.BELA)
    assert "member" not in private
    assert "guild_id" not in private


def test_a_new_identify_forgets_the_session_whose_line_is_gone() -> None:
    where = house()
    first = identified(where)
    where.gateway.disconnected(first, 4000)
    wind(where, 5)
    identified(where)
    session = first.frames[1]["d"]["session_id"]
    assert resume(where, session, 2).last["op"] == Op.INVALID_SESSION


def test_two_that_identify_alike_are_both_told() -> None:
    where = house()
    first = identified(where)
    wind(where, 5)
    wires = [first, identified(where)]
    change(where, ids.GAMES)
    assert [told(wire) for wire in wires] == [["games"], ["games"]]


def told(wire: Wire) -> list[str]:
    """The channels of which the bot is told, in that order, after the beginning."""
    return [frame["d"]["name"] for frame in wire.frames if frame["t"] == "CHANNEL_UPDATE"]


def change(where: House, *channels: int) -> None:
    """Channels are changed."""
    for channel in channels:
        where.world.change_channel(where.world.channels[channel])


def test_events_come_twice_on_demand() -> None:
    where = house()
    wire = identified(where)
    where.faults.double_events(count=1, path="^CHANNEL_")
    change(where, ids.GAMES, ids.NEWS)
    assert told(wire) == ["games", "games", "news"]


def test_events_come_after_the_next_one_on_demand() -> None:
    where = house()
    wire = identified(where)
    where.faults.delay_events(count=1)
    change(where, ids.GAMES, ids.NEWS, ids.LOUNGE)
    assert told(wire) == ["news", "games", "lounge"]


def test_an_event_after_which_none_comes_is_late_by_a_second() -> None:
    where = house()
    wire = identified(where)
    where.faults.delay_events(count=1)
    change(where, ids.GAMES)
    assert told(wire) == []
    wind(where, LATE_SECONDS)
    assert told(wire) == ["games"]


def test_what_is_late_when_the_line_breaks_comes_with_the_resume_in_its_order() -> None:
    where = house()
    wire = identified(where)
    session = wire.frames[1]["d"]["session_id"]
    where.faults.delay_events(count=1)
    change(where, ids.GAMES)
    where.gateway.disconnected(wire, 4000)
    again = resume(where, session, 2)
    change(where, ids.NEWS)
    assert told(again) == ["games", "news"]


def test_what_is_told_while_there_is_no_line_comes_once_and_in_its_order() -> None:
    where = house()
    wire = identified(where)
    session = wire.frames[1]["d"]["session_id"]
    where.gateway.disconnected(wire, 4000)
    where.faults.delay_events(count=1)
    change(where, ids.GAMES)
    again = resume(where, session, 2)
    change(where, ids.NEWS)
    change(where, ids.LOUNGE)
    wind(where, LATE_SECONDS)
    assert sorted(told(again)) == ["games", "lounge", "news"]
    assert told(again)[0] == "games"


def test_no_session_begins_in_disorder() -> None:
    where = house()
    where.faults.delay_events()
    assert identified(where).events == ["READY", "GUILD_CREATE"]
