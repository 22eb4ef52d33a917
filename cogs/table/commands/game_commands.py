"""The commands that every game has, such as `move`, `hand` and `rules`, with their autocomplete and error boundary."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.intro import Intro
from cogs.screens.screen import GameScreen, TypedCommand, filter_offers
from cogs.screens.truncation import truncate
from cogs.table.actions import move_autocomplete
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.match_lookup import MatchFinder
from cogs.table.commands.move_commands import MATCH_DESCRIPTION, Choices, Verb, move_command, new_command
from cogs.table.transport.interaction_response import InteractionReply, reply_boundary
from cogs.table.transport.log_context import set_log_context
from cogs.table.wording import narration
from cogs.table.wording.practice_words import practice_mark
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, StoreFailure

P = ParamSpec("P")


class HasTableActions(Protocol):
    """A cog that answers its commands through table actions."""

    actions: TableActions


C = TypeVar("C", bound=HasTableActions)
Callback = Callable[Concatenate[C, discord.Interaction, P], Coroutine[Any, Any, None]]
Autocomplete = Callable[[C, discord.Interaction, str], Coroutine[Any, Any, Choices]]
MOST_CHOICES, LONGEST_CHOICE = 25, 100


def with_reply(callback: Callable[Concatenate[C, InteractionReply, P], Awaitable[None]]) -> Callback[C, P]:
    """Turn a method that takes an InteractionReply into a command callback inside the error boundary."""

    @functools.wraps(callback)
    async def run(cog: C, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async with reply_boundary(interaction, cog.actions.studio) as reply:
            await callback(cog, reply, *args, **kwargs)

    return run


def safe_autocomplete(callback: Autocomplete[C]) -> Autocomplete[C]:
    """Make an autocomplete method offer no choices if it cannot look up matches.

    The command itself gives the reason. Without this, discord.py would log an error and the user would see nothing.
    """

    @functools.wraps(callback)
    async def offers(cog: C, interaction: discord.Interaction, current: str) -> Choices:
        try:
            return await callback(cog, interaction, current)
        except (RequestRefused, StoreFailure):
            return []

    return offers


class GameCog(commands.GroupCog):
    """A game's commands. This class has the commands of every game; a subclass adds the verbs of its moves."""

    game: ClassVar[AnyGame]
    intro: ClassVar[Intro]
    option_descriptions: ClassVar[Mapping[str, str]] = {}  # descriptions of the options of `new`, by name
    verbs: ClassVar[Sequence[Verb]]

    def __init_subclass__(cls) -> None:
        """Name the command group after the game, and build `new` and the move commands."""
        cls.__cog_group_name__ = cls.game.key
        cls.__cog_group_description__ = f"{cls.game.title}, for {cls.game.player_count_text} players"
        for command in (new_command(cls.game, cls.intro, cls.option_descriptions), *map(move_command, cls.verbs)):
            setattr(cls, f"do_{command.name}", command)  # discord.py finds commands among the class's attributes

    def __init__(self, actions: TableActions, screen: GameScreen) -> None:
        super().__init__()
        self.actions = actions
        self.screen = screen
        self.finder = MatchFinder(actions, self.game)

    # Autocomplete

    @safe_autocomplete
    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """Return the user's live matches as choices."""
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)

    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """Return the choices for an option of a move command: those of the game's screen, or the moves of the verb.

        The labels are in words. The values are notations without the verb.
        """
        found = await self._seated_match(interaction)
        if found is None:
            return []
        snapshot, seat = found
        others = {name: str(value) for name, value in interaction.namespace if value is not None}
        typed = TypedCommand(verb, option, current, others)
        context = narration.screen_context(snapshot)
        return first_choices(
            move_autocomplete.option_offers(
                self.screen, self.game, snapshot.view(seat), snapshot.moves(seat), typed, context
            )
        )

    async def _seated_match(self, interaction: discord.Interaction) -> tuple[MatchSnapshot, int] | None:
        """Return the started match and the user's seat that an unfinished command means, if they are clear."""
        snapshot = await self.finder.find_snapshot(interaction)
        seat = snapshot.info.seat_of(interaction.user.id) if snapshot else None
        return None if snapshot is None or snapshot.state is None or seat is None else (snapshot, seat)

    async def make_move(self, reply: InteractionReply, match: str | None, notation: str) -> None:
        """Make a move for a command."""
        found = await self.finder.find_match(reply.interaction, match)
        set_log_context(found)
        await self.actions.hands.command_move(reply, found, notation)

    # Commands

    @app_commands.command(description="Make a move: type a word or two, then pick it from the list")
    @app_commands.describe(move="What to do, in words or in the notation of the records", match=MATCH_DESCRIPTION)
    @with_reply
    async def move(self, reply: InteractionReply, move: str, match: str | None = None) -> None:
        """`move`: make any legal move, typed in words or in the notation."""
        await self.make_move(reply, match, move)

    @app_commands.command(description="Show your hand; only you can see it")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def hand(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hand`: show the user's hand with its controls."""
        await self.actions.hands.show_hand(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="Show how the match stands and whose turn it is")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def status(self, reply: InteractionReply, match: str | None = None) -> None:
        """`status`: show the public table."""
        await self.actions.show_status(reply, await self.finder.find_latest(reply.interaction, match))

    @app_commands.command(description="Read the rules: first in one minute, then part by part")
    @app_commands.describe(part="Which part; leave it out to start with the one-minute version")
    @with_reply
    async def rules(self, reply: InteractionReply, part: str | None = None) -> None:
        """`rules`: show the game's rules."""
        await self.actions.rulebook.open_rules(reply, self.game, part)

    @rules.autocomplete("part")
    async def _complete_part(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(title, title) for title in self.actions.rulebook.part_titles(self.game)], current)

    @move.autocomplete("move")
    async def _complete_move(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self._seated_match(interaction)
        return [] if found is None else first_choices(move_autocomplete.move_offers(*found, self.screen, current))

    @move.autocomplete("match")
    @hand.autocomplete("match")
    @status.autocomplete("match")
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)


async def own_match_choices(actions: TableActions, found: Sequence[MatchInfo], current: str) -> Choices:
    """Return the matches that fit the typed text, as choices."""
    return filter_choices([(await match_label(actions, info), info.id) for info in found], current)


async def match_label(actions: TableActions, info: MatchInfo) -> str:
    """Return a match's label in a list: game, server, id and players."""
    server = await actions.surface_sync.server_contexts.server_name(info)
    names = ", ".join(seat.name for seat in info.seats if not seat.gone)
    where = f" on {server}" if server else ""
    return f"{actions.matches.game_title(info.game)}{practice_mark(info)}{where} · {info.id} · {names}"


def filter_choices(choices: list[tuple[str, str]], current: str) -> Choices:
    """Return the choices that contain the typed text, up to Discord's limit."""
    return first_choices(filter_offers(choices, current))


def first_choices(offers: Sequence[tuple[str, str]]) -> Choices:
    """Return the first offers as choices, up to Discord's limit."""
    return [
        app_commands.Choice(name=truncate(name, LONGEST_CHOICE), value=value)
        for name, value in offers[:MOST_CHOICES]
        if len(value) <= LONGEST_CHOICE
    ]
