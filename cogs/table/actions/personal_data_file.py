"""Builds the file of all data that is stored about one person: readable JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from email.utils import formatdate
from typing import Any

from engines.hosting.match import MatchSnapshot
from engines.kit.guesses import NOBODY
from engines.kit.seats import letter
from engines.store.forgetting import PersonalTrace
from engines.store.owner_storage import Report
from engines.store.surface_storage import Inbox, Preferences


def personal_data_json(
    user: int,
    now: int,
    preferences: Preferences,
    inbox: Inbox | None,
    break_until: int,
    reports: Sequence[Report],
    traces: Sequence[PersonalTrace],
    hands: Mapping[str, Sequence[str]],
    part: int,
) -> str:
    """Return the data as readable JSON. Discord ids are strings, because many programs round numbers that long."""
    told = {
        "what this is": "All that Motley stores about you. Backups may hold more; docs/privacy.md says how long.",
        "made": formatdate(now, usegmt=True),
        "part": part + 1,
        "you": {
            "user": str(user),
            "settings": {
                "called after seconds": preferences.call,
                "hands in words": preferences.words,
                "hands say what things are worth": preferences.worth,
                "games met": sorted(preferences.met),
                "lessons offered": sorted(preferences.lessons),
                "others may ask you to let them take a move back": preferences.take_backs,
            },
            "on a break until": formatdate(break_until, usegmt=True) if break_until else None,
            "reports": [
                {
                    "match": report.match,
                    "written": formatdate(report.written, usegmt=True),
                    "sent": formatdate(report.sent, usegmt=True) if report.sent else None,
                    "text": report.text or None,
                }
                for report in reports
            ],
            "direct messages": None if inbox is None else {"channel": str(inbox.channel), "closed": inbox.closed},
        },
        "matches": [_match_data(trace, hands.get(trace.match, [])) for trace in traces],
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def visible_hand(snapshot: MatchSnapshot, seat: int) -> list[str]:
    """Return what a seat can see of the match now, as lines: its own hand and everything public."""
    return [line.rstrip() for line in str(snapshot.view(seat)).splitlines()]


def _match_data(trace: PersonalTrace, visible: Sequence[str]) -> dict[str, Any]:
    place = trace.place
    told: dict[str, Any] = {
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
                "missed in a row": seat.missed,
                "your cut": seat.cut or None,
                "you cut last": bool(seat.last_cut) or None,
            }
            for number, seat in trace.seats
        ],
        "done": [
            {"what": deed.action, "when": formatdate(deed.at, usegmt=True), **_click_data(deed.click)}
            for deed in trace.actions
        ],
        "moves": [
            {
                **(
                    {"move": move.number} if trace.closed_at else {}
                ),  # in a live match, a number could reveal who else has made a secret choice
                "seat": letter(move.seat),
                "decision": move.decision,
                "made": "undo" if move.take_back and not trace.closed_at else move.notation,
                "by the computer": None if move.is_forced else move.level or None,
                "played itself": move.is_forced or None,
                "when": formatdate(at, usegmt=True),
                **_click_data(click),
            }
            for move, at, click in trace.moves
        ],
        "messages with your hand": [
            {"channel": str(channel), "message": str(message)} for channel, message in trace.messages
        ],
        "your note": trace.note or None,
        "your planned move": {
            "decision": trace.plan.decision,
            "move": trace.plan.notation,
            "condition": trace.plan.condition,
            "situation": trace.plan.situation,
            "dropped": trace.plan.dropped or None,
        }
        if trace.plan
        else None,
        "guesses while you watched": [
            {"question": each.question, "guess": [*map(_choice_text, each.choices)], "your name there": each.name}
            for each in trace.guesses
        ],
    }
    return {**told, "what you see now": visible} if visible else told


def _choice_text(choice: int) -> str:
    return "nobody" if choice == NOBODY else letter(choice)


def _click_data(number: int) -> dict[str, str]:
    """Return the Discord id of the click or command that caused something, if there was one."""
    return {"click": str(number)} if number else {}
