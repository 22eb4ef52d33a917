"""Whatever Discord may do to the bot, each for some seconds, drawn by lot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random

from playground.simulation.faults import LOCKED_ANSWERS, Counted, Faults
from playground.world import ids
from playground.world.world import Message
from tests.faults.evening import Evening, Table

FOREVER = 10**9
SECONDS = (1, 4, 10, 25)  # for which something lasts
Mishap = Callable[[Evening, Random], AbstractAsyncContextManager[None]]
UNTOLD = {"message_deleted", "inbox_closed", "member_gone"}
"""Of whose end nobody tells the bot: somebody asks how their match stands, and then it is mended."""


def _faults(evening: Evening) -> Faults:
    return evening.playground.house.faults


def _some(evening: Evening, rng: Random) -> Table:
    return rng.choice([*evening.tables.values()])


# Requests


@asynccontextmanager
async def server_errors(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """All requests fail, or those of a kind."""
    path = rng.choice(("", "", "", "/callback$", "/messages", "^/channels/", "^/webhooks/"))
    _faults(evening).break_down(FOREVER, rng.choice((500, 502, 503, 504, 520)), path)
    yield
    _faults(evening).errors_left = 0


@asynccontextmanager
async def burst_of_errors(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The next few requests fail, again and again."""
    for _ in range(rng.randint(1, 5)):
        _faults(evening).break_down(rng.randint(1, 8), rng.choice((500, 502, 503)), "")
        await asyncio.sleep(rng.uniform(0.5, 3))
    yield
    _faults(evening).errors_left = 0


@asynccontextmanager
async def rate_limit(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The next few requests are told to wait."""
    _faults(evening).begin(Counted.RATE_LIMIT, rng.randint(1, 30))
    yield
    _faults(evening).begin(Counted.RATE_LIMIT, 0)


@asynccontextmanager
async def bare_rate_limit(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The next few requests get a 429 that says nothing of how long."""
    _faults(evening).begin(Counted.BARE_RATE_LIMIT, rng.randint(1, 30))
    yield
    _faults(evening).begin(Counted.BARE_RATE_LIMIT, 0)


@asynccontextmanager
async def cut_connections(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Requests never arrive."""
    _faults(evening).cut_connections(rng.choice((5, 20, 50, 100)), seed=rng.randrange(10**6))
    yield
    _faults(evening).cut_connections(0)


@asynccontextmanager
async def lost_answers(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Requests are carried out, and nobody hears of it."""
    _faults(evening).lose_answers(rng.choice((5, 20, 50, 100)), seed=rng.randrange(10**6))
    yield
    _faults(evening).lose_answers(0)


@asynccontextmanager
async def slow_answers(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Every request takes longer."""
    _faults(evening).slow_ms = rng.choice((200, 700, 1500, 2200, 5000))
    yield
    _faults(evening).slow_ms = 0


@asynccontextmanager
async def no_room_for_threads(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Another table is opened while no thread can be begun."""
    _faults(evening).begin(Counted.TOO_MANY_THREADS, 1)
    await evening.open(rng.choice([*evening.tables]))
    yield
    _faults(evening).begin(Counted.TOO_MANY_THREADS, 0)


# The gateway


@asynccontextmanager
async def dropped_gateway(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot's connection breaks, and it resumes; several times, maybe."""
    for _ in range(rng.choice((1, 1, 3))):
        evening.playground.house.gateway.drop()
        await asyncio.sleep(rng.uniform(0, 2))
    yield


@asynccontextmanager
async def invalid_session(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot's session ends, and it has to identify anew."""
    for _ in range(rng.choice((1, 1, 3))):
        evening.playground.house.gateway.invalidate()
        await asyncio.sleep(rng.uniform(0, 2))
    yield


@asynccontextmanager
async def doubled_events(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """What the bot is told comes twice."""
    _faults(evening).double_events(rng.choice((30, 100)), seed=rng.randrange(10**6))
    yield
    _faults(evening).double_events(0)


@asynccontextmanager
async def late_events(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """What the bot is told comes after the next event."""
    _faults(evening).delay_events(rng.choice((30, 100)), seed=rng.randrange(10**6))
    yield
    _faults(evening).delay_events(0)


# The server


@asynccontextmanager
async def message_deleted(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator deletes messages of the bot's."""
    table = _some(evening, rng)
    there: list[Message] = [
        message
        for channel in (table.channel, table.lobby.id)
        for message in evening.world.messages.get(channel, {}).values()
        if message.visible_to is None and message.author_id == ids.BOT
    ]
    for message in rng.sample(there, min(len(there), rng.choice((1, 1, 2, 9)))):
        evening.act("Ada", "delete_message", channel_id=message.channel_id, message_id=message.id)
    yield


@asynccontextmanager
async def thread_deleted(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator deletes a match's thread."""
    table = _some(evening, rng)
    if table.lobby.id in evening.world.channels:
        evening.act("Ada", "delete_channel", channel_id=table.lobby.id)
    yield


@asynccontextmanager
async def channel_deleted(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator deletes a match's channel, and its thread with it."""
    table = _some(evening, rng)
    if table.channel in evening.world.channels:
        evening.act("Ada", "delete_channel", channel_id=table.channel)
    yield


@asynccontextmanager
async def thread_locked(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator locks a thread, and unlocks it."""
    thread = _some(evening, rng).lobby.id
    _faults(evening).answer_locked(rng.choice(LOCKED_ANSWERS).code)
    if thread in evening.world.channels:
        evening.act("Ada", "lock", channel_id=thread)
    yield
    if thread in evening.world.channels:
        evening.act("Ada", "lock", channel_id=thread, locked=False)


@asynccontextmanager
async def thread_archived(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A thread is put into the archive; locked, maybe, until it is taken out of both."""
    thread, locked = _some(evening, rng).lobby.id, rng.random() < 0.5
    if thread in evening.world.channels:
        evening.act("Ada", "archive", channel_id=thread)
        if locked:
            evening.act("Ada", "lock", channel_id=thread)
    yield
    if thread in evening.world.channels and locked:
        evening.act("Ada", "lock", channel_id=thread, locked=False)
        evening.act("Ada", "archive", channel_id=thread, archived=False)


@asynccontextmanager
async def permissions_lost(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot may no longer do something in a channel, for a while."""
    table = _some(evening, rng)
    taken = rng.choice(
        (
            ["view_channel"],
            ["send_messages", "send_messages_in_threads"],
            ["attach_files"],
            ["embed_links"],
            ["read_message_history"],
            ["create_public_threads"],
        )
    )
    asked = {"channel_id": table.channel, "permissions": taken}
    if table.channel in evening.world.channels:
        evening.act("Ada", "allow_bot", **asked, allowed=False)
    yield
    if table.channel in evening.world.channels:
        evening.act("Ada", "allow_bot", **asked, allowed=True)


@asynccontextmanager
async def bot_removed(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot is put out of the server, and invited again."""
    evening.act("Ada", "remove_bot")
    yield
    evening.act("Ada", "add_bot")


# People


@asynccontextmanager
async def inbox_closed(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Somebody closes their direct messages, and opens them again."""
    name = rng.choice(_some(evening, rng).people)
    evening.act(name, "dms", closed=True)
    yield
    evening.act(name, "dms", closed=False)


@asynccontextmanager
async def member_gone(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Somebody leaves the server, and comes back; where the computer has their seat by then, they take it."""
    name = rng.choice([each for each in _some(evening, rng).people if each != "Ada"])
    evening.act(name, "leave_guild")
    await asyncio.sleep(rng.choice((0, 0, 60, 120)))
    yield
    evening.act(name, "join_guild")
    for table in evening.tables.values():
        if name in table.people:
            await evening.come_back(name, table)


MISHAPS: Mapping[str, Mishap] = {
    each.__name__: each
    for each in (
        *(server_errors, burst_of_errors, rate_limit, bare_rate_limit, cut_connections, lost_answers, slow_answers),
        *(no_room_for_threads, dropped_gateway, invalid_session, doubled_events, late_events),
        *(message_deleted, thread_deleted, channel_deleted, thread_locked, thread_archived, permissions_lost),
        *(bot_removed, inbox_closed, member_gone),
    )
}
