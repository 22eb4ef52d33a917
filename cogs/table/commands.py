"""What the commands of all games share: finding the match that is meant, autocomplete, and the boundary."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.cutting import cut
from cogs.screens.screen import Context, GameScreen, Offers, Typed, fitting
from cogs.screens.words import listed
from cogs.table import lobby_pages, pages
from cogs.table.answers import Answer, answering
from cogs.table.desk import Desk
from cogs.table.moves import MATCH, Choices, Verb, opening, playing
from engines.game import AnyGame
from engines.match import Look, Refused
from engines.options import options_of, text
from engines.store import Info, Status, StoreFailure

P = ParamSpec("P")


class AtDesk(Protocol):
    """A cog whose commands are answered by a desk."""

    desk: Desk


C = TypeVar("C", bound=AtDesk)
Callback = Callable[Concatenate[C, discord.Interaction, P], Coroutine[Any, Any, None]]
MOST_CHOICES, LONGEST_CHOICE = 25, 100


def answered(callback: Callable[Concatenate[C, Answer, P], Awaitable[None]]) -> Callback[C, P]:
    """Make a method that is handed an Answer into a command's callback, inside the error boundary."""

    @functools.wraps(callback)
    async def run(cog: C, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async with answering(interaction, cog.desk.studio) as answer:
            await callback(cog, answer, *args, **kwargs)

    return run


class GameCog(commands.GroupCog):
    """One game's commands. What all games have stands here; a game adds the verbs of its moves."""

    game: ClassVar[AnyGame]
    options_said: ClassVar[Mapping[str, str]] = {}  # what is said of the options of `new`, by name
    verbs: ClassVar[Sequence[Verb]]

    def __init_subclass__(cls) -> None:
        """Name the commands after the game, and make its `new` and its moves."""
        cls.__cog_group_name__ = cls.game.key
        cls.__cog_group_description__ = f"{cls.game.title}, for {cls.game.span} players"
        for command in (opening(cls.game, cls.options_said), *map(playing, cls.verbs)):
            setattr(cls, f"do_{command.name}", command)  # discord.py looks through the class for its commands

    def __init__(self, desk: Desk, screen: GameScreen) -> None:
        super().__init__()
        self.desk = desk
        self.screen = screen

    # Which match is meant

    async def find(self, asker: discord.Interaction, named: str | None) -> str:
        """The match that a command is about: the one named, the one of this channel, or the only one there is."""
        own = await self._own(asker.user.id)
        if named:
            found = await self._named(asker, named)
        else:
            here = [info for info in own if asker.channel_id in (info.place.channel, info.place.thread)]
            found = self._only(here or own) if own else await self._watched(asker)
        return found.id

    async def _own(self, user: int) -> list[Info]:
        found = await self.desk.matches.find(user=user)
        return [info for info in found if info.game == self.game.key]

    async def _named(self, asker: discord.Interaction, named: str) -> Info:
        """A match by its id; of another server only to those who sit there."""
        info = (await self.desk.matches.look(named.strip().lower()[:8])).info
        if info.game != self.game.key:
            raise Refused(
                f"Match `{info.id}` is a match of {self.desk.matches.title(info.game)}; use its own commands."
            )
        if info.place.guild != asker.guild_id and info.seat_of(asker.user.id) is None:
            raise Refused("There is no such match here.")
        return info

    def _only(self, found: list[Info]) -> Info:
        running = [info for info in found if info.status is not Status.LOBBY] or found
        if len(running) > 1:
            names = listed([f"`{info.id}`" for info in running[:10]])
            raise Refused(f"You sit at several tables: {names}. Say which with the option `match`.")
        return running[0]

    async def _watched(self, asker: discord.Interaction) -> Info:
        """For somebody who sits nowhere: the match of this channel, if there is just one."""
        found = await self.desk.matches.find(guild=asker.guild_id) if asker.guild_id else []
        here = [i for i in found if i.game == self.game.key and asker.channel_id in (i.place.channel, i.place.thread)]
        if len(here) == 1:
            return here[0]
        title = self.game.title
        raise Refused(f"You are in no match of {title} now. Start one with `/{self.game.key} new` in a channel.")

    async def find_latest(self, asker: discord.Interaction, named: str | None) -> str:
        """The match that somebody wants to look at: as `find` has it, else the newest that they have played."""
        try:
            return await self.find(asker, named)
        except Refused:
            played = [] if named else await self._played(asker)
            if not played:
                raise
            return played[0].id

    async def _played(self, asker: discord.Interaction) -> list[Info]:
        """What somebody who sits nowhere has played to its end, newest first, what was here before others."""
        if await self._own(asker.user.id):
            return []
        over = await self.desk.matches.find(statuses=frozenset({Status.OVER}), user=asker.user.id)
        own = [info for info in over if info.game == self.game.key]
        return sorted(own, key=lambda info: asker.channel_id not in (info.place.channel, info.place.thread))

    async def find_lobby(self, asker: discord.Interaction, named: str | None) -> str:
        """The lobby whose options a command is about: the one named, or one that the asker is host of."""
        own = [info for info in await self._own(asker.user.id) if info.status is Status.LOBBY]
        own = [info for info in own if info.host == asker.user.id]
        if named or not own:
            return await self.find(asker, named)
        here = [info for info in own if asker.channel_id == info.place.channel]
        return self._only(here or own).id

    async def look(self, interaction: discord.Interaction) -> tuple[Look, int] | None:
        """The match and seat that an unfinished command is about, if it is clear; for autocomplete."""
        named = getattr(interaction.namespace, "match", None)
        try:
            match = await self.find(interaction, named)
            look = await self.desk.matches.look(match)
        except (Refused, StoreFailure):
            return None
        seat = look.info.seat_of(interaction.user.id)
        return None if seat is None else (look, seat)

    # Autocomplete

    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """The matches at which the asker sits."""
        found = await self._own(interaction.user.id)
        choices = [(match_label(self.desk, info), info.id) for info in found]
        return narrowed(choices, current)

    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """What may stand in an option of a move's command: what the game's screen offers, else the moves of the verb.

        These are as people call them; the values are notations without the verb.
        """
        found = await self.look(interaction)
        if found is None:
            return []
        look, seat = found
        others = {name: str(value) for name, value in interaction.namespace if value is not None}
        typed = Typed(verb, option, current, others)
        return chosen(offered(self.screen, self.game, look.view(seat), look.moves(seat), typed, pages.context(look)))

    async def move(self, answer: Answer, match: str | None, notation: str) -> None:
        """Make a move by command."""
        await self.desk.command(answer, await self.find(answer.interaction, match), notation)

    # The commands of every game

    @app_commands.command(description="Show your hand, to you alone")
    @app_commands.describe(match=MATCH)
    @answered
    async def hand(self, answer: Answer, match: str | None = None) -> None:
        """`hand`: the asker's hand with its controls."""
        await self.desk.hand(answer, await self.find(answer.interaction, match))

    @app_commands.command(description="How the match stands, and whom it waits for")
    @app_commands.describe(match=MATCH)
    @answered
    async def status(self, answer: Answer, match: str | None = None) -> None:
        """`status`: the public table."""
        await self.desk.status(answer, await self.find_latest(answer.interaction, match))

    @app_commands.command(description="Leave a lobby or a running match")
    @app_commands.describe(match=MATCH)
    @answered
    async def leave(self, answer: Answer, match: str | None = None) -> None:
        """`leave`: at once from a lobby, after a question from a running match."""
        await self.desk.ask_leave(answer, await self.find(answer.interaction, match))

    @app_commands.command(description="Vote to end the match without a result")
    @app_commands.describe(match=MATCH)
    @answered
    async def stop(self, answer: Answer, match: str | None = None) -> None:
        """`stop`: a vote of those at the table."""
        await self.desk.stop(answer, await self.find(answer.interaction, match))

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
        if not options_of(self.game):
            raise Refused(f"{self.game.title} has no options: it is always played as its rules say.")
        found = await self.find_lobby(answer.interaction, match)
        if option is None and value is None:
            await self.desk.lobbies.options(answer, found)
        elif option is None or value is None:
            raise Refused("Say which option, and what it is to be; or neither, to see them all.")
        else:
            await self.desk.lobbies.choose(answer, found, option, value)

    @app_commands.command(description="The rules: in a minute, and then part by part")
    @app_commands.describe(part="Which part; leave it out to begin with the minute")
    @answered
    async def rules(self, answer: Answer, part: str | None = None) -> None:
        """`rules`: the game's rules page."""
        await self.desk.rulebook.open(answer, self.game, part)

    @rules.autocomplete("part")
    async def _part(self, interaction: discord.Interaction, current: str) -> Choices:
        return narrowed([(title, title) for title in self.desk.rulebook.titles(self.game)], current)

    @options.autocomplete("option")
    async def _option(self, interaction: discord.Interaction, current: str) -> Choices:
        return narrowed([(option.name, option.name) for option in options_of(self.game)], current)

    @options.autocomplete("value")
    async def _value(self, interaction: discord.Interaction, current: str) -> Choices:
        """What the option can be at the table that is meant, in its game's words."""
        space = interaction.namespace
        name = str(getattr(space, "option", None) or "")
        option = next((option for option in options_of(self.game) if option.name == name), None)
        try:
            found = await self.find_lobby(interaction, getattr(space, "match", None))
            look = await self.desk.matches.look(found)
        except (Refused, StoreFailure):
            return []
        offered = lobby_pages.choices(look, self.screen, option) if option else []
        return narrowed([(said, text(value)) for said, value in offered], current)

    @hand.autocomplete("match")
    @options.autocomplete("match")
    @status.autocomplete("match")
    @leave.autocomplete("match")
    @stop.autocomplete("match")
    async def _match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self.match_choices(interaction, current)


def offered(
    screen: GameScreen, game: AnyGame, view: Any, moves: Sequence[Any], typed: Typed, around: Context
) -> Offers:
    """What may stand in an option of a move's command, as the game's screen has it; else the moves of the verb."""
    own = screen.complete(view, moves, typed, around)
    if own is not None:
        return own
    written = [(game.write(move), move) for move in moves]
    verb = f"{typed.verb} "
    offers = [(screen.choice(view, move, around), text[len(verb) :]) for text, move in written if text.startswith(verb)]
    return fitting(offers, typed.text)


def match_label(desk: Desk, info: Info) -> str:
    """A match in a list: game, server, who sits there, and its id."""
    guild = desk.client.get_guild(info.place.guild)
    names = ", ".join(seat.name for seat in info.seats if not seat.gone)
    where = f" on {guild.name}" if guild else ""
    return f"{desk.matches.title(info.game)}{where} · {info.id} · {names}"


def narrowed(choices: list[tuple[str, str]], current: str) -> Choices:
    """The choices that hold what was typed, at most as many as Discord takes."""
    return chosen(fitting(choices, current))


def chosen(offers: Sequence[tuple[str, str]]) -> Choices:
    """The first of what is offered, at most as many as Discord takes."""
    return [
        app_commands.Choice(name=cut(name, LONGEST_CHOICE), value=value[:LONGEST_CHOICE])
        for name, value in offers[:MOST_CHOICES]
    ]
