"""The form, the pages and the text with which people tell the owner that something is wrong. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from cogs.screens.truncation import truncate
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import GOLD, Form, Page, Paper, Press, Text, press_rows, text_blocks
from cogs.table.wording.player_names import markdown_name
from engines.features.reports import Report
from engines.hosting.match import MatchSnapshot
from engines.kit.seats import letter
from engines.store.match_store import Seat
from engines.store.table_options import format_table_options

MAX_WORDS = 1000  # characters, as Discord counts them
WORDS_SHOWN = 300


def report_number(report: int) -> str:
    """Return the short number by which people and the owner name a report."""
    return blake2b(str(report).encode(), digest_size=3).hexdigest()


def report_text(
    snapshot: MatchSnapshot, report: int, version: str, user: int, interactions: Sequence[int], words: str
) -> str:
    """Return a whole report: who writes, with which version, their last interactions, their words, and the match."""
    seat = snapshot.info.seat_of(user)
    return "\n".join(
        (
            f"report: {report_number(report)}",
            f"version: {version}",
            f"from: {user}, {'watching' if seat is None else f'seat {letter(seat)}'}",
            f"last interactions: {', '.join(map(str, interactions)) or 'none'}",
            *(f"> {line}" for line in words.splitlines()),
            "",
            *public_lines(snapshot),
            "",
        )
    )


def public_lines(snapshot: MatchSnapshot) -> list[str]:
    """Return what everybody can see of a match, without names: a spectator's view, and the public events in order.

    It has no numbers of moves or revisions and no times, because these could reveal a secret choice.
    """
    info = snapshot.info
    lines = [
        f"match: {info.id}",
        f"game: {info.game}, rules {info.rules}",
        f"options: {info.options}",
        f"table options: {format_table_options(info.table_options)}",
        f"status: {info.status}",
        f"seats: {', '.join(f'{letter(number)} {_player(seat)}' for number, seat in enumerate(info.seats))}",
        f"waiting for: {', '.join(map(letter, snapshot.due_seats())) or 'nobody'}",
    ]
    if snapshot.state is not None:
        lines += ["", *(line.rstrip() for line in str(snapshot.view(None)).splitlines()), "", "events:"]
        lines += [
            snapshot.game.events_adapter.dump_json([each.event], exclude={"__all__": {"to"}}).decode()[1:-1]
            for each in snapshot.visible_events(None, after=0)
        ]
    return lines


def _player(seat: Seat) -> str:
    """Return who plays a seat, without a name."""
    if seat.level:
        return f"computer ({seat.level})"
    return "empty" if seat.gone else "person"


def form_id(match: str) -> str:
    """Return the custom id of the form."""
    return feature_id("reports", match, "write")


def report_form(match: str) -> Form:
    """Return the form in which a person says what is wrong."""
    return Form(
        form_id(match),
        f"Problem in match {match}",
        "What is wrong?",
        "Next, I will show you everything that would be sent. Nothing is sent before you press Send.",
        "",
        MAX_WORDS,
    )


def draft_page(report: Report, words: str) -> Page:
    """Return what a report would send, with the buttons that send it or do not."""
    quoted = "\n".join(f"> {markdown_name(line)}" for line in truncate(words, WORDS_SHOWN).splitlines())
    presses = (
        Press("Send", feature_id("reports", report.match, "send", report.id), "primary"),
        Press("Don’t send", feature_id("reports", report.match, "drop", report.id)),
    )
    text = (
        "**Send this to the people who run me?** Nothing is sent yet.",
        quoted,
        "-# This file is everything that would be sent: your words, your Discord ID, the IDs of your last "
        "clicks, and what "
        "everybody can see of this match. No hand is in it, not even yours.",
    )
    paper = Paper(f"report-{report_number(report.id)}.txt", report.text)
    return Page((*text_blocks(text), paper, *press_rows(presses)), GOLD)


def sent_page(report: int) -> Page:
    """Return the answer to a report that was sent."""
    return Page((Text(f"Thank you! I have sent your report. Its number is `{report_number(report)}`."),))
