"""`/motley`: help, one's matches, and a check of the bot's permissions."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.words import listed
from cogs.table import pages, places
from cogs.table.answers import Answer
from cogs.table.commands import answered
from cogs.table.desk import Desk
from cogs.table.page import Block, Page, Text, rows, table_press, texts
from engines.game import AnyGame
from engines.match import BeingUpdated, Refused
from engines.store import Info

MOST = 8  # matches on one page: each takes several components


class MotleyCog(commands.GroupCog, group_name="motley", group_description="Motley: help, and your matches"):
    """What is of no single game."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    @app_commands.command(description="What I can do, and how to begin")
    @answered
    async def help(self, answer: Answer) -> None:
        """`help`: the first steps."""
        await answer.page(Page(texts(_help(self.desk.matches.games))))

    @app_commands.command(description="Your running matches, each with its table and your hand")
    @answered
    async def matches(self, answer: Answer) -> None:
        """`matches`: also in direct messages."""
        user = answer.interaction.user.id
        found = await self.desk.matches.find(user=user)
        if not found:
            first = next(iter(self.desk.matches.games))
            await answer.say(
                f"You sit at no table now. Start a match in a server's channel, for example `/{first} new`."
            )
            return
        blocks: list[Block] = [Text(f"## Your matches ({len(found)})")]
        for info in found[:MOST]:
            blocks += await self._entry(info)
        if len(found) > MOST:
            blocks.append(Text(f"-# And {len(found) - MOST} more."))
        await answer.page(Page(tuple(blocks)))

    async def _entry(self, info: Info) -> tuple[Block, ...]:
        """A match in the list, with its hand; one that cannot be looked at just now says why."""
        try:
            look = await self.desk.matches.look(info.id)
        except BeingUpdated as why:
            return (Text(f"**{self.desk.matches.title(info.game)}** · {why}"),)
        setting = await self.desk.keeper.setting(look)
        return (
            *pages.entry(look, setting),
            *rows((table_press(info.id, "Show my hand", "hand", "primary"),)),
        )

    @app_commands.command(description="When I call you, and how your hands look")
    @answered
    async def settings(self, answer: Answer) -> None:
        """`settings`: they hold in every match."""
        await self.desk.settings.show(answer)

    @app_commands.command(description="Whether I have the permissions I need in this channel")
    @answered
    async def check(self, answer: Answer) -> None:
        """`check`: names each missing permission."""
        asker = answer.interaction
        if asker.guild_id is None:
            raise Refused("Use this in a server's channel: in direct messages I need no permissions.")
        lacking = places.missing(asker.app_permissions, asker.channel)
        wanted = places.without(asker.app_permissions) if isinstance(asker.channel, discord.TextChannel) else []
        if lacking:
            await answer.say(places.complaint(lacking))
        elif wanted:
            names = listed([f"**{name}**" for name in wanted])
            await answer.say(f"I can host matches here. With {names} I could give each match a thread of its own.")
        else:
            await answer.say("I have every permission I need here.")


def _help(games: Mapping[str, AnyGame]) -> list[str]:
    """The first steps, in words."""
    listing = "\n".join(f"- **{game.title}**, {_players(game.seats)}: `/{key} new`" for key, game in games.items())
    return [
        "## Motley\nTabletop games of jesters, jokers and wizards.",
        listing,
        "**To begin:** somebody opens a table in a channel and is its host, the others press **Join**. "
        "The host may change the **Options** until pressing **Start**.",
        "**Your hand** comes by direct message and stays up to date. **Show my hand** at the table shows it, too.",
        "**Every move is saved** before it is confirmed. If I am restarted, the match goes on where it was.",
        "`/motley matches` lists your tables, `/motley check` tells whether I miss a permission here.",
    ]


def _players(seats: range) -> str:
    """`2 players`, `3–4 players`."""
    return f"{seats[0]}–{seats[-1]} players" if len(seats) > 1 else f"{seats[0]} players"
