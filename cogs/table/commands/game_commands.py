"""What the commands of all games share: the moves, the hand, the table, the rules, autocomplete, and the boundary."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.intro import Intro
from cogs.screens.screen import GameScreen, Typed, fitting
from cogs.screens.truncation import cut
from cogs.table.actions import move_autocomplete
from cogs.table.actions.table_actions import Desk
from cogs.table.commands.match_lookup import Finder
from cogs.table.commands.move_commands import MATCH, Choices, Verb, opening, playing
from cogs.table.transport.interaction_response import Answer, answering
from cogs.table.transport.log_context import about
from cogs.table.wording import narration
from engines.hosting.match import Look, Refused
from engines.kit.contract import AnyGame
from engines.store.match_store import Info, StoreFailure

P = ParamSpec("P")


class AtDesk(Protocol):
    """A cog whose commands are answered by a desk."""

    desk: Desk


C = TypeVar("C", bound=AtDesk)
Callback = Callable[Concatenate[C, discord.Interaction, P], Coroutine[Any, Any, None]]
Offering = Callable[[C, discord.Interaction, str], Coroutine[Any, Any, Choices]]
MOST_CHOICES, LONGEST_CHOICE = 25, 100


def answered(callback: Callable[Concatenate[C, Answer, P], Awaitable[None]]) -> Callback[C, P]:
    """Make a method that is handed an Answer into a command's callback, inside the error boundary."""

    @functools.wraps(callback)
    async def run(cog: C, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async with answering(interaction, cog.desk.studio) as answer:
            await callback(cog, answer, *args, **kwargs)

    return run


def offering(callback: Offering[C]) -> Offering[C]:
    """Make a method that says what is offered while somebody types offer nothing where matches cannot be looked up.

    The command itself says why. discord.py would log an error, and Discord would say nothing to whoever types.
    """

    @functools.wraps(callback)
    async def offers(cog: C, interaction: discord.Interaction, current: str) -> Choices:
        try:
            return await callback(cog, interaction, current)
        except (Refused, StoreFailure):
            return []

    return offers


class GameCog(commands.GroupCog):
    """One game's commands. What all games have stands here; a game adds the verbs of its moves."""

    game: ClassVar[AnyGame]
    intro: ClassVar[Intro]
    options_said: ClassVar[Mapping[str, str]] = {}  # what is said of the options of `new`, by name
    verbs: ClassVar[Sequence[Verb]]

    def __init_subclass__(cls) -> None:
        """Name the commands after the game, and make its `new` and its moves."""
        cls.__cog_group_name__ = cls.game.key
        cls.__cog_group_description__ = f"{cls.game.title}, for {cls.game.span} players"
        for command in (opening(cls.game, cls.intro, cls.options_said), *map(playing, cls.verbs)):
            setattr(cls, f"do_{command.name}", command)  # discord.py looks through the class for its commands

    def __init__(self, desk: Desk, screen: GameScreen) -> None:
        super().__init__()
        self.desk = desk
        self.screen = screen
        self.finder = Finder(desk, self.game)

    # Autocomplete

    @offering
    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """The matches at which the asker sits."""
        return await own_matches(self.desk, await self.finder.own(interaction.user.id), current)

    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """What may stand in an option of a move's command: what the game's screen offers, else the moves of the verb.

        These are as people call them; the values are notations without the verb.
        """
        found = await self._seated(interaction)
        if found is None:
            return []
        look, seat = found
        others = {name: str(value) for name, value in interaction.namespace if value is not None}
        typed = Typed(verb, option, current, others)
        around = narration.context(look)
        return chosen(
            move_autocomplete.offered(self.screen, self.game, look.view(seat), look.moves(seat), typed, around)
        )

    async def _seated(self, interaction: discord.Interaction) -> tuple[Look, int] | None:
        """The match that has begun and the seat that an unfinished command is about, if it is clear."""
        look = await self.finder.look(interaction)
        seat = look.info.seat_of(interaction.user.id) if look else None
        return None if look is None or look.state is None or seat is None else (look, seat)

    async def make(self, answer: Answer, match: str | None, notation: str) -> None:
        """Make a move by command."""
        found = await self.finder.find(answer.interaction, match)
        about(found)
        await self.desk.hands.command(answer, found, notation)

    # The commands of every game

    @app_commands.command(description="Make a move: type a word or two of it, and pick it from what is offered")
    @app_commands.describe(move="What to do, in words; as it is written in a record will do, too", match=MATCH)
    @answered
    async def move(self, answer: Answer, move: str, match: str | None = None) -> None:
        """`move`: any legal move, in words."""
        await self.make(answer, match, move)

    @app_commands.command(description="Show your hand, to you alone")
    @app_commands.describe(match=MATCH)
    @answered
    async def hand(self, answer: Answer, match: str | None = None) -> None:
        """`hand`: the asker's hand with its controls."""
        await self.desk.hands.show(answer, await self.finder.find(answer.interaction, match))

    @app_commands.command(description="How the match stands, and whom it waits for")
    @app_commands.describe(match=MATCH)
    @answered
    async def status(self, answer: Answer, match: str | None = None) -> None:
        """`status`: the public table."""
        await self.desk.status(answer, await self.finder.latest(answer.interaction, match))

    @app_commands.command(description="The rules: in a minute, and then part by part")
    @app_commands.describe(part="Which part; leave it out to begin with the minute")
    @answered
    async def rules(self, answer: Answer, part: str | None = None) -> None:
        """`rules`: the game's rules page."""
        await self.desk.rulebook.open(answer, self.game, part)

    @rules.autocomplete("part")
    async def _part(self, interaction: discord.Interaction, current: str) -> Choices:
        return narrowed([(title, title) for title in self.desk.rulebook.titles(self.game)], current)

    @move.autocomplete("move")
    async def _move(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self._seated(interaction)
        return [] if found is None else chosen(move_autocomplete.moves(*found, self.screen, current))

    @move.autocomplete("match")
    @hand.autocomplete("match")
    @status.autocomplete("match")
    async def _match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)


async def own_matches(desk: Desk, found: Sequence[Info], current: str) -> Choices:
    """Matches to choose from in an option."""
    return narrowed([(await match_label(desk, info), info.id) for info in found], current)


async def match_label(desk: Desk, info: Info) -> str:
    """A match in a list: game, server, who sits there, and its id."""
    server = await desk.showing.around.server(info)
    names = ", ".join(seat.name for seat in info.seats if not seat.gone)
    where = f" on {server}" if server else ""
    return f"{desk.matches.title(info.game)}{where} · {info.id} · {names}"


def narrowed(choices: list[tuple[str, str]], current: str) -> Choices:
    """The choices that hold what was typed, at most as many as Discord takes."""
    return chosen(fitting(choices, current))


def chosen(offers: Sequence[tuple[str, str]]) -> Choices:
    """The first of what is offered, at most as many as Discord takes."""
    return [
        app_commands.Choice(name=cut(name, LONGEST_CHOICE), value=value)
        for name, value in offers[:MOST_CHOICES]
        if len(value) <= LONGEST_CHOICE
    ]
