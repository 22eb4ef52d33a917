"""What compares the playground with a description finds what disagrees, here with a small one of our own."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.playground.against_description import Witness, watch_exchanges
from tests.playground.description import Description, Exchange
from tests.playground.discord_rest import MESSAGES_PATH, RestClient

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
ID = {"$ref": "#/components/schemas/SnowflakeType"}


def an_object(*optional: str, **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": [name for name in fields if name not in optional]}


def response_schema(schema: Any, status: str = "200") -> dict[str, Any]:
    refusal = {"$ref": "#/components/responses/Refused"}
    return {status: {"content": {"application/json": {"schema": schema}}}, "4XX": refusal}


SCHEMAS: dict[str, Any] = {
    "SnowflakeType": {"type": "string", "pattern": r"^\d+$"},
    "Error": an_object(code=NUMBER, message=TEXT),
    "InnerErrors": an_object(_errors={"type": "array", "items": {"$ref": "#/components/schemas/Error"}}),
    "Button": an_object(type={"type": "integer", "enum": [2]}, label=TEXT),
    "Select": an_object(type={"type": "integer", "enum": [3]}, options={"type": "array"}),
    "Part": {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Button", "Select")]},
    "Message": an_object(id=ID, components={"type": "array", "items": {"$ref": "#/components/schemas/Part"}}),
    "Refusal": {
        "allOf": [
            {"$ref": "#/components/schemas/Error"},
            an_object("errors", errors={"$ref": "#/components/schemas/InnerErrors"}),
        ]
    },
}
POSTED = {
    "content": {"application/json": {"schema": an_object("reply_to", content=TEXT, reply_to=ID)}},
    "required": True,
}
MESSAGE = {"$ref": "#/components/schemas/Message"}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "paths": {
        "/rooms/{room_id}": {
            "post": {"operationId": "post", "requestBody": POSTED, "responses": response_schema(MESSAGE)}
        },
        "/rooms/@mine": {"delete": {"operationId": "leave", "responses": {"204": {"description": "Gone"}}}},
        "/users/@me": {"get": {"operationId": "get_me", "responses": response_schema(an_object(id=ID, name=TEXT))}},
    },
    "components": {
        "schemas": SCHEMAS,
        "responses": {
            "Refused": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}},
        },
    },
}
GOOD: dict[str, Any] = {"id": "1", "components": [{"type": 2, "label": "Yes"}]}
REFUSED = {"code": 50035, "message": "No", "errors": {"_errors": [{"code": "WORD", "message": "No"}]}}


@pytest.fixture
def description() -> Description:
    return Description(copy.deepcopy(DOCUMENT))


def post(body: Any = None, response: Any = None, status: int = 200, path: str = "/rooms/5") -> Exchange:
    return Exchange("POST", path, status, body or {"content": "x"}, response or GOOD)


FAULTS: dict[str, tuple[Exchange, list[str]]] = {
    "nothing": (post({"content": "x", "reply_to": 5, "ignored": 1}), []),
    "refusal": (post({"content": 5}, REFUSED, 400), []),
    "fault on demand": (post(response="<html>", status=503), []),
    "unknown route, refused": (Exchange("GET", "/rooms", 404, None, {}), []),
    "unknown route": (Exchange("GET", "/rooms", 200, None, {}), ["the description has no such route"]),
    "other method": (Exchange("PUT", "/rooms/5", 200, None, {}), ["the description has no such route"]),
    "request": (post({"content": 5}), ["request.content: 5 is not of type 'string'"]),
    "response": (post(response={"id": "x", "components": []}), [r"response.id: 'x' does not match '^\\d+$'"]),
    "unknown field": (
        post(response={**GOOD, "guild": "1"}),
        ["response: Additional properties are not allowed ('guild' was unexpected)"],
    ),
    "union": (
        post(response={"id": "1", "components": [{"type": 3, "label": "Yes"}]}),
        [
            "response.components[]: Additional properties are not allowed ('label' was unexpected)",
            "response.components[]: 'options' is a required property",
        ],
    ),
    "bad refusal": (post(response={"message": "No"}, status=400), ["response: 'code' is a required property"]),
    "status": (post(status=201), ["the response has the status 201"]),
    "no body": (Exchange("POST", "/rooms/5", 200, None, None), ["the response has no body", "the request has no body"]),
    "literal path": (Exchange("DELETE", "/rooms/@mine", 204, None, None), []),
    "bodies": (
        Exchange("DELETE", "/rooms/@mine", 204, {}, {}),
        ["the response has a body", "the request has a body"],
    ),
}


@pytest.mark.parametrize(("exchange", "faults"), FAULTS.values(), ids=FAULTS)
def test_a_disagreement_is_found(exchange: Exchange, faults: list[str], description: Description) -> None:
    assert sorted(description.find_faults(exchange)) == sorted(faults)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "openapi.json"
    other.write_text("{}")
    with pytest.raises(ValueError, match="is not specs/openapi"):
        Description.read(other)


async def test_every_exchange_of_the_playground_is_compared(rest: RestClient, description: Description) -> None:
    witness = Witness(description)
    with watch_exchanges(lambda exchange: witness.compare(exchange, "this test")):
        await rest.send_request("GET", "/users/@me")
        await rest.post_message()
        await rest.send_request("GET", "/nowhere")
    await rest.send_request("GET", MESSAGES_PATH)
    assert witness.count == 3
    found = witness.sentences()
    assert "GET /users/@me: response: 'name' is a required property (1 times, first in this test)" in found
    routeless = "POST /channels/{channel}/messages: the description has no such route"
    assert f"{routeless} (1 times, first in this test)" in found
    assert routeless in found, "also without a request"
    assert "GET /users/@me: the description has no such route" not in found
