"""Nothing is shown or refused that another process has changed, and nothing that was made is told as failed."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from cogs.table.commands.game_commands import match_label
from engines.hosting.match import Look
from engines.hosting.match_changes import NOT_CERTAIN
from engines.hosting.matches import Matches
from engines.store.match_store import Change, StoreFailure, Uncertain
from tests.engines.test_model import SEED
from tests.games import GAMES
from tests.messages import Message
from tests.plain.inn import COMPONENT, PEOPLE, Plain, plain

GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 3)]
CLICKS = (
    *("hand", "sheet", "words", "status", "more", "rule", "hint", "back", "return"),
    *("leave-ask", "keep", "options", "again"),
)
COMMANDS = (f"{GAME.key} hand", f"{GAME.key} status", "motley hint", "motley leave", "motley options")


def another(inn: Plain) -> Matches:
    """Another process on the same store, which nobody here is told of."""
    return Matches(inn.store, GAMES, inn.bot.clock)


def due(look: Look) -> tuple[int, int, str]:
    """Who is to move next, the number of that decision, and a move."""
    seat = look.due()[0]
    return seat, look.decisions()[seat].number, look.game.write(look.moves(seat)[0])


async def elsewhere(inn: Plain, match: str) -> None:
    """A move is made by another process."""
    there = another(inn)
    seat, decision, notation = due(await there.look(match))
    await there.play(match, (await there.look(match)).info.seats[seat].user, decision, notation)


def knows(inn: Plain, match: str) -> bool:
    """Whether the bot knows what is in the store."""
    held = inn.matches._held.get(match)
    return held is None or held.info.revision == inn.store.infos[match].revision


async def hand(inn: Plain, match: str, seat: int) -> Message:
    return await inn.surface(match, "hand", seat)


async def test_whatever_is_looked_at_is_as_another_process_has_left_it() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        for click in CLICKS:
            await elsewhere(inn, match)
            assert not knows(inn, match)
            await inn.click("Ada", await inn.surface(match, "table"), f"t:{match}:{click}")
            assert knows(inn, match), click
        for command in COMMANDS:
            await elsewhere(inn, match)
            await inn.slash("Ada", command)
            assert knows(inn, match), command
        await elsewhere(inn, match)
        await inn.typing("Ada", f"{GAME.key} move", "move", "")
        assert knows(inn, match), "what is offered while somebody types"
        for command in ("show", "reset"):
            await elsewhere(inn, match)
            await inn.slash("Ada", f"admin {command}", match=match)
            assert knows(inn, match), command


async def test_a_move_that_another_process_has_made_possible_is_not_refused() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        for _ in range(4):
            await elsewhere(inn, match)
            look = await another(inn).look(match)
            seat, decision, notation = due(look)
            await inn.click(NAMES[seat], await hand(inn, match, seat), f"m:{match}:{decision}:{notation}")
            assert inn.store.infos[match].moves == look.info.moves + 1


async def test_a_move_costs_no_question_and_a_refusal_one() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        seat, decision, notation = due(await inn.look(match))
        shown, asked = await hand(inn, match, seat), inn.store.compared
        await inn.click(NAMES[seat], shown, f"m:{match}:{decision}:{notation}")
        assert (inn.store.infos[match].moves, inn.store.compared) == (1, asked)
        await inn.click(NAMES[seat], shown, f"m:{match}:{decision}:{notation}")
        assert (inn.store.infos[match].moves, inn.store.compared) == (1, asked + 1)


async def test_what_two_processes_are_told_of_is_done_once_and_answered_as_done() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        seat, decision, notation = due(await inn.look(match))
        user = inn.wire.people[NAMES[seat]]
        source = await hand(inn, match, seat)
        data = {"custom_id": f"m:{match}:{decision}:{notation}", "component_type": 2}
        asked, told = inn.wire.ask(user, int(source["channel_id"]), COMPONENT, data, source)
        await another(inn).play(match, user, decision, notation, click=int(told["id"]))
        await inn.at_once(told)
        assert inn.store.infos[match].moves == 1
        assert len(asked.firsts) == 1
        assert "no longer open" not in str(await hand(inn, match, seat))
        _, told = inn.wire.ask(user, int(source["channel_id"]), COMPONENT, data, source)
        await inn.at_once(told)
        assert "no longer open" in str(await hand(inn, match, seat)), "a second click is another one"


async def test_where_nobody_answers_it_is_said_that_it_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        commit, info = inn.store.commit, inn.store.info
        silent: list[str] = []

        async def cut(change: Change) -> Any:
            await commit(change)
            silent.append("once")
            raise Uncertain("The connection was cut.")

        async def answered(asked: str) -> Any:
            if silent:
                silent.pop()
                raise StoreFailure("The database does not answer.")
            return await info(asked)

        monkeypatch.setattr(inn.store, "commit", cut)
        monkeypatch.setattr(inn.store, "info", answered)
        seat, decision, notation = due(await inn.look(match))
        before, sent = str(await hand(inn, match, seat)), len(inn.wire.sent)
        await inn.click(NAMES[seat], await hand(inn, match, seat), f"m:{match}:{decision}:{notation}")
        assert any(NOT_CERTAIN in str(each.said) for each in inn.wire.sent[sent:])
        assert str(await hand(inn, match, seat)) != before, "it is brought up to date when the store answers again"
        assert (await inn.look(match)).info.moves == 1


async def test_a_process_that_is_not_told_of_a_server_draws_the_same_pages() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        look, showing, guilds = await inn.look(match), inn.bot.keeper.showing, inn.bot._connection._guilds
        setting, label = await showing.setting(look), await match_label(inn.bot.desk, look.info)
        assert (setting.server, "The Inn" in label) == ("The Inn", True)
        guilds.clear()
        assert await showing.setting(look) == setting
        assert await match_label(inn.bot.desk, look.info) == label


async def test_a_server_that_is_called_otherwise_is_so_in_its_messages_and_for_other_processes() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(GAME, NAMES, {})
        guild = inn.bot.guilds[0]
        assert "The Inn" in str(await hand(inn, match, 0))
        before, guild.name = copy(guild), "The Tavern"
        await inn.bot.on_guild_update(before, guild)
        await inn.quiet()
        assert "The Tavern" in str(await hand(inn, match, 0))
        inn.bot._connection._guilds.clear()
        assert (await inn.bot.keeper.showing.setting(await inn.look(match))).server == "The Tavern"
