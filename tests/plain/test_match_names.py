"""A law about every command with the option `match`: it accepts each name of a match that the bot shows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from discord import AppCommandOptionType, app_commands

from cogs import admin_commands
from cogs.table.commands import match_lookup
from cogs.table.commands.game_commands import match_label
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from tests.games import GAMES
from tests.messages import client_text
from tests.plain import payloads
from tests.plain.payloads import CHANNEL
from tests.plain.plain_bot import COMMAND_KIND, PEOPLE, PlainBot, command_data, start_plain_bot

ADA, BELA = PEOPLE[:2]
Command = app_commands.Command[Any, ..., Any]
Find = Callable[[Matches, str], Awaitable[MatchSnapshot]]


def match_commands(plain_bot: PlainBot) -> Iterator[Command]:
    """Every command that has the option `match`."""
    for command in plain_bot.bot.tree.walk_commands():
        if isinstance(command, app_commands.Command) and any(
            each.display_name == "match" for each in command.parameters
        ):
            yield command


async def found_by(plain_bot: PlainBot, command: Command, name: str, find: Find) -> str:
    """Which match a command finds by that name; '' for none. It goes no further."""
    found = [""]

    async def find_only(matches: Matches, text: str) -> MatchSnapshot:
        found[0] = (await find(matches, text)).info.id
        raise RequestRefused("That is all.")

    with pytest.MonkeyPatch.context() as patched:
        for module in (match_lookup, admin_commands):
            patched.setattr(module, "find_by_name", find_only)
        await give_command(plain_bot, command, name)
    return found[0]


async def give_command(plain_bot: PlainBot, command: Command, match: str) -> None:
    """Give a command about that match, with some value for all that it needs."""
    needed = [each for each in command.parameters if each.required and each.display_name != "match"]
    kinds = AppCommandOptionType
    given = {each.display_name: int(each.min_value or 1) if each.type is kinds.integer else "A" for each in needed}
    data = command_data(command.qualified_name, {**given, "match": match}, "")
    people = {each.display_name for each in needed if each.type is kinds.user}
    for option in data["options"][0]["options"]:
        if option["name"] in people:
            option |= {"type": kinds.user.value, "value": str(plain_bot.wire.people[BELA])}
            data["resolved"] = {"users": {option["value"]: payloads.user_object(plain_bot.wire.people[BELA], BELA)}}
    _, payload = plain_bot.wire.start_interaction(plain_bot.wire.people[ADA], CHANNEL, COMMAND_KIND, data)
    await plain_bot.dispatch_at_once(payload)


async def shown_names(plain_bot: PlainBot, match: str) -> set[str]:
    """Every line in which the bot shows a match and no other one, on pages and as a choice."""
    info = (await plain_bot.load_snapshot(match)).info
    for command in ("motley matches", "admin matches", f"{info.game} status", f"{info.game} hand"):
        await plain_bot.run_command(ADA, command)
    pages = [client_text(each) for room in plain_bot.wire.channels.values() for each in room.values()]
    pages += [client_text(each.answer) for each in plain_bot.wire.interactions.values() if each.answer]
    others = [other.id for other in await plain_bot.matches.lookup.find() if other.id != match]
    lines = {line for page in pages for line in page.splitlines() if match in line}
    return {line for line in lines if not any(other in line for other in others)} | {
        await match_label(plain_bot.bot.actions, info)
    }


async def start_two(plain_bot: PlainBot) -> dict[str, str]:
    """A match of two games, each with its game."""
    return {key: await plain_bot.seat_match(GAMES[key], PEOPLE[:3], {}) for key in ("jest", "wizard")}


async def test_every_command_accepts_every_name_of_a_match_that_the_bot_shows() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        matches = await start_two(plain_bot)
        names = {match: await shown_names(plain_bot, match) for match in matches.values()}
        assert min(map(len, names.values())) > 4, names
        commands = list(match_commands(plain_bot))
        assert len(commands) > 20
        for command in commands:
            group = command.qualified_name.split()[0]
            match = matches.get(group, matches["wizard"])
            for name in (match, f"`{match}`", f"#{match}", f" {match.upper()} ", f"match `{match}`", *names[match]):
                found = await found_by(plain_bot, command, name, FIND)
                assert found == match, (command.qualified_name, name)


FIND = match_lookup.find_by_name


async def test_the_law_finds_a_command_that_reads_ids_alone() -> None:
    async def find_id(matches: Matches, text: str) -> MatchSnapshot:
        return await matches.cache.get_fresh_snapshot(text.strip().lower()[:8])

    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = (await start_two(plain_bot))["wizard"]
        command = next(match_commands(plain_bot))
        assert [await found_by(plain_bot, command, name, find_id) for name in (match, f"`{match}`", f"#{match}")] == [
            match,
            "",
            "",
        ]


async def test_names_of_players_and_servers_that_look_like_ids_name_no_other_match() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        matches = await start_two(plain_bot)
        plain_bot.bot.guilds[0].name = matches["wizard"]
        info = (await plain_bot.load_snapshot(matches["jest"])).info
        label = await match_label(plain_bot.bot.actions, info)
        assert matches["wizard"] in label
        assert (await FIND(plain_bot.matches, label)).info.id == matches["jest"]
        with pytest.raises(RequestRefused, match="no such match"):
            await FIND(plain_bot.matches, "`nonsense`")


async def test_marks_around_an_id_hide_no_choice() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = (await start_two(plain_bot))["wizard"]
        for command in ("wizard hand", "motley hint", "admin show"):
            for typed in (f"`{match}`", f"#{match}"):
                assert [each["value"] for each in await plain_bot.autocomplete(ADA, command, "match", typed)] == [match]
