"""Converts matches to and from rows; the columns are the same in every kind of storage."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from typing import Any

from engines.features.registry import TABLE_OPTIONS, UNKNOWN_OPTIONS
from engines.store.match_store import LIVE, Change, MatchInfo, Move, Place, Seat, Status
from engines.store.table_options import (
    LEVELS,
    TableOptions,
    format_table_options,
    parse_table_options,
)
from engines.store.undoing import NOTHING_UNDONE, format_undoing, parse_undoing
from storage.shared.tables import BASES, HISTORY, MATCHES, MOVES, SEATS, quote_columns

MOVE_NOT_SAVED = "Your move could not be saved, so nothing has changed. Please try again."
MOVED_ON = "The match has changed in the meantime, so nothing was done. Please look at it again."
STILL_PLAYING = "They are playing in that match, so they cannot be removed from it."
UNUSED_USER_BASE = -(10**9)  # numbers below it stand for people not named in any header; revisions never get that high


def _format_numbers(numbers: Sequence[int]) -> str:
    return json.dumps(numbers) if numbers else "[]"


@lru_cache(maxsize=64)
def _table_options_json(table_options: TableOptions) -> str:
    return format_table_options(table_options)


# A column of `matches` is the attribute of MatchInfo with its name, except these; some are stored in another form.
_ATTRIBUTES = {
    "match": "id",
    "status": "status.value",
    "guild": "place.guild",
    "channel": "place.channel",
    "thread": "place.thread",
}
_OLD_NAMES = {
    "house": "table_options",
    "take_backs": "undoing",
}  # columns that are older than the names of their attributes
_FORMATS: dict[str, Callable[[Any], str]] = {
    "votes": _format_numbers,
    "house": _table_options_json,
    "banks": _format_numbers,
    "take_backs": format_undoing,
}
_SEAT_FIELDS = tuple(field.name for field in fields(Seat))
_SEAT_COLUMNS = 1 + len(_SEAT_FIELDS)  # columns of a joined seat; the first is its number
_JOINED_SEAT = ", ".join(
    "COALESCE(b.until, 0)" if field == "rest_until" else quote_columns([field], "s") for field in _SEAT_FIELDS
)
SELECT_MATCHES = f"""
SELECT {quote_columns(MATCHES.columns, "m")}, s.seat, {_JOINED_SEAT}
FROM matches AS m LEFT JOIN seats AS s ON s.match = m.match LEFT JOIN breaks AS b ON b."user" = s."user"
"""
"""Rows for `parse_infos`: each match with each of its seats, and until when the seat's user rests."""
_BOOLEAN_COLUMNS = tuple(MATCHES.boolean_columns)
_KNOWN_STATUSES = frozenset(status.value for status in Status)
MOVE_COLUMNS = tuple(field.name for field in fields(Move))
_seat_values = attrgetter(*SEATS.changing_columns)


def match_values(*columns: str) -> Callable[[MatchInfo], tuple[object, ...]]:
    """Return a function that returns these columns of a match, as they are stored."""
    read = attrgetter(*((_ATTRIBUTES | _OLD_NAMES).get(column, column) for column in columns))
    formats = [(place, _FORMATS[column]) for place, column in enumerate(columns) if column in _FORMATS]

    def values(info: MatchInfo) -> tuple[object, ...]:
        found = [*read(info)]
        for place, to_text in formats:
            found[place] = to_text(found[place])
        return tuple(found)

    return values


def seat_row(seat: Seat) -> tuple[object, ...]:
    """Return a seat without its number and its owner's rest, in column order."""
    # dataclasses.astuple would make deep copies and take a third of a commit's time
    values: tuple[object, ...] = _seat_values(seat)
    return values


def compute_checksum(info: MatchInfo, seed: str, moves: int, base: str) -> str:
    """Return a digest of all that stays the same until the next base, so that no damaged state is played."""
    parts = (info.id, info.game, info.rules, info.options, len(info.seats), seed, moves, base)
    return blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def base_row(info: MatchInfo, checkpoint: str | None, at: int, seed: str) -> tuple[object, ...]:
    """Return a new base of a match with its checksum."""
    return BASES.row(
        match=info.id,
        revision=info.revision,
        moves=info.moves,
        rules=info.rules,
        checkpoint=checkpoint,
        at=at,
        seal=compute_checksum(info, seed, info.moves, checkpoint or ""),
    )


def move_row(match: str, move: Move, at: int, click: int) -> tuple[object, ...]:
    """Return a move that was made at that second, by that click."""
    return MOVES.row(
        match=match,
        number=move.number,
        seat=move.seat,
        decision=move.decision,
        notation=move.notation,
        user=move.user,
        at=at,
        level=move.level,
        click=click,
    )


def history_row(change: Change, at: int) -> tuple[object, ...]:
    """Return the action of a change that was made at that second."""
    return HISTORY.row(
        match=change.info.id,
        revision=change.info.revision,
        action=change.action,
        by=change.by,
        reason=change.info.reason,
        at=at,
        click=change.click,
    )


def parse_infos(rows: Iterable[tuple[Any, ...]]) -> list[MatchInfo]:
    """Build matches from joined rows: one row per seat, or one without a seat."""
    return [_parse_info(list(group)) for _, group in groupby(rows, key=lambda row: row[0])]


def _parse_info(rows: Sequence[tuple[Any, ...]]) -> MatchInfo:
    stored = dict(zip(MATCHES.columns, rows[0], strict=False))  # the columns of its seats follow
    seats = [row[-_SEAT_COLUMNS:] for row in rows if row[-_SEAT_COLUMNS] is not None]
    seated = tuple(Seat(*seat[1:]) for seat in seats)
    status, votes, banks = stored["status"], _parse_numbers(stored["votes"]), _parse_numbers(stored["banks"])
    table_options, newer = parse_table_options(stored.pop("house"), TABLE_OPTIONS)
    undoing = parse_undoing(stored.pop("take_backs"), len(seats))
    broken = {
        "its status is unknown": status not in _KNOWN_STATUSES,
        "its votes cannot be read": votes is None,
        "the table options cannot be read": table_options is None and not newer,
        "its time banks cannot be read": banks is None or len(banks) not in (0, len(seats)),
        "its undone moves cannot be read": undoing is None,
        "its seats cannot be read": [seat[0] for seat in seats] != list(range(len(seats))),
    }
    damage = "; ".join(what for what, is_so in broken.items() if is_so)
    stored |= {
        "status": Status(status) if status in _KNOWN_STATUSES else Status.ASIDE,
        "votes": votes or (),
        "table_options": table_options or UNKNOWN_OPTIONS,
        "banks": banks or (),
        "undoing": undoing or NOTHING_UNDONE,
    }
    for column in _BOOLEAN_COLUMNS:
        stored[column] = bool(stored[column])
    if status not in _KNOWN_STATUSES:
        stored["reason"] = damage
    return MatchInfo(
        id=stored.pop("match"),
        place=Place(stored.pop("guild"), stored.pop("channel"), stored.pop("thread")),
        seats=seated,
        damage=damage,
        is_newer=newer or any(seat.level not in ("", *LEVELS) for seat in seated),
        **stored,
    )


def parse_traced_match(row: Sequence[Any], user: int) -> dict[str, Any]:
    """Return what the row of a match says about a person, by the fields of PersonalTrace."""
    stored = dict(zip(MATCHES.columns, row, strict=True))
    status = Status(stored["status"]) if stored["status"] in _KNOWN_STATUSES else Status.ASIDE
    return {
        "match": stored["match"],
        "game": stored["game"],
        "status": status,
        "place": Place(stored["guild"], stored["channel"], stored["thread"]),
        "opened_at": stored["created"],
        "closed_at": 0 if status in LIVE else stored["changed"],
        "was_host": stored["host"] == user,
        "has_voted": _has_voted(stored["votes"], user),
    }


def _has_voted(votes: str, user: int) -> bool:
    try:
        found = json.loads(votes)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) and user in found


def _parse_numbers(text: str) -> tuple[int, ...] | None:
    """Return the numbers in a JSON list, such as users; None if it is not a valid one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tuple(found) if isinstance(found, list) and all(type(each) is int for each in found) else None


def count_by_status(rows: Iterable[tuple[Any, ...]]) -> dict[Status, int]:
    """Return counts by status. Rows with a status of a newer version are left out."""
    return {Status(status): count for status, count in rows if status in _KNOWN_STATUSES}


def replace_voter(votes: str, user: int, nobody: int) -> str:
    """Return the votes with one user made anonymous; no votes if they cannot be read."""
    try:
        users = json.loads(votes)
    except (ValueError, RecursionError):
        return "[]"
    return json.dumps([nobody if each == user else each for each in users]) if isinstance(users, list) else "[]"
