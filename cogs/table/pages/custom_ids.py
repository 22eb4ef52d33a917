"""The custom_ids of all controls, written and read in one place. They are routing, never authority.

m:<match>:<decision>:<notation>   a button that makes a move
c:<match>:<decision>:<notation>   a button that asks first
s:<match>:<decision>:<which>      a select whose values are notations
p:<match>:<decision>:<verb>       a select of which several lines are picked for one move; see `picked`
o:<match>:<decision>:<notation>   a button that shows these picks in this order; no move yet
f:<match>:<decision>:<which>      a select whose values are paths of steps: it shows what they bring; see also `now`
n:<match>:<decision>:<path>       a button that goes on to such a step
g:<match>:<decision>:<path>       a button that goes back to one
t:<match>:<action>                what the table offers: join, hand, sheet …
v:<match>:<option>[=<value>]      an option of a lobby: a select of its values, or a button for one
b:<match>:<stamp>                 a start that was asked about, with the options of that stamp
r:<game>[:<part>]                 a select of the parts of a game's rules, or a button that turns to one
u:<game>:<rule>                   a button that opens the part of a game's rules that says a rule
a:<match>:<action>:<user>         an admin's confirmation
l:<page>                          a button that turns to a page of one's matches
h:<setting>[=<value>]             a server's setting, for those who manage it, in the same way; `channels` picks several
y:<setting>[=<value>]             a personal setting: a select of its values, or a button for one
q:<what>[:<number>]               what is kept of oneself: a part of it, or to have it forgotten, asked at that second
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

MAX_ID_LENGTH = 100
_MATCH = r"(?P<match>[a-z0-9]{8})"
_PATTERNS = (
    re.compile(rf"(?P<kind>[mcong]):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>.+)", re.DOTALL),
    re.compile(rf"(?P<kind>[sf]):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>\d{{1,2}})"),
    re.compile(rf"(?P<kind>p):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>[a-z]{{1,20}}(?: [a-z0-9]{{1,20}}){{0,3}})"),
    re.compile(rf"(?P<kind>t):{_MATCH}:(?P<rest>[a-z-]{{1,20}})"),
    re.compile(rf"(?P<kind>v):{_MATCH}:(?P<rest>[a-z_]{{1,20}}(?:=[A-Za-z0-9_-]{{1,20}})?)"),
    re.compile(rf"(?P<kind>b):{_MATCH}:(?P<rest>[0-9a-f]{{8}})"),
    re.compile(r"(?P<kind>r):(?P<rest>[a-z]{1,20}(?::\d{1,2})?)"),
    re.compile(r"(?P<kind>u):(?P<rest>[a-z]{1,20}:[A-Z]\d{1,3})"),
    re.compile(rf"(?P<kind>a):{_MATCH}:(?P<rest>[a-z-]{{1,20}}:\d{{1,20}})"),
    re.compile(r"(?P<kind>l):(?P<rest>\d{1,4})"),
    re.compile(r"(?P<kind>h):(?P<rest>[a-z_]{1,20}(?:=[a-z0-9]{1,20})?)"),
    re.compile(r"(?P<kind>y):(?P<rest>[a-z]{1,20}(?:=[a-z0-9]{1,20})?)"),
    re.compile(r"(?P<kind>q):(?P<rest>[a-z]{1,20}(?::\d{1,12})?)", re.ASCII),
)

Kind = Literal["m", "c", "s", "p", "o", "f", "n", "g", "t", "v", "b", "r", "u", "a", "l", "h", "y", "q"]


@dataclass(frozen=True, slots=True)
class Control:
    """A custom_id, read. `decision` is −1 where there is none."""

    kind: Kind
    match: str
    decision: int
    rest: str


def parse_control(custom_id: str) -> Control | None:
    """What a custom_id asks for; None where it is none of ours."""
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(custom_id):
            parts = found.groupdict()
            kind: Kind = parts["kind"]  # type: ignore[assignment]
            return Control(kind, parts.get("match") or "", int(parts.get("decision") or -1), parts["rest"])
    return None


def move_id(match: str, decision: int, notation: str) -> str:
    """A button that makes a move."""
    return f"m:{match}:{decision}:{notation}"


def confirm_id(match: str, decision: int, notation: str) -> str:
    """A button that asks before it makes a move."""
    return f"c:{match}:{decision}:{notation}"


def move_select_id(match: str, decision: int, which: int) -> str:
    """A select of moves; `which` tells several on one message apart."""
    return f"s:{match}:{decision}:{which}"


def picks_id(match: str, decision: int, verb: str) -> str:
    """A select of which several lines are picked for a move with that verb."""
    return f"p:{match}:{decision}:{verb}"


def picks_order_id(match: str, decision: int, notation: str) -> str:
    """A button that shows picks in another order."""
    return f"o:{match}:{decision}:{notation}"


def step_select_id(match: str, decision: int, which: int) -> str:
    """A select of steps; `which` tells several on one message apart."""
    return f"f:{match}:{decision}:{which}"


def next_step_id(match: str, decision: int, keys: Sequence[str]) -> str:
    """A button that goes on to a step."""
    return f"n:{match}:{decision}:{step_path(keys)}"


def previous_step_id(match: str, decision: int, keys: Sequence[str]) -> str:
    """A button that goes back to a step."""
    return f"g:{match}:{decision}:{step_path(keys)}"


def step_path(keys: Sequence[str]) -> str:
    """The keys of steps, one after the other, as the value of a line."""
    return "/".join(keys)


def instant_move_value(notation: str) -> str:
    """The value of a line among steps that makes a move at once."""
    return f"={notation}"


def instant_move(value: str) -> str:
    """The move that such a line makes; nothing where the value is a path."""
    return value[1:] if value.startswith("=") else ""


def step_keys(path: str) -> list[str]:
    """The keys in such a path."""
    return path.split("/")


def pick_value(token: str, place: int) -> str:
    """A line's value among picks: its token, and its place in the list, from 0."""
    return f"{token}~{place}"


def pick_token(value: str) -> str:
    """The token behind such a value."""
    return value.partition("~")[0]


def picked(values: Sequence[str]) -> list[str]:
    """The tokens behind such values, in the order of the list: Discord's clients differ in the order they send.

    Values of older messages may have no place; they keep their order, before the others.
    """
    return [pick_token(value) for value in sorted(values, key=_place)]


def _place(value: str) -> int:
    place = value.partition("~")[2]
    return int(place) if place.isdecimal() and len(place) <= 2 else -1


def table_action_id(match: str, action: str) -> str:
    """Something that the table offers."""
    return f"t:{match}:{action}"


def option_id(match: str, name: str, value: str | None = None) -> str:
    """The select of an option's values in a lobby, or a button that chooses one."""
    return f"v:{match}:{name}" + ("" if value is None else f"={value}")


def start_id(match: str, stamp: str) -> str:
    """The answer to the question before a start: with the options of that stamp."""
    return f"b:{match}:{stamp}"


def rules_id(game: str, part: int | None = None) -> str:
    """The select of the parts of a game's rules, or a button that turns to one."""
    return f"r:{game}" + ("" if part is None else f":{part}")


def rule_id(game: str, rule: str) -> str:
    """A button that opens the part of a game's rules that says a rule."""
    return f"u:{game}:{rule}"


def list_page_id(page: int) -> str:
    """A button that turns to a page of one's matches."""
    return f"l:{page}"


def admin_action_id(match: str, action: str, user: int = 0) -> str:
    """An admin's confirmation."""
    return f"a:{match}:{action}:{user}"


def server_setting_id(name: str, value: str | None = None) -> str:
    """The select of the values of a server's setting, or a button that chooses one."""
    return f"h:{name}" + ("" if value is None else f"={value}")


def player_setting_id(name: str, value: str | None = None) -> str:
    """The select of a personal setting's values, or a button that chooses one."""
    return f"y:{name}" + ("" if value is None else f"={value}")


def privacy_id(what: str, number: int | None = None) -> str:
    """A button for what is kept of oneself."""
    return f"q:{what}" + ("" if number is None else f":{number}")
