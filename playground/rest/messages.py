"""REST: messages in channels, threads and direct conversations."""

from __future__ import annotations

from typing import Final

from playground.rest.request import EMPTY, Answer, Call, as_snowflake, refuse_archived, require
from playground.simulation.rate_limits import OLD_MESSAGE_SECONDS
from playground.world import ids
from playground.world.errors import DiscordError, Refusal, refuse_unless
from playground.world.permissions import Permission
from playground.world.world import Channel, Json, Message

_MARKS: Final = ("around", "after", "before")


async def create(call: Call) -> Answer:
    """POST /channels/{channel}/messages."""
    channel = call.channel(_sending_in(call.world.channel(call.id("channel"))))
    _may_reach(call, channel)
    call.refuse_locked(channel)
    if channel.thread is not None and channel.thread.archived:
        channel.thread.archived = False
        call.world.change_channel(channel)
    if call.uploads:
        require(call.world, channel, Permission.ATTACH_FILES)
    body = call.body()
    if body.get("message_reference"):
        as_snowflake("message_reference", body["message_reference"].get("message_id", "0"))
    if body.get("embeds"):
        require(call.world, channel, Permission.EMBED_LINKS)
    return Answer(_post_once(call, channel, body).data)


async def edit(call: Call) -> Answer:
    """PATCH /channels/{channel}/messages/{message}."""
    channel = call.channel()
    message = _own(call, channel)
    refuse_archived(channel)
    call.refuse_locked(channel)
    body = call.body(message.whole)
    if call.house.clock.now() - ids.made_at(message.id) > OLD_MESSAGE_SECONDS:
        wait = call.house.pace.old_edit(channel.id)
        if wait:
            raise Refusal(DiscordError.OLD_MESSAGE_EDITS, retry_after=round(wait, 3))
    return Answer(call.house.scribe.edit(message, body, call.uploads).data)


async def delete(call: Call) -> Answer:
    """DELETE /channels/{channel}/messages/{message}."""
    channel = call.channel()
    message = _public(call, channel)
    if message.author_id != ids.BOT:
        require(call.world, channel, Permission.MANAGE_MESSAGES)
    if channel.thread is not None and channel.thread.archived:
        call.refuse_locked(channel)
    call.world.remove_message(message)
    return EMPTY


async def get(call: Call) -> Answer:
    """GET /channels/{channel}/messages/{message}."""
    return Answer(_public(call, call.channel(Permission.READ_MESSAGE_HISTORY)).data)


async def history(call: Call) -> Answer:
    """GET /channels/{channel}/messages, with limit and one of before, after, around; newest first."""
    channel = call.channel()
    call.check_limits()
    if not call.may(channel, Permission.READ_MESSAGE_HISTORY):
        return Answer([])
    limit = int(call.query.get("limit", 50))
    marks = {key: as_snowflake(key, value) for key, value in call.query.items() if key in _MARKS}
    found = [m for m in call.world.messages[channel.id].values() if m.visible_to is None]
    return Answer([message.data for message in reversed(_window(found, marks, limit))])


async def typing(call: Call) -> Answer:
    """POST /channels/{channel}/typing."""
    call.channel(_sending_in(call.world.channel(call.id("channel"))))
    return EMPTY


def _window(found: list[Message], marks: dict[str, int], limit: int) -> list[Message]:
    """The asked-for stretch of messages, oldest first."""
    if "around" in marks:
        middle = marks["around"]
        older = [m for m in found if m.id <= middle][-(limit // 2 + 1) :]
        return (older + [m for m in found if m.id > middle][: limit // 2])[-limit:]
    if "after" in marks:
        return [m for m in found if m.id > marks["after"]][:limit]
    before = marks.get("before", 1 << 63)
    return [m for m in found if m.id < before][-limit:]


def _sending_in(channel: Channel) -> Permission:
    return Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS


def _may_reach(call: Call, channel: Channel) -> None:
    """A DM reaches nobody who has closed them or has no guild in common with the bot."""
    if channel.recipient_id is None:
        return
    refuse_unless(bool(call.world.shared(channel.recipient_id)), DiscordError.NO_MUTUAL_GUILD)
    refuse_unless(not call.world.users[channel.recipient_id].dms_closed, DiscordError.DM_CLOSED)


def _post_once(call: Call, channel: Channel, body: Json) -> Message:
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce"):
        sent = call.world.sent_under(ids.BOT, str(nonce))
        if sent is not None:
            return sent
    message = call.house.scribe.post(channel, ids.BOT, body, call.uploads)
    if nonce is not None:
        call.world.remember_nonce(message, str(nonce))
    return message


def _public(call: Call, channel: Channel) -> Message:
    """The message of the path; ephemeral ones do not exist here."""
    message = call.world.message(channel.id, call.id("message"))
    refuse_unless(message.visible_to is None, DiscordError.UNKNOWN_MESSAGE)
    return message


def _own(call: Call, channel: Channel) -> Message:
    message = _public(call, channel)
    refuse_unless(message.author_id == ids.BOT, DiscordError.NOT_THE_AUTHOR)
    return message
