"""The types of limits and of the requests they check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

INVALID_FORM_CODE: Final = 50035
Json = dict[str, Any]
PayloadPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file in a request: its form field, its name and its size in bytes."""

    field: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its path after the API's root, its body and files; the message it edits, if known.

    `known_emoji` are the ids of the application's emoji; None if they are not known.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    payload: Any = None
    files: tuple[SentFile, ...] = ()
    edited_message: Mapping[str, Any] | None = None
    known_emoji: frozenset[str] | None = None


class Subject(Enum):
    """What a limit applies to; this decides which parts of which requests it checks."""

    REQUEST = "the whole request"
    MESSAGE = "a message being sent or edited"
    COMPONENT = "one component of a message or modal"
    MODAL = "a modal"
    CHOICES = "an autocomplete response"
    COMMANDS = "a list of commands registered together"
    COMMAND = "one command"
    OPTION = "one option of a command, at any depth"
    THREAD = "a thread being started or edited"
    EMOJI = "an application's emoji being created or renamed"


@dataclass(frozen=True, slots=True)
class RequestPart:
    """A part of a request: its place in the payload, and its surroundings."""

    request: Request
    path: PayloadPath
    body: Json
    parent: Json | None = None
    is_edit: bool = False
    is_in_modal: bool = False
    items: tuple[Json, ...] = ()
    components: tuple[RequestPart, ...] = ()  # every component of a message or modal, outer ones before inner ones


@dataclass(frozen=True, slots=True)
class LimitProblem:
    """A place in a part, relative to it, that breaks a limit."""

    path: PayloadPath
    reason: str
    text: str


Check = Callable[[RequestPart], Iterator[LimitProblem]]


@dataclass(frozen=True, slots=True)
class Limit:
    """One row of the table: its text, its subject, its check, and Discord's status and code."""

    id: str
    description: str
    subject: Subject
    check: Check
    status: int = 400
    code: int = INVALID_FORM_CODE
    types: tuple[int, ...] = ()  # the types of components that it is about; (): all


@dataclass(frozen=True, slots=True)
class Violation:
    """A request breaks a limit at a place in its payload."""

    limit: Limit
    path: PayloadPath
    reason: str
    text: str

    def __str__(self) -> str:
        spot = ".".join(map(str, self.path)) or "the request"
        return f"{self.limit.id} at {spot}: {self.text}"
