"""What options may be: derived from the type that holds them, for whoever offers or reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from engines.kit.contract import AnyGame

MAX_LISTED_VALUES = 24  # values of which each is listed; of a wider range round ones are
NONE_TEXT = "none"


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `values` are worth offering, in order; `low` and `high` bound a number; `said`: what it is for."""

    name: str
    default: Any
    values: tuple[Any, ...]
    low: int | None = None
    high: int | None = None
    description: str = ""

    def accepts(self, value: Any) -> bool:
        """Whether it can be that."""
        if isinstance(value, int) and not isinstance(value, bool) and self.low is not None and self.high is not None:
            return self.low <= value <= self.high
        return any(value == each and type(value) is type(each) for each in self.values)

    def allowed_text(self) -> str:
        """What it can be, in words: `1 to 1000, or none`."""
        others = [format_value(value) for value in self.values if self.low is None or not _is_number(value)]
        numbers = [] if self.low is None else [f"{self.low} to {self.high}"]
        return ", or ".join([*numbers, *others])


@lru_cache(maxsize=64)  # games are few
def game_options(game: AnyGame) -> tuple[Option, ...]:
    """The options of a game, in the order of their type. Raises TypeError for a type that cannot be offered."""
    return list_options(game.options_adapter)


@lru_cache(maxsize=64)  # and so are types
def list_options(adapter: TypeAdapter[Any]) -> tuple[Option, ...]:
    """The options that a type has, by the adapter that reads it."""
    schema = adapter.json_schema()
    kinds = schema.get("$defs", {})
    return tuple(_option_from_schema(name, part, kinds) for name, part in schema.get("properties", {}).items())


def change_option(game: AnyGame, options: Any, name: str, new_text: str) -> Any:
    """The options with one of them as that text says. Raises ValueError, with a sentence."""
    known = {option.name: option for option in game_options(game)}
    if not known:
        raise ValueError(f"{game.title} has no options: it is always played as its rules say.")
    option = known.get(name.strip().lower())
    if option is None:
        raise ValueError(f"{game.title} has no such option. It has: {', '.join(known)}.")
    return game.validate_options(replace(options, **{option.name: parse_value(option, new_text)}))


def parse_value(option: Option, new_text: str) -> Any:
    """What an option becomes by that text. Raises ValueError, with a sentence."""
    found = _parse_literal(new_text)
    if not option.accepts(found):
        raise ValueError(f"{option.name.capitalize()} can be {option.allowed_text()}. Nothing has changed.")
    return found


def format_value(value: Any) -> str:
    """A value as it is written in controls and commands."""
    if value is None:
        return NONE_TEXT
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse_literal(literal: str) -> Any:
    word = literal.strip()
    if re.fullmatch(r"-?[0-9]{1,9}", word):
        return int(word)
    return {NONE_TEXT: None, "true": True, "false": False}.get(word.lower(), word)


def _option_from_schema(name: str, part: Mapping[str, Any], kinds: Mapping[str, Any]) -> Option:
    """An option from its part of the JSON schema."""
    values: list[Any] = []
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
                raise TypeError(f"The option {name} has no values that could be listed: {kind}")
    return Option(name, part.get("default"), tuple(values), low, high, part.get("description", ""))


def _listed_numbers(low: int, high: int, default: Any) -> list[int]:
    """All of them, or round ones where they are many."""
    if high - low < MAX_LISTED_VALUES:
        return [*range(low, high + 1)]
    digits = [step * 10**power for power in range(9) for step in (1, 2, 5)]
    found = {low, high, *(number for number in digits if low < number < high)}
    return sorted(found | ({default} if _is_number(default) else set()))[-MAX_LISTED_VALUES:]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
