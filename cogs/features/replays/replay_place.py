"""What a message of a finished match shows. All of it stands in the custom ids of the message, and nothing is stored.

The custom id of a control has its word, and then a place: its role with a number, the view, a flag, the moment, and the
moves of a “what if”: `n0ty37:4a2`. In a message for everybody, the person who leads stands before the place.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal, get_args

from cogs.table.pages.custom_ids import MAX_ID_LENGTH, feature_id
from engines.hosting.match import RequestRefused

PLACE = r"[a-z]\d[a-z0-9][a-z]\d{1,5}(?::[0-9A-Za-z]{0,80})?"
LEADER = r"[0-9a-z]{1,13}"
TABLE, OPEN_HANDS = "t", "o"
"""The views besides those of the seats, which are digits: the table as spectators saw it, and all hands."""
Role = Literal["first", "back", "next", "end", "section", "view", "own", "together", "practice", "what if"]
WhatIfRole = Literal["move", "play on", "lists", "happened"]
"""What the controls are for. Those of a “what if” are a move, computers that play on, other moves, and the way back."""
_ROLES = dict(zip(get_args(Role) + get_args(WhatIfRole), "fbnesvotpimclr", strict=True))
_OPENING: Collection[Role | WhatIfRole] = ("own", "together", "practice")
"""The roles of controls that open a message of their own, rather than changing the one that they stand on."""
_FLAGS = {(False, False): "y", (True, False): "h", (False, True): "w", (True, True): "v"}
"""The letters by whether the length of the match is hidden, and whether this is a “what if”."""
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WIDE = len(_DIGITS) - 1  # from this number on, a digit that says so and two more
MOST_MOVES = _WIDE + len(_DIGITS) ** 2  # of which one can be chosen
_PLACE = re.compile(r"(.)(\d)(.)(.)(\d+)(?::(.*))?")
OTHER_VERSION = "This button is out of date. Use `/motley replay` to watch the match again."


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
    rest = f"{_ROLES[role]}{number}{place.view}{flag}{place.moment}{moves}"
    if role in _OPENING:
        return feature_id("replays", place.match, role, rest)
    if place.leader:
        return feature_id("replays", place.match, "led", f"{_to_base_36(place.leader)}:{rest}")
    return feature_id("replays", place.match, "at", rest)


def parse_led_click(match: str, rest: str) -> ReplayClick:
    """Return what a control of a message for everybody is for. Raises RequestRefused if it is none of these."""
    leader, _, place_rest = rest.partition(":")
    click = parse_click(match, place_rest)
    return replace(click, place=replace(click.place, leader=int(leader, 36)))


def parse_click(match: str, rest: str) -> ReplayClick:
    """Return what a control is for. Raises RequestRefused if it is none of these."""
    found = _PLACE.fullmatch(rest)
    roles = {letter: role for role, letter in _ROLES.items()}
    flags = {letter: flag for flag, letter in _FLAGS.items()}
    if found is None or found[1] not in roles or found[4] not in flags:
        raise RequestRefused(OTHER_VERSION)
    if not (found[3] in (TABLE, OPEN_HANDS) or found[3].isdecimal()):
        raise RequestRefused(OTHER_VERSION)
    hides_length, is_what_if = flags[found[4]]
    moves = _parse_indexes(found[6] or "") if is_what_if else None
    place = ReplayPlace(match, int(found[5]), found[3], hides_length, what_if=moves)
    return ReplayClick(place, roles[found[1]], int(found[2]))


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
