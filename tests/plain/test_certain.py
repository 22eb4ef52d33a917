"""Nothing is shown or refused that another process has changed, and nothing that was made is told as failed."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from cogs.table.commands.game_commands import match_label
from engines.hosting.match import MatchSnapshot
from engines.hosting.match_changes import NOT_CERTAIN
from engines.hosting.matches import Matches
from engines.store.match_store import Change, StoreFailure, UncertainWrite
from tests.engines.test_model import SEED
from tests.games import GAMES
from tests.messages import Message
from tests.plain.inn import COMPONENT_KIND, PEOPLE, PlainBot, start_plain_bot

GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 3)]
CLICKS = (
    *("hand", "sheet", "words", "status", "more", "rule", "hint", "back", "return"),
    *("leave-ask", "keep", "options", "again"),
)
COMMANDS = (f"{GAME.key} hand", f"{GAME.key} status", "motley hint", "motley leave", "motley options")


def other_process(inn: PlainBot) -> Matches:
    """Another process on the same store, which nobody here is told of."""
    return Matches(inn.store, GAMES, inn.bot.clock)


def first_due_move(look: MatchSnapshot) -> tuple[int, int, str]:
    """Who is to move next, the number of that decision, and a move."""
    seat = look.due_seats()[0]
    return seat, look.decisions()[seat].number, look.game.format_move(look.moves(seat)[0])


async def move_elsewhere(inn: PlainBot, match: str) -> None:
    """A move is made by another process."""
    there = other_process(inn)
    seat, decision, notation = first_due_move(await there.get_snapshot(match))
    await there.play_move(match, (await there.get_snapshot(match)).info.seats[seat].user, decision, notation)


def is_up_to_date(inn: PlainBot, match: str) -> bool:
    """Whether the bot knows what is in the store."""
    held = inn.matches._cache.get(match)
    return held is None or held.info.revision == inn.store.infos[match].revision


async def hand_message(inn: PlainBot, match: str, seat: int) -> Message:
    return await inn.surface_message(match, "hand", seat)


async def test_whatever_is_looked_at_is_as_another_process_has_left_it() -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        for click in CLICKS:
            await move_elsewhere(inn, match)
            assert not is_up_to_date(inn, match)
            await inn.click_control("Ada", await inn.surface_message(match, "table"), f"t:{match}:{click}")
            assert is_up_to_date(inn, match), click
        for command in COMMANDS:
            await move_elsewhere(inn, match)
            await inn.run_command("Ada", command)
            assert is_up_to_date(inn, match), command
        await move_elsewhere(inn, match)
        await inn.autocomplete("Ada", f"{GAME.key} move", "move", "")
        assert is_up_to_date(inn, match), "what is offered while somebody types"
        for command in ("show", "reset"):
            await move_elsewhere(inn, match)
            await inn.run_command("Ada", f"admin {command}", match=match)
            assert is_up_to_date(inn, match), command


async def test_a_move_that_another_process_has_made_possible_is_not_refused() -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        for _ in range(4):
            await move_elsewhere(inn, match)
            look = await other_process(inn).get_snapshot(match)
            seat, decision, notation = first_due_move(look)
            await inn.click_control(
                NAMES[seat], await hand_message(inn, match, seat), f"m:{match}:{decision}:{notation}"
            )
            assert inn.store.infos[match].moves == look.info.moves + 1


async def test_a_move_costs_no_question_and_a_refusal_one() -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        seat, decision, notation = first_due_move(await inn.load_snapshot(match))
        shown, asked = await hand_message(inn, match, seat), inn.store.compared
        await inn.click_control(NAMES[seat], shown, f"m:{match}:{decision}:{notation}")
        assert (inn.store.infos[match].moves, inn.store.compared) == (1, asked)
        await inn.click_control(NAMES[seat], shown, f"m:{match}:{decision}:{notation}")
        assert (inn.store.infos[match].moves, inn.store.compared) == (1, asked + 1)


async def test_what_two_processes_are_told_of_is_done_once_and_answered_as_done() -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        seat, decision, notation = first_due_move(await inn.load_snapshot(match))
        user = inn.wire.people[NAMES[seat]]
        source = await hand_message(inn, match, seat)
        data = {"custom_id": f"m:{match}:{decision}:{notation}", "component_type": 2}
        asked, told = inn.wire.start_interaction(user, int(source["channel_id"]), COMPONENT_KIND, data, source)
        await other_process(inn).play_move(match, user, decision, notation, click=int(told["id"]))
        await inn.dispatch_at_once(told)
        assert inn.store.infos[match].moves == 1
        assert len(asked.first_answer_kinds) == 1
        assert "no longer open" not in str(await hand_message(inn, match, seat))
        _, told = inn.wire.start_interaction(user, int(source["channel_id"]), COMPONENT_KIND, data, source)
        await inn.dispatch_at_once(told)
        assert "no longer open" in str(await hand_message(inn, match, seat)), "a second click is another one"


async def test_where_nobody_answers_it_is_said_that_it_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        commit, info = inn.store.commit, inn.store.load_info
        silent: list[str] = []

        async def cut(change: Change) -> Any:
            await commit(change)
            silent.append("once")
            raise UncertainWrite("The connection was cut.")

        async def answered(asked: str) -> Any:
            if silent:
                silent.pop()
                raise StoreFailure("The database does not answer.")
            return await info(asked)

        monkeypatch.setattr(inn.store, "commit", cut)
        monkeypatch.setattr(inn.store, "load_info", answered)
        seat, decision, notation = first_due_move(await inn.load_snapshot(match))
        before, sent = str(await hand_message(inn, match, seat)), len(inn.wire.sent_requests)
        await inn.click_control(NAMES[seat], await hand_message(inn, match, seat), f"m:{match}:{decision}:{notation}")
        assert any(NOT_CERTAIN in str(each.body_text) for each in inn.wire.sent_requests[sent:])
        assert str(await hand_message(inn, match, seat)) != before, (
            "it is brought up to date when the store answers again"
        )
        assert (await inn.load_snapshot(match)).info.moves == 1


async def test_a_process_that_is_not_told_of_a_server_draws_the_same_pages() -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        look, showing, guilds = (
            await inn.load_snapshot(match),
            inn.bot.reconciler.surface_sync,
            inn.bot._connection._guilds,
        )
        setting, label = await showing.page_context_of(look), await match_label(inn.bot.actions, look.info)
        assert (setting.server, "The Inn" in label) == ("The Inn", True)
        guilds.clear()
        assert await showing.page_context_of(look) == setting
        assert await match_label(inn.bot.actions, look.info) == label


async def test_a_server_that_is_called_otherwise_is_so_in_its_messages_and_for_other_processes() -> None:
    async with start_plain_bot(SEED) as inn:
        match = await inn.seat_match(GAME, NAMES, {})
        guild = inn.bot.guilds[0]
        assert "The Inn" in str(await hand_message(inn, match, 0))
        before, guild.name = copy(guild), "The Tavern"
        await inn.bot.on_guild_update(before, guild)
        await inn.wait_quiet()
        assert "The Tavern" in str(await hand_message(inn, match, 0))
        inn.bot._connection._guilds.clear()
        assert (
            await inn.bot.reconciler.surface_sync.page_context_of(await inn.load_snapshot(match))
        ).server == "The Tavern"
