"""Finds what is computed or posted for a person's request without counting towards that person's share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cogs.table.state import page_drawing
from cogs.table.state.person_shares import current_request
from playground.limits import Request
from tests.plain.fake_discord import EPHEMERAL_FLAG, MESSAGE
from tests.plain.plain_bot import PlainBot

WHOLE_READS = ("load_moves", "load_finished", "build_record", "build_deal_record")
"""Methods that read all rows of a match; `load_traces` reads those of many."""


@contextmanager
def watch_shares(plain_bot: PlainBot) -> Iterator[list[str]]:
    """Collect what has no share, inside this block."""
    unshared: list[str] = []
    submit: Any = page_drawing._submit_drawing

    def note_drawing(match: str, draw: Any, *args: Any, **kwargs: Any) -> Any:
        request = current_request.get()
        if request is not None:
            queue = request.shares._drawing[page_drawing._thread_of(match)]
            if request.person not in queue._busy_owners:
                unshared.append(f"{draw.__name__} is drawn without a turn")
        return submit(match, draw, *args, **kwargs)

    def note_post(sent: Request) -> None:
        request = current_request.get()
        if request is not None and not request.has_posted and is_public_post(plain_bot, sent):
            unshared.append(f"{sent.method} {sent.path} is not counted: {sent.payload}")

    def noted_read(owner: Any, name: str) -> Callable[..., Any]:
        read = getattr(owner, name)

        async def note(*args: Any, **kwargs: Any) -> Any:
            request = current_request.get()
            if request is not None and not request.has_long_turn:
                unshared.append(f"{name} is read without a turn")
            return await read(*args, **kwargs)

        return note

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(page_drawing, "_submit_drawing", note_drawing)
        patched.setattr(plain_bot.wire, "on_request", note_post)
        reads: list[tuple[Any, str]] = [(plain_bot.matches.records, name) for name in WHOLE_READS]
        reads += [(plain_bot.matches.editor.store, "load_traces"), (plain_bot.bot.reconciler, "verify_surfaces")]
        for owner, name in reads:
            patched.setattr(owner, name, noted_read(owner, name))
        yield unshared


def is_public_post(plain_bot: PlainBot, sent: Request) -> bool:
    """Whether a request posts a new message that everybody in a server can see."""
    flags = int(((sent.payload or {}).get("data") or sent.payload or {}).get("flags") or 0)
    match [sent.method, *sent.path.strip("/").split("/")]:
        case ["POST", "channels", channel, "messages"]:
            return not plain_bot.wire.is_inbox(int(channel))
        case ["POST", "interactions", _, token, "callback"] if sent.payload["type"] == MESSAGE:
            return (
                not plain_bot.wire.is_inbox(plain_bot.wire.interactions[token].channel) and not flags & EPHEMERAL_FLAG
            )
        case ["POST", "webhooks", _, token]:
            return (
                not plain_bot.wire.is_inbox(plain_bot.wire.interactions[token].channel) and not flags & EPHEMERAL_FLAG
            )
    return False
