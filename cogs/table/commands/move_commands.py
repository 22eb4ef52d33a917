"""A game's own commands: `new`, derived from its options, and those verbs of its moves that people type."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, cast

import discord
from discord import app_commands

from cogs.table.transport.interaction_response import answering
from cogs.table.wording import table_option_words
from engines.kit.options import Option, options_of, text
from engines.store.table_options import every_option, house_options

if TYPE_CHECKING:
    from cogs.screens.intro import Intro
    from cogs.table.actions.table_actions import Desk
    from cogs.table.transport.interaction_response import Answer
    from engines.kit.contract import AnyGame

MATCH = "Which match, if you sit at several tables"
Command = app_commands.Command[Any, ..., None]
Choices = list[app_commands.Choice[str]]


class Playing(Protocol):
    """The cog that these commands are on."""

    desk: Desk

    async def make(self, answer: Answer, match: str | None, notation: str) -> None:
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
    said: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A move's command: called like the verb in the notation, which its options follow in their order."""

    name: str
    said: str
    options: Mapping[str, str | Number]


def verb(name: str, said: str, **options: str | Number) -> Verb:
    """A verb and what is said of it and of its options; a `_` ends the name of an option that Python wants for itself.

    An option is text that has to be given, unless it is a Number. What is offered while it is typed is for the game's
    screen to say; the option `match` comes by itself.
    """
    return Verb(name, said, options)


def playing(verb: Verb) -> Command:
    """The command that makes a move of that verb."""

    async def run(cog: Playing, interaction: discord.Interaction, match: str | None = None, **given: Any) -> None:
        async with answering(interaction, cog.desk.studio) as answer:
            await cog.make(answer, match, " ".join((verb.name, *(str(given[name]) for name in verb.options))))

    run.__name__ = verb.name
    named = inspect.Parameter("match", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    own = [*(_asked(name, option) for name, option in verb.options.items()), named]
    said = {name: option if isinstance(option, str) else option.said for name, option in verb.options.items()}
    command = _command(run, own, verb.said, {**said, "match": MATCH})
    for name in (parameter.name for parameter in own if parameter.annotation in (str, str | None)):
        command.autocomplete(name)(_matches if name == "match" else _offers(verb.name, name.rstrip("_")))
    return command


def opening(game: AnyGame, intro: Intro, said: Mapping[str, str]) -> Command:
    """`new`: a lobby in this channel, with the options of the game as they are `said` to be, and of the house."""

    async def new(cog: Playing, interaction: discord.Interaction, **given: Any) -> None:
        async with answering(interaction, cog.desk.studio, public=True) as answer:
            chosen = replace(game.options(), **_chosen(options_of(game), given))
            await cog.desk.open(answer, game, chosen, _chosen(house_options(), given))

    own = [_parameter(option) for option in every_option(game)]
    words = {o.name: [_choice(value) for value in o.values] for o in options_of(game) if o.low is None}
    words |= {o.name: [_choice(value, table_option_words.said(value)) for value in o.values] for o in house_options()}
    app_commands.choices(**words)(new)
    described = {**said, **{option.name: option.said for option in house_options()}}
    return _command(new, own, intro.description, described)


def _command(
    run: Callable[..., Awaitable[None]], own: list[inspect.Parameter], description: str, said: Mapping[str, str]
) -> Command:
    """A command with those options, as discord.py reads them from a callback."""
    leading = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
        for name in ("cog", "interaction")
    ]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what `inspect.signature` looks for first
        [*leading, *(parameter.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for parameter in own)]
    )
    run.__qualname__ = f"Playing.{run.__name__}"  # by which discord.py knows a method
    app_commands.describe(**said)(run)
    renamed = {parameter.name: parameter.name.rstrip("_") for parameter in own if parameter.name.endswith("_")}
    app_commands.rename(**renamed)(run)
    command: Command = app_commands.command(name=run.__name__.rstrip("_"), description=description)(cast("Any", run))
    return command


def _asked(name: str, option: str | Number) -> inspect.Parameter:
    """An option of a move's command, as a parameter."""
    kind: Any = app_commands.Range[int, option.low, option.high] if isinstance(option, Number) else str
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind)


def _parameter(option: Option) -> inspect.Parameter:
    """An option of a game as one of `new`: a number in its bounds, or one of its values in words."""
    bounded = option.low is not None and option.high is not None
    kind: Any = app_commands.Range[int, option.low, option.high] | None if bounded else str | None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)


def _choice(value: Any, said: str = "") -> app_commands.Choice[str]:
    return app_commands.Choice(name=said or text(value), value=text(value))


def _chosen(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that were given."""
    return {option.name: _value(option, given[option.name]) for option in options if given[option.name] is not None}


def _value(option: Option, given: Any) -> Any:
    """The value whose words were given for an option; anything else as it is, for the game to take or to refuse."""
    return next((value for value in option.values if text(value) == given), given)


def _offers(verb: str, option: str) -> Callable[[discord.Interaction, str], Any]:
    async def offers(interaction: discord.Interaction, current: str) -> Choices:
        return await _cog(interaction).move_choices(interaction, current, verb, option)

    return offers


async def _matches(interaction: discord.Interaction, current: str) -> Choices:
    return await _cog(interaction).match_choices(interaction, current)


def _cog(interaction: discord.Interaction) -> Playing:
    """The cog whose command is being typed."""
    return cast("Playing", cast("Command", interaction.command).binding)
