"""Limits of messages: text, embeds, files, flags, and valid combinations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Json, Limit, LimitProblem, PayloadPath, RequestPart, Subject
from playground.limits.checks import int_or_default, is_int, length_check, text_or_empty
from playground.limits.parts import object_items

COMPONENTS_V2_FLAG: Final = 1 << 15
_SETTABLE_FLAGS: Final = 1 << 2 | 1 << 6 | 1 << 12 | COMPONENTS_V2_FLAG
_LEGACY_TYPES: Final = (1,)
_MIB: Final = 1024 * 1024
_TOO_LARGE_CODE: Final = 40005
_EMPTY_CODE: Final = 50006
_URL: Final = re.compile(r"(https?://[^\s/]+\S*|attachment://\S+)")
_LIST_LIMITS: Final = frozenset(map(str, range(1, 101)))
_EMBED_TEXTS: Final = (("title", 256), ("description", 4096))
_LEGACY_FIELDS: Final = ("content", "embeds", "sticker_ids", "poll")


def is_v2(part: RequestPart) -> bool:
    """Return whether the message is, or becomes by this edit, a Components V2 message."""
    flags = part.body.get("flags")
    if is_int(flags):
        return bool(int_or_default(part.body, "flags", 0) & COMPONENTS_V2_FLAG) or _was_v2(part)
    return _was_v2(part)


def _was_v2(part: RequestPart) -> bool:
    before = part.request.edited_message if part.is_edit else None
    return before is not None and bool(before["flags"] & COMPONENTS_V2_FLAG)


def _check_not_empty(part: RequestPart) -> Iterator[LimitProblem]:
    edited = part.request.edited_message if part.is_edit else None
    if part.is_edit and edited is None:
        return
    content: dict[str, Any] = {"content": None, "embeds": None, "components": None, **(edited or {}), **part.body}
    anything = any(content.get(field) for field in ("content", "embeds", "components", "sticker_ids", "poll"))
    if not (anything or part.request.files or content.get("attachments")):
        yield LimitProblem((), "", "Cannot send an empty message")


def _check_v2_alone(part: RequestPart) -> Iterator[LimitProblem]:
    if not is_v2(part):
        return
    edited = {} if part.request.edited_message is None or not part.is_edit else part.request.edited_message
    for field in _LEGACY_FIELDS:
        value = part.body[field] if field in part.body else edited.get(field)
        if value:
            text = "The field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            yield LimitProblem((field,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)


def _check_v2_announced(part: RequestPart) -> Iterator[LimitProblem]:
    if is_v2(part) or (part.is_edit and part.request.edited_message is None and "flags" not in part.body):
        return
    for index, component in enumerate(object_items(part.body.get("components"))):
        if component.get("type") not in _LEGACY_TYPES:
            path = ("components", index, "type")
            yield LimitProblem(path, "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1,).')


def _check_v2_kept(part: RequestPart) -> Iterator[LimitProblem]:
    flags = part.body.get("flags")
    if _was_v2(part) and is_int(flags) and not int_or_default(part.body, "flags", 0) & COMPONENTS_V2_FLAG:
        text = "The IS_COMPONENTS_V2 flag cannot be removed from a message"
        yield LimitProblem(("flags",), "MESSAGE_FLAGS_CANNOT_REMOVE_COMPONENTS_V2", text)


def _check_nonce(part: RequestPart) -> Iterator[LimitProblem]:
    if not is_int(part.body.get("nonce")):
        yield from length_check("nonce", 0, 25)(part)


def _check_known_flags(part: RequestPart) -> Iterator[LimitProblem]:
    flags = part.body.get("flags")
    if flags is not None and (not is_int(flags) or flags & ~_SETTABLE_FLAGS):
        yield LimitProblem(("flags",), "BITFIELD_TYPE_INVALID", "These flags cannot be set on a message.")


def _indexed_embeds(part: RequestPart) -> Iterator[tuple[int, Json]]:
    yield from enumerate(object_items(part.body.get("embeds")))


def _check_embed_count(part: RequestPart) -> Iterator[LimitProblem]:
    if len(object_items(part.body.get("embeds"))) > 10:
        yield LimitProblem(("embeds",), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")


def _check_embed_total(part: RequestPart) -> Iterator[LimitProblem]:
    total = sum(len(text) for _, embed in _indexed_embeds(part) for text in _embed_texts(embed))
    if total > 6000:
        yield LimitProblem(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of 6000 ({total})")


def _embed_texts(embed: Json) -> Iterator[str]:
    yield text_or_empty(embed, "title")
    yield text_or_empty(embed, "description")
    yield text_or_empty(_object_field(embed, "footer"), "text")
    yield text_or_empty(_object_field(embed, "author"), "name")
    for field in object_items(embed.get("fields")):
        yield text_or_empty(field, "name")
        yield text_or_empty(field, "value")


def _object_field(body: Json, field: str) -> Json:
    value = body.get(field)
    return value if isinstance(value, dict) else {}


def _check_embed_not_empty(part: RequestPart) -> Iterator[LimitProblem]:
    for index, embed in _indexed_embeds(part):
        pictured = any(_object_field(embed, key).get("url") for key in ("image", "thumbnail", "video"))
        if not pictured and not any(_embed_texts(embed)):
            yield LimitProblem(("embeds", index, "description"), "BASE_TYPE_REQUIRED", "This field is required")


def _check_embed_lengths(part: RequestPart) -> Iterator[LimitProblem]:
    for index, embed in _indexed_embeds(part):
        for field, most in _EMBED_TEXTS:
            if len(text_or_empty(embed, field)) > most:
                yield _too_long_problem(("embeds", index, field), most)
        if len(text_or_empty(_object_field(embed, "footer"), "text")) > 2048:
            yield _too_long_problem(("embeds", index, "footer", "text"), 2048)
        if len(text_or_empty(_object_field(embed, "author"), "name")) > 256:
            yield _too_long_problem(("embeds", index, "author", "name"), 256)


def _too_long_problem(path: tuple[str | int, ...], max_length: int) -> LimitProblem:
    return LimitProblem(path, "BASE_TYPE_MAX_LENGTH", f"Must be {max_length} or fewer in length.")


def _check_embed_field_count(part: RequestPart) -> Iterator[LimitProblem]:
    for index, embed in _indexed_embeds(part):
        if len(object_items(embed.get("fields"))) > 25:
            yield _too_long_problem(("embeds", index, "fields"), 25)


def _check_embed_fields(part: RequestPart) -> Iterator[LimitProblem]:
    for index, embed in _indexed_embeds(part):
        for number, field in enumerate(object_items(embed.get("fields"))):
            for name, most in (("name", 256), ("value", 1024)):
                path = ("embeds", index, "fields", number, name)
                if not text_or_empty(field, name).strip():
                    yield LimitProblem(path, "BASE_TYPE_REQUIRED", "This field is required")
                elif len(field[name]) > most:
                    yield _too_long_problem(path, most)


def _check_embed_urls(part: RequestPart) -> Iterator[LimitProblem]:
    for index, embed in _indexed_embeds(part):
        spots: list[tuple[PayloadPath, Any]] = [(("url",), embed.get("url"))]
        spots += [((key, "url"), _object_field(embed, key).get("url")) for key in ("image", "thumbnail", "author")]
        for path, url in spots:
            if url is not None and not (isinstance(url, str) and _URL.fullmatch(url)):
                text = f"Not a well formed URL: {url!r}"
                yield LimitProblem(("embeds", index, *path), "URL_TYPE_INVALID_URL", text)


def _check_file_count(part: RequestPart) -> Iterator[LimitProblem]:
    kept_files = (
        part.request.edited_message["attachments"] if part.is_edit and part.request.edited_message is not None else []
    )
    listed = part.body.get("attachments")
    total = len(object_items(listed)) if listed is not None else len(kept_files) + len(part.request.files)
    if max(total, len(part.request.files)) > 10:
        yield _too_long_problem(("attachments",), 10)


def _check_alt_texts(part: RequestPart) -> Iterator[LimitProblem]:
    for index, entry in enumerate(object_items(part.body.get("attachments"))):
        if len(text_or_empty(entry, "description")) > 1024:
            yield _too_long_problem(("attachments", index, "description"), 1024)


def _check_attachments_known(part: RequestPart) -> Iterator[LimitProblem]:
    if part.is_edit and part.request.edited_message is None:
        return
    sent = {re.sub(r"\D", "", file.field) for file in part.request.files}
    known_ids = {entry["id"] for entry in (part.request.edited_message or {}).get("attachments", ())}
    for index, entry in enumerate(object_items(part.body.get("attachments"))):
        if str(entry.get("id")) not in sent | known_ids:
            text = "An attachment must name a file that was sent or one that the message has."
            yield LimitProblem(("attachments", index, "id"), "ATTACHMENT_NOT_FOUND", text)


def _check_file_size(part: RequestPart) -> Iterator[LimitProblem]:
    for file in part.request.files:
        if file.size > 10 * _MIB:
            yield LimitProblem(
                (file.field,), "FILE_TOO_LARGE", f"{file.name} has {file.size} bytes, at most {10 * _MIB} are allowed."
            )


def _check_request_size(part: RequestPart) -> Iterator[LimitProblem]:
    total = sum(file.size for file in part.request.files)
    if total > 25 * _MIB:
        yield LimitProblem((), "REQUEST_TOO_LARGE", f"The request has {total} bytes, at most {25 * _MIB} are allowed.")


def _check_mentions(part: RequestPart) -> Iterator[LimitProblem]:
    allowed = _object_field(part.body, "allowed_mentions")
    for kind in ("users", "roles"):
        listed = allowed.get(kind) or []
        if listed and kind in (allowed.get("parse") or []):
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            yield LimitProblem(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        if len(listed) > 100:
            yield _too_long_problem(("allowed_mentions", kind), 100)


def _check_list_limit(part: RequestPart) -> Iterator[LimitProblem]:
    limit = part.request.query.get("limit")
    is_list = part.request.method == "GET" and re.fullmatch(r"/channels/\d+/messages", part.request.path)
    if is_list and limit is not None and limit not in _LIST_LIMITS:
        yield LimitProblem(("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")


_M: Final = Subject.MESSAGE

ROWS: Final = (
    Limit(
        "request.size",
        "A request's files have at most 25 MiB",
        Subject.REQUEST,
        _check_request_size,
        413,
        _TOO_LARGE_CODE,
    ),
    Limit("file.size", "A file has at most 10 MiB", Subject.REQUEST, _check_file_size, 413, _TOO_LARGE_CODE),
    Limit("list.limit", "A list of messages has 1 to 100", Subject.REQUEST, _check_list_limit),
    Limit("message.empty", "Cannot send an empty message", _M, _check_not_empty, code=_EMPTY_CODE),
    Limit("message.content", "A message has at most 2000 characters", _M, length_check("content", 0, 2000)),
    Limit("message.nonce", "A nonce is a number or has at most 25 characters", _M, _check_nonce),
    Limit("message.flags", "Only some flags can be set", _M, _check_known_flags),
    Limit("message.mentions", "allowed_mentions: ids or parse, at most 100 ids", _M, _check_mentions),
    Limit("message.v2.alone", "A Components V2 message has no content, embeds or stickers", _M, _check_v2_alone),
    Limit("message.v2.announced", "Components other than rows need the V2 flag", _M, _check_v2_announced),
    Limit("message.v2.kept", "An edit cannot remove the V2 flag", _M, _check_v2_kept),
    Limit("embed.count", "A message has at most 10 embeds", _M, _check_embed_count),
    Limit("embed.total", "The embeds of a message have at most 6000 characters", _M, _check_embed_total),
    Limit("embed.empty", "An embed is not empty", _M, _check_embed_not_empty),
    Limit("embed.lengths", "Title 256, description 4096, footer 2048, author 256", _M, _check_embed_lengths),
    Limit("embed.fields", "An embed has at most 25 fields", _M, _check_embed_field_count),
    Limit("embed.field", "A field has a name of 1 to 256 and a value of 1 to 1024 characters", _M, _check_embed_fields),
    Limit("embed.url", "An embed's addresses are well formed", _M, _check_embed_urls),
    Limit("files.count", "A message has at most 10 files", _M, _check_file_count),
    Limit("attachment.description", "A file's alt text has at most 1024 characters", _M, _check_alt_texts),
    Limit("attachment.known", "An attachment is a sent file or one that the message has", _M, _check_attachments_known),
)
