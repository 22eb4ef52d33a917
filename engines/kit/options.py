"""The options of a game, derived from the type that holds them, for menus and commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from pydantic import TypeAdapter

from engines.kit.contract import AnyGame

MAX_LISTED_VALUES = 24  # list every value up to this many; list round values of wider ranges
NONE_TEXT = "none"
PRESET = "rules"
"""The name of the choice among the presets of a game, which leaves other options alone. No option may have it."""
START_FROM = "preset"
"""The name of the choice of a preset with all other options of the game at their defaults. No option may have it."""
Group = Literal["length", "rules", "table"]
"""What a host wants with an option: how long a match is, the rules of the game, or what is allowed around the table."""
LENGTH: dict[str, Any] = {"group": "length"}
"""`json_schema_extra` of an option that says how long a match is; other options of games are rules."""
PUBLISHED_VARIANT: dict[str, Any] = {"is_published": True}
"""`json_schema_extra` of an option that publishers or players of the game know; others are rules of our own."""
PAST_VALUES = "past_values"
"""The name in the JSON schema of an option for those of its values that are no longer offered."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `values` are suggestions in order; `low` and `high` bound a number; `description` says its effect.

    `past` are values that are no longer offered, but still accepted: older tables and messages may have them.
    """

    name: str
    default: Any
    values: tuple[Any, ...]
    low: int | None = None
    high: int | None = None
    description: str = ""
    past: tuple[Any, ...] = ()
    group: Group = "rules"
    is_published: bool = False

    @property
    def title(self) -> str:
        """The name as a heading: `Special cards`."""
        return self.name.replace("_", " ").capitalize()

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return {*self.values} == {True, False}

    def accepts(self, value: Any) -> bool:
        """Whether the option accepts this value."""
        if isinstance(value, int) and not isinstance(value, bool) and self.low is not None and self.high is not None:
            return self.low <= value <= self.high
        return any(value == each and type(value) is type(each) for each in (*self.values, *self.past))

    def allowed_text(self) -> str:
        """Describe the allowed values: `1 to 1000, or none`."""
        others = [format_value(value) for value in self.values if self.low is None or not _is_number(value)]
        numbers = [] if self.low is None else [f"{self.low} to {self.high}"]
        return ", or ".join([*numbers, *others])


@lru_cache(maxsize=64)  # there are few games
def game_options(game: AnyGame) -> tuple[Option, ...]:
    """Return the options of a game, in the order of their type. Raises TypeError if the type is unsuitable."""
    return list_options(game.options_adapter)


@lru_cache(maxsize=64)  # and few types
def list_options(adapter: TypeAdapter[Any]) -> tuple[Option, ...]:
    """Return the options of the type that this adapter reads."""
    schema = adapter.json_schema()
    kinds = schema.get("$defs", {})
    return tuple(_option_from_schema(name, part, kinds) for name, part in schema.get("properties", {}).items())


@lru_cache(maxsize=64)
def game_choices(game: AnyGame) -> tuple[Option, ...]:
    """Return what a host can choose in a game: one of its presets, if it has any, and each option."""
    if not game.presets:
        return game_options(game)
    names, past = tuple(game.presets), tuple(game.past_presets)
    presets = Option(PRESET, names[0], names, description="A set of options under one name", past=past)
    return (presets, *game_options(game))


def known_presets(game: AnyGame) -> Mapping[str, Mapping[str, object]]:
    """Return the presets of a game by name, with those that are no longer offered."""
    return {**game.presets, **game.past_presets}


def preset_option_names(game: AnyGame) -> tuple[str, ...]:
    """Return the names of the options that the presets of a game set, in order."""
    names = {name for values in game.presets.values() for name in values}
    return tuple(option.name for option in game_options(game) if option.name in names)


def no_effect_reason(game: AnyGame, options: Any, seats: int, name: str) -> str:
    """Return why the value of an option changes nothing with so many players: what follows “because”; empty if it does.

    The default value needs no reason.
    """
    found = game.no_effects.get(name)
    if found is None or getattr(options, name) == getattr(game.options(), name):
        return ""
    return found.why if found.when(options, seats) else ""


def differing_options(game: AnyGame, options: Any, seats: int, usual: Any = None) -> tuple[str, ...]:
    """Return the names of the options that make such a match differ from one with the `usual` options.

    These are the defaults unless others are given. A value without an effect makes no difference.
    """
    usual, found = game.options() if usual is None else usual, []
    for name in (option.name for option in game_options(game)):
        idle = [bool(no_effect_reason(game, each, seats, name)) for each in (options, usual)]
        values = [
            getattr(game.options() if is_idle else each, name)
            for each, is_idle in zip((options, usual), idle, strict=True)
        ]
        if values[0] != values[1]:
            found.append(name)
    return tuple(found)


def preset_options(game: AnyGame, preset: str) -> Any:
    """Return the options of a match that is played by a preset in everything."""
    return replace(game.options(), **known_presets(game)[preset])


def find_preset(game: AnyGame, options: Any, seats: int) -> str | None:
    """Return the preset by which such a match is played in everything; None if it is by none."""
    known = known_presets(game)
    return next(
        (name for name in known if not differing_options(game, options, seats, preset_options(game, name))), None
    )


def has_preset(game: AnyGame, options: Any, preset: str) -> bool:
    """Return whether these options have the values of a preset of the game."""
    return all(getattr(options, name) == value for name, value in known_presets(game)[preset].items())


def set_options(game: AnyGame, chosen: Mapping[str, Any], preset: str | None = None) -> Any:
    """Return the options of a new match. Chosen values count more than a chosen preset, and that more than `preset`.

    The values are not checked. Raises ValueError with a sentence if the chosen preset is unknown.
    """
    options = game.options() if preset is None else preset_options(game, preset)
    if PRESET in chosen:
        options = change_option(game, options, PRESET, str(chosen[PRESET]))
    return replace(options, **{name: value for name, value in chosen.items() if name != PRESET})


def change_option(game: AnyGame, options: Any, name: str, new_text: str) -> Any:
    """Return the options with one of them, or all of a preset, set from a text. Raises ValueError with a sentence."""
    known = {option.name: option for option in game_choices(game)}
    if not known:
        raise ValueError(f"{game.title} has no options.")
    option = known.get(name.strip().lower())
    if option is None:
        raise ValueError(f"{game.title} has no such option. Its options are: {', '.join(known)}.")
    value = parse_value(option, new_text)
    changes = known_presets(game)[value] if option.name == PRESET else {option.name: value}
    return game.validate_options(replace(options, **changes))


def start_from_preset(game: AnyGame, text: str) -> Any:
    """Return the options of a match by the preset with that name. Raises ValueError with a sentence."""
    choice = Option(START_FROM, "", tuple(game.presets), past=tuple(game.past_presets))
    return preset_options(game, str(parse_value(choice, text)))


def set_group(game: AnyGame, options: Any, group: str, text: str) -> Any:
    """Return the options with those switches of a group on that the text names, and its others off.

    Raises ValueError with a sentence.
    """
    names, wanted = game.option_groups[group], {*text.replace(NONE_TEXT, "").split()}
    if not wanted <= {*names}:
        raise ValueError(f"{group.replace('_', ' ').capitalize()} can be {', '.join(names)}, or none.")
    return game.validate_options(replace(options, **{name: name in wanted for name in names}))


def parse_value(option: Option, new_text: str) -> Any:
    """Return the value for a text. Raises ValueError with a sentence."""
    found = _parse_literal(new_text)
    if not option.accepts(found):
        raise ValueError(f"{option.name.capitalize()} can be {option.allowed_text()}. Nothing has changed.")
    return found


def format_value(value: Any) -> str:
    """Return a value as controls and commands write it."""
    if value is None:
        return NONE_TEXT
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse_literal(literal: str) -> Any:
    word = literal.strip()
    if re.fullmatch(r"-?[0-9]{1,9}", word):
        return int(word)
    return {NONE_TEXT: None, "true": True, "false": False}.get(word.lower(), word)


def _option_from_schema(name: str, part: Mapping[str, Any], kinds: Mapping[str, Any]) -> Option:
    """Return the option for its part of the JSON schema."""
    values: list[Any] = []
    past = tuple(part.get(PAST_VALUES, ()))
    low: int | None = None
    high: int | None = None
    for branch in part.get("anyOf", [part]):
        kind = kinds[branch["$ref"].rpartition("/")[2]] if "$ref" in branch else branch
        match kind:
            case {"const": value}:
                values.append(value)
            case {"enum": listed}:
                values += listed
            case {"type": "null"}:
                values.insert(0, None)
            case {"type": "boolean"}:
                values += [True, False]
            case {"type": "integer", "minimum": int(least), "maximum": int(greatest)}:
                low, high = least, greatest
                values += _listed_numbers(least, greatest, part.get("default"))
            case _:
                raise TypeError(f"The values of option {name} cannot be listed: {kind}")
    offered = tuple([value for value in values if value not in past])
    described = {key: part[key] for key in ("description", "group", "is_published") if key in part}
    return Option(name, part.get("default"), offered, low, high, past=past, **described)


def _listed_numbers(low: int, high: int, default: Any) -> list[int]:
    """Return all numbers of a range, or round ones if there are many."""
    if high - low < MAX_LISTED_VALUES:
        return [*range(low, high + 1)]
    digits = [step * 10**power for power in range(9) for step in (1, 2, 5)]
    found = {low, high, *(number for number in digits if low < number < high)}
    return sorted(found | ({default} if _is_number(default) else set()))[-MAX_LISTED_VALUES:]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
