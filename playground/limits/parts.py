"""Splits a request into the parts that limits check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from playground.limits.base import Json, PayloadPath, Request, RequestPart, Subject

PartsBySubject = dict[Subject, list[RequestPart]]

_MESSAGES: Final = re.compile(r"/channels/\d+/messages(/\d+)?")
_WEBHOOK: Final = re.compile(r"/webhooks/\d+/[^/]+(/messages/(@original|\d+))?")
_CALLBACK: Final = re.compile(r"/interactions/\d+/[^/]+/callback")
_COMMANDS: Final = re.compile(r"/applications/\d+/(guilds/\d+/)?commands")
_COMMAND: Final = re.compile(r"/applications/\d+/(guilds/\d+/)?commands/\d+")
_EMOJI: Final = re.compile(r"/applications/\d+/emojis(/\d+)?")
_THREADS: Final = re.compile(r"/channels/\d+(/messages/\d+)?/threads")
_CHANNEL: Final = re.compile(r"/channels/\d+")

_MESSAGE_CALLBACKS: Final = (4, 5, 7)
_UPDATE: Final = 7
_CHOICES: Final = 8
_MODAL: Final = 9
_MAX_DEPTH: Final = 12


def split_request(request: Request) -> PartsBySubject:
    """Return the parts of a request, by subject."""
    parts: PartsBySubject = {Subject.REQUEST: [RequestPart(request, (), _object_or_empty(request.payload))]}
    writing = request.method in ("POST", "PATCH", "PUT")
    if writing and _CALLBACK.fullmatch(request.path):
        _add_callback(parts, request)
    elif writing and (_MESSAGES.fullmatch(request.path) or _WEBHOOK.fullmatch(request.path)):
        _add_message(
            parts, RequestPart(request, (), _object_or_empty(request.payload), is_edit=request.method == "PATCH")
        )
    elif writing and _COMMANDS.fullmatch(request.path):
        _add_commands(parts, request)
    elif request.method == "PATCH" and _COMMAND.fullmatch(request.path):
        _add_command(parts, RequestPart(request, (), _object_or_empty(request.payload), is_edit=True))
    elif writing and _EMOJI.fullmatch(request.path):
        is_edit = request.method == "PATCH"
        parts[Subject.EMOJI] = [RequestPart(request, (), _object_or_empty(request.payload), is_edit=is_edit)]
    elif request.method == "POST" and _THREADS.fullmatch(request.path):
        parts[Subject.THREAD] = [RequestPart(request, (), _object_or_empty(request.payload))]
    elif request.method == "PATCH" and _CHANNEL.fullmatch(request.path):
        parts[Subject.THREAD] = [RequestPart(request, (), _object_or_empty(request.payload), is_edit=True)]
    return parts


def _with_components(part: RequestPart) -> RequestPart:
    """Return a message or modal with every component, each with the component that contains it."""
    return replace(part, components=tuple(_nested_components(part, part.body, None, 0)))


def _nested_components(part: RequestPart, body: Json, parent: Json | None, depth: int) -> Iterator[RequestPart]:
    for path, component in _child_components(body):
        inner = RequestPart(part.request, (*part.path, *path), component, parent, part.is_edit, part.is_in_modal)
        yield inner
        if depth < _MAX_DEPTH:
            yield from _nested_components(inner, component, component, depth + 1)


def _child_components(body: Json) -> Iterator[tuple[PayloadPath, Json]]:
    for index, component in enumerate(object_items(body.get("components"))):
        yield ("components", index), component
    for key in ("accessory", "component"):
        if isinstance(body.get(key), dict):
            yield (key,), body[key]


def object_items(value: Any) -> list[Json]:
    """Return the objects in a list; none if it is not a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _object_or_empty(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _add_callback(parts: PartsBySubject, request: Request) -> None:
    payload = _object_or_empty(request.payload)
    kind, data = payload.get("type"), _object_or_empty(payload.get("data"))
    if kind in _MESSAGE_CALLBACKS and (kind != 5):
        _add_message(parts, RequestPart(request, ("data",), data, is_edit=kind == _UPDATE))
    elif kind == _CHOICES:
        parts[Subject.CHOICES] = [RequestPart(request, ("data",), data)]
    elif kind == _MODAL:
        modal = _with_components(RequestPart(request, ("data",), data, is_in_modal=True))
        parts[Subject.MODAL], parts[Subject.COMPONENT] = [modal], [*modal.components]


def _add_message(parts: PartsBySubject, message: RequestPart) -> None:
    message = _with_components(message)
    parts[Subject.MESSAGE], parts[Subject.COMPONENT] = [message], [*message.components]


def _add_commands(parts: PartsBySubject, request: Request) -> None:
    if isinstance(request.payload, list):
        every = tuple(object_items(request.payload))
        parts[Subject.COMMANDS] = [RequestPart(request, (), {}, items=every)]
        for index, command in enumerate(every):
            _add_command(parts, RequestPart(request, (index,), command))
    else:
        _add_command(parts, RequestPart(request, (), _object_or_empty(request.payload)))


def _add_command(parts: PartsBySubject, command: RequestPart) -> None:
    parts.setdefault(Subject.COMMAND, []).append(command)
    parts.setdefault(Subject.OPTION, []).extend(_nested_options(command))


def _nested_options(part: RequestPart) -> Iterator[RequestPart]:
    for index, option in enumerate(object_items(part.body.get("options"))):
        inner = RequestPart(part.request, (*part.path, "options", index), option, parent=part.body)
        yield inner
        yield from _nested_options(inner)
