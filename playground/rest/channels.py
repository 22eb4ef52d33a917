"""REST handlers for channels, threads, thread members, and opening direct messages."""

from __future__ import annotations

from typing import Final

from playground.rest.request import NO_CONTENT, ApiCall, ApiResponse, refuse_archived, require_permissions
from playground.simulation.faults import ContactStep, CountedFault
from playground.world import ids, payloads
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.permissions import Permission
from playground.world.world import (
    NEWS_CHANNEL,
    NEWS_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT_CHANNEL,
    Channel,
    Json,
    ThreadState,
)

RECIPIENT_ADD: Final = 1
THREAD_CREATED: Final = 18
_PUBLIC_THREADS: Final = {TEXT_CHANNEL: PUBLIC_THREAD, NEWS_CHANNEL: NEWS_THREAD}
_SEND_IN_THREADS: Final = Permission.SEND_MESSAGES_IN_THREADS


async def get_channel(call: ApiCall) -> ApiResponse:
    """GET /channels/{channel}."""
    return ApiResponse(payloads.channel_object(call.world, call.accessible_channel()))


async def edit_channel(call: ApiCall) -> ApiResponse:
    """PATCH /channels/{channel}: a thread's name, archiving, locking."""
    channel = call.accessible_channel()
    state = channel.thread
    if state is None:
        require_permissions(call.world, channel, Permission.MANAGE_CHANNELS)
        channel.name = call.checked_body().get("name", channel.name)
    else:
        _edit_thread(call, channel, state)
    call.world.notify_channel_changed(channel)
    return ApiResponse(payloads.channel_object(call.world, channel))


async def delete_channel(call: ApiCall) -> ApiResponse:
    """DELETE /channels/{channel}."""
    channel = call.accessible_channel()
    if not channel.is_dm:
        require_permissions(
            call.world, channel, Permission.MANAGE_CHANNELS if channel.thread is None else Permission.MANAGE_THREADS
        )
    body = payloads.channel_object(call.world, channel)
    call.world.remove_channel(channel)
    return ApiResponse(body)


async def open_dm(call: ApiCall) -> ApiResponse:
    """POST /users/@me/channels."""
    recipient = ids.parse_snowflake(str(call.checked_body().get("recipient_id", "")))
    if recipient is None or recipient not in call.world.users or recipient == ids.BOT:
        raise ApiRefusal(DiscordError.INVALID_RECIPIENT)
    faults, is_new = call.simulation.faults, not call.world.is_contacted(recipient)
    refuse_unless(not faults.hits_request(CountedFault.DMS_TOO_FAST), DiscordError.DMS_TOO_FAST)
    refuse_unless(not faults.hits_request(CountedFault.DMS_REFUSED), DiscordError.DM_CLOSED)
    refuse_unless(not (is_new and faults.refuses_contact(recipient, ContactStep.OPENING)), DiscordError.QUARANTINED)
    return ApiResponse(payloads.channel_object(call.world, call.world.open_dm(recipient)))


async def start_thread(call: ApiCall) -> ApiResponse:
    """POST /channels/{channel}/threads."""
    parent = call.world.channel(call.snowflake("channel"))
    private = isinstance(call.payload, dict) and call.payload.get("type", PRIVATE_THREAD) == PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    require_permissions(call.world, parent, needed)
    answer = _create_thread(call, parent, call.world.snowflakes.next_id(), call.checked_body(), private=private)
    if not private:
        reference = {"guild_id": str(parent.guild_id), "channel_id": answer.body["id"]}
        _post_system_message(call, parent, THREAD_CREATED, answer.body["name"], message_reference=reference)
    return answer


async def start_thread_from_message(call: ApiCall) -> ApiResponse:
    """POST /channels/{channel}/messages/{message}/threads: the thread takes the message's id."""
    parent = call.accessible_channel(Permission.CREATE_PUBLIC_THREADS)
    message = call.public_message(parent)
    body = call.checked_body()
    if message.id in call.world.channels:
        raise ApiRefusal(DiscordError.THREAD_EXISTS)
    answer = _create_thread(call, parent, message.id, body)
    call.world.change_message(message, message.data | {"flags": message.data["flags"] | 1 << 5, "thread": answer.body})
    return answer


async def list_active_threads(call: ApiCall) -> ApiResponse:
    """GET /guilds/{guild}/threads/active."""
    threads = call.world.threads_in(call.bot_guild())
    members = [payloads.thread_member_object(t, ids.BOT) for t in threads if t.thread and ids.BOT in t.thread.members]
    return ApiResponse(
        {"threads": [payloads.channel_object(call.world, t) for t in threads], "members": members, "has_more": False}
    )


async def list_thread_members(call: ApiCall) -> ApiResponse:
    """GET /channels/{channel}/thread-members."""
    channel, state = _require_thread(call)
    return ApiResponse([payloads.thread_member_object(channel, user_id) for user_id in state.members])


async def join_thread(call: ApiCall) -> ApiResponse:
    """PUT /channels/{channel}/thread-members/@me."""
    return _join_thread(call, ids.BOT)


async def leave_thread(call: ApiCall) -> ApiResponse:
    """DELETE /channels/{channel}/thread-members/@me."""
    return _leave_thread(call, ids.BOT)


async def add_thread_member(call: ApiCall) -> ApiResponse:
    """PUT /channels/{channel}/thread-members/{user}."""
    require_permissions(call.world, call.accessible_channel(), _SEND_IN_THREADS)
    channel, state = _require_thread(call)
    user_id = call.world.guilds[channel.guild_id].member(call.snowflake("user")).user_id
    refuse_archived(channel)
    call.refuse_locked(channel)
    new = user_id not in state.members
    answer = _join_thread(call, user_id)
    if new:
        _post_system_message(
            call, channel, RECIPIENT_ADD, "", mentions=[payloads.user_object(call.world.users[user_id])]
        )
    return answer


async def remove_thread_member(call: ApiCall) -> ApiResponse:
    """DELETE /channels/{channel}/thread-members/{user}."""
    require_permissions(call.world, call.accessible_channel(), Permission.MANAGE_THREADS)
    return _leave_thread(call, call.snowflake("user"))


def _post_system_message(call: ApiCall, channel: Channel, kind: int, content: str, **extra: object) -> None:
    """Post Discord's system message about something the bot did in a channel."""
    call.simulation.message_builder.post_message(channel, ids.BOT, {"content": content}, extra={"type": kind, **extra})


def _require_thread(call: ApiCall) -> tuple[Channel, ThreadState]:
    channel = call.accessible_channel()
    if channel.thread is None:
        raise ApiRefusal(DiscordError.WRONG_CHANNEL_TYPE)
    return channel, channel.thread


def _create_thread(call: ApiCall, parent: Channel, thread_id: int, body: Json, *, private: bool = False) -> ApiResponse:
    kind = PRIVATE_THREAD if private else _PUBLIC_THREADS.get(parent.type)
    if kind is None or (private and parent.type != TEXT_CHANNEL):
        raise ApiRefusal(DiscordError.WRONG_CHANNEL_TYPE)
    refuse_unless(not call.simulation.faults.hits_request(CountedFault.TOO_MANY_THREADS), DiscordError.TOO_MANY_THREADS)
    now = call.simulation.clock.now()
    state = ThreadState(
        owner_id=ids.BOT,
        created_at=now,
        archived_at=now,
        auto_archive_minutes=body.get("auto_archive_duration") or 1440,
        members={ids.BOT: now},
    )
    channel = Channel(thread_id, kind, body["name"], parent_id=parent.id, thread=state, guild_id=parent.guild_id)
    call.world.add_channel(channel)
    return ApiResponse(payloads.channel_object(call.world, channel), 201)


def _edit_thread(call: ApiCall, channel: Channel, state: ThreadState) -> None:
    body = call.checked_body()
    opening = body == {"archived": False}
    own = opening or (state.owner_id == ids.BOT and "locked" not in body)
    require_permissions(call.world, channel, Permission.MANAGE_THREADS if state.locked or not own else _SEND_IN_THREADS)
    refuse_unless(not state.archived or body.get("archived") is False, DiscordError.THREAD_ARCHIVED)
    channel.name = body.get("name", channel.name)
    state.auto_archive_minutes = body.get("auto_archive_duration", state.auto_archive_minutes)
    state.locked = body.get("locked", state.locked)
    if body.get("archived", state.archived) != state.archived:
        state.archived, state.archived_at = body["archived"], call.simulation.clock.now()


def _join_thread(call: ApiCall, user_id: int) -> ApiResponse:
    channel, state = _require_thread(call)
    refuse_archived(channel)
    if user_id not in state.members:
        state.members[user_id] = call.simulation.clock.now()
        call.world.notify_channel_changed(channel)
    return NO_CONTENT


def _leave_thread(call: ApiCall, user_id: int) -> ApiResponse:
    channel, state = _require_thread(call)
    refuse_archived(channel)
    if state.members.pop(user_id, None) is not None:
        call.world.notify_channel_changed(channel)
    return NO_CONTENT
