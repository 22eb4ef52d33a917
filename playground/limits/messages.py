"""Limits of messages: text, embeds, files, flags, and what may stand beside what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Fault, Json, Limit, Part, Subject, Where
from playground.limits.checks import is_int, length, number_or, text_of
from playground.limits.parts import objects

V2: Final = 1 << 15
_SETTABLE_FLAGS: Final = 1 << 2 | 1 << 6 | 1 << 12 | V2
_LEGACY_TYPES: Final = (1,)
_MIB: Final = 1024 * 1024
_TOO_LARGE: Final = 40005
_EMPTY: Final = 50006
_URL: Final = re.compile(r"(https?://[^\s/]+\S*|attachment://\S+)")
_LISTED: Final = frozenset(map(str, range(1, 101)))
_EMBED_TEXTS: Final = (("title", 256), ("description", 4096))
_LEGACY_FIELDS: Final = ("content", "embeds", "sticker_ids", "poll")


def is_v2(part: Part) -> bool:
    """Whether the message is, or by this edit becomes, a Components V2 message."""
    flags = part.body.get("flags")
    if is_int(flags):
        return bool(number_or(part.body, "flags", 0) & V2) or _was_v2(part)
    return _was_v2(part)


def _was_v2(part: Part) -> bool:
    before = part.request.before if part.editing else None
    return before is not None and bool(before["flags"] & V2)


def _not_empty(part: Part) -> Iterator[Fault]:
    kept = part.request.before if part.editing else None
    if part.editing and kept is None:
        return
    shown: dict[str, Any] = {"content": None, "embeds": None, "components": None, **(kept or {}), **part.body}
    anything = any(shown.get(field) for field in ("content", "embeds", "components", "sticker_ids", "poll"))
    if not (anything or part.request.files or shown.get("attachments")):
        yield Fault((), "", "Cannot send an empty message")


def _v2_alone(part: Part) -> Iterator[Fault]:
    if not is_v2(part):
        return
    kept = {} if part.request.before is None or not part.editing else part.request.before
    for field in _LEGACY_FIELDS:
        value = part.body[field] if field in part.body else kept.get(field)
        if value:
            text = "The field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            yield Fault((field,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)


def _v2_announced(part: Part) -> Iterator[Fault]:
    if is_v2(part) or (part.editing and part.request.before is None and "flags" not in part.body):
        return
    for index, component in enumerate(objects(part.body.get("components"))):
        if component.get("type") not in _LEGACY_TYPES:
            where = ("components", index, "type")
            yield Fault(where, "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).')


def _v2_kept(part: Part) -> Iterator[Fault]:
    flags = part.body.get("flags")
    if _was_v2(part) and is_int(flags) and not number_or(part.body, "flags", 0) & V2:
        text = "The IS_COMPONENTS_V2 flag cannot be removed from a message"
        yield Fault(("flags",), "MESSAGE_FLAGS_CANNOT_REMOVE_COMPONENTS_V2", text)


def _nonce(part: Part) -> Iterator[Fault]:
    if not is_int(part.body.get("nonce")):
        yield from length("nonce", 0, 25)(part)


def _known_flags(part: Part) -> Iterator[Fault]:
    flags = part.body.get("flags")
    if flags is not None and (not is_int(flags) or flags & ~_SETTABLE_FLAGS):
        yield Fault(("flags",), "BITFIELD_TYPE_INVALID", "These flags cannot be set on a message.")


def _embeds(part: Part) -> Iterator[tuple[int, Json]]:
    yield from enumerate(objects(part.body.get("embeds")))


def _embed_count(part: Part) -> Iterator[Fault]:
    if len(objects(part.body.get("embeds"))) > 10:
        yield Fault(("embeds",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")


def _embed_total(part: Part) -> Iterator[Fault]:
    total = sum(len(text) for _, embed in _embeds(part) for text in _texts(embed))
    if total > 6000:
        yield Fault(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of 6000 ({total})")


def _texts(embed: Json) -> Iterator[str]:
    yield text_of(embed, "title")
    yield text_of(embed, "description")
    yield text_of(_inner(embed, "footer"), "text")
    yield text_of(_inner(embed, "author"), "name")
    for field in objects(embed.get("fields")):
        yield text_of(field, "name")
        yield text_of(field, "value")


def _inner(body: Json, field: str) -> Json:
    value = body.get(field)
    return value if isinstance(value, dict) else {}


def _embed_empty(part: Part) -> Iterator[Fault]:
    for index, embed in _embeds(part):
        pictured = any(_inner(embed, key).get("url") for key in ("image", "thumbnail", "video"))
        if not pictured and not any(_texts(embed)):
            yield Fault(("embeds", index, "description"), "BASE_TYPE_REQUIRED", "This field is required")


def _embed_lengths(part: Part) -> Iterator[Fault]:
    for index, embed in _embeds(part):
        for field, most in _EMBED_TEXTS:
            if len(text_of(embed, field)) > most:
                yield _too_long(("embeds", index, field), most)
        if len(text_of(_inner(embed, "footer"), "text")) > 2048:
            yield _too_long(("embeds", index, "footer", "text"), 2048)
        if len(text_of(_inner(embed, "author"), "name")) > 256:
            yield _too_long(("embeds", index, "author", "name"), 256)


def _too_long(where: tuple[str | int, ...], most: int) -> Fault:
    return Fault(where, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def _embed_field_count(part: Part) -> Iterator[Fault]:
    for index, embed in _embeds(part):
        if len(objects(embed.get("fields"))) > 25:
            yield _too_long(("embeds", index, "fields"), 25)


def _embed_fields(part: Part) -> Iterator[Fault]:
    for index, embed in _embeds(part):
        for number, field in enumerate(objects(embed.get("fields"))):
            for name, most in (("name", 256), ("value", 1024)):
                where = ("embeds", index, "fields", number, name)
                if not text_of(field, name).strip():
                    yield Fault(where, "BASE_TYPE_REQUIRED", "This field is required")
                elif len(field[name]) > most:
                    yield _too_long(where, most)


def _embed_urls(part: Part) -> Iterator[Fault]:
    for index, embed in _embeds(part):
        spots: list[tuple[Where, Any]] = [(("url",), embed.get("url"))]
        spots += [((key, "url"), _inner(embed, key).get("url")) for key in ("image", "thumbnail", "author")]
        for where, url in spots:
            if url is not None and not (isinstance(url, str) and _URL.fullmatch(url)):
                text = f"Not a well formed URL: {url!r}"
                yield Fault(("embeds", index, *where), "URL_TYPE_INVALID_URL", text)


def _file_count(part: Part) -> Iterator[Fault]:
    kept = part.request.before["attachments"] if part.editing and part.request.before is not None else []
    listed = part.body.get("attachments")
    total = len(objects(listed)) if listed is not None else len(kept) + len(part.request.files)
    if max(total, len(part.request.files)) > 10:
        yield _too_long(("attachments",), 10)


def _alt_texts(part: Part) -> Iterator[Fault]:
    for index, entry in enumerate(objects(part.body.get("attachments"))):
        if len(text_of(entry, "description")) > 1024:
            yield _too_long(("attachments", index, "description"), 1024)


def _attachments_known(part: Part) -> Iterator[Fault]:
    if part.editing and part.request.before is None:
        return
    sent = {re.sub(r"\D", "", file.field) for file in part.request.files}
    kept = {entry["id"] for entry in (part.request.before or {}).get("attachments", ())}
    for index, entry in enumerate(objects(part.body.get("attachments"))):
        if str(entry.get("id")) not in sent | kept:
            text = "An attachment must name a file that was sent or one the message has."
            yield Fault(("attachments", index, "id"), "ATTACHMENT_NOT_FOUND", text)


def _file_size(part: Part) -> Iterator[Fault]:
    for file in part.request.files:
        if file.size > 10 * _MIB:
            yield Fault((file.field,), "FILE_TOO_LARGE", f"{file.name} has {file.size} bytes, at most {10 * _MIB}.")


def _request_size(part: Part) -> Iterator[Fault]:
    total = sum(file.size for file in part.request.files)
    if total > 25 * _MIB:
        yield Fault((), "REQUEST_TOO_LARGE", f"The request has {total} bytes, at most {25 * _MIB}.")


def _mentions(part: Part) -> Iterator[Fault]:
    allowed = _inner(part.body, "allowed_mentions")
    for kind in ("users", "roles"):
        listed = allowed.get(kind) or []
        if listed and kind in (allowed.get("parse") or []):
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            yield Fault(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        if len(listed) > 100:
            yield _too_long(("allowed_mentions", kind), 100)


def _listing(part: Part) -> Iterator[Fault]:
    limit = part.request.query.get("limit")
    is_list = part.request.method == "GET" and re.fullmatch(r"/channels/\d+/messages", part.request.path)
    if is_list and limit is not None and limit not in _LISTED:
        yield Fault(("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")


_M: Final = Subject.MESSAGE

ROWS: Final = (
    Limit("request.size", "A request's files have at most 25 MiB", Subject.REQUEST, _request_size, 413, _TOO_LARGE),
    Limit("file.size", "A file has at most 10 MiB", Subject.REQUEST, _file_size, 413, _TOO_LARGE),
    Limit("list.limit", "A list of messages has 1 to 100", Subject.REQUEST, _listing),
    Limit("message.empty", "Cannot send an empty message", _M, _not_empty, code=_EMPTY),
    Limit("message.content", "A message has at most 2000 characters", _M, length("content", 0, 2000)),
    Limit("message.nonce", "A nonce is a number or has at most 25 characters", _M, _nonce),
    Limit("message.flags", "Only some flags may be set", _M, _known_flags),
    Limit("message.mentions", "allowed_mentions: ids or parse, at most 100 ids", _M, _mentions),
    Limit("message.v2.alone", "A Components V2 message has no content, embeds or stickers", _M, _v2_alone),
    Limit("message.v2.announced", "Components other than rows need the V2 flag", _M, _v2_announced),
    Limit("message.v2.kept", "An edit cannot take the V2 flag away", _M, _v2_kept),
    Limit("embed.count", "A message has at most 10 embeds", _M, _embed_count),
    Limit("embed.total", "The embeds of a message have at most 6000 characters", _M, _embed_total),
    Limit("embed.empty", "An embed is not empty", _M, _embed_empty),
    Limit("embed.lengths", "Title 256, description 4096, footer 2048, author 256", _M, _embed_lengths),
    Limit("embed.fields", "An embed has at most 25 fields", _M, _embed_field_count),
    Limit("embed.field", "A field has a name of 1 to 256 and a value of 1 to 1024 characters", _M, _embed_fields),
    Limit("embed.url", "An embed's addresses are well formed", _M, _embed_urls),
    Limit("files.count", "A message has at most 10 files", _M, _file_count),
    Limit("attachment.description", "A file's alt text has at most 1024 characters", _M, _alt_texts),
    Limit("attachment.known", "An attachment is a sent file or one the message has", _M, _attachments_known),
)
