"""The commands of each game: `new` from its options, one for each verb of its moves, and those that every game has."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar, cast

import discord
from discord import app_commands
from discord.ext import commands

from cogs.screens.intro import Intro
from cogs.screens.screen import GameScreen, TypedCommand, filter_offers
from cogs.screens.truncation import truncate
from cogs.screens.words import join_with_or
from cogs.table.actions.rights import READERS, SEATED, Access, Phase, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.match_lookup import MatchFinder, plain_name
from cogs.table.pages import move_autocomplete
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.discord_internals import set_group
from cogs.table.transport.interaction_response import InteractionReply, reply_boundary
from cogs.table.transport.log_context import set_log_context
from cogs.table.wording import table_option_words
from cogs.table.wording.match_words import practice_mark
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.options import Option, format_value, game_choices
from engines.store.match_store import MatchInfo, StoreFailure
from engines.store.table_options import TableOption, list_all_options, options_for

MATCH_DESCRIPTION = "Which match, if you are in several"
MOVER = Access(Who.DUE, Phase.RUNNING)
Command = app_commands.Command[Any, ..., None]
Choices = list[app_commands.Choice[str]]


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric option of a move command, with its inclusive bounds."""

    low: int
    high: int
    description: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A move command. Its name is the verb in the notation; its options follow the verb in order."""

    name: str
    description: str
    options: Mapping[str, str | Number]


def verb(name: str, description: str, **options: str | Number) -> Verb:
    """Return a verb with the descriptions of itself and its options.

    An option is required text, or a Number. If its name is a Python keyword, append `_`. The game's screen provides
    the autocomplete. The option `match` is added automatically.
    """
    return Verb(name, description, options)


def move_command(verb: Verb) -> Command:
    """Return the command that makes a move with the verb."""

    async def run(cog: GameCog, interaction: discord.Interaction, match: str | None = None, **given: Any) -> None:
        async with reply_boundary(interaction, cog.actions.studio, cog.actions.clock, cog.actions.shares) as reply:
            await cog.make_move(reply, match, " ".join((verb.name, *(str(given[name]) for name in verb.options))))

    run.__name__ = verb.name
    named = inspect.Parameter("match", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    own = [*(_move_parameter(name, option) for name, option in verb.options.items()), named]
    descriptions = {
        name: option if isinstance(option, str) else option.description for name, option in verb.options.items()
    }
    command = _build_command(run, own, verb.description, {**descriptions, "match": MATCH_DESCRIPTION})
    command.extras.update(extras_of(MOVER))
    for name in (parameter.name for parameter in own if parameter.annotation in (str, str | None)):
        command.autocomplete(name)(
            _complete_match if name == "match" else _complete_option(verb.name, name.rstrip("_"))
        )
    return command


def new_command(
    game: AnyGame, intro: Intro, descriptions: Mapping[str, str], known: Sequence[TableOption[Any]]
) -> Command:
    """Return the command `new`, which opens a lobby with game options and those of these table options that apply."""
    shared = options_for(game, known)

    async def new(cog: GameCog, interaction: discord.Interaction, **given: Any) -> None:
        actions = cog.actions
        async with reply_boundary(interaction, actions.studio, actions.clock, actions.shares, public=True) as reply:
            await actions.open_lobby(
                reply, game, _given_options(game_choices(game), given), _given_options(shared, given)
            )

    every = list_all_options(game, known)
    words = {o.name: [_choice(value) for value in o.values] for o in game_choices(game) if o.low is None}
    words |= {
        o.name: [_choice(value, table_option_words.option_value_text(value, o)) for value in o.values] for o in shared
    }
    app_commands.choices(**words)(new)
    described = {**{o.name: o.description for o in every if o.description}, **descriptions}
    return _build_command(new, [*map(_option_parameter, every)], intro.description, described)


def _build_command(
    run: Callable[..., Awaitable[None]],
    parameters: list[inspect.Parameter],
    description: str,
    descriptions: Mapping[str, str],
) -> Command:
    """Return a command with the given options, in the form that discord.py reads from a callback."""
    leading = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
        for name in ("cog", "interaction")
    ]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # `inspect.signature` reads this first
        [*leading, *(parameter.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters)]
    )
    run.__qualname__ = f"Playing.{run.__name__}"  # discord.py detects methods by the dot
    app_commands.describe(**descriptions)(run)
    renamed = {parameter.name: parameter.name.rstrip("_") for parameter in parameters if parameter.name.endswith("_")}
    app_commands.rename(**renamed)(run)
    command: Command = app_commands.command(name=run.__name__.rstrip("_"), description=description)(cast("Any", run))
    return command


def _move_parameter(name: str, option: str | Number) -> inspect.Parameter:
    kind: Any = app_commands.Range[int, option.low, option.high] if isinstance(option, Number) else str
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind)


def _option_parameter(option: Option) -> inspect.Parameter:
    """Return the parameter for an option of `new`: a bounded number, or text with the values as choices."""
    bounded = option.low is not None and option.high is not None
    kind: Any = app_commands.Range[int, option.low, option.high] | None if bounded else str | None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def _choice(value: Any, label: str = "") -> app_commands.Choice[str]:
    return app_commands.Choice(name=label or format_value(value), value=format_value(value))


def _given_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        option.name: _option_value(option, given[option.name]) for option in options if given[option.name] is not None
    }


def _option_value(option: Option, given: Any) -> Any:
    """Return the option value whose text was given, or the input itself for the game to accept or refuse."""
    return next((value for value in option.values if format_value(value) == given), given)


def _complete_option(verb: str, option: str) -> Callable[[discord.Interaction, str], Any]:
    async def offers(interaction: discord.Interaction, current: str) -> Choices:
        return cast("Choices", await _cog_of(interaction).move_choices(interaction, current, verb, option))

    return offers


async def _complete_match(interaction: discord.Interaction, current: str) -> Choices:
    return cast("Choices", await _cog_of(interaction).match_choices(interaction, current))


def _cog_of(interaction: discord.Interaction) -> Any:
    """Return the `GameCog` of the command that is being typed; discord.py's decorators hide its methods' types."""
    return cast("Command", interaction.command).binding


P = ParamSpec("P")


class HasTableActions(Protocol):
    """A cog that answers its commands through table actions."""

    actions: TableActions


C = TypeVar("C", bound=HasTableActions)
Callback = Callable[Concatenate[C, discord.Interaction, P], Coroutine[Any, Any, None]]
Autocomplete = Callable[Concatenate[C, discord.Interaction, P], Coroutine[Any, Any, Choices]]
MOST_CHOICES, LONGEST_CHOICE = 25, 100


def with_reply(callback: Callable[Concatenate[C, InteractionReply, P], Awaitable[None]]) -> Callback[C, P]:
    """Turn a method that takes an InteractionReply into a command callback inside the error boundary."""

    @functools.wraps(callback)
    async def run(cog: C, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        async with reply_boundary(interaction, cog.actions.studio, cog.actions.clock, cog.actions.shares) as reply:
            await callback(cog, reply, *args, **kwargs)

    return run


def safe_autocomplete(callback: Autocomplete[C, P]) -> Autocomplete[C, P]:
    """Let an autocomplete method wait for its person's turn, and offer no choices if it cannot look up matches.

    The command itself gives the reason. Without this, discord.py would log an error and the user would see nothing.
    Discord shows only the choices for what was typed last, so there are none for anything else that still waits.
    """

    @functools.wraps(callback)
    async def offers(cog: C, interaction: discord.Interaction, /, *args: P.args, **kwargs: P.kwargs) -> Choices:
        async with cog.actions.shares.typing(interaction.user.id, interaction.id) as is_newest:
            try:
                return await callback(cog, interaction, *args, **kwargs) if is_newest else []
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
        """Name the command group after the game, and build the move commands. Raises AttributeError without intro."""
        if not hasattr(cls, "intro"):
            raise AttributeError(f"{cls.__name__} has no intro.")
        set_group(cls, cls.game.key, f"{cls.game.title}, for {cls.game.player_count_text} players")
        for command in map(move_command, cls.verbs):
            setattr(cls, f"do_{command.name}", command)  # discord.py finds commands among the class's attributes

    def __init__(self, actions: TableActions, screen: GameScreen) -> None:
        super().__init__()
        self.actions = actions
        self.screen = screen
        self.finder = MatchFinder(actions, self.game)
        new = new_command(self.game, self.intro, self.option_descriptions, actions.matches.lobbies.table_options)
        new.binding = self
        assert self.app_command is not None, "a GroupCog has one"
        self.app_command.add_command(new)

    # Autocomplete

    @safe_autocomplete
    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """Return the choices for an option of a move command: those of the game's screen, or the moves of the verb.

        The labels are in words. The values are notations without the verb.
        """
        found = await self._seated_match(interaction)
        if found is None:
            return []
        others = {name: str(value) for name, value in interaction.namespace if value is not None}
        typed = TypedCommand(verb, option, current, others)
        return first_choices(await draw_in_thread(move_autocomplete.seat_option_offers, *found, self.screen, typed))

    async def _seated_match(self, interaction: discord.Interaction) -> tuple[MatchSnapshot, int] | None:
        """Return the started match and the user's seat that an unfinished command means, if they are clear."""
        snapshot = await self.finder.find_snapshot(interaction)
        seat = snapshot.info.seat_of(interaction.user.id) if snapshot else None
        return None if snapshot is None or snapshot.state is None or seat is None else (snapshot, seat)

    async def make_move(self, reply: InteractionReply, match: str | None, notation: str) -> None:
        """Make a move for a command."""
        visit = await self.finder.find_match(reply.interaction, match)
        set_log_context(visit.match)
        await self.actions.hands.command_move(reply, visit, notation)

    # Commands

    @app_commands.command(
        description="Make a move: type a word or two, then pick a move from the list", extras=extras_of(MOVER)
    )
    @app_commands.describe(move="Your move, in words or in the notation of match records", match=MATCH_DESCRIPTION)
    @with_reply
    async def move(self, reply: InteractionReply, move: str, match: str | None = None) -> None:
        """`move`: make any legal move, typed in words or in the notation."""
        await self.make_move(reply, match, move)

    @app_commands.command(description="Show your hand; only you can see it", extras=extras_of(SEATED))
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def hand(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hand`: show the user's hand with its controls."""
        await self.actions.hands.show_hand(reply, await self.finder.find_match(reply.interaction, match))

    @app_commands.command(description="Show how the match stands and whose turn it is", extras=extras_of(READERS))
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
    @safe_autocomplete
    async def _complete_part(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(title, title) for title in self.actions.rulebook.part_titles(self.game)], current)

    @move.autocomplete("move")
    @safe_autocomplete
    async def _complete_move(self, interaction: discord.Interaction, current: str) -> Choices:
        found = await self._seated_match(interaction)
        if found is None:
            return []
        return first_choices(await draw_in_thread(move_autocomplete.move_offers, *found, self.screen, current))

    @move.autocomplete("match")
    @hand.autocomplete("match")
    @status.autocomplete("match")
    @safe_autocomplete
    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """Return the user's live matches as choices."""
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)


async def own_match_choices(actions: TableActions, found: Sequence[MatchInfo], current: str) -> Choices:
    """Return the matches that fit the typed text, as choices."""
    return filter_choices([(await match_label(actions, info), info.id) for info in found], plain_name(current))


async def match_label(actions: TableActions, info: MatchInfo) -> str:
    """Return a match's label in a list: game, id, server and players. The id comes before names of any length."""
    server = await actions.surface_sync.server_contexts.server_name(info)
    names = ", ".join(seat.name for seat in info.seats if not seat.gone)
    place = f" on {server}" if server else ""
    return f"{actions.matches.lookup.game_title(info.game)}{practice_mark(info)} · {info.id}{place} · {names}"


def find_game(typed: str, games: Sequence[AnyGame]) -> AnyGame:
    """Return the game with that key or title. Raises RequestRefused."""
    word = typed.strip().casefold()
    found = next((game for game in games if word in (game.key, game.title.casefold())), None)
    if found is None:
        raise RequestRefused(f"I have no such game. Choose {join_with_or([game.title for game in games])}.")
    return found


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
