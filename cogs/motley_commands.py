"""`/motley`: commands for all games, such as help, your matches, hints, options, privacy and the permission check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.words import join_with_and, join_with_or
from cogs.table.actions.player_settings import BACK
from cogs.table.actions.table_actions import TableActions
from cogs.table.channels import channel_access
from cogs.table.commands.game_commands import filter_choices, own_match_choices, safe_autocomplete, with_reply
from cogs.table.commands.match_lookup import MatchFinder
from cogs.table.commands.move_commands import MATCH_DESCRIPTION, Choices
from cogs.table.deals.deal_actions import DealActions
from cogs.table.deals.luck_actions import LuckActions
from cogs.table.learning.first_steps import FirstSteps
from cogs.table.learning.lesson_actions import LessonActions
from cogs.table.learning.puzzle_actions import PuzzleActions
from cogs.table.pages import lobby_pages
from cogs.table.pages.page import Page, text_blocks
from cogs.table.replaying.replay_actions import ReplayActions
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.operator_info import OperatorInfo
from engines.hosting.breaks import BREAK_SECONDS
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.options import format_value


class MotleyCog(commands.GroupCog, group_name="motley", group_description="Motley: help, and your matches"):
    """The commands that belong to no single game."""

    def __init__(
        self,
        actions: TableActions,
        lessons: LessonActions,
        puzzles: PuzzleActions,
        first_steps: FirstSteps,
        replays: ReplayActions,
        version: str,
    ) -> None:
        super().__init__()
        self.actions = actions
        self.deals = DealActions(actions)
        self.luck_charts = LuckActions(actions.context)
        self.lessons = lessons
        self.puzzles = puzzles
        self.first_steps = first_steps
        self.replays = replays
        self.version = version
        self.finder = MatchFinder(actions)

    @app_commands.command(description="See what I can do and how to start")
    @with_reply
    async def help(self, reply: InteractionReply) -> None:
        """`help`: show the games, with a way on to how it works."""
        await self.first_steps.show_games(reply)

    @app_commands.command(description="Learn a game in five minutes by playing it; only you can see it")
    @app_commands.describe(game="Which game")
    @with_reply
    async def learn(self, reply: InteractionReply, game: str) -> None:
        """`learn`: show the lesson of a game."""
        await self.lessons.open_lesson(reply, _find_game(game, self.lessons.games))

    @learn.autocomplete("game")
    async def _complete_game(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(game.title, game.key) for game in self.lessons.games], current)

    @app_commands.command(description="Decide one moment of a real match, then see what each move is worth")
    @app_commands.describe(game="Which game", number="Which puzzle; leave it out for any of them")
    @with_reply
    async def puzzle(self, reply: InteractionReply, game: str, number: int | None = None) -> None:
        """`puzzle`: show a puzzle of a game."""
        found = _find_game(game, self.puzzles.games)
        count = self.puzzles.count(found.key)
        if number is not None and not 1 <= number <= count:
            raise RequestRefused(f"{found.title} has {count} puzzles. Give a number from 1 to {count}.")
        await self.puzzles.open_puzzle(reply, found, number or _any_number(reply.click_id, count))

    @puzzle.autocomplete("game")
    async def _complete_puzzle_game(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(each.title, each.key) for each in self.puzzles.games], current)

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

    @app_commands.command(description="Watch a finished match again, move by move; only you can see it")
    @app_commands.describe(match="Which finished match; leave it out for your last one")
    @with_reply
    async def replay(self, reply: InteractionReply, match: str | None = None) -> None:
        """`replay`: show a finished match from its start."""
        await self.replays.open_replay(reply, await self.finder.find_finished(reply.interaction, match))

    @replay.autocomplete("match")
    @safe_autocomplete
    async def _complete_finished_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.finished_matches(interaction), current)

    @app_commands.command(description="Choose when I ping you and how your hands look")
    @with_reply
    async def settings(self, reply: InteractionReply) -> None:
        """`settings`: show the user's settings, which apply in every match."""
        await self.actions.settings.show_settings(reply)

    @app_commands.command(name="break", description="Rest your clocks and pings while you are away")
    @app_commands.describe(length="How long you are away; “back” ends your break")
    @app_commands.choices(length=[app_commands.Choice(name=each, value=each) for each in (*BREAK_SECONDS, BACK)])
    @with_reply
    async def take_break(self, reply: InteractionReply, length: str) -> None:
        """`break`: begin a break, which counts in every match, or end it."""
        await self.actions.settings.change_break(reply, length)

    @app_commands.command(description="Settings for all tables on this server, for server managers")
    @with_reply
    async def server(self, reply: InteractionReply) -> None:
        """`server`: show the server's settings. Every click checks Manage Server."""
        await self.actions.servers.show_settings(reply)

    @app_commands.command(description="Get a suggested move and the reason, based only on what you can see")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def hint(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hint`: show a hint privately."""
        await self.actions.hints.show_hint(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="Write a note about a match, which only you see, on your hand")
    @app_commands.describe(
        text="The new note; leave it out to see, change or delete the present one", match=MATCH_DESCRIPTION
    )
    @with_reply
    async def note(
        self,
        reply: InteractionReply,
        text: app_commands.Range[str, 1, 300] | None = None,  # MAX_NOTE_LENGTH, which discord.py does not find here
        match: str | None = None,
    ) -> None:
        """`note`: store a note, or open the form with the present one. It also works for finished matches."""
        found = await self.finder.find_latest(reply.interaction, match)
        if text is None:
            await self.actions.notes.open_form(reply, found)
        else:
            await self.actions.save_note(reply, found, text)

    @app_commands.command(description="Cut the deal before a match starts: your digits change it")
    @app_commands.describe(
        digits="One to eight digits; you cut once",
        last="Whether you want to cut after everybody else",
        match=MATCH_DESCRIPTION,
    )
    @with_reply
    async def cut(
        self, reply: InteractionReply, digits: str | None = None, last: bool | None = None, match: str | None = None
    ) -> None:
        """`cut`: cut with some digits, or choose to cut last."""
        found = await self.finder.find_match(reply.interaction, match)
        if (digits is None) == (last is None):
            raise RequestRefused("Give either your digits, or whether you want to cut last.")
        if digits is not None:
            await self.deals.cut(reply, found, digits)
        elif last is not None:
            await self.deals.cut_last(reply, found, wanted=last)

    @app_commands.command(
        name="check-deal", description="Check that the deal of a match was honest, and get its record"
    )
    @app_commands.describe(match="The match's id; leave it out for your newest match")
    @with_reply
    async def check_deal(self, reply: InteractionReply, match: str | None = None) -> None:
        """`check-deal`: say what holds of the deal. It also works for matches that were given up."""
        await self.deals.check(reply, await self.finder.find_latest(reply.interaction, match))

    @app_commands.command(description="See how often things came on this server, next to what chance allows")
    @app_commands.describe(game="Which game; leave it out for the one that was played last")
    @with_reply
    async def luck(self, reply: InteractionReply, game: str | None = None) -> None:
        """`luck`: show the luck chart of a game."""
        games = tuple(self.actions.matches.games.values())
        await self.luck_charts.show_luck(reply, None if game is None else _find_game(game, games))

    @luck.autocomplete("game")
    async def _complete_luck_game(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(each.title, each.key) for each in self.actions.matches.games.values()], current)

    @app_commands.command(description="Leave a lobby or a running match")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def leave(self, reply: InteractionReply, match: str | None = None) -> None:
        """`leave`: leave a lobby at once, or a running match after a question."""
        await self.actions.ask_leave(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="Vote to end a match without a result")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def stop(self, reply: InteractionReply, match: str | None = None) -> None:
        """`stop`: vote to end the match."""
        await self.actions.vote_to_end(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="See a table's options; the host can change them before the start")
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
        found = await self.finder.find_lobby(reply.interaction, match)
        if option is None and value is None:
            await self.actions.lobbies.show_options(reply, found)
        elif option is None or value is None:
            raise RequestRefused("Give both the option and its new value, or neither to see them all.")
        else:
            await self.actions.lobbies.choose_option(reply, found, option, value)

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
        offered = lobby_pages.option_choices(snapshot, self.actions.screens[snapshot.info.game], option)
        return filter_choices([(said, format_value(value)) for said, value in offered], current)

    @hint.autocomplete("match")
    @note.autocomplete("match")
    @cut.autocomplete("match")
    @check_deal.autocomplete("match")
    @leave.autocomplete("match")
    @stop.autocomplete("match")
    @options.autocomplete("match")
    @safe_autocomplete
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)

    @app_commands.command(description="See what I store about you and why, and how to get or delete it")
    @with_reply
    async def privacy(self, reply: InteractionReply) -> None:
        """`privacy`: show the short version of `docs/privacy.md`."""
        await self.actions.privacy.show_privacy(reply)

    @app_commands.command(
        name="my-data", description="Get everything I store about you as a file that only you can see"
    )
    @with_reply
    async def my_data(self, reply: InteractionReply) -> None:
        """`my-data`: send the first part. People who played hundreds of matches get several parts."""
        await self.actions.privacy.send_data(reply)

    @app_commands.command(name="forget-me", description="Delete your name, Discord ID and settings; I ask twice first")
    @with_reply
    async def forget_me(self, reply: InteractionReply) -> None:
        """`forget-me`: explain the consequences and ask for confirmation."""
        await self.actions.privacy.ask_to_forget(reply)

    @app_commands.command(description="Check that I have the permissions I need in this channel")
    @with_reply
    async def check(self, reply: InteractionReply) -> None:
        """`check`: list the missing permissions."""
        asker = reply.interaction
        if asker.guild_id is None:
            raise RequestRefused("Use this in a server channel. In direct messages I need no permissions.")
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
            await reply.send_text(f"I can host matches here. With {names} I could also give each match its own thread.")
        else:
            await reply.send_text("I have every permission I need here.")


def _find_game(typed: str, games: Sequence[AnyGame]) -> AnyGame:
    """Return the game with that key or title. Raises RequestRefused."""
    word = typed.strip().casefold()
    found = next((game for game in games if word in (game.key, game.title.casefold())), None)
    if found is None:
        raise RequestRefused(f"I have no such game. Choose {join_with_or([game.title for game in games])}.")
    return found


def _any_number(click: int, count: int) -> int:
    """Return a number from 1 to `count`, by the milliseconds with which Discord's ids begin."""
    return (click >> 22) % count + 1


def _about_texts(version: str, games: Mapping[str, AnyGame], operator: OperatorInfo) -> list[str]:
    """Return the paragraphs of `about`."""
    titles = join_with_and([f"**{game.title}**" for game in games.values()])
    return [
        f"## Motley {version}".rstrip(),
        f"I host {titles}.",
        "I am unofficial: not made, endorsed or supported by the designers or publishers of these games, nor by "
        "Discord. I use none of their artwork or text. If you like a game, buy it. The end of its rules says who made "
        "it.",
        "I am free software under the MIT License. If something is wrong, press ⋯ at your table and tell the people "
        "who run me.",
        operator.about_line,
    ]
