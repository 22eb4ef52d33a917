"""The form and the pages with which people tell the owner that something is wrong. Pure functions."""

from __future__ import annotations

from cogs.features.reports.report_text import report_number
from cogs.screens.truncation import truncate
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import GOLD, Form, Page, Paper, Press, Text, press_rows, text_blocks
from cogs.table.wording.player_names import markdown_name
from engines.features.reports.rows import Report

MAX_WORDS = 1000  # characters, as Discord counts them
WORDS_SHOWN = 300


def form_id(match: str) -> str:
    """Return the custom id of the form."""
    return feature_id("reports", match, "write")


def send_id(match: str, report: int) -> str:
    """Return the custom id of the button that sends a draft."""
    return feature_id("reports", match, "send", report)


def drop_id(match: str, report: int) -> str:
    """Return the custom id of the button that drops a draft."""
    return feature_id("reports", match, "drop", report)


def open_press(match: str) -> Press:
    """Return the button that opens the form."""
    return Press("Something is wrong", feature_id("reports", match, "open"))


def report_form(match: str) -> Form:
    """Return the form in which a person says what is wrong."""
    return Form(
        form_id(match),
        f"Something is wrong in match {match}",
        "What is wrong?",
        "Next, I show you all that I would send. Nothing is sent before you press Send.",
        "",
        MAX_WORDS,
    )


def draft_page(report: Report, words: str) -> Page:
    """Return what a report would send, with the buttons that send it or do not."""
    quoted = "\n".join(f"> {markdown_name(line)}" for line in truncate(words, WORDS_SHOWN).splitlines())
    presses = (
        Press("Send", send_id(report.match, report.id), "primary"),
        Press("Don’t send", drop_id(report.match, report.id)),
    )
    said = (
        "**Send this to the people who run me?** Nothing is sent yet.",
        quoted,
        "-# This file is all that I would send: your words, your Discord ID, the numbers of your last clicks, and what "
        "everybody can see of this match. No hand is in it, not even yours.",
    )
    paper = Paper(f"report-{report_number(report.id)}.txt", report.text)
    return Page((*text_blocks(said), paper, *press_rows(presses)), GOLD)


def sent_page(report: int) -> Page:
    """Return the answer to a report that was sent."""
    return Page((Text(f"Thank you! I have sent your report. Its number is `{report_number(report)}`."),))
