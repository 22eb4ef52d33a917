"""`/motley`: commands for all games, such as help, your matches, options, privacy and the permission check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.words import join_with_and
from cogs.table.actions.first_steps import FirstSteps
from cogs.table.actions.rights import LOBBY_HOST, SEATED, Access, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.channels import channel_access
from cogs.table.commands.core_controls import VOTER
from cogs.table.commands.game_commands import (
    MATCH_DESCRIPTION,
    Choices,
    filter_choices,
    own_match_choices,
    safe_autocomplete,
    with_reply,
)
from cogs.table.commands.match_lookup import MatchFinder
from cogs.table.pages import options_pages
from cogs.table.pages.page import Page, text_blocks
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.operator_info import OperatorInfo
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.options import format_value

OWN_DATA = extras_of(Access(Who.ABOUT_SELF))
QUARANTINE_TEXT = (
    "Discord does not let me write to new people until <t:{until}:t>, because I wrote to too many of them. "
    "They can see their "
    "hands with **Show my hand** at the table. The direct messages will come later."
)


class MotleyCog(commands.GroupCog, group_name="motley", group_description="Motley: help, and your matches"):
    """The commands that belong to no single game."""

    def __init__(
        self,
        actions: TableActions,
        first_steps: FirstSteps,
        version: str,
        warnings: Mapping[str, str],
        feature_cogs: Iterable[commands.Cog] = (),
    ) -> None:
        super().__init__()
        self.actions = actions
        self.warnings = warnings
        self.first_steps = first_steps
        self.version = version
        self.finder = MatchFinder(actions)
        assert self.app_command is not None, "a GroupCog has one"
        for cog in feature_cogs:
            for command in cog.get_app_commands():
                self.app_command.add_command(command)

    @app_commands.command(description="See what I can do and how to start")
    @with_reply
    async def help(self, reply: InteractionReply) -> None:
        """`help`: show the games, with a way on to how it works."""
        await self.first_steps.show_games(reply)

    @app_commands.command(description="See my version and who made the games")
    @with_reply
    async def about(self, reply: InteractionReply) -> None:
        """`about`: show the version, which people need to report a problem."""
        await reply.send_page(
            Page(text_blocks(_about_texts(self.version, self.actions.matches.games, self.actions.context.operator)))
        )

    @app_commands.command(description="List your matches, running and finished, with hands, results and records")
    @with_reply
    async def matches(self, reply: InteractionReply) -> None:
        """`matches`: list the user's matches. It also works in direct messages."""
        await self.actions.match_list.show_matches(reply)

    @app_commands.command(description="Choose when I ping you and how your hands look")
    @with_reply
    async def settings(self, reply: InteractionReply) -> None:
        """`settings`: show the user's settings, which apply in every match."""
        await self.actions.settings.show_settings(reply)

    @app_commands.command(description="Settings for all tables on this server, for server managers")
    @with_reply
    async def server(self, reply: InteractionReply) -> None:
        """`server`: show the server's settings. Every click checks Manage Server."""
        await self.actions.servers.show_settings(reply)

    @app_commands.command(description="Leave a lobby or a running match", extras=extras_of(SEATED))
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def leave(self, reply: InteractionReply, match: str | None = None) -> None:
        """`leave`: leave a lobby at once, or a running match after a question."""
        visit = await self.finder.find_match(reply.interaction, match)
        await self.actions.ask_leave(reply, visit)

    @app_commands.command(description="Vote to end a match without a result", extras=extras_of(VOTER))
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def stop(self, reply: InteractionReply, match: str | None = None) -> None:
        """`stop`: vote to end the match."""
        visit = await self.finder.find_match(reply.interaction, match)
        await self.actions.vote_to_end(reply, visit)

    @app_commands.command(
        description="See a table's options; the host can change them before the start", extras=extras_of(LOBBY_HOST)
    )
    @app_commands.describe(
        option="The option to change; leave it out to see them all",
        value="Its new value",
        match="Which match, if you host several",
    )
    @with_reply
    async def options(
        self, reply: InteractionReply, option: str | None = None, value: str | None = None, match: str | None = None
    ) -> None:
        """`options`: show the options with their possible values, or change one."""
        if (option is None) != (value is None):
            raise RequestRefused("Give both the option and its new value, or neither to see them all.")
        if option is None or value is None:
            visit = await self.finder.find_lobby(reply.interaction, match, self.actions.lobbies.options_access)
            await self.actions.lobbies.show_options(reply, visit)
        else:
            visit = await self.finder.find_lobby(reply.interaction, match)
            await self.actions.lobbies.choose_option(reply, visit, option, value)

    @options.autocomplete("option")
    @safe_autocomplete
    async def _complete_option(self, interaction: discord.Interaction, current: str) -> Choices:
        """Offer the options of the chosen table that its host can change."""
        snapshot = await self.finder.find_snapshot(interaction, is_lobby=True)
        found = await self.actions.lobbies.changeable_options(snapshot) if snapshot else ()
        return filter_choices([(option.name, option.name) for option in found], current)

    @options.autocomplete("value")
    @safe_autocomplete
    async def _complete_value(self, interaction: discord.Interaction, current: str) -> Choices:
        """Offer the possible values of the chosen option, in the game's words."""
        snapshot = await self.finder.find_snapshot(interaction, is_lobby=True)
        name = str(getattr(interaction.namespace, "option", None) or "")
        found = await self.actions.lobbies.changeable_options(snapshot) if snapshot else ()
        option = next((option for option in found if option.name == name), None)
        if snapshot is None or option is None:
            return []
        offered = options_pages.option_choices(snapshot, self.actions.screens[snapshot.info.game], option)
        return filter_choices([(label, format_value(value)) for label, value in offered], current)

    @leave.autocomplete("match")
    @stop.autocomplete("match")
    @options.autocomplete("match")
    @safe_autocomplete
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)

    @app_commands.command(
        description="See what I store about you and why, and how to get or delete it", extras=OWN_DATA
    )
    @with_reply
    async def privacy(self, reply: InteractionReply) -> None:
        """`privacy`: show the short version of `docs/privacy.md`."""
        await self.actions.privacy.show_privacy(reply)

    @app_commands.command(
        name="my-data",
        description="Get everything I store about you as a file that only you can see",
        extras=OWN_DATA,
    )
    @with_reply
    async def my_data(self, reply: InteractionReply) -> None:
        """`my-data`: send the first part. People who played hundreds of matches get several parts."""
        await self.actions.privacy.send_data(reply)

    @app_commands.command(
        name="forget-me",
        description="Delete your name, Discord ID and settings; I ask twice first",
        extras=OWN_DATA,
    )
    @with_reply
    async def forget_me(self, reply: InteractionReply) -> None:
        """`forget-me`: explain the consequences and ask for confirmation."""
        await self.actions.privacy.ask_to_forget(reply)

    @app_commands.command(description="Check that I have the permissions I need in this channel")
    @with_reply
    async def check(self, reply: InteractionReply) -> None:
        """`check`: list the missing permissions, and what only the people who run the bot can fix."""
        asker = reply.interaction
        if asker.guild_id is None:
            raise RequestRefused("Use this in a server channel. In direct messages I need no permissions.")
        text, quarantined = await self._check_channel(asker, asker.guild_id), await self._quarantine_texts()
        await reply.send_text("\n\n".join((text, *(f"⚠ {each}" for each in (*self.warnings.values(), *quarantined)))))

    async def _quarantine_texts(self) -> list[str]:
        """Return a sentence if Discord stops first contacts, also if another process was told so."""
        until = await self.actions.surface_sync.direct_messages.budget.quarantined_until()
        return [QUARANTINE_TEXT.format(until=until)] if until else []

    async def _check_channel(self, asker: discord.Interaction, guild: int) -> str:
        """Return a sentence about my permissions in a channel of that server."""
        lacking = channel_access.missing_permissions(asker.app_permissions, asker.channel)
        server = await self.actions.matches.lobbies.server_settings(guild)
        threads = server.threads and isinstance(asker.channel, discord.TextChannel)
        wanted = channel_access.missing_thread_permissions(asker.app_permissions) if threads else []
        if lacking:
            return channel_access.permission_complaint(lacking)
        if not server.allows_channel(asker.channel_id or 0, channel_access.parent_channel(asker.channel)):
            return self.actions.servers.elsewhere_text(asker.user, guild, server.channels)
        if wanted:
            names = join_with_and([f"**{name}**" for name in wanted])
            return f"I can host matches here. With {names} I could also give each match its own thread."
        return "I have every permission I need here."


def _about_texts(version: str, games: Mapping[str, AnyGame], operator: OperatorInfo) -> list[str]:
    titles = join_with_and([f"**{game.title}**" for game in games.values()])
    return [
        f"## Motley {version}".rstrip(),
        f"I host {titles}.",
        "I am unofficial: not made, endorsed or supported by the designers or publishers of these games, nor by "
        "Discord. I use none of their artwork or text. If you like a game, buy it. Its designer is named at "
        "the end of its rules.",
        "I am free software under the MIT License. If something is wrong, press **More** at your table and tell the "
        "people who run me.",
        operator.about_line,
    ]
