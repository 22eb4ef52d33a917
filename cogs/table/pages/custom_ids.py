"""Write and parse the custom_ids of all controls. They route requests; they never grant rights.

m:<match>:<decision>:<notation>   a button that makes a move
c:<match>:<decision>:<notation>   a button that asks first
s:<match>:<decision>:<which>      a select whose values are notations
p:<match>:<decision>:<verb>       a select with several picks for one move; see `picked`
o:<match>:<decision>:<notation>   a button that shows these picks in this order; no move yet
f:<match>:<decision>:<which>      a select of steps whose values are paths; see also `instant_move`
n:<match>:<decision>:<path>       a button that goes on to a step
g:<match>:<decision>:<path>       a button that goes back to a step
t:<match>:<action>                a table action: join, hand, sheet, options-2 …; older versions had a stamp or a number
                                  after some. `clicked` does nothing: it is on a button that stands where the reader
                                  has just clicked
v:<match>:<option>[=<value>]      a lobby option: a select of its values, or a button for one; also a preset, a pace,
                                  or a group of switches, of which a select has those that are on
b:<match>:<stamp>                 the confirmed start, with the stamp of the options that were shown
r:<game>[:<part>]                 a select of the parts of a game's rules, or a button that turns to a page
u:<game>:<rule>                   a button that opens the page of a game's rules that states a rule
a:<match>:<action>:<user>         an admin's confirmation
l:<page>                          a button that turns to a page of a player's list of matches
h:<setting>[=<value>]             a server setting: a select of its values (several for `channels`), or a button for one
y:<setting>[=<value>]             a personal setting: a select of its values, or a button for one
i:<what>[:<game>]                 the list of the games, a button that turns to a page of the first steps, or one that
                                  opens a table for a game
q:<what>[:<number>]               a part of a person's data, or the request to forget it, with its time in seconds
<feature>:<match>:<word>[:<rest>]  a control of a feature, whose name has at least two letters. A
                                  control of no match has nothing in its place; see `cogs/features`.
                                  The field of a form is FORM_FIELD

In an exercise, a hand that belongs to no stored match, `<mark><game>.<number>` stands for the match, such as
`~wizard.3`. The mark is that of the feature which answers; see `cogs/table/commands/feature_ui.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engines.hosting.match import RequestRefused

MAX_ID_LENGTH = 100
FORM_FIELD = "text"  # the custom_id of the text in a form
MARKS = "~!*+"
"""Characters that can begin what stands for the match in an exercise."""
_MATCH = rf"(?P<match>[a-z0-9]{{8}}|[{re.escape(MARKS)}][a-z]{{1,20}}\.\d{{1,2}})"
_STAMP = r"[0-9a-f]{8}"
_PATTERNS = (
    re.compile(rf"(?P<kind>[mcong]):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>.+)", re.DOTALL),
    re.compile(rf"(?P<kind>[sf]):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>\d{{1,2}})"),
    re.compile(rf"(?P<kind>p):{_MATCH}:(?P<decision>\d{{1,6}}):(?P<rest>[a-z]{{1,20}}(?: [a-z0-9]{{1,20}}){{0,3}})"),
    re.compile(rf"(?P<kind>t):{_MATCH}:(?P<rest>[a-z-]{{1,20}}(?:[1-9]|=\d{{1,6}}|={_STAMP})?)", re.ASCII),
    re.compile(rf"(?P<kind>v):{_MATCH}:(?P<rest>[a-z_]{{1,20}}(?:=[A-Za-z0-9_-][A-Za-z0-9 _-]{{0,39}})?)"),
    re.compile(rf"(?P<kind>b):{_MATCH}:(?P<rest>{_STAMP})"),
    re.compile(r"(?P<kind>r):(?P<rest>[a-z]{1,20}(?::\d{1,2})?)"),
    re.compile(r"(?P<kind>u):(?P<rest>[a-z]{1,20}:[A-Z]\d{1,3})"),
    re.compile(rf"(?P<kind>a):{_MATCH}:(?P<rest>[a-z-]{{1,20}}:\d{{1,20}})"),
    re.compile(r"(?P<kind>l):(?P<rest>\d{1,4})"),
    re.compile(r"(?P<kind>h):(?P<rest>[a-z_]{1,20}(?:=[a-z0-9]{1,20})?)"),
    re.compile(r"(?P<kind>y):(?P<rest>[a-z_]{1,20}(?:=[a-z0-9]{1,20})?)"),
    re.compile(r"(?P<kind>i):(?P<rest>[a-z]{1,20}(?::[a-z]{1,20})?)"),
    re.compile(r"(?P<kind>[a-z]{2,20}):(?P<match>(?:[a-z0-9]{8})?):(?P<rest>[a-z-]{1,20}(?::.{1,80})?)", re.DOTALL),
    re.compile(r"(?P<kind>q):(?P<rest>[a-z]{1,20}(?::\d{1,12})?)", re.ASCII),
)


class ExerciseId(NamedTuple):
    """What stands for the match in an exercise: the mark of a feature, the key of a game, and a number."""

    mark: str
    game: str
    number: int

    def __str__(self) -> str:
        return f"{self.mark}{self.game}.{self.number}"


@dataclass(frozen=True, slots=True)
class Control:
    """A parsed custom_id. `decision` is −1 if there is none."""

    kind: str  # a letter, or the name of a feature
    match: str
    decision: int
    rest: str

    @property
    def action(self) -> str:
        """The name of a table action."""
        return self.rest.partition("=")[0]

    @property
    def exercise(self) -> ExerciseId | None:
        """The exercise that the control belongs to, if there is one."""
        if not self.match or self.match[0] not in MARKS:
            return None
        key, _, number = self.match[1:].partition(".")
        return ExerciseId(self.match[0], key, int(number))


def parse_control(custom_id: str) -> Control | None:
    """Parse a custom_id. Returns None if it is not one of ours."""
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(custom_id):
            parts = found.groupdict()
            return Control(
                parts["kind"], parts.get("match") or "", int(parts.get("decision") or -1), parts["rest"] or ""
            )
    return None


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


def only_value(values: Sequence[str]) -> str:
    """Return the one value that was picked. Raises RequestRefused if there is none or more."""
    if len(values) != 1:
        raise RequestRefused("Pick one entry from the list.")
    return values[0]


def _place(value: str) -> int:
    place = value.partition("~")[2]
    return int(place) if place.isdecimal() and len(place) <= 2 else -1


def table_action_id(match: str, action: str) -> str:
    """Return the custom_id of a table action."""
    return f"t:{match}:{action}"


def option_id(match: str, name: str, value: str | None = None) -> str:
    """Return the custom_id of the select of an option's values in a lobby, or of a button for one value."""
    return f"v:{match}:{name}" + ("" if value is None else f"={value}")


def start_id(match: str, stamp: str) -> str:
    """Return the custom_id of the button that confirms a start with the options of that stamp."""
    return f"b:{match}:{stamp}"


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


def first_steps_id(what: str, game: str = "") -> str:
    """Return the custom_id of a control of the first steps, perhaps about a game."""
    return f"i:{what}:{game}" if game else f"i:{what}"


def privacy_id(what: str, number: int | None = None) -> str:
    """Return the custom_id of a button about a person's stored data."""
    return f"q:{what}" + ("" if number is None else f":{number}")


def feature_id(feature: str, match: str, word: str, rest: object = "") -> str:
    """Return the custom_id of a feature's control."""
    return f"{feature}:{match}:{word}" + (f":{rest}" if rest != "" else "")
