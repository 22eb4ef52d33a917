"""Routes that simcord lacks, added to its route table before any test; like simulated_server.py, inside simcord."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import discord
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import EPHEMERAL_FLAG, Channel, Guild, Message
from simcord.backend.permissions import flag
from simcord.http import router
from simcord.http._helpers import message_response
from simcord.http.router import Handler, RequestContext

from playground.limits import Request, error_tree, find_violations
from playground.rest.interactions import has_new_pictures
from playground.world.errors import DiscordError
from playground.world.messages import shown_urls
from playground.world.world import NONCE_SECONDS

Lesson = Callable[[Handler, RequestContext], Any]
INVITED_PERMISSIONS = discord.Permissions(309237763072)  # as README.md says
MESSAGE, DEFERRED_MESSAGE, UPDATE = 4, 5, 7  # kinds of answers to an interaction

_sent: WeakKeyDictionary[Backend, dict[str, tuple[int, int, float]]] = WeakKeyDictionary()


def install_lessons() -> None:
    """Put every lesson around the route it is about, the later ones around the earlier; others around payloads."""
    payloads = ("message_payload", hide_shown_files), ("guild_create_payload", hide_archived_threads)
    for payload, telling in payloads:
        setattr(serializers, payload, partial(telling, getattr(serializers, payload)))
    for method, template, lesson in LESSONS:
        routes, path = router._ROUTES[method], template.strip("/").split("/")
        found = [number for number, (known, _) in enumerate(routes) if known == path]
        assert len(found) == 1, f"simcord has changed: there is no one route {method} {template} to teach"
        routes[found[0]] = (path, partial(lesson, routes[found[0]][1]))


# The application's emoji


def refuse_unknown_emoji(send: Handler, ctx: RequestContext) -> Any:
    """A component's own emoji must be one of the application's."""
    known = frozenset(map(str, ctx.backend.application_emojis))
    broken = find_violations(Request(ctx.method, ctx.path, payload=ctx.json, known_emoji=known))
    if found := [each for each in broken if each.limit.id == "component.emoji"]:
        raise _refusal(DiscordError.INVALID_FORM, error_tree(found))
    return send(ctx)


def grant_invited_permissions(backend: Backend, guild: int) -> None:
    """Give the bot in that server what its invitation asks for; simcord gives it everything."""
    (role,) = backend.guilds[guild].members[backend.bot_user.id].role_ids
    backend.edit_role(guild, role, {"permissions": INVITED_PERMISSIONS.value})


def hide_shown_files(describe: Callable[..., Any], backend: Backend, message: Message, **options: Any) -> Any:
    """The bot is told of those files only that no component and no embed shows."""
    told = describe(backend, message, **options)
    shown = set(shown_urls([told["components"], told["embeds"]]))
    told["attachments"] = [file for file in told["attachments"] if file["url"] not in shown]
    return told


def hide_archived_threads(describe: Callable[..., Any], backend: Backend, guild: Guild) -> Any:
    """Of a server the bot is told those threads alone that are not in the archive."""
    told = describe(backend, guild)
    told["threads"] = [thread for thread in told["threads"] if not thread["thread_metadata"]["archived"]]
    return told


# Nonces


def send_once(send: Handler, ctx: RequestContext) -> Any:
    """A nonce sends once, whatever the channel: then it answers with that message, or 10008 when that is gone."""
    nonce = ctx.body().get("nonce")
    if nonce is None:
        return send(ctx)
    sent, now = _sent.setdefault(ctx.backend, {}), ctx.backend.clock.elapsed
    channel, message, until = sent.get(str(nonce), (0, 0, -1.0))
    if now <= until and ctx.body().get("enforce_nonce"):
        stands = ctx.backend.messages.get(channel, {}).get(message)
        if stands is None:
            raise _refusal(DiscordError.UNKNOWN_MESSAGE)
        return message_response(ctx, stands)
    answer = send(ctx)
    if now > until:
        sent[str(nonce)] = (int(answer["channel_id"]), int(answer["id"]), now + NONCE_SECONDS)
    return answer


# Threads that are archived or locked


def write_in_thread(write: Handler, ctx: RequestContext) -> Any:
    """Nobody writes in a locked thread but who manages threads; writing opens an archived one."""
    channel = ctx.backend.get_channel(ctx.int_arg("channel_id"))
    _refuse_locked(ctx, channel)
    if _thread_is(channel, "archived"):
        ctx.backend.edit_channel(channel.id, {}, thread_metadata={"archived": False})
    return write(ctx)


def edit_in_thread(edit: Handler, ctx: RequestContext) -> Any:
    """No message changes in an archived thread, nor in a locked one but for who manages threads."""
    channel = ctx.backend.get_channel(ctx.int_arg("channel_id"))
    if _thread_is(channel, "archived"):
        raise _refusal(DiscordError.THREAD_ARCHIVED)
    _refuse_locked(ctx, channel)
    return edit(ctx)


def delete_in_thread(delete: Handler, ctx: RequestContext) -> Any:
    """Messages can be deleted in archived and in locked threads, but not where it is both."""
    channel = ctx.backend.get_channel(ctx.int_arg("channel_id"))
    if _thread_is(channel, "archived"):
        _refuse_locked(ctx, channel)
    return delete(ctx)


def change_thread(change: Handler, ctx: RequestContext) -> Any:
    """A thread is its owner's to rename and archive; who may write opens it; lock and locked need Manage Threads."""
    channel, body = ctx.backend.get_channel(ctx.int_arg("channel_id")), ctx.body()
    if not channel.is_thread:
        return change(ctx)
    own = body == {"archived": False} or (channel.owner_id == ctx.backend.bot_user.id and "locked" not in body)
    needed = "send_messages_in_threads" if own and not _thread_is(channel, "locked") else "manage_threads"
    ctx.require_channel_permissions(channel.id, needed)
    if _thread_is(channel, "archived") and body.get("archived") is not False:
        raise _refusal(DiscordError.THREAD_ARCHIVED)
    state = ctx.fields("archived", "locked", "auto_archive_duration", "invitable", ignore=("name",))
    names = {"name": body["name"]} if "name" in body else {}
    changed = ctx.backend.edit_channel(channel.id, names, thread_metadata=state)
    return dict(serializers.channel_payload(ctx.backend, changed))


def answer_in_thread(answer: Handler, ctx: RequestContext) -> Any:
    """What everybody would see of an answer is refused in a locked thread."""
    record, kind = ctx.backend.interactions.get(ctx.int_arg("interaction_id")), ctx.body().get("type")
    if record is not None and kind == UPDATE:
        _refuse_public_edit(ctx, record.channel_id, record.source_message_id)
    elif record is not None and kind in (MESSAGE, DEFERRED_MESSAGE):
        _refuse_public_message(ctx, record.channel_id, ctx.body().get("data") or {})
    return answer(ctx)


def follow_up_in_thread(follow_up: Handler, ctx: RequestContext) -> Any:
    """So is what everybody would see of a later answer,"""
    record = ctx.backend.interaction_by_token(ctx.args["token"])
    if record.loading:
        if has_new_pictures(ctx.body()):
            raise _refusal(DiscordError.INVALID_FORM)
        _refuse_public_edit(ctx, record.channel_id, record.message_id)
    else:
        _refuse_public_message(ctx, record.channel_id, ctx.body())
    return follow_up(ctx)


def edit_answer_in_thread(edit: Handler, ctx: RequestContext) -> Any:
    """and of a changed one."""
    record = ctx.backend.interaction_by_token(ctx.args["token"])
    _refuse_public_edit(ctx, record.channel_id, record.message_id)
    return edit(ctx)


def _refuse_public_message(ctx: RequestContext, channel: int, data: Mapping[str, Any]) -> None:
    if not int(data.get("flags") or 0) & EPHEMERAL_FLAG:
        _refuse_locked(ctx, ctx.backend.get_channel(channel))


def _refuse_public_edit(ctx: RequestContext, channel: int, message: int | None) -> None:
    stands = ctx.backend.messages.get(channel, {}).get(message or 0)
    if stands is not None and not stands.is_ephemeral:
        _refuse_locked(ctx, ctx.backend.get_channel(channel))


def _thread_is(channel: Channel, state: str) -> bool:
    return channel.thread_metadata is not None and bool(getattr(channel.thread_metadata, state))


def _refuse_locked(ctx: RequestContext, channel: Channel) -> None:
    if not _thread_is(channel, "locked"):
        return
    assert channel.guild_id is not None
    granted = ctx.backend.compute_permissions(channel.guild_id, ctx.backend.bot_user.id, channel.id)
    if not granted & flag("manage_threads"):
        raise _refusal(DiscordError.THREAD_CLOSED)


def _refusal(error: DiscordError, tree: Any = None) -> BackendError:
    """A refusal as the playground knows it."""
    return BackendError(error.status, error.code, error.sentence, errors=tree)


LESSONS: tuple[tuple[str, str, Lesson], ...] = (
    *(
        (method, path, refuse_unknown_emoji)
        for method, path in (
            ("POST", "/channels/{channel_id}/messages"),
            ("PATCH", "/channels/{channel_id}/messages/{message_id}"),
            ("POST", "/interactions/{interaction_id}/{token}/callback"),
            ("POST", "/webhooks/{webhook_id}/{token}"),
            ("PATCH", "/webhooks/{webhook_id}/{token}/messages/@original"),
        )
    ),
    ("POST", "/channels/{channel_id}/messages", send_once),
    ("POST", "/channels/{channel_id}/messages", write_in_thread),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}", edit_in_thread),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}", delete_in_thread),
    ("PATCH", "/channels/{channel_id}", change_thread),
    ("POST", "/interactions/{interaction_id}/{token}/callback", answer_in_thread),
    ("POST", "/webhooks/{webhook_id}/{token}", follow_up_in_thread),
    ("PATCH", "/webhooks/{webhook_id}/{token}/messages/@original", edit_answer_in_thread),
)
