"""What a message of a finished match shows. All of it stands in the custom ids of the message, and nothing is stored.

A place is a role with its number, the view, a flag, the moment, and the moves of a “what if”: `n0ty37:4a2`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import MAX_ID_LENGTH, Control
from engines.hosting.match import RequestRefused

TABLE, OPEN_HANDS = "t", "o"
"""The views besides those of the seats, which are digits: the table as people who watched saw it, and all hands."""
Role = Literal["first", "back", "next", "end", "section", "view", "own", "together", "practice", "what if"]
WhatIfRole = Literal["move", "play on", "lists", "happened"]
"""What the controls are for. Those of a “what if” are a move, computers that play on, other moves, and the way back."""
_ROLES = dict(zip(get_args(Role) + get_args(WhatIfRole), "fbnesvotpimclr", strict=True))
_FLAGS = {(False, False): "y", (True, False): "h", (False, True): "w", (True, True): "v"}
"""The letters by whether the length of the match is hidden, and whether this is a “what if”."""
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WIDE = len(_DIGITS) - 1  # from this number on, a digit that says so and two more
MOST_MOVES = _WIDE + len(_DIGITS) ** 2  # of which one can be chosen
_PLACE = re.compile(r"(.)(\d)(.)(.)(\d+)(?::(.*))?")
OTHER_VERSION = "This button belongs to another version of me. Use `/motley replay` to watch the match again."


@dataclass(frozen=True, slots=True)
class ReplayPlace:
    """The moment of a match and how it is seen.

    `leader` is the user who leads a message for everybody, 0 for a private one. `what_if` are the moves of a “what
    if”, each as its place among the legal moves of the first seat to act. None: what happened is shown.
    """

    match: str
    moment: int = 0
    view: str = TABLE
    hides_length: bool = False
    leader: int = 0
    what_if: tuple[int, ...] | None = None

    @property
    def seat(self) -> int | None:
        """The seat whose view is shown, if it is that of a seat."""
        return int(self.view) if self.view.isdecimal() else None

    @property
    def is_full(self) -> bool:
        """Whether the custom ids of its message have no room for another move of a “what if”."""
        longer = replace(self, what_if=(*(self.what_if or ()), MOST_MOVES - 1))
        return len(control_id(longer, "move")) > MAX_ID_LENGTH


@dataclass(frozen=True, slots=True)
class ReplayClick:
    """A click on a control: the place in its custom id, and what the control is for."""

    place: ReplayPlace
    role: Role | WhatIfRole
    number: int


def control_id(place: ReplayPlace, role: Role | WhatIfRole, number: int = 0) -> str:
    """Return the custom_id of a control. `number` is one digit, which tells controls with the same role apart."""
    flag = _FLAGS[place.hides_length, place.what_if is not None]
    moves = f":{''.join(map(_format_index, place.what_if))}" if place.what_if is not None else ""
    told = f"{_ROLES[role]}{number}{place.view}{flag}{place.moment}{moves}"
    return custom_ids.replay_id(place.match, told, _to_base_36(place.leader) if place.leader else "")


def parse_click(control: Control) -> ReplayClick:
    """Return what a control is for. Raises RequestRefused if it is none of these."""
    leader, found = _split_leader(control)
    roles = {letter: role for role, letter in _ROLES.items()}
    flags = {letter: flag for flag, letter in _FLAGS.items()}
    if found is None or found[1] not in roles or found[4] not in flags:
        raise RequestRefused(OTHER_VERSION)
    if not (found[3] in (TABLE, OPEN_HANDS) or found[3].isdecimal()):
        raise RequestRefused(OTHER_VERSION)
    hides_length, is_what_if = flags[found[4]]
    moves = _parse_indexes(found[6] or "") if is_what_if else None
    place = ReplayPlace(control.match, int(found[5]), found[3], hides_length, leader, moves)
    return ReplayClick(place, roles[found[1]], int(found[2]))


def opens_message(control: Control) -> bool:
    """Whether a control opens a message of its own, rather than changing the one that it stands on."""
    _, place = _split_leader(control)
    return place is not None and place[1] in (_ROLES[role] for role in ("own", "together", "practice"))


def opens_practice(control: Control) -> bool:
    """Whether a control opens a practice match, whose message is public."""
    return control.kind == "x" and control.rest.startswith(_ROLES["practice"])


def _split_leader(control: Control) -> tuple[int, re.Match[str] | None]:
    """Return the leader of a control, 0 for a private message, and the parts of its place."""
    leader, place = control.rest.split(":", 1) if control.kind == "z" else ("0", control.rest)
    return int(leader, 36), _PLACE.fullmatch(place)


def _format_index(index: int) -> str:
    if index < _WIDE:
        return _DIGITS[index]
    high, low = divmod(index - _WIDE, len(_DIGITS))
    return f"{_DIGITS[_WIDE]}{_DIGITS[high]}{_DIGITS[low]}"


def _parse_indexes(text: str) -> tuple[int, ...]:
    found: list[int] = []
    digits = iter(map(_DIGITS.index, text))
    for digit in digits:
        if digit < _WIDE:
            found.append(digit)
            continue
        high, low = next(digits, None), next(digits, None)
        if high is None or low is None:
            raise RequestRefused(OTHER_VERSION)
        found.append(_WIDE + high * len(_DIGITS) + low)
    return tuple(found)


def _to_base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = f"{_DIGITS[digit].lower()}{digits}"
    return digits
