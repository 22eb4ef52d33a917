"""REST: channels, threads and their members, and opening direct conversations."""

from __future__ import annotations

from typing import Final

from playground.rest.request import EMPTY, Answer, Call, refuse_archived, require
from playground.simulation.faults import Counted
from playground.world import ids, payloads
from playground.world.errors import DiscordError, Refusal, refuse_unless
from playground.world.permissions import Permission
from playground.world.world import NEWS, NEWS_THREAD, PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, Json, ThreadState

RECIPIENT_ADD: Final = 1
THREAD_CREATED: Final = 18
_PUBLIC_THREADS: Final = {TEXT: PUBLIC_THREAD, NEWS: NEWS_THREAD}
_SENDING: Final = Permission.SEND_MESSAGES_IN_THREADS


async def get(call: Call) -> Answer:
    """GET /channels/{channel}."""
    return Answer(payloads.channel(call.world, call.channel()))


async def edit(call: Call) -> Answer:
    """PATCH /channels/{channel}: a thread's name, archiving, locking."""
    channel = call.channel()
    state = channel.thread
    if state is None:
        require(call.world, channel, Permission.MANAGE_CHANNELS)
        channel.name = call.body().get("name", channel.name)
    else:
        _edit_thread(call, channel, state)
    call.world.change_channel(channel)
    return Answer(payloads.channel(call.world, channel))


async def delete(call: Call) -> Answer:
    """DELETE /channels/{channel}."""
    channel = call.channel()
    if not channel.is_dm:
        require(
            call.world, channel, Permission.MANAGE_CHANNELS if channel.thread is None else Permission.MANAGE_THREADS
        )
    made = payloads.channel(call.world, channel)
    call.world.remove_channel(channel)
    return Answer(made)


async def open_dm(call: Call) -> Answer:
    """POST /users/@me/channels."""
    recipient = ids.number(str(call.body().get("recipient_id", "")))
    if recipient is None or recipient not in call.world.users or recipient == ids.BOT:
        raise Refusal(DiscordError.INVALID_RECIPIENT)
    refuse_unless(not call.house.faults.befalls(Counted.DMS_TOO_FAST), DiscordError.DMS_TOO_FAST)
    return Answer(payloads.channel(call.world, call.world.open_dm(recipient)))


async def start_thread(call: Call) -> Answer:
    """POST /channels/{channel}/threads."""
    parent = call.world.channel(call.id("channel"))
    private = isinstance(call.payload, dict) and call.payload.get("type", PRIVATE_THREAD) == PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    require(call.world, parent, needed)
    answer = _begin(call, parent, call.world.snowflakes.next(), call.body(), private=private)
    if not private:
        reference = {"guild_id": str(parent.guild_id), "channel_id": answer.body["id"]}
        _note(call, parent, THREAD_CREATED, answer.body["name"], message_reference=reference)
    return answer


async def start_thread_from_message(call: Call) -> Answer:
    """POST /channels/{channel}/messages/{message}/threads: the thread takes the message's id."""
    parent = call.channel(Permission.CREATE_PUBLIC_THREADS)
    message = call.world.message(parent.id, call.id("message"))
    body = call.body()
    if message.id in call.world.channels:
        raise Refusal(DiscordError.THREAD_EXISTS)
    answer = _begin(call, parent, message.id, body)
    call.world.change_message(message, message.data | {"flags": message.data["flags"] | 1 << 5, "thread": answer.body})
    return answer


async def active_threads(call: Call) -> Answer:
    """GET /guilds/{guild}/threads/active."""
    threads = call.world.threads_in(call.guild())
    members = [payloads.thread_member(t, ids.BOT) for t in threads if t.thread and ids.BOT in t.thread.members]
    return Answer({"threads": [payloads.channel(call.world, t) for t in threads], "members": members})


async def thread_members(call: Call) -> Answer:
    """GET /channels/{channel}/thread-members."""
    channel, state = _thread(call)
    return Answer([payloads.thread_member(channel, user_id) for user_id in state.members])


async def join_thread(call: Call) -> Answer:
    """PUT /channels/{channel}/thread-members/@me."""
    return _join(call, ids.BOT)


async def leave_thread(call: Call) -> Answer:
    """DELETE /channels/{channel}/thread-members/@me."""
    return _leave(call, ids.BOT)


async def add_thread_member(call: Call) -> Answer:
    """PUT /channels/{channel}/thread-members/{user}."""
    require(call.world, call.channel(), _SENDING)
    channel, state = _thread(call)
    user_id = call.world.guilds[channel.guild_id].member(call.id("user")).user_id
    refuse_archived(channel)
    call.refuse_locked(channel)
    new = user_id not in state.members
    answer = _join(call, user_id)
    if new:
        _note(call, channel, RECIPIENT_ADD, "", mentions=[payloads.user(call.world.users[user_id])])
    return answer


async def remove_thread_member(call: Call) -> Answer:
    """DELETE /channels/{channel}/thread-members/{user}."""
    require(call.world, call.channel(), Permission.MANAGE_THREADS)
    return _leave(call, call.id("user"))


def _note(call: Call, channel: Channel, kind: int, content: str, **extra: object) -> None:
    """Discord's own line in a channel about something the bot did there."""
    call.house.scribe.post(channel, ids.BOT, {"content": content}, extra={"type": kind, **extra})


def _thread(call: Call) -> tuple[Channel, ThreadState]:
    channel = call.channel()
    if channel.thread is None:
        raise Refusal(DiscordError.WRONG_CHANNEL_TYPE)
    return channel, channel.thread


def _begin(call: Call, parent: Channel, thread_id: int, body: Json, *, private: bool = False) -> Answer:
    kind = PRIVATE_THREAD if private else _PUBLIC_THREADS.get(parent.type)
    if kind is None or (private and parent.type != TEXT):
        raise Refusal(DiscordError.WRONG_CHANNEL_TYPE)
    refuse_unless(not call.house.faults.befalls(Counted.TOO_MANY_THREADS), DiscordError.TOO_MANY_THREADS)
    now = call.house.clock.now()
    state = ThreadState(
        owner_id=ids.BOT,
        created_at=now,
        archived_at=now,
        auto_archive_minutes=body.get("auto_archive_duration") or 1440,
        members={ids.BOT: now},
    )
    channel = Channel(thread_id, kind, body["name"], parent_id=parent.id, thread=state, guild_id=parent.guild_id)
    call.world.add_channel(channel)
    return Answer(payloads.channel(call.world, channel), 201)


def _edit_thread(call: Call, channel: Channel, state: ThreadState) -> None:
    body = call.body()
    opening = body == {"archived": False}
    own = opening or (state.owner_id == ids.BOT and "locked" not in body)
    require(call.world, channel, Permission.MANAGE_THREADS if state.locked or not own else _SENDING)
    refuse_unless(not state.archived or body.get("archived") is False, DiscordError.THREAD_ARCHIVED)
    channel.name = body.get("name", channel.name)
    state.auto_archive_minutes = body.get("auto_archive_duration", state.auto_archive_minutes)
    state.locked = body.get("locked", state.locked)
    if body.get("archived", state.archived) != state.archived:
        state.archived, state.archived_at = body["archived"], call.house.clock.now()


def _join(call: Call, user_id: int) -> Answer:
    channel, state = _thread(call)
    refuse_archived(channel)
    if user_id not in state.members:
        state.members[user_id] = call.house.clock.now()
        call.world.change_channel(channel)
    return EMPTY


def _leave(call: Call, user_id: int) -> Answer:
    channel, state = _thread(call)
    refuse_archived(channel)
    if state.members.pop(user_id, None) is not None:
        call.world.change_channel(channel)
    return EMPTY
