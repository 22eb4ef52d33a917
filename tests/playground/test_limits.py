"""Every row of the table of limits, alone and at the running server."""

from __future__ import annotations

from typing import Any

import pytest

from playground.limits import LIMITS, Request, SentFile, error_tree, violations
from playground.limits.emoji import is_emoji
from playground.server import Playground
from tests.playground import broken_limits as make
from tests.playground.broken_limits import BREAKING, Example
from tests.playground.discord_rest import GAMES, Answer, Rest

ROWS = {limit.id: limit for limit in LIMITS}


def alone(example: Example) -> Request:
    """The example as a plain request, as if sent."""
    files = tuple(SentFile(f"files[{n}]", name, size) for n, (name, size) in enumerate(example.files))
    path = example.path or ("/interactions/1/token/callback" if example.answers else f"{GAMES}/messages/1")
    before = None if example.first is None else {"content": "", "embeds": [], "attachments": [], **example.first}
    return Request(example.method, path, dict(example.query), example.payload, files, before)


async def send(rest: Rest, example: Example) -> Answer:
    """The example as a real request."""
    if example.answers is not None:
        interaction = rest.interaction(example.answers)
        return await rest.respond(interaction, example.payload["type"], example.payload["data"])
    path = example.path
    if example.first is not None:
        first = await rest.ask("POST", f"{GAMES}/messages", example.first)
        path = f"{GAMES}/messages/{first.body['id']}"
    files = [(name, bytes(size)) for name, size in example.files]
    return await rest.ask(example.method, path, example.payload, query=dict(example.query), files=files)


def test_no_row_is_missed() -> None:
    assert list(BREAKING) == [limit.id for limit in LIMITS]
    assert len(ROWS) == len(LIMITS)


@pytest.mark.parametrize("row", BREAKING)
def test_each_example_breaks_its_row_and_no_other(row: str) -> None:
    assert [found.limit.id for found in violations(alone(BREAKING[row]))][:1] == [row]
    assert {found.limit.id for found in violations(alone(BREAKING[row]))} == {row}


async def test_the_server_refuses_every_row_with_its_status_and_code(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        for row, example in BREAKING.items():
            answer = await send(rest, example)
            assert answer.error == (ROWS[row].status, ROWS[row].code), (row, answer)
    for channel in playground.house.world.messages.values():
        assert all(message.data["components"] for message in channel.values())


async def test_a_form_error_says_where_it_is(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        answer = await send(rest, BREAKING["button.label"])
        errors = answer.body["errors"]["components"]["0"]["components"]["0"]["label"]["_errors"]
        assert errors == [{"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be between 0 and 80 in length."}]
        within_a_callback = await send(rest, BREAKING["modal.title"])
        assert "title" in within_a_callback.body["errors"]["data"]


GOOD = {
    "plain": make.message(content="x"),
    "row and select": make.message(
        content="x", components=[make.row(make.button(), make.link(url="https://a.b")), make.row(make.select(25))]
    ),
    "channels": make.rows(make.channels(7, 8, min_values=0, channel_types=[0, 2, 5, 13, 15])),
    "a number for an id": make.rows(make.channels(default_values=[{"id": 7, "type": "channel"}])),
    "an emoji for a label": make.rows(make.button(label=None, emoji={"id": None, "name": "🃏"})),
    "v2": make.v2(
        {
            "type": 17,
            "accent_color": 0xFF0000,
            "components": [
                make.text(),
                {"type": 9, "components": [make.text()], "accessory": make.button()},
                {"type": 14, "spacing": 1, "divider": True},
                make.gallery(make.picture("attachment://a.png", description="A")),
                make.row(make.select(min_values=0, max_values=2)),
            ],
        },
        files=(("a.png", 10),),
        attachments=[{"id": 0, "filename": "a.png", "description": "A"}],
    ),
    "modal": make.modal(make.text(), make.label(), make.label(make.select(required=False), description="Why")),
    "groups": make.modal(
        make.label({"type": 21, "custom_id": "r", "options": [make.option(1), make.option(2)]}),
        make.label({"type": 22, "custom_id": "c", "options": [make.option(1)]}),
    ),
    "choices": make.choices({"name": "Ten of hearts", "value": "10H"}, {"name": "Two", "value": 2}),
    "commands": make.commands(
        make.command(
            "wizard",
            options=[
                make.sub(make.arg("a", required=True), make.arg("b", autocomplete=True)),
                make.sub(make.sub(make.arg("c")), kind=2, name="group"),
            ],
        ),
        make.command("Info", type=3, description=""),
        make.command("anywhere", contexts=[0, 1, 2], integration_types=[0, 1]),
        make.command("unsaid", contexts=None, integration_types=None),
    ),
    "thread": make.thread(name="Wizard", auto_archive_duration=1440),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_is_within_the_limits_passes(name: str) -> None:
    assert violations(alone(GOOD[name])) == []


STRANGE_DECLARATIONS: list[Any] = [0, "0", [], ["0"], [True], [0, 0], [None], [[0]], {}]


@pytest.mark.parametrize("value", STRANGE_DECLARATIONS, ids=repr)
@pytest.mark.parametrize(
    ("field", "row"), [("contexts", "command.contexts"), ("integration_types", "command.installs")]
)
def test_strange_declarations_are_refused(field: str, row: str, value: Any) -> None:
    assert {found.limit.id for found in violations(alone(make.commands(make.command(**{field: value}))))} == {row}


@pytest.mark.parametrize("field", ["contexts", "integration_types", "default_member_permissions", "dm_permission"])
def test_what_discord_ignores_on_a_subcommand_is_refused(field: str) -> None:
    declared = make.with_options({**make.sub(), field: False if field == "dm_permission" else [0]})
    within = make.with_options(make.sub({**make.sub(), field: [0]}, kind=2))
    for example in (declared, within):
        (found,) = violations(alone(example))
        assert found.limit.id == "option.declared"
        assert field in found.text


async def test_the_server_takes_what_is_within_the_limits(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        for name, example in GOOD.items():
            answer = await send(rest, example)
            assert answer.status in (200, 201), (name, answer)


@pytest.mark.parametrize("name", ["🃏", "♠", "♠️", "1️⃣", "👍🏽", "🏴‍☠️", "🇩🇪", "⚔️", "▶️", "👩‍🚀"])
def test_emoji(name: str) -> None:
    assert is_emoji({"name": name})


@pytest.mark.parametrize("name", ["", "a", "1", "→", "♠♠", ":club:", "x🃏", "…"])
def test_no_emoji(name: str) -> None:
    assert not is_emoji({"name": name})


def test_custom_emoji() -> None:
    assert is_emoji({"id": "123", "name": "club"})
    assert not is_emoji({"id": "abc", "name": "club"})


def test_an_edit_keeps_files_it_does_not_name() -> None:
    before = {"content": "", "embeds": [], "components": [], "flags": 1 << 15, "attachments": []}
    before["attachments"] = [{"id": "77", "filename": "a.png"}]
    components = [make.gallery(make.picture("attachment://a.png"))]
    kept = Request("PATCH", f"{GAMES}/messages/1", payload={"components": components}, before=before)
    dropped = Request(
        "PATCH", f"{GAMES}/messages/1", payload={"components": components, "attachments": []}, before=before
    )
    assert violations(kept) == []
    assert [str(found) for found in violations(dropped)] == [
        "media.attached at components.0.items.0.media.url: The referenced attachment was not found in attachments"
    ]


def test_an_edit_may_not_empty_a_message() -> None:
    before = {"content": "x", "embeds": [], "components": [], "flags": 0, "attachments": []}
    request = Request("PATCH", f"{GAMES}/messages/1", payload={"content": ""}, before=before)
    assert [found.limit.id for found in violations(request)] == ["message.empty"]


def test_a_threads_name_is_measured_in_units_of_utf_16() -> None:
    for name, broken in (("🃏" * 50, []), ("🃏" * 51, ["thread.name"]), ("x" * 100, [])):
        assert [found.limit.id for found in violations(alone(make.thread(name=name)))] == broken


def test_strange_payloads_are_refused_and_do_not_break_the_check() -> None:
    strange: list[Any] = [None, 7, "x", [], {"components": 3}, {"embeds": "x"}, {"components": [{"type": []}]}]
    for payload in strange:
        violations(Request("POST", f"{GAMES}/messages", payload=payload))
        violations(Request("PUT", "/applications/1/commands", payload=payload))


def test_the_error_tree_nests_by_place() -> None:
    found = violations(alone(BREAKING["embed.field"]))
    assert error_tree(found) == {
        "embeds": {
            "0": {
                "fields": {
                    "0": {"value": {"_errors": [{"code": "BASE_TYPE_REQUIRED", "message": "This field is required"}]}}
                }
            }
        }
    }
