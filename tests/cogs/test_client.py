"""The parts of Discord's events that the bot keeps."""

from __future__ import annotations

from cogs.client import MESSAGE_FIELDS, _trim_interaction
from cogs.table.pages.page import Place
from cogs.table.transport.interaction_response import PLACE_FIELD


def test_only_the_needed_parts_of_a_clicked_message_are_stored() -> None:
    read = {"id": "1", "type": 0, "flags": 64, "content": ""}
    message = {**read, "components": [{"type": 17}], "author": {"id": "2"}}
    payload = {"id": "3", "type": 3, "message": message}
    assert _trim_interaction(payload) == {"id": "3", "type": 3, "message": read}
    assert set(MESSAGE_FIELDS) < set(message), "what Discord told is as it was"
    row = {"type": 1, "components": [{"type": 2, "custom_id": "a"}, {"type": 2, "custom_id": "b"}]}
    message["components"] = [
        {"type": 17, "components": [{"type": 10, "content": "text"}, {**row, "components": []}, row]}
    ]
    clicked = {**payload, "data": {"custom_id": "b"}, "message": message}
    assert _trim_interaction(clicked)["data"] == {"custom_id": "b", PLACE_FIELD: Place(1, 1)}
    assert clicked["data"] == {"custom_id": "b"}, "what Discord told is as it was"
    assert "components" not in _trim_interaction(clicked)["message"]
    command = {"id": "3", "type": 2, "data": {"name": "wizard"}}
    assert _trim_interaction(command) == command
