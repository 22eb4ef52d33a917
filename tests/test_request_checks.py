"""The checks at the end of a test of the whole bot, each with a request that it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from cogs.screens.control_widths import MAX_LABEL
from tests.end_to_end.simulated_discord import LoggedRequest
from tests.request_checks import SentRequest, assert_fits_telephone, assert_it_has_glyphs, assert_nobody_is_called

NOBODY: dict[str, Any] = {"parse": []}
ADA: dict[str, Any] = {"parse": [], "users": [1]}


def button(label: str) -> dict[str, Any]:
    return {"components": [{"type": 1, "components": [{"type": 2, "label": label}]}], "allowed_mentions": NOBODY}


@pytest.mark.parametrize(
    ("method", "sent", "check", "complaint"),
    [
        ("PATCH", {"content": "z"}, assert_nobody_is_called, "does not say"),
        ("POST", {"content": "z", "allowed_mentions": {"parse": ["users"]}}, assert_nobody_is_called, "may notify"),
        (
            "PATCH",
            {"content": "z", "allowed_mentions": ADA},
            assert_nobody_is_called,
            "an edit",
        ),
        ("POST", button("x" * (MAX_LABEL + 1)), assert_fits_telephone, "longer than a telephone shows"),
        ("POST", {"content": "\U0001fae8"}, assert_it_has_glyphs, "not known to have a glyph"),
    ],
)
def test_what_must_not_be_sent_is_found(
    method: str, sent: Any, check: Callable[[Iterable[SentRequest]], None], complaint: str
) -> None:
    path = "/channels/1/messages" if method == "POST" else "/channels/1/messages/2"
    named = {"content": "z", "allowed_mentions": ADA}
    harmless = [LoggedRequest("POST", "/channels/1/messages", {}, each) for each in (named, button("x" * MAX_LABEL))]
    check(harmless)
    with pytest.raises(AssertionError, match=complaint):
        check([*harmless, LoggedRequest(method, path, {}, sent)])
