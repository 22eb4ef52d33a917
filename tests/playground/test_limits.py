"""Every row of the table of limits, on its own and on the running server."""

from __future__ import annotations

from typing import Any

import pytest

from playground.limits import LIMITS, Request, SentFile, error_tree, find_violations
from playground.limits.emoji import is_emoji
from playground.world.world import Json
from tests.playground import broken_limits
from tests.playground.broken_limits import BREAKING_EXAMPLES, LimitExample
from tests.playground.discord_rest import MESSAGES_PATH, RestClient, RestResponse

ROWS = {limit.id: limit for limit in LIMITS}


def violated_limits(example: LimitExample | Request) -> list[str]:
    return [found.limit.id for found in find_violations(plain_request(example))]


def plain_request(example: LimitExample | Request) -> Request:
    if isinstance(example, Request):
        return example
    files = tuple(SentFile(f"files[{n}]", name, size) for n, (name, size) in enumerate(example.files))
    path = example.path or ("/interactions/1/token/callback" if example.interaction_kind else f"{MESSAGES_PATH}/1")
    empty: Json = {"content": "", "embeds": [], "attachments": []}
    before = None if example.sent_first is None else empty | example.sent_first
    return Request(example.method, path, dict(example.query), example.payload, files, before)


async def send_example(rest: RestClient, example: LimitExample) -> RestResponse:
    if example.interaction_kind is not None:
        interaction = rest.start_interaction(example.interaction_kind)
        return await rest.respond_first(interaction, example.payload["type"], example.payload["data"])
    path = example.path
    if example.sent_first is not None:
        first = await rest.send_request("POST", MESSAGES_PATH, example.sent_first)
        path = f"{MESSAGES_PATH}/{first.body['id']}"
    files = [(name, bytes(size)) for name, size in example.files]
    return await rest.send_request(example.method, path, example.payload, query=dict(example.query), files=files)


def test_no_row_is_missed() -> None:
    assert list(BREAKING_EXAMPLES) == [limit.id for limit in LIMITS]
    assert len(ROWS) == len(LIMITS)


@pytest.mark.parametrize("row", BREAKING_EXAMPLES)
def test_each_example_breaks_its_row_and_no_other(row: str) -> None:
    assert set(violated_limits(BREAKING_EXAMPLES[row])) == {row}


async def test_the_server_refuses_every_row_with_its_status_and_code(rest: RestClient) -> None:
    for row, example in BREAKING_EXAMPLES.items():
        answer = await send_example(rest, example)
        assert answer.status_and_code == (ROWS[row].status, ROWS[row].code), (row, answer)
    for channel in rest.simulation.world.messages.values():
        assert all(message.data["components"] for message in channel.values())


async def test_a_form_error_says_where_it_is(rest: RestClient) -> None:
    answer = await send_example(rest, BREAKING_EXAMPLES["button.label"])
    errors = answer.body["errors"]["components"]["0"]["components"]["0"]["label"]["_errors"]
    assert errors == [{"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be between 0 and 80 in length."}]
    within_a_callback = await send_example(rest, BREAKING_EXAMPLES["modal.title"])
    assert "title" in within_a_callback.body["errors"]["data"]


TABLE = {
    "type": 17,
    "accent_color": 0xFF0000,
    "components": [
        broken_limits.text_display(),
        {"type": 9, "components": [broken_limits.text_display()], "accessory": broken_limits.button()},
        {"type": 14, "spacing": 1, "divider": True},
        broken_limits.media_gallery(broken_limits.gallery_item("attachment://a.png", description="A")),
        broken_limits.action_row(broken_limits.string_select(min_values=0, max_values=2)),
    ],
}
PICTURE = [{"id": 0, "filename": "a.png", "description": "A"}]
CONTROLS = [
    broken_limits.action_row(broken_limits.button(), broken_limits.link_button(url="https://a.b")),
    broken_limits.action_row(broken_limits.string_select(25)),
]
SUBCOMMANDS = [
    broken_limits.subcommand(
        broken_limits.command_option("a", required=True), broken_limits.command_option("b", autocomplete=True)
    ),
    broken_limits.subcommand(broken_limits.subcommand(broken_limits.command_option("c")), kind=2, name="group"),
]
GOOD = {
    "plain": broken_limits.message_example(content="x"),
    "row and select": broken_limits.message_example(content="x", components=CONTROLS),
    "channels": broken_limits.row_example(
        broken_limits.channel_select(7, 8, min_values=0, channel_types=[0, 2, 5, 13, 15])
    ),
    "a number for an id": broken_limits.row_example(
        broken_limits.channel_select(default_values=[{"id": 7, "type": "channel"}])
    ),
    "an emoji for a label": broken_limits.row_example(
        broken_limits.button(label=None, emoji={"id": None, "name": "🃏"})
    ),
    "v2": broken_limits.v2_example(TABLE, files=(("a.png", 10),), attachments=PICTURE),
    "modal": broken_limits.modal_example(
        broken_limits.text_display(),
        broken_limits.label_component(),
        broken_limits.label_component(broken_limits.string_select(required=False), description="Why"),
    ),
    "groups": broken_limits.modal_example(
        broken_limits.label_component(
            {"type": 21, "custom_id": "r", "options": [broken_limits.select_option(1), broken_limits.select_option(2)]}
        ),
        broken_limits.label_component({"type": 22, "custom_id": "c", "options": [broken_limits.select_option(1)]}),
    ),
    "choices": broken_limits.choices_example({"name": "Ten of hearts", "value": "10H"}, {"name": "Two", "value": "2"}),
    "commands": broken_limits.commands_example(
        broken_limits.chat_command("wizard", options=SUBCOMMANDS),
        broken_limits.chat_command("Info", type=3, description=""),
        broken_limits.chat_command("anywhere", contexts=[0, 1, 2], integration_types=[0, 1]),
        broken_limits.chat_command("unsaid", contexts=None, integration_types=None),
    ),
    "thread": broken_limits.thread_example(name="Wizard", auto_archive_duration=1440),
}


@pytest.mark.parametrize("name", GOOD)
def test_requests_within_the_limits_pass(name: str) -> None:
    assert violated_limits(GOOD[name]) == []


def test_strange_declarations_are_refused() -> None:
    strange: list[Any] = [0, "0", [], ["0"], [True], [0, 0], [None], [[0]], {}]
    for field, row in (("contexts", "command.contexts"), ("integration_types", "command.installs")):
        for value in strange:
            declared = broken_limits.commands_example(broken_limits.chat_command(**{field: value}))
            assert set(violated_limits(declared)) == {row}, value


@pytest.mark.parametrize("field", ["contexts", "integration_types", "default_member_permissions", "dm_permission"])
def test_settings_that_discord_ignores_on_a_subcommand_are_refused(field: str) -> None:
    declared = broken_limits.options_example(
        {**broken_limits.subcommand(), field: False if field == "dm_permission" else [0]}
    )
    within = broken_limits.options_example(broken_limits.subcommand({**broken_limits.subcommand(), field: [0]}, kind=2))
    for example in (declared, within):
        (found,) = find_violations(plain_request(example))
        assert found.limit.id == "option.declared"
        assert field in found.text


async def test_the_server_takes_what_is_within_the_limits(rest: RestClient) -> None:
    for name, example in GOOD.items():
        answer = await send_example(rest, example)
        assert answer.status in (200, 201), (name, answer)


def test_emoji() -> None:
    for name in ("🃏", "♠", "♠️", "1️⃣", "👍🏽", "🏴‍☠️", "🇩🇪", "⚔️", "▶️", "👩‍🚀"):
        assert is_emoji({"name": name}), name
    for name in ("", "a", "1", "→", "♠♠", ":club:", "x🃏", "…"):
        assert not is_emoji({"name": name}), name
    assert is_emoji({"id": "123", "name": "club"})
    assert not is_emoji({"id": "abc", "name": "club"})


def edit_request(before: Json, **payload: Any) -> Request:
    before = {"content": "", "embeds": [], "components": [], "flags": 0, "attachments": [], **before}
    return Request("PATCH", f"{MESSAGES_PATH}/1", payload=payload, edited_message=before)


def test_an_edit_keeps_files_it_does_not_name_and_may_not_empty_a_message() -> None:
    before = {"flags": 1 << 15, "attachments": [{"id": "77", "filename": "a.png"}]}
    components = [broken_limits.media_gallery(broken_limits.gallery_item("attachment://a.png"))]
    assert find_violations(edit_request(before, components=components)) == []
    assert [str(found) for found in find_violations(edit_request(before, components=components, attachments=[]))] == [
        "media.attached at components.0.items.0.media.url: The referenced attachment was not found in attachments"
    ]
    assert violated_limits(edit_request({"content": "x"}, content="")) == ["message.empty"]


def test_a_threads_name_is_measured_in_units_of_utf_16() -> None:
    for name, broken in (("🃏" * 50, []), ("🃏" * 51, ["thread.name"]), ("x" * 100, [])):
        assert violated_limits(broken_limits.thread_example(name=name)) == broken


def test_strange_payloads_are_refused_and_do_not_break_the_check() -> None:
    strange: list[Any] = [None, 7, "x", [], {"components": 3}, {"embeds": "x"}, {"components": [{"type": []}]}]
    for payload in strange:
        find_violations(Request("POST", MESSAGES_PATH, payload=payload))
        find_violations(Request("PUT", "/applications/1/commands", payload=payload))


def test_the_error_tree_nests_by_place() -> None:
    error = {"code": "BASE_TYPE_REQUIRED", "message": "This field is required"}
    found = find_violations(plain_request(BREAKING_EXAMPLES["embed.field"]))
    assert error_tree(found) == {"embeds": {"0": {"fields": {"0": {"value": {"_errors": [error]}}}}}}
