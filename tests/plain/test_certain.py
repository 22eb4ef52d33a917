"""Nothing is shown or refused that another process has changed, and nothing that was made is told as failed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from copy import copy
from typing import Any

import discord
import pytest

from cogs.table.commands.game_commands import match_label
from cogs.table.scheduling.change_feed import SWEEPS_PER_CHECK
from cogs.table.scheduling.retention import CLEANUP_SECONDS, LEFT_TEXT
from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.match_changes import NOT_CERTAIN
from engines.hosting.matches import Matches
from engines.hosting.matches.forgetting import Forgetting
from engines.store.match_store import Change, StoreFailure, UncertainWrite
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.engines.test_model import SEED
from tests.games import GAMES
from tests.plain.bot_group import check_all_right, requests_since, settle_bot_group, start_bot_group
from tests.plain.payloads import CHANNEL, PUBLIC_THREAD, Json
from tests.plain.plain_bot import (
    COMMAND_KIND,
    COMPONENT_KIND,
    PEOPLE,
    TYPING_KIND,
    PlainBot,
    command_data,
    start_plain_bot,
)
from tests.plain.test_several import match_in_bot_group

GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 3)]
CLICKS = (
    *("hand", "sheet", "words", "status", "more", "rule", "hint", "back", "return"),
    *("leave-ask", "keep", "options", "again"),
)
COMMANDS = (f"{GAME.key} hand", f"{GAME.key} status", "motley hint", "motley leave", "motley options")


def other_process(plain_bot: PlainBot) -> Matches:
    return Matches(plain_bot.store, GAMES, plain_bot.bot.clock.now, features=FEATURES)


def first_due_move(snapshot: MatchSnapshot) -> tuple[int, int, str]:
    """The next player, the number of that decision, and a move."""
    seat = snapshot.due_seats()[0]
    return seat, snapshot.decisions()[seat].number, snapshot.game.format_move(snapshot.moves(seat)[0])


async def move_elsewhere(plain_bot: PlainBot, match: str) -> None:
    other = other_process(plain_bot)
    seat, decision, notation = first_due_move(await other.cache.get_snapshot(match))
    await other.moves.play_move(
        match, (await other.cache.get_snapshot(match)).info.seats[seat].user, decision, notation
    )


def is_up_to_date(plain_bot: PlainBot, match: str) -> bool:
    cached = plain_bot.matches.cache.find_cached(match)
    return cached is None or cached.info.revision == plain_bot.store.infos[match].revision


@asynccontextmanager
async def certain_match() -> AsyncIterator[tuple[PlainBot, str]]:
    async with start_plain_bot(SEED) as plain_bot:
        yield plain_bot, await plain_bot.seat_match(GAME, NAMES, {})


async def test_each_look_shows_what_another_process_has_written() -> None:
    async with certain_match() as (plain_bot, match):
        for click in CLICKS:
            await move_elsewhere(plain_bot, match)
            assert not is_up_to_date(plain_bot, match)
            await plain_bot.press("Ada", match, click)
            assert is_up_to_date(plain_bot, match), click
        for command in COMMANDS:
            await move_elsewhere(plain_bot, match)
            await plain_bot.run_command("Ada", command)
            assert is_up_to_date(plain_bot, match), command
        await move_elsewhere(plain_bot, match)
        await plain_bot.autocomplete("Ada", f"{GAME.key} move", "move", "")
        assert is_up_to_date(plain_bot, match), "what is offered while somebody types"
        for command in ("show", "reset"):
            await move_elsewhere(plain_bot, match)
            await plain_bot.run_command("Ada", f"admin {command}", match=match)
            assert is_up_to_date(plain_bot, match), command


async def test_a_move_that_another_process_has_made_possible_is_not_refused() -> None:
    async with certain_match() as (plain_bot, match):
        for _ in range(4):
            await move_elsewhere(plain_bot, match)
            snapshot = await other_process(plain_bot).cache.get_snapshot(match)
            await plain_bot.click_move(snapshot, snapshot.due_seats()[0])
            assert plain_bot.store.infos[match].moves == snapshot.info.moves + 1


async def test_a_move_costs_no_question_and_a_refusal_one() -> None:
    async with certain_match() as (plain_bot, match):
        seat, decision, notation = first_due_move(await plain_bot.load_snapshot(match))
        hand, comparisons = await plain_bot.surface_message(match, "hand", seat), plain_bot.store.compared
        await plain_bot.click_control(NAMES[seat], hand, f"m:{match}:{decision}:{notation}")
        assert (plain_bot.store.infos[match].moves, plain_bot.store.compared) == (1, comparisons)
        await plain_bot.click_control(NAMES[seat], hand, f"m:{match}:{decision}:{notation}")
        assert (plain_bot.store.infos[match].moves, plain_bot.store.compared) == (1, comparisons + 1)


async def test_an_event_that_two_processes_get_is_done_once_and_answered_as_done() -> None:
    async with certain_match() as (plain_bot, match):
        seat, decision, notation = first_due_move(await plain_bot.load_snapshot(match))
        user = plain_bot.wire.people[NAMES[seat]]
        source = await plain_bot.surface_message(match, "hand", seat)
        data = {"custom_id": f"m:{match}:{decision}:{notation}", "component_type": 2}
        interaction, payload = plain_bot.wire.start_interaction(
            user, int(source["channel_id"]), COMPONENT_KIND, data, source
        )
        await other_process(plain_bot).moves.play_move(match, user, decision, notation, click=int(payload["id"]))
        await plain_bot.dispatch_at_once(payload)
        assert plain_bot.store.infos[match].moves == 1
        assert len(interaction.first_answer_kinds) == 1
        assert "no longer open" not in str(await plain_bot.surface_message(match, "hand", seat))
        _, payload = plain_bot.wire.start_interaction(user, int(source["channel_id"]), COMPONENT_KIND, data, source)
        await plain_bot.dispatch_at_once(payload)
        assert "no longer open" in str(await plain_bot.surface_message(match, "hand", seat)), (
            "a second click is another one"
        )


async def test_the_reply_says_that_it_is_not_certain_if_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    async with certain_match() as (plain_bot, match):
        commit, info = plain_bot.store.commit, plain_bot.store.load_info
        silent: list[str] = []

        async def cut(change: Change) -> Any:
            await commit(change)
            silent.append("once")
            raise UncertainWrite("The connection was cut.")

        async def answered(match_id: str) -> Any:
            if silent:
                silent.pop()
                raise StoreFailure("The database does not answer.")
            return await info(match_id)

        monkeypatch.setattr(plain_bot.store, "commit", cut)
        monkeypatch.setattr(plain_bot.store, "load_info", answered)
        seat, decision, notation = first_due_move(await plain_bot.load_snapshot(match))
        hand, sent = await plain_bot.surface_message(match, "hand", seat), len(plain_bot.wire.sent_requests)
        await plain_bot.click_control(NAMES[seat], hand, f"m:{match}:{decision}:{notation}")
        assert any(NOT_CERTAIN in str(each.body_text) for each in plain_bot.wire.sent_requests[sent:])
        assert plain_bot.current_message(hand) != hand, "it is not brought up to date later"
        assert (await plain_bot.load_snapshot(match)).info.moves == 1


async def test_pages_have_the_servers_name_also_of_a_process_that_is_not_told_of_it() -> None:
    async with certain_match() as (plain_bot, match):
        snapshot, showing, guild = (
            await plain_bot.load_snapshot(match),
            plain_bot.bot.reconciler.surface_sync,
            plain_bot.bot.guilds[0],
        )
        setting, label = (
            await showing.page_context_of(snapshot),
            await match_label(plain_bot.bot.actions, snapshot.info),
        )
        assert (setting.server, "The Inn" in label) == ("The Inn", True)
        plain_bot.bot._connection._guilds.clear()
        assert await showing.page_context_of(snapshot) == setting
        assert await match_label(plain_bot.bot.actions, snapshot.info) == label
        plain_bot.bot._connection._add_guild(guild)
        assert "The Inn" in str(await plain_bot.surface_message(match, "hand", 0))
        before, guild.name = copy(guild), "The Tavern"
        await plain_bot.bot.on_guild_update(before, guild)
        await plain_bot.wait_quiet()
        assert "The Tavern" in str(await plain_bot.surface_message(match, "hand", 0))
        plain_bot.bot._connection._guilds.clear()
        assert (await showing.page_context_of(await plain_bot.load_snapshot(match))).server == "The Tavern"


# Discord tells of the same click or command twice: it is done once, and answered once


async def ask_twice(plain_bot: PlainBot, kind: int, data: Json, source: Any = None) -> list[int]:
    """Ask once, with the bot told twice; the kinds of its first answers."""
    interaction, payload = plain_bot.wire.start_interaction(plain_bot.wire.people["Ada"], CHANNEL, kind, data, source)
    await plain_bot.dispatch_at_once(payload, payload)
    return interaction.first_answer_kinds


async def test_an_event_that_comes_twice_is_done_and_answered_once() -> None:
    async with start_plain_bot("0") as plain_bot:
        assert len(await ask_twice(plain_bot, COMMAND_KIND, command_data(f"{GAME.key} new", {}, ""))) == 1
        (info,) = await plain_bot.matches.lookup.find()
        data = {"custom_id": f"t:{info.id}:hand", "component_type": 2}
        assert (
            len(await ask_twice(plain_bot, COMPONENT_KIND, data, await plain_bot.surface_message(info.id, "lobby")))
            == 1
        )
        typed = command_data(f"{GAME.key} move", {"move": "a"}, "move")
        assert len(await ask_twice(plain_bot, TYPING_KIND, typed)) == 1


# What several processes are told of is done by one alone


@pytest.mark.sampled
@pytest.mark.parametrize("order", [(0,), (1,), (0, 1)], ids=["holder", "other", "both"])
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_a_table_that_goes_with_its_thread_is_posted_once(helper: GameHelper, order: Sequence[int]) -> None:
    async with match_in_bot_group(helper.game) as (group, first, _, match):
        await settle_bot_group(group)
        table, start = await first.surface_message(match, "table"), len(first.wire.requests_by_bot)
        place = group.store.infos[match].place
        first.wire.remove_message(table)
        thread: Any = {"id": place.thread, "type": PUBLIC_THREAD, "guild_id": place.guild, "parent_id": place.channel}
        event = discord.RawThreadDeleteEvent(thread)
        for number in order:
            group.plain_bots[number].bot.dispatch("raw_thread_delete", event)
        for plain_bot in group.plain_bots:
            await plain_bot.wait_quiet()
        await settle_bot_group(group)
        messages = first.wire.channels[int(table["channel_id"])]
        table_ = await first.surface_message(match, "table")
        assert [each["id"] for each in messages.values() if each["components"]] == [table_["id"]]
        assert [request for request in requests_since(group, start, "1") if not request.startswith("GET")] == []
        await check_all_right(group, match)


@pytest.mark.sampled
@pytest.mark.parametrize("order", [(0,), (1,), (0, 1)], ids=["holder", "other", "both"])
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_somebody_is_forgotten_once_by_the_first_partition(helper: GameHelper, order: Sequence[int]) -> None:
    async with match_in_bot_group(helper.game) as (group, first, second, match):
        await settle_bot_group(group)
        start, user = len(first.wire.requests_by_bot), first.wire.people[PEOPLE[0]]
        await second.matches.forgetting.request_forgetting(user)
        for number in order:
            group.plain_bots[number].bot.retention.start_forgetting()
        for _ in range(SWEEPS_PER_CHECK + 1):
            await settle_bot_group(group)
        assert group.store.to_forget == []
        assert user not in {seat.user for seat in group.store.infos[match].seats}
        table = await first.surface_message(match, "table")
        messages = first.wire.channels[int(table["channel_id"])].values()
        assert len([each for each in messages if LEFT_TEXT in each.get("content", "")]) == 1
        assert requests_since(group, start, "1") == []
        await check_all_right(group, match)


async def test_one_process_alone_clears_forgotten_data(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[str] = []
    wipe = Forgetting.wipe_deleted

    async def counted(forgetting: Forgetting) -> bool:
        cleared.append("01"[forgetting is group.plain_bots[1].matches.forgetting])
        return await wipe(forgetting)

    async with start_bot_group(SEED) as group:
        monkeypatch.setattr(Forgetting, "wipe_deleted", counted)
        for plain_bot in group.plain_bots:
            await plain_bot.pass_time(CLEANUP_SECONDS)
        assert cleared
        assert set(cleared) == {"0"}
