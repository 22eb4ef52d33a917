"""A match as a readable text: headers, then a line a move. From seed and moves anyone can replay it and see it fits.

    motley-record: 1
    game: wizard
    rules: 1
    seats: 3
    players: ["Ann", "Bob", "Cleo"]
    options: {"rounds":1}
    seed: 000102030405060708090a0b0c0d0e0f
    result: places 2 1 2, points -10 30 -10

    1 C bid 1
    2 A bid 0 ; substitute
    3 B bid 0 ; computer, hard

A move is its number, the letter of the seat that made it, and its notation. Who made it stands behind a semicolon,
unless that was the first person to move at that seat: a substitute, or a computer and its level. `players` may be
missing; `result` is `none` where the match did not end. A record tells every hand: it is made of finished matches only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame, Event, Outcome
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter, letter_range, parse_seat

VERSION = 1
SUBSTITUTE = "substitute"
AUTHOR_PATTERN = r"substitute|computer, [a-z]{1,20}"


class BadRecord(ValueError):
    """A text that is no record, or a record that does not fit its game; the message says where."""


@dataclass(frozen=True, slots=True)
class RecordMove:
    """A move of a record: the seat, from 0, and the notation; who made it, if not the first person who moved there."""

    seat: int
    notation: str
    author: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """All that it takes to replay a match. `options` is JSON, as the game's settings write it."""

    game: str
    rules: int
    seats: int
    options: str
    seed: str
    moves: tuple[RecordMove, ...]
    result: Outcome | None
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """What a record leads to: the last state, and the events of every move."""

    state: Any
    events: tuple[tuple[Event, ...], ...]


def format_record(record: Record) -> str:
    """The text of a record."""
    headers = {
        "motley-record": str(VERSION),
        "game": record.game,
        "rules": str(record.rules),
        "seats": str(record.seats),
        **({"players": json.dumps(record.players, ensure_ascii=False)} if record.players else {}),
        "options": record.options,
        "seed": record.seed,
        "result": _format_result(record.result),
    }
    moves = [f"{number} {letter(made.seat)} {_format_move(made)}" for number, made in enumerate(record.moves, 1)]
    return "\n".join([*(f"{key}: {value}" for key, value in headers.items()), "", *moves]) + "\n"


def parse_record(text: str) -> Record:
    """The record behind a text. Raises BadRecord with the number of the line that is wrong."""
    lines = enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1)
    headers = _Headers(lines)
    seats = headers.take_number("seats")
    record = Record(
        game=headers.take_text("game", r"[a-z]+"),
        rules=headers.take_number("rules"),
        seats=seats,
        options=headers.take_text("options", r"\{.*\}"),
        seed=headers.take_text("seed", r"[0-9a-f]{32}"),
        moves=tuple(_parse_moves(lines, seats)),
        result=headers.take_result(seats),
        players=headers.take_players(seats),
    )
    headers.reject_unknown()
    return record


def replay(record: Record, games: Mapping[str, AnyGame]) -> Replay:
    """Play a record again, under its own rules version. Raises BadRecord if it does not fit its game."""
    game = game_for_record(record, games)
    try:
        state = game.start(record.seats, game.options_adapter.validate_json(record.options), Chance(record.seed))
    except ValueError as error:  # pydantic's are ValueErrors too
        raise BadRecord(f"the match cannot be started: {error}") from None
    events: list[tuple[Event, ...]] = []
    for number, made in enumerate(record.moves, 1):
        try:
            move = game.parse_move(made.notation)
            game.check(state, made.seat, move)
        except IllegalMove as error:
            raise BadRecord(f"move {number} ({made.notation}): {error.reason}") from None
        events.append(tuple(game.play(state, made.seat, move)))
    if game.outcome(state) != record.result:
        raise BadRecord(f"the result is {_format_result(game.outcome(state))}, not {_format_result(record.result)}")
    return Replay(state, tuple(events))


def with_replayable_rules(record: Record, game: AnyGame) -> Record | None:
    """The record with the version of the rules that replays it: its own, else the newest that does. None: none does.

    A match whose rules changed before its first move may have been dealt by older ones than those it was played by.
    """
    for version in (record.rules, *sorted(game.past_versions, reverse=True)):
        named = replace(record, rules=version)
        with suppress(BadRecord):
            replay(named, {game.key: game})
            return named
    return None


def game_for_record(record: Record, games: Mapping[str, AnyGame]) -> AnyGame:
    """The game as it was when the match was played. Raises BadRecord."""
    game = games.get(record.game)
    if game is None:
        raise BadRecord(f"there is no game “{record.game}”")
    rules = game if record.rules == game.version else game.past_versions.get(record.rules)
    if rules is None:
        raise BadRecord(f"rules version {record.rules} of {game.title} is not known")
    return rules


def computer_author(level: str) -> str:
    """How a computer is named after its moves."""
    return f"computer, {level}"


def _format_move(made: RecordMove) -> str:
    """A move, and who made it where that is to be said."""
    return f"{made.notation} ; {made.author}" if made.author else made.notation


def _format_result(result: Outcome | None) -> str:
    if result is None:
        return "none"
    places, points = (" ".join(map(str, numbers)) for numbers in (result.places, result.points))
    return f"places {places}, points {points}"


class _Headers:
    """The headers of a record, each to be asked for once."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._values: dict[str, tuple[int, str]] = {}
        for number, line in lines:
            if not line.strip():
                break
            key, colon, value = line.partition(":")
            if not colon:
                raise BadRecord(f"line {number}: a header is a name, a colon and a value")
            if key in self._values:
                raise BadRecord(f"line {number}: “{key}” is there twice")
            self._values[key] = number, value.strip()
        if self.take_number("motley-record") != VERSION:
            raise BadRecord(f"line 1: this is a record of another version than {VERSION}")

    def take_text(self, key: str, pattern: str) -> str:
        """The value of a header that must be there and look like this."""
        if key not in self._values:
            raise BadRecord(f"the header “{key}” is missing")
        number, value = self._values.pop(key)
        if not re.fullmatch(pattern, value, re.ASCII if key != "options" else 0):
            raise BadRecord(f"line {number}: “{value[:40]}” is no {key}")
        return value

    def take_number(self, key: str) -> int:
        """The value of a header that is a whole number."""
        return int(self.take_text(key, r"[0-9]{1,4}"))

    def take_result(self, seats: int) -> Outcome | None:
        """How the match ended."""
        number = self._values.get("result", (0, ""))[0]
        value = self.take_text("result", r"none|places( \d{1,9})+, points( -?\d{1,9})+")
        if value == "none":
            return None
        places, points = (tuple(map(int, part.split()[1:])) for part in value.split(","))
        if len(places) != seats or len(points) != seats:
            raise BadRecord(f"line {number}: a result has a place and a number of points for each of {seats} seats")
        return Outcome(places, points)

    def take_players(self, seats: int) -> tuple[str, ...]:
        """The names, where they are told."""
        number, value = self._values.pop("players", (0, "[]"))
        try:
            names = json.loads(value)
        except (json.JSONDecodeError, RecursionError):
            names = None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadRecord(f"line {number}: the players are a JSON list of names")
        if names and len(names) != seats:
            raise BadRecord(f"line {number}: {len(names)} players for {seats} seats")
        return tuple(names)

    def reject_unknown(self) -> None:
        """Raise BadRecord where a header is left that nobody knows."""
        for key, (number, _) in self._values.items():
            raise BadRecord(f"line {number}: there is no header “{key[:40]}”")


def _parse_moves(lines: Iterator[tuple[int, str]], seats: int) -> Iterator[RecordMove]:
    count = 0
    for number, line in lines:
        if not line.strip():
            continue
        count += 1
        parts = re.fullmatch(r"\s*(\d{1,6}) +([A-Za-z]) +(\S.*?)\s*", line, re.ASCII)
        if parts is None:
            raise BadRecord(f"line {number}: a move is its number, the letter of a seat, and its notation")
        if int(parts[1]) != count:
            raise BadRecord(f"line {number}: this is move {count}, not {int(parts[1])}")
        notation, mark, by = (part.strip() for part in parts[3].partition(";"))
        if mark and not re.fullmatch(AUTHOR_PATTERN, by):
            raise BadRecord(f"line {number}: a move is made by a substitute, or by a computer of a level")
        yield RecordMove(_parse_seat(number, parts[2], seats), notation, by)


def _parse_seat(number: int, name: str, seats: int) -> int:
    """The seat that made a line's move."""
    try:
        made = parse_seat(name)
    except ValueError as error:
        raise BadRecord(f"line {number}: {error}") from None
    if made >= seats:
        raise BadRecord(f"line {number}: there is no seat {letter(made)}, only {letter_range(seats)}")
    return made
