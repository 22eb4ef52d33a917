"""Writes, parses and replays match records: headers, then one line per move. Anyone can verify a match from its seed
and moves.

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

A move is its number, the letter of its seat, and its notation. The author follows a semicolon, unless it is the first
person who moved at that seat: a substitute, or a computer and its level. `players` may be missing; `result` is `none`
if the match did not end. A record shows every hand, so only closed matches have one.

Version 2 may also have undos among the moves, each with its own number. `42 B undo 41` takes back move 41 and all
later ones, `43 B undo only 41` that move alone. The record of a sealed deal has four more headers before `result`, from
which its seed follows (see `deal`):

    match: k7m2p9qa
    seal: 0b3d…
    secret: 9f2c…
    cuts: 1907 1402687345029120001 computer

A record with neither is written as version 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from engines.hosting.records.deal import CUTS_PATTERN, HEX_PATTERN, BadDeal, Deal, check_deal
from engines.hosting.records.replaying import BadRow, replay_rows
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame, Event, Outcome
from engines.kit.seats import letter, letter_range, parse_seat
from engines.store.undoing import moves_in_force, parse_undo

VERSIONS = (1, 2)  # a record is written in the first version that can say all of it
DEAL_HEADERS = {"match": r"[a-z0-9]{8}", "seal": HEX_PATTERN, "secret": HEX_PATTERN, "cuts": CUTS_PATTERN}
SUBSTITUTE = "substitute"
AUTHOR_PATTERN = r"substitute|computer, [a-z]{1,20}"


class BadRecord(ValueError):
    """A text that is not a valid record, or does not fit its game. The message says where."""


@dataclass(frozen=True, slots=True)
class RecordMove:
    """One move of a record: the seat, from 0, the notation, and the author if not the first person who moved there."""

    seat: int
    notation: str
    author: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything needed to replay a match. `options` is JSON in the format of the game's settings."""

    game: str
    rules: int
    seats: int
    options: str
    seed: str
    moves: tuple[RecordMove, ...]
    result: Outcome | None
    players: tuple[str, ...] = ()
    deal: Deal | None = None

    @property
    def has_undos(self) -> bool:
        """Whether a move was taken back."""
        return any(parse_undo(move.notation) for move in self.moves)

    def in_force(self) -> Record:
        """Return the record without the moves that were taken back, and without undos."""
        numbers = moves_in_force([move.notation for move in self.moves])
        return replace(self, moves=tuple(self.moves[number - 1] for number in numbers))


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay: the last state and the events of every move. An undo has none."""

    state: Any
    events: tuple[tuple[Event, ...], ...]


def format_record(record: Record) -> str:
    """Return the text of a record, in version 1 if it has nothing of a later one."""
    sealed = record.deal
    headers = {
        "motley-record": str(VERSIONS[record.has_undos or sealed is not None]),
        "game": record.game,
        "rules": str(record.rules),
        "seats": str(record.seats),
        **({"players": json.dumps(record.players, ensure_ascii=False)} if record.players else {}),
        "options": record.options,
        "seed": record.seed,
        **({name: getattr(sealed, name) for name in DEAL_HEADERS} if sealed else {}),
        "result": _format_result(record.result),
    }
    moves = [f"{number} {letter(move.seat)} {_format_move(move)}" for number, move in enumerate(record.moves, 1)]
    return "\n".join([*(f"{key}: {value}" for key, value in headers.items()), "", *moves]) + "\n"


def parse_record(text: str) -> Record:
    """Parse a record. Raises BadRecord with the number of the faulty line."""
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
        deal=headers.take_deal(),
    )
    headers.reject_unknown()
    if record.has_undos and headers.version < 2:
        raise BadRecord("line 1: only a record of version 2 can undo moves")
    return record


def replay(record: Record, games: Mapping[str, AnyGame]) -> Replay:
    """Check the deal of a record and replay it under its own rules version. Raises BadRecord if anything is wrong."""
    game = game_for_record(record, games)
    if record.deal is not None:
        try:
            check_deal(record.deal, record.game, record.seed, record.seats)
        except BadDeal as error:
            raise BadRecord(str(error)) from None
    try:
        state = game.start(record.seats, game.options_adapter.validate_json(record.options), Chance(record.seed))
    except ValueError as error:  # pydantic's errors are ValueErrors too
        raise BadRecord(f"the match cannot be started: {error}") from None
    try:
        rows = replay_rows(game, state, [(move.seat, move.notation) for move in record.moves])
    except BadRow as bad:
        raise BadRecord(f"move {bad.number} ({record.moves[bad.number - 1].notation}): {bad.reason}") from None
    outcome = game.outcome(rows.state)
    if outcome != record.result:
        raise BadRecord(f"the result is {_format_result(outcome)}, not {_format_result(record.result)}")
    return Replay(rows.state, rows.events)


def with_replayable_rules(record: Record, game: AnyGame) -> Record | None:
    """Return the record with a rules version that replays it: its own, or else the newest that does. None if none does.

    A match whose rules changed before its first move may have been dealt under older rules than it was played by.
    """
    for version in (record.rules, *sorted(game.past_versions, reverse=True)):
        named = replace(record, rules=version)
        with suppress(BadRecord):
            replay(replace(named, deal=None), {game.key: game})  # a deal that does not hold has a record, too
            return named
    return None


def game_for_record(record: Record, games: Mapping[str, AnyGame]) -> AnyGame:
    """Return the game with the rules of the record. Raises BadRecord."""
    game = games.get(record.game)
    if game is None:
        raise BadRecord(f"there is no game “{record.game}”")
    rules = game if record.rules == game.version else game.past_versions.get(record.rules)
    if rules is None:
        raise BadRecord(f"rules version {record.rules} of {game.title} is not known")
    return rules


def computer_author(level: str) -> str:
    """Return the words that name a computer as the author of a move."""
    return f"computer, {level}"


def _format_move(move: RecordMove) -> str:
    """Format a move, with its author if needed."""
    return f"{move.notation} ; {move.author}" if move.author else move.notation


def _format_result(result: Outcome | None) -> str:
    if result is None:
        return "none"
    places, points = (" ".join(map(str, numbers)) for numbers in (result.places, result.points))
    return f"places {places}, points {points}"


class _Headers:
    """The headers of a record. Each can be taken once."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._values: dict[str, tuple[int, str]] = {}
        for number, line in lines:
            if not line.strip():
                break
            key, colon, value = line.partition(":")
            if not colon:
                raise BadRecord(f"line {number}: a header needs a name, a colon and a value")
            if key in self._values:
                raise BadRecord(f"line {number}: “{key}” appears twice")
            self._values[key] = number, value.strip()
        self.version = self.take_number("motley-record")
        if self.version not in VERSIONS:
            raise BadRecord(f"line 1: this record does not have version {' or '.join(map(str, VERSIONS))}")

    def take_text(self, key: str, pattern: str) -> str:
        """Return the value of a required header. It must match the pattern."""
        if key not in self._values:
            raise BadRecord(f"the header “{key}” is missing")
        number, value = self._values.pop(key)
        if not re.fullmatch(pattern, value, re.ASCII if key != "options" else 0):
            raise BadRecord(f"line {number}: “{value[:40]}” is not a valid {key}")
        return value

    def take_number(self, key: str) -> int:
        """Return the value of a header that is a whole number."""
        return int(self.take_text(key, r"[0-9]{1,4}"))

    def take_result(self, seats: int) -> Outcome | None:
        """Return the outcome of the match."""
        number = self._values.get("result", (0, ""))[0]
        value = self.take_text("result", r"none|places( \d{1,9})+, points( -?\d{1,9})+")
        if value == "none":
            return None
        places, points = (tuple(map(int, part.split()[1:])) for part in value.split(","))
        if len(places) != seats or len(points) != seats:
            raise BadRecord(f"line {number}: a result needs a place and points for each of {seats} seats")
        return Outcome(places, points)

    def take_players(self, seats: int) -> tuple[str, ...]:
        """Return the names of the players, if given."""
        number, value = self._values.pop("players", (0, "[]"))
        try:
            names = json.loads(value)
        except (json.JSONDecodeError, RecursionError):
            names = None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadRecord(f"line {number}: the players must be a JSON list of names")
        if names and len(names) != seats:
            raise BadRecord(f"line {number}: {len(names)} players for {seats} seats")
        return tuple(names)

    def take_deal(self) -> Deal | None:
        """Return the sealed deal, if the record has one. All of its headers must be there then."""
        if self.version < 2 or not self._values.keys() & DEAL_HEADERS.keys():
            return None
        return Deal(**{name: self.take_text(name, pattern) for name, pattern in DEAL_HEADERS.items()})

    def reject_unknown(self) -> None:
        """Raise BadRecord if an unknown header is left."""
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
            raise BadRecord(f"line {number}: a move needs its number, the letter of a seat, and its notation")
        if int(parts[1]) != count:
            raise BadRecord(f"line {number}: this is move {count}, not {int(parts[1])}")
        notation, mark, by = (part.strip() for part in parts[3].partition(";"))
        if mark and not re.fullmatch(AUTHOR_PATTERN, by):
            raise BadRecord(f"line {number}: the author must be a substitute, or a computer with its level")
        yield RecordMove(_parse_seat(number, parts[2], seats), notation, by)


def _parse_seat(number: int, name: str, seats: int) -> int:
    """Return the seat that made the move of a line."""
    try:
        seat = parse_seat(name)
    except ValueError as error:
        raise BadRecord(f"line {number}: {error}") from None
    if seat >= seats:
        raise BadRecord(f"line {number}: there is no seat {letter(seat)}, only {letter_range(seats)}")
    return seat
