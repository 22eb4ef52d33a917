"""The history of a match in words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from cogs.features.registry import ACTION_TEXTS as FEATURE_ACTION_TEXTS
from cogs.screens.truncation import utf16_length
from cogs.table.actions.match_history import ACTION_TEXTS, history_text
from engines.store.match_store import FORCED, Action, ActionKind, MatchInfo, Place, Seat, Status

ROOM = 3000
SEATS = (Seat(5, "Ada"), Seat(6, "B_e_la", "left"), Seat(7, "Chidi"))
INFO = MatchInfo("abcd2345", "wizard", 1, "{}", Status.PAUSED, 5, Place(1, 2, 3), SEATS)


def history_lines(*entries: Action) -> list[str]:
    heading, *lines = history_text(INFO, entries, ROOM, FEATURE_ACTION_TEXTS).split("\n")
    assert heading == "**History**"
    return [line.removeprefix("- ") for line in lines]


def test_every_action_has_its_words() -> None:
    assert {*ACTION_TEXTS, *FEATURE_ACTION_TEXTS} == set(get_args(ActionKind)) - {"play"}
    assert history_lines(Action("juggle", 5, "", 1000)) == ["<t:1000:f> Ada changed something"]
    assert history_text(INFO, (), ROOM, FEATURE_ACTION_TEXTS) == ""


def test_no_computer_is_said_to_do_what_the_bot_does() -> None:
    info = replace(INFO, seats=(*SEATS, Seat(0, "Zora", level="easy")))
    text = history_text(info, [Action("end", 0, "", 1000)], ROOM, FEATURE_ACTION_TEXTS)
    assert text.endswith("<t:1000:f> I ended the match, because nobody was playing any more")


def test_a_line_says_when_who_and_what() -> None:
    assert history_lines(Action("new", 5, "", 1000), Action("join", 6, "", 1001), Action("settle", 0, "", 1002)) == [
        "<t:1000:f> Ada opened the table",
        r"<t:1001:f> B\_e\_la joined",
        "<t:1002:f> I opened the match's thread",
    ]


def test_somebody_who_no_longer_sits_there_is_told_by_a_mention_and_why_a_table_was_closed() -> None:
    line = r"<t:7:f> <@99> removed somebody: B\_e\_la was removed by an admin."
    assert history_lines(Action("remove", 99, "B_e_la was removed by an admin.", 7)) == [line]
    assert history_lines(Action("cancel", 0, "Its channel was deleted.", 7), Action("cancel", 5, "", 8)) == [
        "<t:7:f> I cancelled the table: Its channel was deleted.",
        "<t:8:f> Ada cancelled the table",
    ]


def test_moves_in_a_row_are_counted_by_person_and_what_is_done_again_is_counted_as_well() -> None:
    plays = [Action("play", user, "", 10 + i) for i, user in enumerate((6, 7, 5, 7, 7, 5))]
    options = [Action("options", 5, "", i) for i in range(3)]
    left = Action("leave", 6, "B_e_la left.", 40)
    assert history_lines(*options, *plays, left, plays[0]) == [
        "<t:0:f> Ada changed the options (3 times)",
        r"<t:10:f> 6 moves: Chidi 3, Ada 2 and B\_e\_la 1",
        r"<t:40:f> B\_e\_la left",
        r"<t:10:f> 1 move: B\_e\_la 1",
    ]


@given(
    st.lists(st.sampled_from(("join", "leave", "play", "options")), min_size=1, max_size=400), st.integers(400, 4000)
)
def test_the_first_and_the_newest_lines_fit_whatever_the_length(actions: list[str], room: int) -> None:
    entries = [Action(action, 5 + i % 3, "", 1_800_000_000 + i) for i, action in enumerate(actions)]
    text = history_text(INFO, entries, room, FEATURE_ACTION_TEXTS)
    _, *all_lines = history_text(INFO, entries, 10**6, FEATURE_ACTION_TEXTS).split("\n")
    _, *lines = text.split("\n")
    assert utf16_length(text) <= room
    assert (lines[0], lines[-1]) == (all_lines[0], all_lines[-1])
    if lines != all_lines:
        left_out = re.fullmatch(r"-# … (\d+) more …", lines[1])
        assert left_out is not None
        assert int(left_out[1]) == len(all_lines) - len(lines) + 1
        assert utf16_length(text) + max(map(utf16_length, all_lines)) + 10 > room


def test_moves_that_were_made_automatically_are_counted_with_their_players() -> None:
    plays = [Action("play", user, reason, 10) for user, reason in ((5, ""), (5, FORCED), (5, FORCED), (7, FORCED))]
    assert history_lines(*plays) == ["<t:10:f> 4 moves: Ada 3 (2 automatic) and Chidi 1 (1 automatic)"]
