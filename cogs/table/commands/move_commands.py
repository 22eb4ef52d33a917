"""Builds a game's own commands: `new` from its options, and one command for each verb of its moves."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import discord
from discord import app_commands

from cogs.table.access.rights import Access, Phase, Who, extras_of
from cogs.table.transport.interaction_response import reply_boundary
from cogs.table.wording import table_option_words
from engines.kit.options import Option, format_value, game_choices
from engines.store.table_options import TableOption, list_all_options, options_for

if TYPE_CHECKING:
    from cogs.screens.intro import Intro
    from cogs.table.actions.table_actions import TableActions
    from cogs.table.transport.interaction_response import InteractionReply
    from engines.kit.contract import AnyGame

MATCH_DESCRIPTION = "Which match, if you are in several"
MOVER = Access(Who.DUE, Phase.RUNNING)
Command = app_commands.Command[Any, ..., None]
Choices = list[app_commands.Choice[str]]


class MoveCog(Protocol):
    """What the built commands need from their cog."""

    actions: TableActions

    async def make_move(self, reply: InteractionReply, match: str | None, notation: str) -> None:
        """Make a move for a command."""

    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """Return the choices for an option of a move command."""

    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """Return the user's live matches as choices."""


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

    async def run(cog: MoveCog, interaction: discord.Interaction, match: str | None = None, **given: Any) -> None:
        async with reply_boundary(interaction, cog.actions.studio, cog.actions.clock, cog.actions.shares) as reply:
            await cog.make_move(reply, match, " ".join((verb.name, *(str(given[name]) for name in verb.options))))

    run.__name__ = verb.name
    named = inspect.Parameter("match", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    own = [*(_move_parameter(name, option) for name, option in verb.options.items()), named]
    said = {name: option if isinstance(option, str) else option.description for name, option in verb.options.items()}
    command = _build_command(run, own, verb.description, {**said, "match": MATCH_DESCRIPTION})
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

    async def new(cog: MoveCog, interaction: discord.Interaction, **given: Any) -> None:
        actions = cog.actions
        async with reply_boundary(interaction, actions.studio, actions.clock, actions.shares, public=True) as reply:
            await actions.open_lobby(
                reply, game, _given_options(game_choices(game), given), _given_options(shared, given)
            )

    every = list_all_options(game, known)
    words = {o.name: [_choice(value) for value in o.values] for o in game_choices(game) if o.low is None}
    words |= {
        o.name: [_choice(value, table_option_words.option_value_text(value)) for value in o.values] for o in shared
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
    """Return the parameter for an option of a move command."""
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
    """Return the values of the options that were given, by name."""
    return {
        option.name: _option_value(option, given[option.name]) for option in options if given[option.name] is not None
    }


def _option_value(option: Option, given: Any) -> Any:
    """Return the option value whose text was given, or the input itself for the game to accept or refuse."""
    return next((value for value in option.values if format_value(value) == given), given)


def _complete_option(verb: str, option: str) -> Callable[[discord.Interaction, str], Any]:
    async def offers(interaction: discord.Interaction, current: str) -> Choices:
        return await _cog_of(interaction).move_choices(interaction, current, verb, option)

    return offers


async def _complete_match(interaction: discord.Interaction, current: str) -> Choices:
    return await _cog_of(interaction).match_choices(interaction, current)


def _cog_of(interaction: discord.Interaction) -> MoveCog:
    """Return the cog of the command that is being typed."""
    return cast("MoveCog", cast("Command", interaction.command).binding)
