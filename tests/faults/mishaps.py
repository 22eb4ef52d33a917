"""Whatever Discord may do to the bot, each for some seconds, drawn by lot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random

from playground.simulation.faults import LOCKED_ANSWERS, CountedFault, Faults
from playground.world import ids
from playground.world.world import Message
from tests.faults.evening import Evening, Table

FOREVER = 10**9
DURATIONS = (1, 4, 10, 25)  # for which something lasts
Mishap = Callable[[Evening, Random], AbstractAsyncContextManager[None]]
UNTOLD_MISHAPS = {"message_deleted", "inbox_closed", "member_gone"}
"""Of whose end nobody tells the bot: somebody asks how their match stands, and then it is mended."""


def _faults(evening: Evening) -> Faults:
    return evening.playground.simulation.faults


def _any_table(evening: Evening, rng: Random) -> Table:
    return rng.choice([*evening.tables.values()])


# Requests


@asynccontextmanager
async def server_errors(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """All requests fail, or those of a kind."""
    path = rng.choice(("", "", "", "/callback$", "/messages", "^/channels/", "^/webhooks/"))
    _faults(evening).start_server_errors(FOREVER, rng.choice((500, 502, 503, 504, 520)), path)
    yield
    _faults(evening).errors_left = 0


@asynccontextmanager
async def burst_of_errors(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The next few requests fail, again and again."""
    for _ in range(rng.randint(1, 5)):
        _faults(evening).start_server_errors(rng.randint(1, 8), rng.choice((500, 502, 503)), "")
        await asyncio.sleep(rng.uniform(0.5, 3))
    yield
    _faults(evening).errors_left = 0


@asynccontextmanager
async def rate_limit(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The next few requests are told to wait."""
    _faults(evening).start_counted(CountedFault.RATE_LIMIT, rng.randint(1, 30))
    yield
    _faults(evening).start_counted(CountedFault.RATE_LIMIT, 0)


@asynccontextmanager
async def bare_rate_limit(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The next few requests get a 429 that says nothing of how long."""
    _faults(evening).start_counted(CountedFault.BARE_RATE_LIMIT, rng.randint(1, 30))
    yield
    _faults(evening).start_counted(CountedFault.BARE_RATE_LIMIT, 0)


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
    _faults(evening).start_counted(CountedFault.TOO_MANY_THREADS, 1)
    await evening.open_table(rng.choice([*evening.tables]))
    yield
    _faults(evening).start_counted(CountedFault.TOO_MANY_THREADS, 0)


# The gateway


@asynccontextmanager
async def dropped_gateway(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot's connection breaks, and it resumes; several times, maybe."""
    for _ in range(rng.choice((1, 1, 3))):
        evening.playground.simulation.gateway.drop_connections()
        await asyncio.sleep(rng.uniform(0, 2))
    yield


@asynccontextmanager
async def invalid_session(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot's session ends, and it has to identify anew."""
    for _ in range(rng.choice((1, 1, 3))):
        evening.playground.simulation.gateway.invalidate_sessions()
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
    table = _any_table(evening, rng)
    there: list[Message] = [
        message
        for channel in (table.channel, table.lobby.id)
        for message in evening.world.messages.get(channel, {}).values()
        if message.visible_to is None and message.author_id == ids.BOT
    ]
    for message in rng.sample(there, min(len(there), rng.choice((1, 1, 2, 9)))):
        evening.perform("Ada", "delete_message", channel_id=message.channel_id, message_id=message.id)
    yield


@asynccontextmanager
async def thread_deleted(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator deletes a match's thread."""
    table = _any_table(evening, rng)
    if table.lobby.id in evening.world.channels:
        evening.perform("Ada", "delete_channel", channel_id=table.lobby.id)
    yield


@asynccontextmanager
async def channel_deleted(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator deletes a match's channel, and its thread with it."""
    table = _any_table(evening, rng)
    if table.channel in evening.world.channels:
        evening.perform("Ada", "delete_channel", channel_id=table.channel)
    yield


@asynccontextmanager
async def thread_locked(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A moderator locks a thread, and unlocks it."""
    thread = _any_table(evening, rng).lobby.id
    _faults(evening).set_locked_answer(rng.choice(LOCKED_ANSWERS).code)
    if thread in evening.world.channels:
        evening.perform("Ada", "lock", channel_id=thread)
    yield
    if thread in evening.world.channels:
        evening.perform("Ada", "lock", channel_id=thread, locked=False)


@asynccontextmanager
async def thread_archived(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """A thread is put into the archive; locked, maybe, until it is taken out of both."""
    thread, locked = _any_table(evening, rng).lobby.id, rng.random() < 0.5
    if thread in evening.world.channels:
        evening.perform("Ada", "archive", channel_id=thread)
        if locked:
            evening.perform("Ada", "lock", channel_id=thread)
    yield
    if thread in evening.world.channels and locked:
        evening.perform("Ada", "lock", channel_id=thread, locked=False)
        evening.perform("Ada", "archive", channel_id=thread, archived=False)


@asynccontextmanager
async def permissions_lost(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot may no longer do something in a channel, for a while."""
    table = _any_table(evening, rng)
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
        evening.perform("Ada", "allow_bot", **asked, allowed=False)
    yield
    if table.channel in evening.world.channels:
        evening.perform("Ada", "allow_bot", **asked, allowed=True)


@asynccontextmanager
async def bot_removed(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """The bot is put out of the server, and invited again."""
    evening.perform("Ada", "remove_bot")
    yield
    evening.perform("Ada", "add_bot")


# People


@asynccontextmanager
async def inbox_closed(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Somebody closes their direct messages, and opens them again."""
    name = rng.choice(_any_table(evening, rng).people)
    evening.perform(name, "dms", closed=True)
    yield
    evening.perform(name, "dms", closed=False)


@asynccontextmanager
async def member_gone(evening: Evening, rng: Random) -> AsyncIterator[None]:
    """Somebody leaves the server, and comes back; where the computer has their seat by then, they take it."""
    name = rng.choice([each for each in _any_table(evening, rng).people if each != "Ada"])
    evening.perform(name, "leave_guild")
    await asyncio.sleep(rng.choice((0, 0, 60, 120)))
    yield
    evening.perform(name, "join_guild")
    for table in evening.tables.values():
        if name in table.people:
            await evening.retake_seat(name, table)


MISHAPS: Mapping[str, Mishap] = {
    each.__name__: each
    for each in (
        *(server_errors, burst_of_errors, rate_limit, bare_rate_limit, cut_connections, lost_answers, slow_answers),
        *(no_room_for_threads, dropped_gateway, invalid_session, doubled_events, late_events),
        *(message_deleted, thread_deleted, channel_deleted, thread_locked, thread_archived, permissions_lost),
        *(bot_removed, inbox_closed, member_gone),
    )
}
