"""REST handlers for messages in channels, threads and direct messages."""

from __future__ import annotations

from typing import Final

from playground.rest.request import (
    NO_CONTENT,
    ApiCall,
    ApiResponse,
    refuse_archived,
    require_permissions,
    require_snowflake,
)
from playground.simulation.faults import ContactStep
from playground.simulation.rate_limits import OLD_MESSAGE_SECONDS
from playground.world import ids
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.permissions import Permission
from playground.world.world import Channel, Json, Message

_CURSORS: Final = ("around", "after", "before")


async def create_message(call: ApiCall) -> ApiResponse:
    """POST /channels/{channel}/messages."""
    channel = call.accessible_channel(_send_permission(call.world.channel(call.snowflake("channel"))))
    _check_dm_reachable(call, channel)
    call.refuse_locked(channel)
    if channel.thread is not None and channel.thread.archived:
        channel.thread.archived = False
        call.world.notify_channel_changed(channel)
    if call.uploads:
        require_permissions(call.world, channel, Permission.ATTACH_FILES)
    body = call.checked_body()
    if body.get("message_reference"):
        require_snowflake("message_reference", body["message_reference"].get("message_id", "0"))
    if body.get("embeds"):
        require_permissions(call.world, channel, Permission.EMBED_LINKS)
    return ApiResponse(_post_once(call, channel, body).data)


async def edit_message(call: ApiCall) -> ApiResponse:
    """PATCH /channels/{channel}/messages/{message}."""
    channel = call.accessible_channel()
    message = _own_message(call, channel)
    refuse_archived(channel)
    call.refuse_locked(channel)
    body = call.checked_body(message.full_data)
    if call.simulation.clock.now() - ids.snowflake_time(message.id) > OLD_MESSAGE_SECONDS:
        wait = call.simulation.rate_limits.count_old_edit(channel.id)
        if wait:
            raise ApiRefusal(DiscordError.OLD_MESSAGE_EDITS, retry_after=round(wait, 3))
    return ApiResponse(call.simulation.message_builder.edit_message(message, body, call.uploads).data)


async def delete_message(call: ApiCall) -> ApiResponse:
    """DELETE /channels/{channel}/messages/{message}."""
    channel = call.accessible_channel()
    message = call.public_message(channel)
    if message.author_id != ids.BOT:
        require_permissions(call.world, channel, Permission.MANAGE_MESSAGES)
    if channel.thread is not None and channel.thread.archived:
        call.refuse_locked(channel)
    call.world.remove_message(message)
    return NO_CONTENT


async def get_message(call: ApiCall) -> ApiResponse:
    """GET /channels/{channel}/messages/{message}."""
    return ApiResponse(call.public_message(call.accessible_channel(Permission.READ_MESSAGE_HISTORY)).data)


async def list_messages(call: ApiCall) -> ApiResponse:
    """GET /channels/{channel}/messages, with limit and one of before, after, around; newest first."""
    channel = call.accessible_channel()
    call.check_limits()
    if not call.has_permission(channel, Permission.READ_MESSAGE_HISTORY):
        return ApiResponse([])
    limit = int(call.query.get("limit", 50))
    marks = {key: require_snowflake(key, value) for key, value in call.query.items() if key in _CURSORS}
    found = [m for m in call.world.messages[channel.id].values() if m.visible_to is None]
    return ApiResponse([message.data for message in reversed(_select_window(found, marks, limit))])


async def trigger_typing(call: ApiCall) -> ApiResponse:
    """POST /channels/{channel}/typing."""
    call.accessible_channel(_send_permission(call.world.channel(call.snowflake("channel"))))
    return NO_CONTENT


def _select_window(messages: list[Message], cursors: dict[str, int], limit: int) -> list[Message]:
    """Return the requested range of messages, oldest first."""
    if "around" in cursors:
        middle = cursors["around"]
        older = [m for m in messages if m.id <= middle][-(limit // 2 + 1) :]
        return (older + [m for m in messages if m.id > middle][: limit // 2])[-limit:]
    if "after" in cursors:
        return [m for m in messages if m.id > cursors["after"]][:limit]
    before = cursors.get("before", 1 << 63)
    return [m for m in messages if m.id < before][-limit:]


def _send_permission(channel: Channel) -> Permission:
    return Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS


def _check_dm_reachable(call: ApiCall, channel: Channel) -> None:
    """Refuse a DM to a person who has closed them or shares no guild with the bot, and first ones in a quarantine."""
    if channel.recipient_id is None:
        return
    refuse_unless(bool(call.world.shared_guilds(channel.recipient_id)), DiscordError.NO_MUTUAL_GUILD)
    refuse_unless(not call.world.users[channel.recipient_id].dms_closed, DiscordError.DM_CLOSED)
    is_new, faults = not call.world.is_contacted(channel.recipient_id), call.simulation.faults
    is_refused = is_new and faults.refuses_contact(channel.recipient_id, ContactStep.SENDING)
    refuse_unless(not is_refused, DiscordError.QUARANTINED)


def _post_once(call: ApiCall, channel: Channel, body: Json) -> Message:
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce"):
        sent = call.world.message_with_nonce(ids.BOT, str(nonce))
        if sent is not None:
            return sent
    message = call.simulation.message_builder.post_message(channel, ids.BOT, body, call.uploads)
    if nonce is not None:
        call.world.remember_nonce(message, str(nonce))
    return message


def _own_message(call: ApiCall, channel: Channel) -> Message:
    message = call.public_message(channel)
    refuse_unless(message.author_id == ids.BOT, DiscordError.NOT_THE_AUTHOR)
    return message
