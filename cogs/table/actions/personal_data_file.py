"""Gathers all data that is stored about one person, and builds the file of it: readable JSON."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from engines.features.registry import FEATURES, TABLES
from engines.hosting.match import MatchSnapshot
from engines.kit.seats import letter
from engines.store.forgetting import FullStorage, PersonalTrace
from engines.store.rows import NO_ROWS, Rows
from engines.store.surface_storage import Inbox, Preferences, SurfaceStorage

MATCHES_PER_FILE = 500  # keeps a file well below Discord's size limit
BATCH_SIZE = 50  # matches per query, so that other readers do not wait long
_TABLES = tuple(table for table in TABLES if "user" in table.columns and "match" not in table.columns)


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Everything stored about a person, or one part of it if there are very many matches.

    `hands` has what they see of running matches, as lines. `rows` are those of features that belong to no match.
    """

    user: int
    preferences: Preferences
    inbox: Inbox | None
    first_contact: int  # Unix second; 0: none is known
    rest_until: int
    traces: Sequence[PersonalTrace]
    hands: Mapping[str, Sequence[str]]
    rows: Rows = NO_ROWS
    part: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stored about the person."""
        known = (self.traces, self.inbox, self.first_contact, self.rest_until, *(found for _, found in self.rows))
        return not any(known) and self.preferences == Preferences()


async def load_personal_data(
    user: int,
    matches: FullStorage,
    surfaces: SurfaceStorage,
    load_hand: Callable[[PersonalTrace, int], Awaitable[list[str]]],
    part: int = 0,
    limit: int | None = MATCHES_PER_FILE,
) -> PersonalData:
    """Load what is stored about a person; with a `limit`, a part of so many matches. Raises StoreFailure."""
    found: list[PersonalTrace] = []
    while limit is None or len(found) < limit:
        more = await matches.load_traces(user, part * (limit or 0) + len(found), BATCH_SIZE)
        found += more
        if len(more) < BATCH_SIZE:
            break
    return PersonalData(
        user,
        await surfaces.preferences(user),
        await surfaces.inbox(user),
        await surfaces.first_contact(user),
        await matches.rest_until(user),
        found,
        {trace.match: hand for trace in found if (hand := await load_hand(trace, user))},
        Rows(tuple([(table, tuple(await matches.find_rows(table, "user", [user]))) for table in _TABLES])),
        part,
    )


def personal_data_json(data: PersonalData, now: int) -> str:
    """Return the data as readable JSON. Discord ids are strings, because many programs round numbers that long."""
    preferences, inbox = data.preferences, data.inbox
    content = {
        "about this file": "All data that Motley stores about you. Backups may hold more; docs/privacy.md says how "
        "long.",
        "made": formatdate(now, usegmt=True),
        "part": data.part + 1,
        "you": {
            "user": str(data.user),
            "settings": {
                "pinged after (seconds)": preferences.call,
                "hands in words": preferences.words,
                "hands show point values": preferences.worth,
                "games already played": sorted(preferences.met),
                "others may ask you to let them take a move back": preferences.requests,
            },
            "on a break until": formatdate(data.rest_until, usegmt=True) if data.rest_until > now else None,
            "direct messages": None
            if inbox is None
            else {"channel": str(inbox.channel), "closed": inbox.closed, "used before": inbox.reached},
            "first contact": formatdate(data.first_contact, usegmt=True) if data.first_contact else None,
            **_feature_data(data.rows),
        },
        "matches": [_match_data(trace, data.hands.get(trace.match, [])) for trace in data.traces],
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def visible_hand(snapshot: MatchSnapshot, seat: int) -> list[str]:
    """Return what a seat can see of the match now, as lines: its own hand and everything public."""
    return [line.rstrip() for line in str(snapshot.view(seat)).splitlines()]


def _match_data(trace: PersonalTrace, visible: Sequence[str]) -> dict[str, Any]:
    place = trace.place
    content: dict[str, Any] = {
        "match": trace.match,
        "game": trace.game,
        "status": trace.status.value,
        "server": str(place.guild),
        "channel": str(place.channel),
        "thread": str(place.thread) if place.thread else None,
        "opened": formatdate(trace.opened_at, usegmt=True),
        "closed": formatdate(trace.closed_at, usegmt=True) if trace.closed_at else None,
        "you are its host": trace.was_host,
        "you have voted to end it": trace.has_voted,
        "seats": [
            {
                "seat": letter(number),
                "your name there": seat.name,
                "gone": seat.gone or None,
                "computer": seat.level or None,
                "deadlines missed in a row": seat.missed,
                "your cut": seat.cut or None,
                "you cut last": bool(seat.last_cut) or None,
            }
            for number, seat in trace.seats
        ],
        "done": [
            {"what": action.action, "when": formatdate(action.at, usegmt=True), **_click_data(action.click)}
            for action in trace.actions
        ],
        "moves": [
            {
                **(
                    {"move": move.number} if trace.closed_at else {}
                ),  # in a live match, a number could reveal who else has made a secret choice
                "seat": letter(move.seat),
                "decision": move.decision,
                "made": "undo" if move.undo and not trace.closed_at else move.notation,
                ## Do you want me to forget you? if move.is_forced else move.level or None,
                "automatic": move.is_forced or None,
                "when": formatdate(at, usegmt=True),
                **_click_data(click),
            }
            for move, at, click in trace.moves
        ],
        "messages with your hand": [
            {"channel": str(channel), "message": str(message)} for channel, message in trace.messages
        ],
    }
    content |= _feature_data(trace.rows)
    return {**content, "what you see now": visible} if visible else content


def _feature_data(rows: Rows) -> dict[str, Any]:
    """Return what features tell of a person's rows. Each gets its own tables among them."""
    loaded, content = {table.name for table, _ in rows}, dict[str, Any]()
    for feature in FEATURES:
        if own := [table for table in feature.tables if table.name in loaded]:
            content |= feature.personal_data(rows.only(own))
    return content


def _click_data(number: int) -> dict[str, str]:
    """Return the Discord id of the click or command that caused something, if there was one."""
    return {"click": str(number)} if number else {}
