"""Pages as values: digests, rows, message limits, the parts of the rules, and tasks that end."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from cogs.table.commands.game_commands import filter_choices
from cogs.table.pages import match_pages, rules_pages, screen_layout
from cogs.table.pages.page import Menu, Page, Paper, Press, Row, Text, press_rows, text_blocks
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.records.record import parse_record
from tests.game_uis import SCREENS
from tests.games import GAMES, ROOT
from tests.record_replays import replay_record


def test_equal_pages_have_equal_digests_and_others_have_not() -> None:
    presses = (Press("Go", f"t:abcd2345:{action}") for action in ("hand", "hand", "more"))
    page, same, moved = (Page((Text("a"), *press_rows((press,)))) for press in presses)
    assert page.digest == same.digest
    others = [moved, Page((Text("b"), *page.blocks[1:])), Page(page.blocks[:1]), Page(page.blocks, accent=1)]
    for other in (*others, Page((*page.blocks, Paper("a.txt", "a")))):
        assert other.digest != page.digest


def test_buttons_stand_in_rows_of_five_and_empty_paragraphs_are_left_out() -> None:
    found = press_rows(Press(str(i), f"x{i}") for i in range(12))
    assert [len(row.items) for row in found if not isinstance(row.items, Menu)] == [5, 5, 2]
    assert press_rows(()) == ()
    assert text_blocks(("a", "", "b")) == (Text("a"), Text("b"))
    assert Page((Text("a"), Paper("p.txt", "x"), Row(()))).paper == Paper("p.txt", "x")


def test_a_long_sheet_is_cut_by_its_oldest_lines() -> None:
    lines = ["### Score sheet", *(f"Round {i}: " + "x" * 200 for i in range(1, 31)), "**Total**"]
    (text,) = screen_layout._fit_paragraphs(["\n".join(lines)], 100)
    assert len(text) < 3100
    assert text.startswith("### Score sheet")
    assert text.endswith("**Total**")
    assert "Round 30:" in text
    assert "Round 1:" not in text


def test_a_headline_tells_winners_apart_from_others_whose_names_begin_alike() -> None:
    record = parse_record(Path(ROOT, "tests", "engines", "wizard", "golden", "six.txt").read_text(encoding="utf-8"))
    match = replay_record(GAMES["wizard"], record, "abcd2345")
    at = match.snapshot(match.last)
    others = [f"Somebody Else {number}" for number in range(4)]
    for winner, loser, headline in (
        ("Alexandra of Hamburg and Altona", "Bartholomew", "**Alexandra of Hambur… wins with"),
        ("Alexandra of Hamburg and Altona", "Alexandra of Hamburg and Bremen", "**A Alexand… wins with"),
    ):
        names = (winner, loser, *others)
        seats = tuple(replace(seat, name=name) for seat, name in zip(at.info.seats, names, strict=True))
        named = replace(at, info=replace(at.info, seats=seats))
        text = "\n".join(
            block.text
            for block in match_pages.table_page(named, match_pages.PageContext(SCREENS["wizard"])).blocks
            if isinstance(block, Text)
        )
        assert headline in text, text


def test_choices_are_narrowed_to_what_was_typed_and_to_25() -> None:
    every = [(f"Play card {i}", f"{i}") for i in range(60)]
    assert len(filter_choices(every, "")) == 25
    for typed in (" card 7 ", "7 CARD", "7, card"):
        assert [choice.value for choice in filter_choices(every, typed)] == ["7", "17", "27", "37", "47", "57"]
    assert [choice.name for choice in filter_choices([("x" * 200, "y" * 100)], "")] == ["x" * 99 + "…"]
    assert filter_choices([("x" * 200, "y" * 101)], "") == [], "it could not be sent"


async def test_at_most_one_task_of_a_name_runs_and_closing_ends_what_sleeps() -> None:
    tasks, names = BackgroundTasks(), []

    async def work(name: str) -> None:
        names.append(name)
        await asyncio.sleep(0)

    tasks.start("one", work, "a")
    tasks.start("one", work, "b")
    tasks.start("two", work, "c")
    await asyncio.sleep(0.01)
    assert sorted(names) == ["a", "c"]
    tasks.start("one", work, "d")
    await asyncio.sleep(0.01)
    assert "d" in names
    tasks.start("long", lambda: asyncio.sleep(3600))
    await asyncio.sleep(0)
    await asyncio.wait_for(tasks.close(), 1)
    tasks.start("one", work, "e")
    await asyncio.sleep(0.01)
    assert "e" not in names


async def test_a_task_that_fails_is_logged_without_values_and_may_start_again(caplog: pytest.LogCaptureFixture) -> None:
    tasks = BackgroundTasks()

    async def work() -> None:
        raise ValueError(f"the {'seed'} is 123")

    tasks.start("one", work)
    await asyncio.sleep(0.01)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "the seed" not in caplog.text
    caplog.clear()
    tasks.start("one", work)
    await asyncio.sleep(0.01)
    assert len(caplog.records) == 1


def test_wrapped_lines_of_the_rules_are_joined_and_lists_kept() -> None:
    text = "## Aim\n\nOne\nline.\n\n- an item\n  goes on\n- **another**\n\n| a | b |\n| c | d |\n"
    joined = "## Aim\nOne line.\n\n- an item goes on\n- **another**\n\n| a | b |\n| c | d |"
    assert rules_pages._unwrap_lines(text) == joined
