"""Write and parse the custom_ids of all controls. They route requests; they never grant rights.

m:<match>:<decision>:<notation>   a button that makes a move
c:<match>:<decision>:<notation>   a button that asks first
s:<match>:<decision>:<which>      a select whose values are notations
p:<match>:<decision>:<verb>       a select with several picks for one move; see `picked`
o:<match>:<decision>:<notation>   a button that shows these picks in this order; no move yet
f:<match>:<decision>:<which>      a select of steps whose values are paths; see also `instant_move`
n:<match>:<decision>:<path>       a button that goes on to a step
g:<match>:<decision>:<path>       a button that goes back to a step
d:<match>:<decision>:<request>    a select of moves to plan (`move`), or a button that changes or withdraws the plan
t:<match>:<action>[=<number>]     a table action: join, hand, sheet, options-2 …; the number names what it is about
v:<match>:<option>[=<value>]      a lobby option: a select of its values, or a button for one
b:<match>:<stamp>                 the confirmed start, with the stamp of the options that were shown
e:<match>:<number>                a select with the choices for the question of that number, for people who watch
r:<game>[:<part>]                 a select of the parts of a game's rules, or a button that turns to a page
u:<game>:<rule>                   a button that opens the page of a game's rules that states a rule
a:<match>:<action>:<user>         an admin's confirmation
l:<page>                          a button that turns to a page of a player's list of matches
k:<match>[:<what>]                a button about the deal (cut, last, free, check); without <what>, the form to cut
h:<setting>[=<value>]             a server setting: a select of its values (several for `channels`), or a button for one
w:<match>[:<what>]                a form in which a player writes their private note, or (`wrong`) that something is
                                  wrong; its field is FORM_FIELD. `send.<report>`, `drop.<report>`: a button about that
y:<setting>[=<value>]             a personal setting: a select of its values, or a button for one
j:<match>:<request>               a clip of a finished match: see `replaying/clip_pages.py`
i:<what>                          the list of the games, or a button that turns to a page of the first steps
x:<match>:<place>                 a control of a private message that shows a finished match; see `replay_place.py`
z:<match>:<leader>:<place>        the same in a message for everybody, in which one person leads
q:<what>[:<number>]               a part of a person's data, or the request to forget it, with its time in seconds

In a lesson, `~<game>.<step>` stands for the match; in a puzzle, `!<game>.<number>`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

MAX_ID_LENGTH = 100
FORM_FIELD = "text"  # the custom_id of the text in a form
_LESSON, _PUZZLE = "~!"
_MATCH = r"(?P<match>[a-z0-9]{8}|[~!][a-z]{1,20}\.\d{1,2})"
_PLACE = r"[a-z]\d[a-z0-9][a-z]\d{1,5}(?::[0-9A-Za-z]{0,80})?"
_PATTERNS = (
    re.compile(rf"(?P<kind>[mcong]):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>.+)", re.DOTALL),
    re.compile(rf"(?P<kind>[sf]):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>\d{{1,2}})"),
    re.compile(rf"(?P<kind>p):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>[a-z]{{1,20}}(?: [a-z0-9]{{1,20}}){{0,3}})"),
    re.compile(rf"(?P<kind>d):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>[a-z]{{1,20}}(?: [A-Za-z0-9]{{1,20}})?)"),
    re.compile(rf"(?P<kind>t):{_MATCH}:(?P<rest>[a-z-]{{1,20}}(?:[1-9]|=\d{{1,6}})?)", re.ASCII),
    re.compile(rf"(?P<kind>v):{_MATCH}:(?P<rest>[a-z_]{{1,20}}(?:=[A-Za-z0-9_-]{{1,20}})?)"),
    re.compile(rf"(?P<kind>b):{_MATCH}:(?P<rest>[0-9a-f]{{8}})"),
    re.compile(rf"(?P<kind>e):{_MATCH}:(?P<rest>\d{{1,6}})", re.ASCII),
    re.compile(rf"(?P<kind>w):{_MATCH}(?P<rest>)"),
    re.compile(rf"(?P<kind>k):{_MATCH}(?::(?P<rest>[a-z]{{1,20}}))?"),
    re.compile(rf"(?P<kind>w):{_MATCH}:(?P<rest>wrong|(?:send|drop)\.\d{{1,20}})", re.ASCII),
    re.compile(r"(?P<kind>r):(?P<rest>[a-z]{1,20}(?::\d{1,2})?)"),
    re.compile(r"(?P<kind>u):(?P<rest>[a-z]{1,20}:[A-Z]\d{1,3})"),
    re.compile(rf"(?P<kind>a):{_MATCH}:(?P<rest>[a-z-]{{1,20}}:\d{{1,20}})"),
    re.compile(r"(?P<kind>l):(?P<rest>\d{1,4})"),
    re.compile(r"(?P<kind>h):(?P<rest>[a-z_]{1,20}(?:=[a-z0-9]{1,20})?)"),
    re.compile(r"(?P<kind>y):(?P<rest>[a-z_]{1,20}(?:=[a-z0-9]{1,20})?)"),
    re.compile(r"(?P<kind>i):(?P<rest>[a-z]{1,20})"),
    re.compile(rf"(?P<kind>x):{_MATCH}:(?P<rest>{_PLACE})", re.ASCII),
    re.compile(rf"(?P<kind>z):{_MATCH}:(?P<rest>[0-9a-z]{{1,13}}:{_PLACE})", re.ASCII),
    re.compile(rf"(?P<kind>j):{_MATCH}:(?P<rest>[a-z]{{1,20}}(?:=\d{{1,2}})?)", re.ASCII),
    re.compile(r"(?P<kind>q):(?P<rest>[a-z]{1,20}(?::\d{1,12})?)", re.ASCII),
)

Kind = Literal[
    "m",
    "c",
    "s",
    "p",
    "o",
    "f",
    "n",
    "g",
    "d",
    "t",
    "v",
    "b",
    "r",
    "u",
    "a",
    "l",
    "h",
    "y",
    "i",
    "q",
    "w",
    "e",
    "k",
    "x",
    "z",
    "j",
]


@dataclass(frozen=True, slots=True)
class Control:
    """A parsed custom_id. `decision` is −1 if there is none."""

    kind: Kind
    match: str
    decision: int
    rest: str

    @property
    def action(self) -> str:
        """The name of a table action."""
        return self.rest.partition("=")[0]

    @property
    def number(self) -> int:
        """The number of a table action; −1 if it has none."""
        return int(self.rest.partition("=")[2] or -1)

    @property
    def lesson(self) -> tuple[str, int] | None:
        """The game's key and the number of the step, if the control belongs to a lesson."""
        return self._numbered(_LESSON)

    @property
    def puzzle(self) -> tuple[str, int] | None:
        """The game's key and the number of the puzzle, if the control belongs to one."""
        return self._numbered(_PUZZLE)

    def _numbered(self, mark: str) -> tuple[str, int] | None:
        if not self.match.startswith(mark):
            return None
        key, _, number = self.match.removeprefix(mark).partition(".")
        return key, int(number)


def parse_control(custom_id: str) -> Control | None:
    """Parse a custom_id. Returns None if it is not one of ours."""
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(custom_id):
            parts = found.groupdict()
            kind: Kind = parts["kind"]  # type: ignore[assignment]
            return Control(kind, parts.get("match") or "", int(parts.get("decision") or -1), parts["rest"] or "")
    return None


def lesson_match(game: str, step: int) -> str:
    """Return what stands for the match in the custom_ids of a lesson's step."""
    return f"{_LESSON}{game}.{step}"


def puzzle_match(game: str, number: int) -> str:
    """Return what stands for the match in the custom_ids of a puzzle."""
    return f"{_PUZZLE}{game}.{number}"


def move_id(match: str, decision: int, notation: str) -> str:
    """Return the custom_id of a button that makes a move."""
    return f"m:{match}:{decision}:{notation}"


def confirm_id(match: str, decision: int, notation: str) -> str:
    """Return the custom_id of a button that asks before it makes a move."""
    return f"c:{match}:{decision}:{notation}"


def move_select_id(match: str, decision: int, which: int) -> str:
    """Return the custom_id of a select of moves. `which` distinguishes several in one message."""
    return f"s:{match}:{decision}:{which}"


def picks_id(match: str, decision: int, verb: str) -> str:
    """Return the custom_id of a select with several picks for a move with that verb."""
    return f"p:{match}:{decision}:{verb}"


def picks_order_id(match: str, decision: int, notation: str) -> str:
    """Return the custom_id of a button that shows these picks in this order."""
    return f"o:{match}:{decision}:{notation}"


def step_select_id(match: str, decision: int, which: int) -> str:
    """Return the custom_id of a select of steps. `which` distinguishes several in one message."""
    return f"f:{match}:{decision}:{which}"


def next_step_id(match: str, decision: int, keys: Sequence[str]) -> str:
    """Return the custom_id of a button that goes on to a step."""
    return f"n:{match}:{decision}:{step_path(keys)}"


def previous_step_id(match: str, decision: int, keys: Sequence[str]) -> str:
    """Return the custom_id of a button that goes back to a step."""
    return f"g:{match}:{decision}:{step_path(keys)}"


def step_path(keys: Sequence[str]) -> str:
    """Join the keys of steps to a path, the value of a list line."""
    return "/".join(keys)


def instant_move_value(notation: str) -> str:
    """Return the value of a line among steps that makes a move at once."""
    return f"={notation}"


def instant_move(value: str) -> str:
    """Return the move of such a value; empty if the value is a path."""
    return value[1:] if value.startswith("=") else ""


def step_keys(path: str) -> list[str]:
    """Split a path into the keys of its steps."""
    return path.split("/")


def pick_value(token: str, place: int) -> str:
    """Return the value of a line among picks: its token, and its place in the list, from 0."""
    return f"{token}~{place}"


def pick_token(value: str) -> str:
    """Return the token of such a value."""
    return value.partition("~")[0]


def picked(values: Sequence[str]) -> list[str]:
    """Return the tokens of such values in list order, because Discord's clients differ in the order they send.

    Values from older messages may have no place; they come first and keep their order.
    """
    return [pick_token(value) for value in sorted(values, key=_place)]


def _place(value: str) -> int:
    place = value.partition("~")[2]
    return int(place) if place.isdecimal() and len(place) <= 2 else -1


def plan_id(match: str, decision: int, request: str) -> str:
    """Return the custom_id of the select of moves to plan, or of a button that changes or withdraws the plan."""
    return f"d:{match}:{decision}:{request}"


def table_action_id(match: str, action: str, number: int | None = None) -> str:
    """Return the custom_id of a table action. A number names the state of the match that it is about."""
    return f"t:{match}:{action}" + ("" if number is None else f"={number}")


def option_id(match: str, name: str, value: str | None = None) -> str:
    """Return the custom_id of the select of an option's values in a lobby, or of a button for one value."""
    return f"v:{match}:{name}" + ("" if value is None else f"={value}")


def start_id(match: str, stamp: str) -> str:
    """Return the custom_id of the button that confirms a start with the options of that stamp."""
    return f"b:{match}:{stamp}"


def guess_id(match: str, number: int) -> str:
    """Return the custom_id of the select of choices for a question to people who watch."""
    return f"e:{match}:{number}"


def note_form_id(match: str) -> str:
    """Return the custom_id of the form in which a player writes their private note about a match."""
    return f"w:{match}"


def cut_form_id(match: str) -> str:
    """Return the custom_id of the form in which a player cuts the deal."""
    return f"k:{match}"


def deal_id(match: str, what: str) -> str:
    """Return the custom_id of a button about the deal: `cut`, `last`, `free` or `check`."""
    return f"k:{match}:{what}"


def replay_id(match: str, place: str, leader: str = "") -> str:
    """Return the custom_id of a control that shows a finished match at a place, for a person or for everybody."""
    return f"z:{match}:{leader}:{place}" if leader else f"x:{match}:{place}"


def names_leader(custom_id: str) -> bool:
    """Whether a custom_id says who leads a message for everybody. It is believed only if it stands on the message."""
    return custom_id.startswith("z:")


def clip_id(match: str, request: str) -> str:
    """Return the custom_id of a control about the clips of a finished match."""
    return f"j:{match}:{request}"


def report_id(match: str, what: str) -> str:
    """Return the custom_id of the form for a report (`wrong`), or of a button about one (`send.7`, `drop.7`)."""
    return f"w:{match}:{what}"


def rules_id(game: str, part: int | None = None) -> str:
    """Return the custom_id of the select of the parts of a game's rules, or of a button that turns to a page."""
    return f"r:{game}" + ("" if part is None else f":{part}")


def rule_id(game: str, rule: str) -> str:
    """Return the custom_id of a button that opens the page of a game's rules that states a rule."""
    return f"u:{game}:{rule}"


def list_page_id(page: int) -> str:
    """Return the custom_id of a button that turns to a page of a player's list of matches."""
    return f"l:{page}"


def admin_action_id(match: str, action: str, user: int = 0) -> str:
    """Return the custom_id of an admin's confirmation."""
    return f"a:{match}:{action}:{user}"


def server_setting_id(name: str, value: str | None = None) -> str:
    """Return the custom_id of the select of a server setting's values, or of a button for one value."""
    return f"h:{name}" + ("" if value is None else f"={value}")


def player_setting_id(name: str, value: str | None = None) -> str:
    """Return the custom_id of the select of a personal setting's values, or of a button for one value."""
    return f"y:{name}" + ("" if value is None else f"={value}")


def first_steps_id(what: str) -> str:
    """Return the custom_id of a control of the first steps."""
    return f"i:{what}"


def privacy_id(what: str, number: int | None = None) -> str:
    """Return the custom_id of a button about a person's stored data."""
    return f"q:{what}" + ("" if number is None else f":{number}")
