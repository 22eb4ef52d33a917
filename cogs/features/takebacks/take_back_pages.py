"""Taking moves back on pages: the request in words, and the buttons. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.screens.words import join_with_and
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.menu_pages import question_page
from cogs.table.pages.page import Block, Page, Press, Text, press_rows, table_press
from cogs.table.wording.narration import first_line, screen_context
from engines.features.takebacks.rules import TAKEBACKS
from engines.features.takebacks.taking_back import request_stamp, view_stamp
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import ActionKind, MatchInfo, Status
from engines.store.undoing import TableRequest

ACTION_TEXTS: Mapping[ActionKind, str] = {
    "ask take back": "asked to take a move back",
    "agree take back": "agreed to take the move back",
    "refuse take back": "did not agree to take the move back",
    "lapse take back": "ended a request to take a move back, because nobody answered in time",
    "take back": "took a move back",
}
MAX_NAMED = 2  # people whom a page names that still have to answer; it counts more of them


def table_note(facts: Facts) -> str:
    """Return the request for the table, or how it has ended; empty if there is none."""
    request, names = facts.snapshot.info.undoing.request, screen_context(facts.snapshot).short_names
    if request is None:
        return ""
    if request.ended:
        return f"-# {_end_text(request, names)}, so {names[request.seat]}'s move stands."
    return f"{_question(facts, request, None)}\n-# {_waiting_text(facts, request, names)}"


def hand_note(facts: Facts, seat: int) -> str:
    """Return the request for a hand, or how the own one has ended; empty if there is nothing to say."""
    request, names = facts.snapshot.info.undoing.request, screen_context(facts.snapshot).short_names
    if request is None:
        return ""
    if request.ended:
        return f"**{_end_text(request, names)}, so your move stands.**" if seat == request.seat else ""
    if seat in request.waiting:
        return _question(facts, request, seat)
    if seat == request.seat:
        return f"**You asked to take your move back.** {_waiting_text(facts, request, names)}"
    return f"You agreed. {_waiting_text(facts, request, names)}" if seat in request.agreed else ""


def _question(facts: Facts, request: TableRequest, seat: int | None) -> str:
    """Return the request as a question, with as much of the move as a seat may know; a spectator's seat is None."""
    context, screen = screen_context(facts.snapshot), facts.screen
    short = replace(context, names=context.short_names)
    events = [each.event for each in facts.snapshot.visible_events(seat, request.move - 1) if each.move == request.move]
    narrated = (screen.narrate_briefly(event, short) or screen.narrate(event, short) for event in events)
    move_text = first_line(narrated).rstrip(".")
    what = f"back “{move_text}”" if move_text else "a move back"
    return f"**{short.names[request.seat]} wants to take {what}. Do you agree?**"


def _waiting_text(facts: Facts, request: TableRequest, names: Sequence[str]) -> str:
    waiting = [names[seat] for seat in request.waiting]
    people = join_with_and(waiting) if len(waiting) <= MAX_NAMED else f"{len(waiting)} players"
    return f"Waiting for {people}. ⏳ <t:{facts.snapshot.lapses_at(request)}:R>"


def _end_text(request: TableRequest, names: Sequence[str]) -> str:
    return "Nobody answered in time" if request.ended == "lapsed" else f"{names[request.ended_by]} said no"


def confirm_practice_page(snapshot: MatchSnapshot, seat: int) -> Page:
    """Return the question before the only person at a table takes back a move after which the match went on."""
    info = snapshot.info
    question = question_page(
        "Take your move back? The match has gone on since then, so it will become a practice match and no "
        "longer count. "
        "In practice you can take back as much as you like. It ends if you do not play for a day.",
        Press("Take it back", _take_back_id(snapshot, seat, "practice"), "danger"),
        table_press(info.id, "Back to the hand", "return"),
    )
    return question.for_reader(info.seats[seat].user)


def take_back_press(snapshot: MatchSnapshot, user: int) -> Press | None:
    """Return the button to take a move back; None without a move, or while a request is open."""
    info, seat = snapshot.info, snapshot.info.seat_of(user)
    if seat is None or info.status is not Status.RUNNING or info.table_options.of(TAKEBACKS) == "never":
        return None
    if info.undoing.open_request is not None or not snapshot.has_move_in_force(seat):
        return None
    return Press("Take back", _take_back_id(snapshot, seat, "take"))


def answer_presses(info: MatchInfo) -> tuple[Press, ...]:
    """Return the buttons that answer the open request."""
    if info.undoing.open_request is None:
        return ()
    stamp = request_stamp(info)
    return (
        Press("Yes", feature_id("takebacks", info.id, "agree", stamp), "primary"),
        Press("No", feature_id("takebacks", info.id, "refuse", stamp)),
    )


def setting_blocks(*, is_asked: bool) -> tuple[Block, ...]:
    """Return what the settings say of requests, with the button that turns them on or off."""
    now = "can ask you to let them" if is_asked else "cannot ask you to let them"
    label, switch = ("Do not let others ask me", "off") if is_asked else ("Let others ask me", "on")
    text = f"**Taking moves back:** other players at your tables {now} take back a move."
    return Text(text), *press_rows((Press(label, feature_id("takebacks", "", "allow", switch)),))


def _take_back_id(snapshot: MatchSnapshot, seat: int, word: str) -> str:
    return feature_id("takebacks", snapshot.info.id, word, view_stamp(snapshot, seat))
