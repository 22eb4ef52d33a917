"""What the commands of all games share: the moves, the hand, the table, the rules, autocomplete, and the boundary."""

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
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, StoreFailure

P = ParamSpec("P")


class HasTableActions(Protocol):
    """A cog whose commands are answered by a desk."""

    actions: TableActions


C = TypeVar("C", bound=HasTableActions)
Callback = Callable[Concatenate[C, discord.Interaction, P], Coroutine[Any, Any, None]]
Autocomplete = Callable[[C, discord.Interaction, str], Coroutine[Any, Any, Choices]]
MOST_CHOICES, LONGEST_CHOICE = 25, 100


def with_reply(callback: Callable[Concatenate[C, InteractionReply, P], Awaitable[None]]) -> Callback[C, P]:
    """Make a method that is handed an Answer into a command's callback, inside the error boundary."""

    @functools.wraps(callback)
    async def run(cog: C, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async with reply_boundary(interaction, cog.actions.studio) as reply:
            await callback(cog, reply, *args, **kwargs)

    return run


def safe_autocomplete(callback: Autocomplete[C]) -> Autocomplete[C]:
    """Make a method that says what is offered while somebody types offer nothing where matches cannot be looked up.

    The command itself says why. discord.py would log an error, and Discord would say nothing to whoever types.
    """

    @functools.wraps(callback)
    async def offers(cog: C, interaction: discord.Interaction, current: str) -> Choices:
        try:
            return await callback(cog, interaction, current)
        except (RequestRefused, StoreFailure):
            return []

    return offers


class GameCog(commands.GroupCog):
    """One game's commands. What all games have stands here; a game adds the verbs of its moves."""

    game: ClassVar[AnyGame]
    intro: ClassVar[Intro]
    option_descriptions: ClassVar[Mapping[str, str]] = {}  # what is said of the options of `new`, by name
    verbs: ClassVar[Sequence[Verb]]

    def __init_subclass__(cls) -> None:
        """Name the commands after the game, and make its `new` and its moves."""
        cls.__cog_group_name__ = cls.game.key
        cls.__cog_group_description__ = f"{cls.game.title}, for {cls.game.player_count_text} players"
        for command in (new_command(cls.game, cls.intro, cls.option_descriptions), *map(move_command, cls.verbs)):
            setattr(cls, f"do_{command.name}", command)  # discord.py looks through the class for its commands

    def __init__(self, actions: TableActions, screen: GameScreen) -> None:
        super().__init__()
        self.actions = actions
        self.screen = screen
        self.finder = MatchFinder(actions, self.game)

    # Autocomplete

    @safe_autocomplete
    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """The matches at which the asker sits."""
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)

    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """What may stand in an option of a move's command: what the game's screen offers, else the moves of the verb.

        These are as people call them; the values are notations without the verb.
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
        """The match that has begun and the seat that an unfinished command is about, if it is clear."""
        snapshot = await self.finder.find_snapshot(interaction)
        seat = snapshot.info.seat_of(interaction.user.id) if snapshot else None
        return None if snapshot is None or snapshot.state is None or seat is None else (snapshot, seat)

    async def make_move(self, reply: InteractionReply, match: str | None, notation: str) -> None:
        """Make a move by command."""
        found = await self.finder.find_match(reply.interaction, match)
        set_log_context(found)
        await self.actions.hands.command_move(reply, found, notation)

    # The commands of every game

    @app_commands.command(description="Make a move: type a word or two of it, and pick it from what is offered")
    @app_commands.describe(
        move="What to do, in words; as it is written in a record will do, too", match=MATCH_DESCRIPTION
    )
    @with_reply
    async def move(self, reply: InteractionReply, move: str, match: str | None = None) -> None:
        """`move`: any legal move, in words."""
        await self.make_move(reply, match, move)

    @app_commands.command(description="Show your hand, to you alone")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def hand(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hand`: the asker's hand with its controls."""
        await self.actions.hands.show_hand(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="How the match stands, and whom it waits for")
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def status(self, reply: InteractionReply, match: str | None = None) -> None:
        """`status`: the public table."""
        await self.actions.show_status(reply, await self.finder.find_latest(reply.interaction, match))

    @app_commands.command(description="The rules: in a minute, and then part by part")
    @app_commands.describe(part="Which part; leave it out to begin with the minute")
    @with_reply
    async def rules(self, reply: InteractionReply, part: str | None = None) -> None:
        """`rules`: the game's rules page."""
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
    """Matches to choose from in an option."""
    return filter_choices([(await match_label(actions, info), info.id) for info in found], current)


async def match_label(actions: TableActions, info: MatchInfo) -> str:
    """A match in a list: game, server, who sits there, and its id."""
    server = await actions.surface_sync.server_contexts.server_name(info)
    names = ", ".join(seat.name for seat in info.seats if not seat.gone)
    where = f" on {server}" if server else ""
    return f"{actions.matches.game_title(info.game)}{where} · {info.id} · {names}"


def filter_choices(choices: list[tuple[str, str]], current: str) -> Choices:
    """The choices that hold what was typed, at most as many as Discord takes."""
    return first_choices(filter_offers(choices, current))


def first_choices(offers: Sequence[tuple[str, str]]) -> Choices:
    """The first of what is offered, at most as many as Discord takes."""
    return [
        app_commands.Choice(name=truncate(name, LONGEST_CHOICE), value=value)
        for name, value in offers[:MOST_CHOICES]
        if len(value) <= LONGEST_CHOICE
    ]
