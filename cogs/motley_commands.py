"""`/motley`: help, one's matches, hints, leaving or ending one, a table's options, a check of the bot's permissions."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.words import either, listed
from cogs.table.actions.table_actions import Desk
from cogs.table.channels import channel_access
from cogs.table.commands.game_commands import answered, narrowed, offering, own_matches
from cogs.table.commands.match_lookup import Finder
from cogs.table.commands.move_commands import MATCH, Choices
from cogs.table.game_ui import Front, Fronts
from cogs.table.pages import lobby_pages
from cogs.table.pages.page import Page, texts
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import Refused
from engines.kit.contract import AnyGame
from engines.kit.options import text
from engines.store.table_options import every_option


class MotleyCog(commands.GroupCog, group_name="motley", group_description="Motley: help, and your matches"):
    """What is of no single game."""

    def __init__(self, desk: Desk, version: str, fronts: Fronts) -> None:
        super().__init__()
        self.desk = desk
        self.version = version
        self.fronts = fronts
        self.finder = Finder(desk)

    @app_commands.command(description="What I can do, and how to begin")
    @answered
    async def help(self, answer: Answer) -> None:
        """`help`: the first steps."""
        await answer.page(Page(texts(first_steps(self.fronts))))

    @app_commands.command(description="Which version I am, and whose the games are")
    @answered
    async def about(self, answer: Answer) -> None:
        """`about`: what somebody names who reports that something is wrong."""
        await answer.page(Page(texts(_about(self.version, self.desk.matches.games))))

    @app_commands.command(description="Your matches, running and finished, with your hands, results and records")
    @answered
    async def matches(self, answer: Answer) -> None:
        """`matches`: also in direct messages."""
        await self.desk.listing.show(answer)

    @app_commands.command(description="When I call you, and how your hands look")
    @answered
    async def settings(self, answer: Answer) -> None:
        """`settings`: they hold in every match."""
        await self.desk.settings.show(answer)

    @app_commands.command(description="What holds for tables in this server; for those who manage it")
    @answered
    async def server(self, answer: Answer) -> None:
        """`server`: for those who may manage it, which is asked with every click."""
        await self.desk.servers.show(answer)

    @app_commands.command(description="What to do now, and why: worked out from what your own hand knows")
    @app_commands.describe(match=MATCH)
    @answered
    async def hint(self, answer: Answer, match: str | None = None) -> None:
        """`hint`: to the asker alone."""
        await self.desk.hints.hint(answer, await self.finder.find(answer.interaction, match))

    @app_commands.command(description="Leave a lobby or a running match")
    @app_commands.describe(match=MATCH)
    @answered
    async def leave(self, answer: Answer, match: str | None = None) -> None:
        """`leave`: at once from a lobby, after a question from a running match."""
        await self.desk.ask_leave(answer, await self.finder.find(answer.interaction, match))

    @app_commands.command(description="Vote to end a match without a result")
    @app_commands.describe(match=MATCH)
    @answered
    async def stop(self, answer: Answer, match: str | None = None) -> None:
        """`stop`: a vote of those at the table."""
        await self.desk.stop(answer, await self.finder.find(answer.interaction, match))

    @app_commands.command(description="The options of a table: see them, or change them as its host before the start")
    @app_commands.describe(
        option="Which option to change; leave it out to see them all",
        value="What it is to be",
        match="Which match, if you are host of several",
    )
    @answered
    async def options(
        self, answer: Answer, option: str | None = None, value: str | None = None, match: str | None = None
    ) -> None:
        """`options`: lists of what each can be, or one of them changed."""
        found = await self.finder.lobby(answer.interaction, match)
        if option is None and value is None:
            await self.desk.lobbies.options(answer, found)
        elif option is None or value is None:
            raise Refused("Say which option, and what it is to be; or neither, to see them all.")
        else:
            await self.desk.lobbies.choose(answer, found, option, value)

    @options.autocomplete("option")
    async def _option(self, interaction: discord.Interaction, current: str) -> Choices:
        """The options of the table that is meant."""
        look = await self.finder.look(interaction, lobby=True)
        return narrowed([(option.name, option.name) for option in every_option(look.game)] if look else [], current)

    @options.autocomplete("value")
    async def _value(self, interaction: discord.Interaction, current: str) -> Choices:
        """What the option can be at the table that is meant, in its game's words."""
        look = await self.finder.look(interaction, lobby=True)
        name = str(getattr(interaction.namespace, "option", None) or "")
        option = next((option for option in every_option(look.game) if option.name == name), None) if look else None
        if look is None or option is None:
            return []
        offered = lobby_pages.choices(look, self.desk.screens[look.info.game], option)
        return narrowed([(said, text(value)) for said, value in offered], current)

    @hint.autocomplete("match")
    @leave.autocomplete("match")
    @stop.autocomplete("match")
    @options.autocomplete("match")
    @offering
    async def _match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_matches(self.desk, await self.finder.own(interaction.user.id), current)

    @app_commands.command(description="What I keep of you, why, and how you get it or have it forgotten")
    @answered
    async def privacy(self, answer: Answer) -> None:
        """`privacy`: in short; `docs/privacy.md` tells all."""
        await self.desk.privacy.show(answer)

    @app_commands.command(name="my-data", description="Everything I keep of you, as a file, for your eyes alone")
    @answered
    async def my_data(self, answer: Answer) -> None:
        """`my-data`: the first part; there are more of them for whoever has played hundreds of matches."""
        await self.desk.privacy.data(answer)

    @app_commands.command(name="forget-me", description="Have your name, number and settings forgotten; I ask twice")
    @answered
    async def forget_me(self, answer: Answer) -> None:
        """`forget-me`: tells what would happen, and asks."""
        await self.desk.privacy.ask(answer)

    @app_commands.command(description="Whether I have the permissions I need in this channel")
    @answered
    async def check(self, answer: Answer) -> None:
        """`check`: names each missing permission."""
        asker = answer.interaction
        if asker.guild_id is None:
            raise Refused("Use this in a server's channel: in direct messages I need no permissions.")
        lacking = channel_access.missing(asker.app_permissions, asker.channel)
        server = await self.desk.matches.server(asker.guild_id)
        threads = server.threads and isinstance(asker.channel, discord.TextChannel)
        wanted = channel_access.without(asker.app_permissions) if threads else []
        if lacking:
            await answer.say(channel_access.complaint(lacking))
        elif not server.opens(asker.channel_id or 0, channel_access.around(asker.channel)):
            await answer.say(self.desk.servers.elsewhere(asker, asker.guild_id, server.channels))
        elif wanted:
            names = listed([f"**{name}**" for name in wanted])
            await answer.say(f"I can host matches here. With {names} I could give each match a thread of its own.")
        else:
            await answer.say("I have every permission I need here.")


def first_steps(fronts: Fronts) -> list[str]:
    """What `help` says: the games, which one to begin with, and how."""
    return [
        "## Motley\nTabletop games of jesters, jokers and wizards.",
        *begin_with(fronts),
        *(f"{pitch(front)}\n-# {facts(front)}" for front in fronts.values()),
        "**To begin:** open a table in a channel. The others press **Join**, or you press **Add computer**; then "
        "press **Start**.",
        "**Your hand** comes by direct message. **Show my hand** at the table shows it, too.",
        "**Stuck?** Press ⋯ on your hand for the rules or a hint. "
        f"**Rather type?** `/{next(iter(fronts))} move` offers your moves.",
        "**No hurry:** every move is saved, and the computer plays for anyone who stays away too long.",
        "`/motley matches` lists your matches, `/motley check` finds missing permissions, and `/motley privacy` tells "
        "what I keep of you. `/motley server` is for those who manage the server.",
    ]


def begin_with(fronts: Fronts) -> list[str]:
    """Which games to begin with, in a sentence; nothing if no game is there for newcomers."""
    first = [
        f"**{front.game.title}** ({front.intro.players} players)" for front in fronts.values() if front.intro.start_here
    ]
    return [f"**New here?** Begin with {either(first)}."] if first else []


def pitch(front: Front) -> str:
    """What a game is like, in a line."""
    return f"**{front.game.title}**: {front.intro.like}"


def facts(front: Front) -> str:
    """How many play a game, how long it takes, how hard it is, and how to open a table for it."""
    return front.intro.facts(f"{front.game.key} new")


def _about(version: str, games: Mapping[str, AnyGame]) -> list[str]:
    """What this is, and what it is not."""
    titles = listed([f"**{game.title}**" for game in games.values()])
    return [
        f"## Motley {version}".rstrip(),
        f"I host {titles}.",
        "I am unofficial: not made, endorsed or supported by the designers or publishers of these games, nor by "
        "Discord. I use no artwork or text of theirs. If you like a game, buy it; whose it is stands at the end of "
        "its rules.",
        "I am free software under the MIT License. If something is wrong, tell whoever runs me, with this version.",
    ]
