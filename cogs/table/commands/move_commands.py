"""A game's own commands: `new`, derived from its options, and those verbs of its moves that people type."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, cast

import discord
from discord import app_commands

from cogs.table.transport.interaction_response import reply_boundary
from cogs.table.wording import table_option_words
from engines.kit.options import Option, format_value, game_options
from engines.store.table_options import list_all_options, list_table_options

if TYPE_CHECKING:
    from cogs.screens.intro import Intro
    from cogs.table.actions.table_actions import TableActions
    from cogs.table.transport.interaction_response import InteractionReply
    from engines.kit.contract import AnyGame

MATCH_DESCRIPTION = "Which match, if you sit at several tables"
Command = app_commands.Command[Any, ..., None]
Choices = list[app_commands.Choice[str]]


class MoveCog(Protocol):
    """The cog that these commands are on."""

    actions: TableActions

    async def make_move(self, reply: InteractionReply, match: str | None, notation: str) -> None:
        """Make a move by command."""

    async def move_choices(self, interaction: discord.Interaction, current: str, verb: str, option: str) -> Choices:
        """What may stand in an option of a move's command."""

    async def match_choices(self, interaction: discord.Interaction, current: str) -> Choices:
        """The matches at which the asker sits."""


@dataclass(frozen=True, slots=True)
class Number:
    """An option of a move's command that is a number."""

    low: int
    high: int
    description: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A move's command: called like the verb in the notation, which its options follow in their order."""

    name: str
    description: str
    options: Mapping[str, str | Number]


def verb(name: str, description: str, **options: str | Number) -> Verb:
    """A verb and what is said of it and of its options; a `_` ends the name of an option that Python wants for itself.

    An option is text that has to be given, unless it is a Number. What is offered while it is typed is for the game's
    screen to say; the option `match` comes by itself.
    """
    return Verb(name, description, options)


def move_command(verb: Verb) -> Command:
    """The command that makes a move of that verb."""

    async def run(cog: MoveCog, interaction: discord.Interaction, match: str | None = None, **given: Any) -> None:
        async with reply_boundary(interaction, cog.actions.studio) as reply:
            await cog.make_move(reply, match, " ".join((verb.name, *(str(given[name]) for name in verb.options))))

    run.__name__ = verb.name
    named = inspect.Parameter("match", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    own = [*(_move_parameter(name, option) for name, option in verb.options.items()), named]
    said = {name: option if isinstance(option, str) else option.description for name, option in verb.options.items()}
    command = _build_command(run, own, verb.description, {**said, "match": MATCH_DESCRIPTION})
    for name in (parameter.name for parameter in own if parameter.annotation in (str, str | None)):
        command.autocomplete(name)(
            _complete_match if name == "match" else _complete_option(verb.name, name.rstrip("_"))
        )
    return command


def new_command(game: AnyGame, intro: Intro, descriptions: Mapping[str, str]) -> Command:
    """`new`: a lobby in this channel, with the options of the game as they are `said` to be, and of the house."""

    async def new(cog: MoveCog, interaction: discord.Interaction, **given: Any) -> None:
        async with reply_boundary(interaction, cog.actions.studio, public=True) as reply:
            chosen = replace(game.options(), **_given_options(game_options(game), given))
            await cog.actions.open_lobby(reply, game, chosen, _given_options(list_table_options(), given))

    own = [_option_parameter(option) for option in list_all_options(game)]
    words = {o.name: [_choice(value) for value in o.values] for o in game_options(game) if o.low is None}
    words |= {
        o.name: [_choice(value, table_option_words.option_value_text(value)) for value in o.values]
        for o in list_table_options()
    }
    app_commands.choices(**words)(new)
    described = {**descriptions, **{option.name: option.description for option in list_table_options()}}
    return _build_command(new, own, intro.description, described)


def _build_command(
    run: Callable[..., Awaitable[None]],
    parameters: list[inspect.Parameter],
    description: str,
    descriptions: Mapping[str, str],
) -> Command:
    """A command with those options, as discord.py reads them from a callback."""
    leading = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
        for name in ("cog", "interaction")
    ]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what `inspect.signature` looks for first
        [*leading, *(parameter.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters)]
    )
    run.__qualname__ = f"Playing.{run.__name__}"  # by which discord.py knows a method
    app_commands.describe(**descriptions)(run)
    renamed = {parameter.name: parameter.name.rstrip("_") for parameter in parameters if parameter.name.endswith("_")}
    app_commands.rename(**renamed)(run)
    command: Command = app_commands.command(name=run.__name__.rstrip("_"), description=description)(cast("Any", run))
    return command


def _move_parameter(name: str, option: str | Number) -> inspect.Parameter:
    """An option of a move's command, as a parameter."""
    kind: Any = app_commands.Range[int, option.low, option.high] if isinstance(option, Number) else str
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind)


def _option_parameter(option: Option) -> inspect.Parameter:
    """An option of a game as one of `new`: a number in its bounds, or one of its values in words."""
    bounded = option.low is not None and option.high is not None
    kind: Any = app_commands.Range[int, option.low, option.high] | None if bounded else str | None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def _choice(value: Any, label: str = "") -> app_commands.Choice[str]:
    return app_commands.Choice(name=label or format_value(value), value=format_value(value))


def _given_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that were given."""
    return {
        option.name: _option_value(option, given[option.name]) for option in options if given[option.name] is not None
    }


def _option_value(option: Option, given: Any) -> Any:
    """The value whose words were given for an option; anything else as it is, for the game to take or to refuse."""
    return next((value for value in option.values if format_value(value) == given), given)


def _complete_option(verb: str, option: str) -> Callable[[discord.Interaction, str], Any]:
    async def offers(interaction: discord.Interaction, current: str) -> Choices:
        return await _cog_of(interaction).move_choices(interaction, current, verb, option)

    return offers


async def _complete_match(interaction: discord.Interaction, current: str) -> Choices:
    return await _cog_of(interaction).match_choices(interaction, current)


def _cog_of(interaction: discord.Interaction) -> MoveCog:
    """The cog whose command is being typed."""
    return cast("MoveCog", cast("Command", interaction.command).binding)
