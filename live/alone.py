"""Claims that can be tried without a helper."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import ui

from cogs.table.transport.discord_internals import components_json, edit_message_with_form
from live.stage import NotTried, TestChannel, describe_refusal, make_gallery, make_picture, make_view, picture_urls

ClaimResult = tuple[bool, str]
Claim = Callable[[TestChannel], Awaitable[ClaimResult]]
ARCHIVED_CODE, LOCKED_CODE, THREAD_EXISTS_CODE = 50083, 160005, 160004
NO_MESSAGE_CODE, FORBIDDEN_CODE = 10008, 50013


async def check_gallery_edit(stage: TestChannel) -> ClaimResult:
    """An edit that lists a new file replaces a message's picture; a picture in a gallery is no attachment."""
    message = await stage.post(make_gallery("one.png"), file=make_picture("one.png"))
    await message.edit(view=make_view(make_gallery("two.png")), attachments=[make_picture("two.png")])
    now = await stage.refetch(message)
    shows = picture_urls(now)
    return (
        len(shows) == 1 and "two.png" in shows[0] and not now.attachments,
        f"{len(shows)} picture, {'the new' if shows and 'two.png' in shows[0] else 'not the new'} one; "
        f"{len(now.attachments)} attachments",
    )


async def check_unlisted_file(stage: TestChannel) -> ClaimResult:
    """An edit whose gallery shows a new file that `attachments` does not list is refused with 400."""
    message = await stage.post(make_gallery("one.png"), file=make_picture("one.png"))
    body = {"components": components_json(make_view(make_gallery("two.png"))), "attachments": [], "flags": 1 << 15}
    file = make_picture("two.png")
    form: list[dict[str, Any]] = [
        {"name": "payload_json", "value": json.dumps(body)},
        {"name": "files[0]", "value": file.fp, "filename": file.filename, "content_type": "image/png"},
    ]
    return await is_refused(edit_message_with_form(stage.client, stage.channel.id, message.id, form, [file]), 400)


async def check_nonce_reuse(stage: TestChannel) -> ClaimResult:
    """Discord does not post twice under one nonce: it answers with the first message in its present state."""
    nonce = secrets.token_hex(12)
    first = await stage.post(ui.TextDisplay("first"), nonce=nonce)
    await first.edit(view=make_view(ui.TextDisplay("changed")), allowed_mentions=discord.AllowedMentions.none())
    second = await stage.post(ui.TextDisplay("second"), nonce=nonce)
    words = [each.content for each in second.components if isinstance(each, discord.TextDisplay)]
    return second.id == first.id and words == ["changed"], f"{_compare_messages(first, second)}, which says {words}"


async def check_nonce_across_channels(stage: TestChannel) -> ClaimResult:
    """A nonce belongs to its author, whatever the channel."""
    nonce = secrets.token_hex(12)
    first = await stage.post(ui.TextDisplay("first"), nonce=nonce)
    second = await stage.post(ui.TextDisplay("second"), to=await _test_thread(stage), nonce=nonce)
    return second.id == first.id, _compare_messages(first, second)


async def check_nonce_of_deleted_message(stage: TestChannel) -> ClaimResult:
    """Nothing is posted under the nonce of a deleted message: 10008."""
    nonce = secrets.token_hex(12)
    await (await stage.post(ui.TextDisplay("first"), nonce=nonce)).delete()
    return await is_refused(stage.post(ui.TextDisplay("second"), nonce=nonce), 404, NO_MESSAGE_CODE)


async def check_thread_of_message(stage: TestChannel) -> ClaimResult:
    """A thread started from a message has its id, and there is at most one: 160004."""
    thread = await _test_thread(stage)
    start = stage.channel.get_partial_message(thread.id)
    so, what = await is_refused(start.create_thread(name="another"), 400, THREAD_EXISTS_CODE)
    return so, f"it has the message's id; a second one: {what}"


async def check_archived_thread(stage: TestChannel) -> ClaimResult:
    """A message in an archived thread cannot be edited (50083); posting in the thread opens it."""
    thread = await _test_thread(stage)
    message = await stage.post(ui.TextDisplay("here"), to=thread)
    await thread.edit(archived=True)
    so, what = await is_refused(message.edit(view=make_view(ui.TextDisplay("changed"))), 400, ARCHIVED_CODE)
    await stage.post(ui.TextDisplay("and here"), to=thread)
    found = await stage.channel.guild.fetch_channel(thread.id)
    opened = isinstance(found, discord.Thread) and not found.archived
    return so and opened, f"an edit: {what}; after that it was {'open' if opened else 'still archived'}"


async def check_locked_thread(stage: TestChannel) -> ClaimResult:
    """Without Manage Threads one can neither post nor edit in a locked thread: 50083, 50013 or 160005."""
    if stage.channel.permissions_for(stage.channel.guild.me).manage_threads:
        raise NotTried(
            "I can manage threads here, but the bot does not need to. Please take that permission away for this trial."
        )
    thread = await _test_thread(stage)
    message = await stage.post(ui.TextDisplay("here"), to=thread)

    async def locked() -> bool:
        found = await stage.channel.guild.fetch_channel(thread.id)
        return isinstance(found, discord.Thread) and found.locked

    await stage.wait_until_done(f"Please lock the thread {thread.mention} now: use its menu, Lock Thread.", locked)
    tried = {
        "to edit": await is_refused(message.edit(view=make_view(ui.TextDisplay("changed"))), 0, *_LOCKED_CODES),
        "to write": await is_refused(stage.post(ui.TextDisplay("more"), to=thread), 0, *_LOCKED_CODES),
    }
    return all(so for so, _ in tried.values()), "; ".join(f"{what}: {result}" for what, (_, result) in tried.items())


_LOCKED_CODES = (ARCHIVED_CODE, FORBIDDEN_CODE, LOCKED_CODE)
CLAIMS = (
    check_gallery_edit,
    check_unlisted_file,
    check_nonce_reuse,
    check_nonce_across_channels,
    check_nonce_of_deleted_message,
    check_thread_of_message,
    check_archived_thread,
    check_locked_thread,
)


async def _test_thread(stage: TestChannel) -> discord.Thread:
    """Return the thread of this trial. Raises NotTried if the bot cannot create one."""
    if stage.thread is None:
        start = await stage.post(ui.TextDisplay("A test by Motley. All of this will be deleted."))
        try:
            stage.thread = await start.create_thread(name="A test by Motley")
        except discord.Forbidden as error:
            raise NotTried(f"I cannot create a thread here ({describe_refusal(error)})") from None
    return stage.thread


async def is_refused(request: Awaitable[Any], status: int, *codes: int) -> ClaimResult:
    """Return whether Discord refuses the request with that status (0: any) and one of the codes, if any."""
    try:
        await request
    except discord.HTTPException as error:
        return (not status or error.status == status) and (not codes or error.code in codes), describe_refusal(error)
    return False, "it was accepted"


def _compare_messages(first: discord.Message, second: discord.Message) -> str:
    return "the same message" if first.id == second.id else "another message"
