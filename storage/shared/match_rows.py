"""Converts matches to and from rows; the columns are the same in every kind of storage."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from typing import Any

from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, LEVELS, TABLE_OPTIONS_ADAPTER, TableOptions
from engines.store.take_backs import NO_TAKE_BACKS, format_take_backs, parse_take_backs

MOVE_NOT_SAVED = "Your move could not be saved, so nothing has changed. Please try again."
MOVED_ON = "The match has changed in the meantime, so nothing was done. Please look at it again."
STILL_PLAYING = "They are playing in that match, so they cannot be removed from it."
UNUSED_USER_BASE = -(10**9)  # numbers below it stand for people not named in any header; revisions never get that high

_TABLE_OPTION_NAMES = {field.name for field in fields(TableOptions)}
_KNOWN_STATUSES = frozenset(status.value for status in Status)
SEAT_COLUMNS = 9  # columns of a joined seat; the first is its number, the last comes from the breaks
_seat_values = attrgetter(*(field.name for field in fields(Seat) if field.name != "break_until"))


def match_row(info: MatchInfo) -> dict[str, object]:
    """Return a match without its seats, by column."""
    return {
        "match": info.id,
        "game": info.game,
        "rules": info.rules,
        "options": info.options,
        "status": info.status.value,
        "host": info.host,
        "guild": info.place.guild,
        "channel": info.place.channel,
        "thread": info.place.thread,
        "revision": info.revision,
        "moves": info.moves,
        "votes": json.dumps(info.votes) if info.votes else "[]",
        "reason": info.reason,
        "created": info.created,
        "changed": info.changed,
        "chosen": info.chosen,
        "called": info.called,
        "follows": info.follows,
        "house": _table_options_json(info.house),
        "banks": json.dumps(info.banks) if info.banks else "[]",
        "practice": info.practice,
        "decision_offset": info.decision_offset,
        "take_backs": format_take_backs(info.take_backs),
        "seal": info.seal,
    }


@lru_cache(maxsize=64)
def _table_options_json(table_options: TableOptions) -> str:
    return TABLE_OPTIONS_ADAPTER.dump_json(table_options).decode()


def seat_row(seat: Seat) -> tuple[object, ...]:
    """Return a seat without its number and its owner's break, in column order."""
    values: tuple[object, ...] = _seat_values(
        seat
    )  # dataclasses.astuple would make deep copies and take a third of a commit's time
    return values


def compute_checksum(info: MatchInfo, seed: str, moves: int, base: str) -> str:
    """Return a digest of all that stays the same until the next base, so that no damaged state is played."""
    parts = (info.id, info.game, info.rules, info.options, len(info.seats), seed, moves, base)
    return blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def parse_infos(rows: Iterable[tuple[Any, ...]]) -> list[MatchInfo]:
    """Build matches from joined rows: one row per seat, or one without a seat."""
    return [_parse_info(list(group)) for _, group in groupby(rows, key=lambda row: row[0])]


def _parse_info(rows: Sequence[tuple[Any, ...]]) -> MatchInfo:
    match, game, rules, options, status, host, guild, channel, thread, revision, moves, votes, reason, *rest = rows[0]
    seats = [row[-SEAT_COLUMNS:] for row in rows if row[-SEAT_COLUMNS] is not None]
    seated = tuple(Seat(*seat[1:]) for seat in seats)
    read, (house, newer), banks = _parse_numbers(votes), parse_table_options(rest[5]), _parse_numbers(rest[6])
    take_backs = parse_take_backs(rest[9], len(seats))
    broken = {
        "its status is unknown": status not in _KNOWN_STATUSES,
        "its votes cannot be read": read is None,
        "the table options cannot be read": house is None and not newer,
        "its time banks cannot be read": banks is None or len(banks) not in (0, len(seats)),
        "its take-backs cannot be read": take_backs is None,
        "its seats cannot be read": [seat[0] for seat in seats] != list(range(len(seats))),
    }
    damage = "; ".join(what for what, is_so in broken.items() if is_so)
    return MatchInfo(
        id=match,
        game=game,
        rules=rules,
        options=options,
        status=Status(status) if status in _KNOWN_STATUSES else Status.ASIDE,
        host=host,
        place=Place(guild, channel, thread),
        seats=seated,
        revision=revision,
        moves=moves,
        votes=read or (),
        reason=reason if status in _KNOWN_STATUSES else damage,
        created=rest[0],
        changed=rest[1],
        chosen=rest[2],
        called=rest[3],
        follows=rest[4],
        house=house or DEFAULT_TABLE_OPTIONS,
        banks=banks or (),
        practice=bool(rest[7]),
        decision_offset=rest[8],
        take_backs=take_backs or NO_TAKE_BACKS,
        seal=rest[10],
        damage=damage,
        is_newer=newer or any(seat.level not in ("", *LEVELS) for seat in seated),
    )


def _parse_numbers(text: str) -> tuple[int, ...] | None:
    """Return the numbers in a JSON list, such as users; None if it is not a valid one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tuple(found) if isinstance(found, list) and all(type(each) is int for each in found) else None


def parse_table_options(text: str) -> tuple[TableOptions | None, bool]:
    """Return the table options from JSON (None if invalid), and whether a newer version wrote them.

    An unknown option or choice means a newer version: writing them back would lose it.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None, False
    if not isinstance(found, dict):
        return None, False
    try:
        return TABLE_OPTIONS_ADAPTER.validate_python(found), not found.keys() <= _TABLE_OPTION_NAMES
    except ValueError:
        return None, True


def count_by_status(rows: Iterable[tuple[Any, ...]]) -> dict[Status, int]:
    """Return counts by status. Rows with a status of a newer version are left out."""
    return {Status(status): count for status, count in rows if status in _KNOWN_STATUSES}


def replace_voter(votes: str, user: int, nobody: int) -> str:
    """Return the votes with one user made anonymous; no votes if they cannot be read."""
    try:
        kept = json.loads(votes)
    except (ValueError, RecursionError):
        return "[]"
    return json.dumps([nobody if each == user else each for each in kept]) if isinstance(kept, list) else "[]"
