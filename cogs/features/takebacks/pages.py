"""The question before a match becomes practice, and the buttons about taking moves back. Pure functions."""

from __future__ import annotations

from dataclasses import replace

from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.menu_pages import question_page
from cogs.table.pages.page import Block, Page, Press, Text, press_rows, table_press
from engines.features.takebacks.rules import TAKEBACKS
from engines.features.takebacks.stamps import request_stamp, view_stamp
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import MatchInfo, Status


def confirm_practice_page(snapshot: MatchSnapshot, seat: int) -> Page:
    """Return the question before the only person at a table takes back a move after which the match went on."""
    info = snapshot.info
    question = question_page(
        "Take your move back? The match went on since, so it becomes practice: it does not count. "
        "In practice you can take back as much as you like. It ends when you have not played for a day.",
        Press("Take it back", _take_back_id(snapshot, seat, "practice"), "danger"),
        table_press(info.id, "Back to the hand", "return"),
    )
    return question.for_reader(info.seats[seat].user)


def take_back_presses(snapshot: MatchSnapshot, user: int) -> tuple[Press, ...]:
    """Return the button to take a move back, or that the others have been asked."""
    info, seat = snapshot.info, snapshot.info.seat_of(user)
    if info.status is not Status.RUNNING or info.table_options.of(TAKEBACKS) == "never" or seat is None:
        return ()
    press = Press("Take back", _take_back_id(snapshot, seat, "take"))
    if (request := info.undoing.open_request) is not None and request.seat == seat:
        return (replace(press, label="Waiting for answers", idle=True),)
    return (press,) if snapshot.has_move_in_force(seat) else ()


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
    said = f"**Taking moves back:** the others at your tables {now} take a move back."
    return Text(said), *press_rows((Press(label, feature_id("takebacks", "", "allow", switch)),))


def _take_back_id(snapshot: MatchSnapshot, seat: int, word: str) -> str:
    return feature_id("takebacks", snapshot.info.id, word, view_stamp(snapshot, seat))
