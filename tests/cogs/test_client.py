"""The parts of Discord's events that the bot keeps."""

from __future__ import annotations

from cogs.client import MESSAGE_FIELDS, _trim_interaction


def test_of_a_clicked_message_no_more_is_taken_than_is_read() -> None:
    message = {"id": "1", "type": 0, "flags": 64, "content": "", "components": [{"type": 17}], "author": {"id": "2"}}
    told = {"id": "3", "type": 3, "message": message}
    assert _trim_interaction(told) == {
        "id": "3",
        "type": 3,
        "message": {"id": "1", "type": 0, "flags": 64, "content": ""},
    }
    assert set(MESSAGE_FIELDS) < set(message), "what Discord told is as it was"


def test_where_no_message_was_clicked_all_is_taken() -> None:
    command = {"id": "3", "type": 2, "data": {"name": "wizard"}}
    assert _trim_interaction(command) == command
