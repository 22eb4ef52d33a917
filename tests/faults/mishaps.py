"""Whatever Discord may do to the bot, each for some seconds, drawn by lot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from random import Random

from playground.simulation.faults import LOCKED_ANSWERS, CountedFault, Faults
from playground.world import ids
from tests.faults.playground_run import PlaygroundRun

FOREVER = 10**9
DURATIONS = (1, 4, 10, 25)  # for which something lasts
Mishap = Callable[[PlaygroundRun, Random], AbstractAsyncContextManager[None]]
UNTOLD_MISHAPS = {"message_deleted", "inbox_closed", "member_gone"}
"""Mishaps whose end nobody tells the bot: somebody asks how their match stands, and then it is mended."""

BLOCKS = {"bare_rate_limit", "blocked"}
"""After which the bot asks Discord less and less often whether they have ended."""


def _faults(run: PlaygroundRun) -> Faults:
    return run.playground.simulation.faults


# Requests


def _lasting_mishap(start: Callable[[Faults, Random], object], end: Callable[[Faults], object]) -> Mishap:
    @asynccontextmanager
    async def mishap(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
        start(_faults(run), rng)
        yield
        end(_faults(run))

    return mishap


def _counted(fault: CountedFault) -> Mishap:
    return _lasting_mishap(
        lambda f, rng: f.start_counted(fault, rng.randint(1, 30)), lambda f: f.start_counted(fault, 0)
    )


STATUSES = (500, 502, 503, 504, 520)
SOME = (5, 20, 50, 100)  # percent
PATHS = ("", "", "", "/callback$", "/messages", "^/channels/", "^/webhooks/")
REQUESTS: Mapping[str, Mishap] = {
    "server_errors": _lasting_mishap(
        lambda f, rng: f.start_server_errors(FOREVER, path=rng.choice(PATHS), status=rng.choice(STATUSES)),
        lambda f: setattr(f, "errors_left", 0),
    ),
    "rate_limit": _counted(CountedFault.RATE_LIMIT),
    "bare_rate_limit": _counted(CountedFault.BARE_RATE_LIMIT),
    "blocked": _counted(CountedFault.BLOCKED),
    "cut_connections": _lasting_mishap(  # requests never arrive
        lambda f, rng: f.cut_connections(rng.choice(SOME), seed=rng.randrange(10**6)), lambda f: f.cut_connections(0)
    ),
    "lost_answers": _lasting_mishap(  # requests are carried out, and nobody hears of it
        lambda f, rng: f.lose_answers(rng.choice(SOME), seed=rng.randrange(10**6)), lambda f: f.lose_answers(0)
    ),
    "slow_answers": _lasting_mishap(
        lambda f, rng: setattr(f, "slow_ms", rng.choice((200, 700, 1500, 2200, 5000))),
        lambda f: setattr(f, "slow_ms", 0),
    ),
    "doubled_events": _lasting_mishap(
        lambda f, rng: f.double_events(rng.choice((30, 100)), seed=rng.randrange(10**6)), lambda f: f.double_events(0)
    ),
    "late_events": _lasting_mishap(  # what the bot is told comes after the next event
        lambda f, rng: f.delay_events(rng.choice((30, 100)), seed=rng.randrange(10**6)), lambda f: f.delay_events(0)
    ),
}


@asynccontextmanager
async def burst_of_errors(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    for _ in range(rng.randint(1, 5)):
        _faults(run).start_server_errors(rng.randint(1, 8), rng.choice((500, 502, 503)), "")
        await asyncio.sleep(rng.uniform(0.5, 3))
    yield
    _faults(run).errors_left = 0


@asynccontextmanager
async def no_room_for_threads(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    """Another table is opened while no thread can be begun."""
    _faults(run).start_counted(CountedFault.TOO_MANY_THREADS, 1)
    await run.open_table(rng.choice([*run.tables]))
    yield
    _faults(run).start_counted(CountedFault.TOO_MANY_THREADS, 0)


# The gateway


@asynccontextmanager
async def dropped_gateway(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    for _ in range(rng.choice((1, 1, 3))):
        run.playground.simulation.gateway.drop_connections()
        await asyncio.sleep(rng.uniform(0, 2))
    yield


@asynccontextmanager
async def invalid_session(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    for _ in range(rng.choice((1, 1, 3))):
        run.playground.simulation.gateway.invalidate_sessions()
        await asyncio.sleep(rng.uniform(0, 2))
    yield


# The server


@asynccontextmanager
async def message_deleted(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    table = rng.choice([*run.tables.values()])
    known = [run.world.messages.get(channel, {}) for channel in (table.channel, table.lobby.id)]
    visible = [message for channel in known for message in channel.values() if message.visible_to is None]
    own = [message for message in visible if message.author_id == ids.BOT]
    for message in rng.sample(own, min(len(own), rng.choice((1, 1, 2, 9)))):
        run.perform("Ada", "delete_message", channel_id=message.channel_id, message_id=message.id)
    yield


def _perform(run: PlaygroundRun, channel: int, do: str, **details: object) -> None:
    """Have the owner do something to a channel, if it is there still."""
    if channel in run.world.channels:
        run.perform("Ada", do, channel_id=channel, **details)


@asynccontextmanager
async def thread_deleted(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    _perform(run, rng.choice([*run.tables.values()]).lobby.id, "delete_channel")
    yield


@asynccontextmanager
async def channel_deleted(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    _perform(run, rng.choice([*run.tables.values()]).channel, "delete_channel")
    yield


@asynccontextmanager
async def thread_locked(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    thread = rng.choice([*run.tables.values()]).lobby.id
    _faults(run).set_locked_answer(rng.choice(LOCKED_ANSWERS).code)
    _perform(run, thread, "lock")
    yield
    _perform(run, thread, "lock", locked=False)


@asynccontextmanager
async def thread_archived(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    """A thread is put into the archive; locked, maybe, until it is taken out of both."""
    thread, locked = rng.choice([*run.tables.values()]).lobby.id, rng.random() < 0.5
    _perform(run, thread, "archive")
    if locked:
        _perform(run, thread, "lock")
    yield
    if locked:
        _perform(run, thread, "lock", locked=False)
        _perform(run, thread, "archive", archived=False)


@asynccontextmanager
async def permissions_lost(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    table = rng.choice([*run.tables.values()])
    some = "view_channel send_messages attach_files embed_links read_message_history create_public_threads"
    taken = [rng.choice(some.split())]
    if taken == ["send_messages"]:
        taken.append("send_messages_in_threads")
    _perform(run, table.channel, "allow_bot", permissions=taken, allowed=False)
    yield
    _perform(run, table.channel, "allow_bot", permissions=taken, allowed=True)


@asynccontextmanager
async def bot_removed(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    run.perform("Ada", "remove_bot")
    yield
    run.perform("Ada", "add_bot")


# People


@asynccontextmanager
async def inbox_closed(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    name = rng.choice(rng.choice([*run.tables.values()]).people)
    run.perform(name, "dms", closed=True)
    yield
    run.perform(name, "dms", closed=False)


@asynccontextmanager
async def member_gone(run: PlaygroundRun, rng: Random) -> AsyncIterator[None]:
    """Somebody leaves the server, and comes back; if the computer has their seat by then, they take it."""
    name = rng.choice([each for each in rng.choice([*run.tables.values()]).people if each != "Ada"])
    run.perform(name, "leave_guild")
    await asyncio.sleep(rng.choice((0, 0, 60, 120)))
    yield
    run.perform(name, "join_guild")
    for table in run.tables.values():
        if name in table.people:
            await run.retake_seat(name, table)


ORDER: tuple[str | Mishap, ...] = (
    *("server_errors", burst_of_errors, "rate_limit", "bare_rate_limit", "blocked", "cut_connections"),
    "lost_answers",
    *("slow_answers", no_room_for_threads, dropped_gateway, invalid_session, "doubled_events", "late_events"),
    *(message_deleted, thread_deleted, channel_deleted, thread_locked, thread_archived, permissions_lost),
    *(bot_removed, inbox_closed, member_gone),
)
MISHAPS: Mapping[str, Mishap] = {
    each if isinstance(each, str) else each.__name__: REQUESTS[each] if isinstance(each, str) else each
    for each in ORDER
}
