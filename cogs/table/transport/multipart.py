"""Sends multipart forms in one write; aiohttp would write each part separately, and each file in chunks."""

from __future__ import annotations

import io
import secrets
from typing import Any

import aiohttp
import discord
from aiohttp.payload import BytesPayload

from cogs.table.transport.discord_internals import http_session

MAX_SINGLE_BODY = 1 << 20  # bytes; aiohttp warns that a larger body blocks the event loop


class SingleBodyRequest(aiohttp.ClientRequest):
    """A request that sends its form as one bytes object, unless the form is too large."""

    def update_body_from_data(self, body: Any, _stacklevel: int = 3) -> None:
        """Set the body, encoding a form into one bytes object."""
        whole = _encode_form(body) if isinstance(body, aiohttp.FormData) else None
        super().update_body_from_data(body if whole is None else whole, _stacklevel)


def send_bodies_in_one_piece(client: discord.Client) -> None:
    """Make a logged-in client send forms in one write; discord.py has no setting for it."""
    if session := http_session(client):
        session._request_class = SingleBodyRequest


def _encode_form(form: aiohttp.FormData) -> BytesPayload | None:
    """The form as bytes; None if it is too large or has a field that discord.py never uses."""
    boundary = secrets.token_hex(16)
    pieces: list[bytes] = []
    for options, headers, value in form._fields:
        content = _field_bytes(value)
        if content is None:
            return None
        name = "; ".join(f'{key}="{text}"' for key, text in options.items())
        kinds = headers or {"Content-Type": "text/plain; charset=utf-8"}
        header_lines = "".join(f"{key}: {text}\r\n" for key, text in kinds.items())
        head = f"--{boundary}\r\nContent-Disposition: form-data; {name}\r\n{header_lines}\r\n"
        pieces += [head.encode(), content, b"\r\n"]
    whole = b"".join((*pieces, f"--{boundary}--\r\n".encode()))
    if len(whole) > MAX_SINGLE_BODY:
        return None
    return BytesPayload(whole, content_type=f"multipart/form-data; boundary={boundary}")


def _field_bytes(value: object) -> bytes | None:
    """The bytes of a text, or the unread rest of a file without reading it; None for other values."""
    if isinstance(value, str):
        return value.encode()
    return bytes(value.getbuffer()[value.tell() :]) if isinstance(value, io.BytesIO) else None
