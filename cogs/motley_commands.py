"""`/motley`: help, one's matches, hints, leaving or ending one, a table's options, a check of the bot's permissions."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.words import join_with_and, join_with_or
from cogs.table.actions.table_actions import TableActions
from cogs.table.channels import channel_access
from cogs.table.commands.game_commands import filter_choices, own_match_choices, safe_autocomplete, with_reply
from cogs.table.commands.match_lookup import MatchFinder
from cogs.table.commands.move_commands import MATCH_DESCRIPTION, Choices
from cogs.table.game_ui import GameUI, GameUIs
from cogs.table.pages import lobby_pages
from cogs.table.pages.page import Page, text_blocks
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.options import format_value
from engines.store.table_options import list_all_options


class MotleyCog(commands.GroupCog, group_name="motley", group_description="Motley: help, and your matches"):
    """What is of no single game."""

    def __init__(self, actions: TableActions, version: str, fronts: GameUIs) -> None:
        super().__init__()
        self.actions = actions
        self.version = version
        self.fronts = fronts
        self.finder = MatchFinder(actions)

    @app_commands.command(description="What I can do, and how to begin")
    @with_reply
    async def help(self, reply: InteractionReply) -> None:
        """`help`: the first steps."""
        await reply.send_page(Page(text_blocks(first_steps(self.fronts))))

    @app_commands.command(description="Which version I am, and whose the games are")
    @with_reply
    async def about(self, reply: InteractionReply) -> None:
        """`about`: what somebody names who reports that something is wrong."""
        await reply.send_page(Page(text_blocks(_about_texts(self.version, self.actions.matches.games))))

    @app_commands.command(description="Your matches, running and finished, with your hands, results and records")
    @with_reply
    async def matches(self, reply: InteractionReply) -> None:
        """`matches`: also in direct messages."""
        await self.actions.match_list.show_matches(reply)

    @app_commands.command(description="When I call you, and how your hands look")
    @with_reply
    async def settings(self, reply: InteractionReply) -> None:
        """`settings`: they hold in every match."""
        await self.actions.settings.show_settings(reply)

    @app_commands.command(description="What holds for tables in this server; for those who manage it")
    @with_reply
    async def server(self, reply: InteractionReply) -> None:
        """`server`: for those who may manage it, which is asked with every click."""
        await self.actions.servers.show_settings(reply)

    @app_commands.command(description="What to do now, and why: worked out from what your own hand knows")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def hint(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hint`: to the asker alone."""
        await self.actions.hints.show_hint(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="Leave a lobby or a running match")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def leave(self, reply: InteractionReply, match: str | None = None) -> None:
        """`leave`: at once from a lobby, after a question from a running match."""
        await self.actions.ask_leave(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="Vote to end a match without a result")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def stop(self, reply: InteractionReply, match: str | None = None) -> None:
        """`stop`: a vote of those at the table."""
        await self.actions.vote_to_end(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="The options of a table: see them, or change them as its host before the start")
    @app_commands.describe(
        option="Which option to change; leave it out to see them all",
        value="What it is to be",
        match="Which match, if you are host of several",
    )
    @with_reply
    async def options(
        self, reply: InteractionReply, option: str | None = None, value: str | None = None, match: str | None = None
    ) -> None:
        """`options`: lists of what each can be, or one of them changed."""
        found = await self.finder.find_lobby(reply.interaction, match)
        if option is None and value is None:
            await self.actions.lobbies.show_options(reply, found)
        elif option is None or value is None:
            raise RequestRefused("Say which option, and what it is to be; or neither, to see them all.")
        else:
            await self.actions.lobbies.choose_option(reply, found, option, value)

    @options.autocomplete("option")
    async def _complete_option(self, interaction: discord.Interaction, current: str) -> Choices:
        """The options of the table that is meant."""
        snapshot = await self.finder.find_snapshot(interaction, is_lobby=True)
        return filter_choices(
            [(option.name, option.name) for option in list_all_options(snapshot.game)] if snapshot else [], current
        )

    @options.autocomplete("value")
    async def _complete_value(self, interaction: discord.Interaction, current: str) -> Choices:
        """What the option can be at the table that is meant, in its game's words."""
        snapshot = await self.finder.find_snapshot(interaction, is_lobby=True)
        name = str(getattr(interaction.namespace, "option", None) or "")
        option = (
            next((option for option in list_all_options(snapshot.game) if option.name == name), None)
            if snapshot
            else None
        )
        if snapshot is None or option is None:
            return []
        offered = lobby_pages.option_choices(snapshot, self.actions.screens[snapshot.info.game], option)
        return filter_choices([(said, format_value(value)) for said, value in offered], current)

    @hint.autocomplete("match")
    @leave.autocomplete("match")
    @stop.autocomplete("match")
    @options.autocomplete("match")
    @safe_autocomplete
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)

    @app_commands.command(description="What I keep of you, why, and how you get it or have it forgotten")
    @with_reply
    async def privacy(self, reply: InteractionReply) -> None:
        """`privacy`: in short; `docs/privacy.md` tells all."""
        await self.actions.privacy.show_privacy(reply)

    @app_commands.command(name="my-data", description="Everything I keep of you, as a file, for your eyes alone")
    @with_reply
    async def my_data(self, reply: InteractionReply) -> None:
        """`my-data`: the first part; there are more of them for whoever has played hundreds of matches."""
        await self.actions.privacy.send_data(reply)

    @app_commands.command(name="forget-me", description="Have your name, number and settings forgotten; I ask twice")
    @with_reply
    async def forget_me(self, reply: InteractionReply) -> None:
        """`forget-me`: tells what would happen, and asks."""
        await self.actions.privacy.ask_to_forget(reply)

    @app_commands.command(description="Whether I have the permissions I need in this channel")
    @with_reply
    async def check(self, reply: InteractionReply) -> None:
        """`check`: names each missing permission."""
        asker = reply.interaction
        if asker.guild_id is None:
            raise RequestRefused("Use this in a server's channel: in direct messages I need no permissions.")
        lacking = channel_access.missing_permissions(asker.app_permissions, asker.channel)
        server = await self.actions.matches.server_settings(asker.guild_id)
        threads = server.threads and isinstance(asker.channel, discord.TextChannel)
        wanted = channel_access.missing_thread_permissions(asker.app_permissions) if threads else []
        if lacking:
            await reply.send_text(channel_access.permission_complaint(lacking))
        elif not server.allows_channel(asker.channel_id or 0, channel_access.parent_channel(asker.channel)):
            await reply.send_text(self.actions.servers.elsewhere_text(asker, asker.guild_id, server.channels))
        elif wanted:
            names = join_with_and([f"**{name}**" for name in wanted])
            await reply.send_text(f"I can host matches here. With {names} I could give each match a thread of its own.")
        else:
            await reply.send_text("I have every permission I need here.")


def first_steps(fronts: GameUIs) -> list[str]:
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


def begin_with(fronts: GameUIs) -> list[str]:
    """Which games to begin with, in a sentence; nothing if no game is there for newcomers."""
    first = [
        f"**{front.game.title}** ({front.intro.players} players)" for front in fronts.values() if front.intro.start_here
    ]
    return [f"**New here?** Begin with {join_with_or(first)}."] if first else []


def pitch(front: GameUI) -> str:
    """What a game is like, in a line."""
    return f"**{front.game.title}**: {front.intro.like}"


def facts(front: GameUI) -> str:
    """How many play a game, how long it takes, how hard it is, and how to open a table for it."""
    return front.intro.facts(f"{front.game.key} new")


def _about_texts(version: str, games: Mapping[str, AnyGame]) -> list[str]:
    """What this is, and what it is not."""
    titles = join_with_and([f"**{game.title}**" for game in games.values()])
    return [
        f"## Motley {version}".rstrip(),
        f"I host {titles}.",
        "I am unofficial: not made, endorsed or supported by the designers or publishers of these games, nor by "
        "Discord. I use no artwork or text of theirs. If you like a game, buy it; whose it is stands at the end of "
        "its rules.",
        "I am free software under the MIT License. If something is wrong, tell whoever runs me, with this version.",
    ]
