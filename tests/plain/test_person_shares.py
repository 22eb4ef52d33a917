"""What one person causes counts towards their share: drawings, long reads, lists of choices, and posts."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from random import Random
from typing import Any

import pytest

from cogs.features.replays import feature_ui as replay_ui
from cogs.table.actions import match_list, table_actions
from cogs.table.state import page_drawing
from cogs.table.state.person_shares import (
    MOST_IN_PROGRESS,
    POSTS_AT_ONCE,
    SECONDS_PER_POST,
    TOO_MANY_POSTS,
    TOO_MANY_REQUESTS,
    PersonShares,
    current_request,
)
from engines.hosting.match import RequestRefused
from tests.contract.helpers import HELPERS
from tests.games import ROOT
from tests.messages import walk_components
from tests.plain.fake_discord import SentRequest
from tests.plain.payloads import CHANNEL, Json
from tests.plain.plain_bot import (
    COMMAND_KIND,
    COMPONENT_KIND,
    PEOPLE,
    TYPING_KIND,
    PlainBot,
    command_data,
    start_plain_bot,
)
from tests.plain.share_watch import watch_shares
from tests.plain.test_hints import message_words, play_randomly

SEED = "0d" * 16
ADA, BELA = 1, 2
JEST, WIZARD = HELPERS["jest"], HELPERS["wizard"]
TEXT_OPTION, NUMBER_OPTION, PERSON_OPTION = 3, 4, 6  # kinds of options


@asynccontextmanager
async def finished_match() -> AsyncIterator[tuple[PlainBot, str]]:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(JEST.game, PEOPLE[:3], JEST.short_options)
        await play_randomly(plain_bot, match, Random(SEED))
        yield plain_bot, match


async def shared_replay(plain_bot: PlainBot, name: str, match: str) -> tuple[Json, str]:
    """The replay that somebody watches alone, and the button that shares it."""
    replay = (await plain_bot.run_command(name, "motley replay", match=match)).answer
    assert replay is not None
    return replay, control_id(replay, "Watch together")


def control_id(message: Json, label: str) -> str:
    return next(str(each["custom_id"]) for each in walk_components(message["components"]) if each.get("label") == label)


def posts(sent: list[SentRequest]) -> list[SentRequest]:
    """The new messages that everybody sees."""
    return [each for each in sent if each.method == "POST" and each.path.endswith("/messages") and each.reader is None]


# Served in turn


class BlockedDrawings:
    """Drawings wait until they are let go; it notes whose they are, in the order in which they are made."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.owners: list[int] = []
        self._submit: Any = page_drawing._submit_drawing

    def submit(self, match: str, draw: Any, *args: Any, **kwargs: Any) -> Any:
        return asyncio.ensure_future(self._draw(match, draw, *args, **kwargs))

    async def _draw(self, match: str, draw: Any, *args: Any, **kwargs: Any) -> Any:
        await self.gate.wait()
        if (request := current_request.get()) is not None:
            self.owners.append(request.person.user)
        return await self._submit(match, draw, *args, **kwargs)


async def test_others_wait_for_only_one_drawing_however_much_one_person_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with finished_match() as (plain_bot, match):
        running = await plain_bot.seat_match(WIZARD.game, PEOPLE[:3], WIZARD.short_options)
        replay, together = await shared_replay(plain_bot, "Ada", match)
        table, other = (
            await plain_bot.surface_message(match, "table"),
            await plain_bot.surface_message(running, "table"),
        )

        def click(user: int, message: Json, custom_id: str) -> Json:
            data = {"component_type": 2, "custom_id": custom_id}
            return plain_bot.wire.start_interaction(user, int(message["channel_id"]), COMPONENT_KIND, data, message)[1]

        def type_move(number: int) -> Json:
            data = command_data("wizard move", {"move": "b" * number, "match": running}, "move")
            return plain_bot.wire.start_interaction(ADA, CHANNEL, TYPING_KIND, data)[1]

        storm = [
            *(type_move(number) for number in range(5)),
            *(click(ADA, table, f"t:{match}:record") for _ in range(5)),
            *(plain_bot.wire.start_interaction(ADA, CHANNEL, COMMAND_KIND, my_data())[1] for _ in range(5)),
            *(click(ADA, other, f"t:{running}:sheet") for _ in range(5)),
            *(click(ADA, replay, together) for _ in range(5)),
        ]
        blocked, start = BlockedDrawings(), len(plain_bot.wire.sent_requests)
        monkeypatch.setattr(page_drawing, "_submit_drawing", blocked.submit)
        doing = asyncio.create_task(plain_bot.dispatch_at_once(*storm, click(BELA, other, f"t:{running}:sheet")))
        for _ in range(100):  # everything stands in line
            await asyncio.sleep(0)
        blocked.gate.set()
        await doing
        sent = plain_bot.wire.sent_requests[start:]
        answered = [each for each in sent if "/callback" in each.path or "/webhooks/" in each.path]
        assert blocked.owners.count(ADA) >= 20
        assert blocked.owners.index(BELA) <= 1, blocked.owners
        assert [each.reader for each in answered].index(BELA) <= 2 + 4, "the superseded choices are no work"


async def test_records_choices_and_personal_data_are_computed_in_a_thread_for_their_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed = set[tuple[str, int]]()
    submit: Any = page_drawing._submit_drawing

    def note(match: str, draw: Any, *args: Any, **kwargs: Any) -> Any:
        if (request := current_request.get()) is not None:
            computed.add((draw.__name__, request.person.user))
        return submit(match, draw, *args, **kwargs)

    async with finished_match() as (plain_bot, match):
        running = await plain_bot.seat_match(WIZARD.game, PEOPLE[:3], WIZARD.short_options)
        monkeypatch.setattr(page_drawing, "_submit_drawing", note)
        await plain_bot.press("Bela", match, "record")
        await plain_bot.run_command("Ada", "motley my-data")
        await plain_bot.autocomplete("Ada", "wizard move", "move", "", match=running)
        await plain_bot.autocomplete("Ada", "wizard play", "card", "", match=running)
    assert computed >= {
        ("record_text", BELA),
        ("personal_data_json", ADA),
        ("move_offers", ADA),
        ("seat_option_offers", ADA),
    }


def my_data() -> Json:
    return command_data("motley my-data", {}, "")


async def test_choices_for_what_was_typed_before_are_not_computed() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        shares, computed = plain_bot.bot.shares, list[int]()

        async def type_on(number: int) -> None:
            async with shares.typing(ADA, number) as is_newest:
                await asyncio.sleep(0)
                if is_newest:
                    computed.append(number)

        await asyncio.gather(*map(type_on, range(10)))
        assert computed == [0, 9], "the first had begun"
        assert not shares._newest_typed
        assert not shares._in_progress


async def test_anyone_with_very_many_requests_in_progress_is_told_to_wait() -> None:
    async with finished_match() as (plain_bot, match):
        table = await plain_bot.surface_message(match, "table")

        def click(user: int) -> Json:
            data = {"component_type": 2, "custom_id": f"t:{match}:sheet"}
            return plain_bot.wire.start_interaction(user, CHANNEL, COMPONENT_KIND, data, table)[1]

        clicks = [*(click(ADA) for _ in range(MOST_IN_PROGRESS + 10)), click(BELA)]
        sent = await plain_bot.sent_by(plain_bot.dispatch_at_once(*clicks))
        words = [(each.reader, message_words(each)) for each in sent]
        assert len([text for _, text in words if TOO_MANY_REQUESTS in text]) == 10
        assert not any(TOO_MANY_REQUESTS in text for reader, text in words if reader == BELA)
        (answer,) = await plain_bot.sent_by(plain_bot.dispatch_at_once(click(ADA)))
        assert TOO_MANY_REQUESTS not in message_words(answer), "the others are done"


# Posts


async def test_replays_are_shared_a_limited_number_of_times_and_others_still_can() -> None:
    async with finished_match() as (plain_bot, match):
        replay, together = await shared_replay(plain_bot, "Ada", match)
        other, others_control = await shared_replay(plain_bot, "Bela", match)
        plain_bot.bot.shares._posts_free_at.clear()
        for number in range(POSTS_AT_ONCE + 3):
            sent = await plain_bot.sent_by(plain_bot.click_control("Ada", replay, together))
            assert len(posts(sent)) == (number < POSTS_AT_ONCE)
            assert any(TOO_MANY_POSTS in message_words(each) for each in sent) == (number >= POSTS_AT_ONCE)
        assert len(posts(await plain_bot.sent_by(plain_bot.click_control("Bela", other, others_control)))) == 1
        await plain_bot.pass_time(SECONDS_PER_POST)
        for number in range(2):
            assert len(posts(await plain_bot.sent_by(plain_bot.click_control("Ada", replay, together)))) == (number < 1)


async def test_opening_and_closing_tables_is_limited_before_anything_changes() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        for _ in range(POSTS_AT_ONCE):
            match, lobby = await plain_bot.open_lobby("Ada", JEST.game)
            await plain_bot.click_control("Ada", lobby, f"t:{match}:cancel")
        sent = await plain_bot.sent_by(plain_bot.run_command("Ada", "jest new"))
        assert TOO_MANY_POSTS in message_words(sent[-1])
        assert not await plain_bot.matches.lookup.find()
        await plain_bot.open_lobby("Bela", JEST.game)


async def test_a_public_reply_counts_even_if_its_handler_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_actions, "count_post", lambda: None)
    async with start_plain_bot(SEED) as plain_bot:
        await plain_bot.open_lobby("Ada", JEST.game)
        assert [*plain_bot.bot.shares._posts_free_at] == [ADA]


async def test_leaving_and_coming_back_always_works_but_is_announced_a_limited_number_of_times() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(JEST.game, PEOPLE[:3], JEST.short_options)
        table, announced = await plain_bot.surface_message(match, "table"), 0
        for _ in range(POSTS_AT_ONCE):
            for action, seated in (("leave-on", False), ("seat", True)):
                sent = await plain_bot.sent_by(plain_bot.click_control("Bela", table, f"t:{match}:{action}"))
                announced += len(posts(sent))
                seat = (await plain_bot.load_snapshot(match)).info.seat_of(BELA)
                assert (seat is not None) == seated
        assert announced == POSTS_AT_ONCE


# Laws


async def run_every_command(plain_bot: PlainBot, match: str) -> None:
    """Run every command, with the options that it requires."""
    for root in plain_bot.wire.commands:
        for command in root["options"]:
            given: dict[str, Any] = {}
            for option in command.get("options", ()):
                if option["name"] == "match" or (root["name"], command["name"]) == ("motley", "options"):
                    given |= {"match": match} if option["name"] == "match" else {}
                elif option.get("required"):
                    choices = option.get("choices") or [{"value": "jest" if option["type"] == TEXT_OPTION else 1}]
                    given[option["name"]] = choices[0]["value"]
            if any(option["type"] == PERSON_OPTION and option.get("required") for option in command.get("options", ())):
                continue  # these are the managers'
            await plain_bot.run_command("Ada", f"{root['name']} {command['name']}", **given)
            plain_bot.bot.shares._posts_free_at.clear()  # as when more time has passed


async def test_everything_that_a_command_computes_or_posts_has_a_share() -> None:
    async with finished_match() as (plain_bot, finished):
        running = await plain_bot.seat_match(WIZARD.game, PEOPLE[:3], WIZARD.short_options)
        with watch_shares(plain_bot) as unshared:
            for match in (finished, running):
                await run_every_command(plain_bot, match)
            replay, together = await shared_replay(plain_bot, "Ada", finished)
            await plain_bot.click_control("Ada", replay, together)
            await plain_bot.press("Ada", finished, "review")
            clip = (
                await plain_bot.click_control(
                    "Ada", await plain_bot.surface_message(finished, "table"), f"clips:{finished}:open"
                )
            ).answer
            assert clip is not None
            clip = plain_bot.current_message(clip)
            assert posts(await plain_bot.sent_by(plain_bot.click_control("Ada", clip, control_id(clip, "Post"))))
            assert posts(await plain_bot.sent_by(plain_bot.press("Bela", finished, "again")))
    assert unshared == []


@pytest.mark.parametrize(
    ("module", "name", "broken", "fault"),
    [
        (replay_ui, "count_post", lambda: None, "is not counted"),
        (page_drawing, "_drawing_turn", lambda match: nullcontext(), "is drawn without a turn"),
        (match_list, "long_turn", nullcontext, "build_record is read without a turn"),
    ],
)
async def test_work_without_a_share_is_caught(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, broken: Any, fault: str
) -> None:
    async with finished_match() as (plain_bot, finished):
        replay, together = await shared_replay(plain_bot, "Ada", finished)
        monkeypatch.setattr(module, name, broken)
        with watch_shares(plain_bot) as unshared:
            await plain_bot.click_control("Ada", replay, together)
            await plain_bot.press("Ada", finished, "record")
    assert any(fault in each for each in unshared), unshared


def typed_options(commands: list[Json]) -> list[tuple[str, str]]:
    """Every option for which choices are computed while people type, with its command."""
    return [
        (f"{root['name']} {command['name']}", option["name"])
        for root in commands
        for command in root["options"]
        for option in command.get("options", ())
        if option.get("autocomplete")
    ]


async def unshared_choices(plain_bot: PlainBot, match: str) -> list[tuple[str, str]]:
    """The options whose choices are computed without a turn."""
    found, turns = [], list[int]()
    typing = plain_bot.bot.shares.typing

    def note(user: int, interaction: int) -> Any:
        turns.append(user)
        return typing(user, interaction)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain_bot.bot.shares, "typing", note)
        for command, option in typed_options(plain_bot.wire.commands):
            turns.clear()
            await plain_bot.autocomplete("Ada", command, option, "", **({} if option == "match" else {"match": match}))
            if turns != [ADA]:
                found.append((command, option))
    return found


async def test_choices_wait_for_their_persons_turn_in_every_option(monkeypatch: pytest.MonkeyPatch) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(WIZARD.game, PEOPLE[:3], WIZARD.short_options)
        assert len(typed_options(plain_bot.wire.commands)) > 20
        with watch_shares(plain_bot) as unshared:
            assert await unshared_choices(plain_bot, match) == []
        assert unshared == []
        group: Any = plain_bot.bot.tree.get_command("motley")
        luck: Any = group.get_command("luck")
        monkeypatch.setattr(luck._params["game"], "autocomplete", luck._params["game"].autocomplete.__wrapped__)
        assert await unshared_choices(plain_bot, match) == [("motley luck", "game")], (
            "one that waits for none is caught"
        )


THREAD_CALLS = {"to_thread", "run_in_executor", "ThreadPoolExecutor", "Thread"}


def thread_calls(source: str) -> set[str]:
    """The calls of a module that give work to a thread."""
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return THREAD_CALLS.intersection(ast.unparse(call).rpartition(".")[2] for call in calls)


def test_only_one_module_gives_work_to_threads() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cogs").rglob("*.py")
        if thread_calls(path.read_text(encoding="utf-8"))
    }
    assert found == {"cogs/table/state/page_drawing.py"}
    assert thread_calls("await asyncio.to_thread(build, match)") == {"to_thread"}


def test_posts_come_back_with_time_and_nobody_idle_is_remembered() -> None:
    now = [0.0]
    shares = PersonShares(lambda: now[0])
    for _ in range(POSTS_AT_ONCE):
        shares.count_post(ADA)
    with pytest.raises(RequestRefused, match="post a lot"):
        shares.count_post(ADA)
    shares.count_post(BELA)
    now[0] = SECONDS_PER_POST
    shares.count_post(ADA)
    now[0] = SECONDS_PER_POST * (POSTS_AT_ONCE + 2)
    shares.count_post(3)
    assert [*shares._posts_free_at] == [3]
