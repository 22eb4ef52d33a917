"""Takes a request apart into what the limits are about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Json, Part, Request, Subject, Where

Parts = dict[Subject, list[Part]]

_MESSAGES: Final = re.compile(r"/channels/\d+/messages(/\d+)?")
_WEBHOOK: Final = re.compile(r"/webhooks/\d+/[^/]+(/messages/(@original|\d+))?")
_CALLBACK: Final = re.compile(r"/interactions/\d+/[^/]+/callback")
_COMMANDS: Final = re.compile(r"/applications/\d+/(guilds/\d+/)?commands")
_COMMAND: Final = re.compile(r"/applications/\d+/(guilds/\d+/)?commands/\d+")
_THREADS: Final = re.compile(r"/channels/\d+(/messages/\d+)?/threads")
_CHANNEL: Final = re.compile(r"/channels/\d+")

_MESSAGE_CALLBACKS: Final = (4, 5, 7)
_UPDATE: Final = 7
_CHOICES: Final = 8
_MODAL: Final = 9
_MAX_DEPTH: Final = 12


def parts_of(request: Request) -> Parts:
    """What the limits see of a request, by subject."""
    parts: Parts = {Subject.REQUEST: [Part(request, (), _object(request.payload))]}
    writing = request.method in ("POST", "PATCH", "PUT")
    if writing and _CALLBACK.fullmatch(request.path):
        _add_callback(parts, request)
    elif writing and (_MESSAGES.fullmatch(request.path) or _WEBHOOK.fullmatch(request.path)):
        _add_message(parts, Part(request, (), _object(request.payload), editing=request.method == "PATCH"))
    elif writing and _COMMANDS.fullmatch(request.path):
        _add_commands(parts, request)
    elif request.method == "PATCH" and _COMMAND.fullmatch(request.path):
        _add_command(parts, Part(request, (), _object(request.payload), editing=True))
    elif request.method == "POST" and _THREADS.fullmatch(request.path):
        parts[Subject.THREAD] = [Part(request, (), _object(request.payload))]
    elif request.method == "PATCH" and _CHANNEL.fullmatch(request.path):
        parts[Subject.THREAD] = [Part(request, (), _object(request.payload), editing=True)]
    return parts


def components_of(part: Part) -> Iterator[Part]:
    """Every component of a message or modal, with the component it lies in."""
    yield from _inside(part, part.body, None, 0)


def _inside(part: Part, body: Json, parent: Json | None, depth: int) -> Iterator[Part]:
    for where, component in _children(body):
        inner = Part(part.request, (*part.where, *where), component, parent, part.editing, part.in_modal)
        yield inner
        if depth < _MAX_DEPTH:
            yield from _inside(inner, component, component, depth + 1)


def _children(body: Json) -> Iterator[tuple[Where, Json]]:
    for index, component in enumerate(objects(body.get("components"))):
        yield ("components", index), component
    for key in ("accessory", "component"):
        if isinstance(body.get(key), dict):
            yield (key,), body[key]


def objects(value: Any) -> list[Json]:
    """A list's objects; what is no list has none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _add_callback(parts: Parts, request: Request) -> None:
    payload = _object(request.payload)
    kind, data = payload.get("type"), _object(payload.get("data"))
    if kind in _MESSAGE_CALLBACKS and (kind != 5):
        _add_message(parts, Part(request, ("data",), data, editing=kind == _UPDATE))
    elif kind == _CHOICES:
        parts[Subject.CHOICES] = [Part(request, ("data",), data)]
    elif kind == _MODAL:
        modal = Part(request, ("data",), data, in_modal=True)
        parts[Subject.MODAL] = [modal]
        parts[Subject.COMPONENT] = list(components_of(modal))


def _add_message(parts: Parts, message: Part) -> None:
    parts[Subject.MESSAGE] = [message]
    parts[Subject.COMPONENT] = list(components_of(message))


def _add_commands(parts: Parts, request: Request) -> None:
    if isinstance(request.payload, list):
        every = tuple(objects(request.payload))
        parts[Subject.COMMANDS] = [Part(request, (), {}, items=every)]
        for index, command in enumerate(every):
            _add_command(parts, Part(request, (index,), command))
    else:
        _add_command(parts, Part(request, (), _object(request.payload)))


def _add_command(parts: Parts, command: Part) -> None:
    parts.setdefault(Subject.COMMAND, []).append(command)
    parts.setdefault(Subject.OPTION, []).extend(_options(command))


def _options(part: Part) -> Iterator[Part]:
    for index, option in enumerate(objects(part.body.get("options"))):
        inner = Part(part.request, (*part.where, "options", index), option, parent=part.body)
        yield inner
        yield from _options(inner)
