"""Table options: choices that every lobby has, whatever the game. They are stored with the match and hidden from the
game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, itemgetter
from typing import Any, Generic, Literal, TypeVar, get_args

from engines.kit import options
from engines.kit.contract import AnyGame, Game
from engines.kit.options import Group, Option

V = TypeVar("V")
Clock = Literal[
    "30 seconds", "60 seconds", "2 minutes plus 15 seconds a move", "5 minutes", "1 hour", "24 hours", "3 days"
]
Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
"""The levels of computers. They are stored with seats, so levels may be added but never removed."""
CLOCK_SECONDS: Mapping[Clock, int] = {
    "30 seconds": 30,
    "60 seconds": 60,
    "2 minutes plus 15 seconds a move": 120,
    "5 minutes": 300,
    "1 hour": 3600,
    "24 hours": 86_400,
    "3 days": 259_200,
}
"""The time for one decision. If a clock has move seconds, it is the time in each seat's bank at the start."""
MOVE_SECONDS: Mapping[Clock, int] = {"2 minutes plus 15 seconds a move": 15}
"""The seconds that a seat's bank gets for every move."""
LIVE_SECONDS = 300
"""Clocks of fewer seconds are live: for people who play at the same time."""
SWITCH = (True, False)
PACE = "pace"
"""The name of the choice among the paces. No option may have it."""
PACES: Mapping[str, str] = {
    "over-days": "Move when you have time: one day per move.",
    "together": "Everybody is here: one minute per move.",
    "to-learn": "No clock. Ask for hints, and take moves back.",
}
"""What several table options are set to at once, each with a sentence for hosts: `TableOption.paces` has the values."""


def _every_game(game: AnyGame) -> bool:
    return True


def _has_effect(game: AnyGame, table_options: TableOptions) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOption(Option, Generic[V]):
    """A table option. Its name is also its word in lobbies and commands. The host chooses its value before the start.

    Options are shown by `rank`, the lowest first. A game to which an option does not apply offers none of its values.

    A table stores the values that differ from the default. So an older version, which does not know an option, goes on
    with the tables that do not use it, and a default never changes. Options that version 1.0.0 knows are
    `always_stored`, as it stored them.

    If an option limits how long a decision may rest while its player rests, `rest_limits` has the most seconds for each
    value. `phrases` name the values other than the default where a lobby says how it differs: `no hints`. `value_texts`
    word the values that do not speak for themselves in a list. `paces` are the values that it has by some of the PACES.
    `label` is its heading, if that is not its name. `no_effect` returns why the value changes nothing at such a table,
    as what follows “because”; empty if it does.
    """

    default: V
    values: tuple[V, ...]
    rank: int
    group: Group = "table"
    label: str = ""
    always_stored: bool = False
    paces: Mapping[str, V] = field(default_factory=dict, compare=False)
    applies_to: Callable[[AnyGame], bool] = _every_game
    rest_limits: Mapping[V, int] = field(default_factory=dict, compare=False)
    phrases: Mapping[V, str] = field(default_factory=dict, compare=False)
    value_texts: Mapping[V, str] = field(default_factory=dict, compare=False)
    no_effect: Callable[[AnyGame, TableOptions], str] = field(default=_has_effect, compare=False)

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.label or self.name.capitalize()


CLOCK: TableOption[Clock | None] = TableOption(
    name="clock",
    default="24 hours",
    values=(None, *get_args(Clock)),
    description="Time per move; then the computer moves",
    rank=10,
    group="length",
    paces={"over-days": "24 hours", "together": "60 seconds", "to-learn": None},
    always_stored=True,
    phrases={
        None: "no clock",
        **{clock: f"{clock.removesuffix(' a move')} a move" for clock in CLOCK_SECONDS},
    },
)
AUTOPLAY: TableOption[bool] = TableOption(
    name="autoplay",
    default=True,
    values=SWITCH,
    description="Forced moves are automatic",
    rank=40,
    always_stored=True,
    phrases={False: "no autoplay"},
    no_effect=lambda game, table_options: (
        "this game has no forced moves" if type(game).is_forced is Game.is_forced else ""
    ),
)
CORE_OPTIONS: tuple[TableOption[Any], ...] = (CLOCK, AUTOPLAY)
_CORE_NAMES = frozenset(option.name for option in CORE_OPTIONS)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The chosen values, by default the most popular ones.

    `values` are those of features' options that differ from their default, by name; `set_option` changes them. `known`
    are all options that the table has, in order. They are no part of its value, and worker processes do not get them.
    """

    clock: Clock | None = CLOCK.default
    autoplay: bool = AUTOPLAY.default
    values: tuple[tuple[str, Any], ...] = ()
    known: tuple[TableOption[Any], ...] = field(default=CORE_OPTIONS, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[TableOptions], tuple[Any, ...]]:
        return TableOptions, (self.clock, self.autoplay, self.values)

    def of(self, option: TableOption[V]) -> V:
        """Return the value of an option."""
        if option.name in _CORE_NAMES:
            found: V = getattr(self, option.name)
            return found
        return next((value for name, value in self.values if name == option.name), option.default)

    def set_option(self, option: TableOption[V], value: V) -> TableOptions:
        """Return the table options with one value changed. The value is not checked."""
        if option.name in _CORE_NAMES:
            changes: dict[str, Any] = {option.name: value}
            return replace(self, **changes)
        others = [each for each in self.values if each[0] != option.name]
        own = [] if value == option.default else [(option.name, value)]
        return replace(self, values=tuple(sorted((*others, *own), key=itemgetter(0))))

    def set_values(self, values: Mapping[str, Any]) -> TableOptions:
        """Return the table options with these values of known options, by name. They are not checked."""
        changed = self
        for option in self.known:
            if option.name in values:
                changed = changed.set_option(option, values[option.name])
        return changed

    @property
    def decision_seconds(self) -> int | None:
        """The time for one decision, or for a seat's bank at the start; None means no limit."""
        return None if self.clock is None else CLOCK_SECONDS[self.clock]

    @property
    def move_seconds(self) -> int:
        """The seconds that a seat's bank gets for every move; 0 if seats have no bank."""
        return 0 if self.clock is None else MOVE_SECONDS.get(self.clock, 0)

    @property
    def has_live_clock(self) -> bool:
        """Whether the clock is for people who play at the same time."""
        return self.decision_seconds is not None and self.decision_seconds < LIVE_SECONDS

    @property
    def has_short_clock(self) -> bool:
        """Whether the clock is too short to rest: a live one, or the shortest of the others."""
        return self.decision_seconds is not None and self.decision_seconds <= LIVE_SECONDS

    @property
    def rest_seconds(self) -> int | None:
        """How long a decision may rest while its player rests; None means as long as they do.

        Without a clock nobody loses a decision, so no limit matters.
        """
        if self.clock is None:
            return None
        limits = [each.rest_limits[self.of(each)] for each in self.known if each.rest_limits]
        return 0 if self.has_short_clock else min(limits, default=None)


DEFAULT_TABLE_OPTIONS = TableOptions()


def list_table_options(of_features: Iterable[TableOption[Any]]) -> tuple[TableOption[Any], ...]:
    """Return all table options in order. Raises ValueError if two have one name."""
    found = sorted((*CORE_OPTIONS, *of_features), key=attrgetter("rank"))
    names = [option.name for option in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"Two table options are called {', '.join(sorted(twice))}.")
    return tuple(found)


def differing_table_options(game: AnyGame, table_options: TableOptions) -> list[str]:
    """Return how a table differs from one with all defaults, in phrases. A value without an effect is no difference."""
    return [
        option.phrases[table_options.of(option)]
        for option in options_for(game, table_options.known)
        if table_options.of(option) != option.default and not option.no_effect(game, table_options)
    ]


def options_for(game: AnyGame, known: Sequence[TableOption[Any]]) -> tuple[TableOption[Any], ...]:
    """Return the table options that apply to a game."""
    return tuple(option for option in known if option.applies_to(game))


def find_pace(table_options: TableOptions) -> str | None:
    """Return the pace of a table; None if its options are a mixture."""
    return next((pace for pace in PACES if table_options == set_pace(table_options, pace)), None)


def set_pace(table_options: TableOptions, pace: str) -> TableOptions:
    """Return the table options with the values of a pace."""
    return table_options.set_values(
        {option.name: option.paces[pace] for option in table_options.known if pace in option.paces}
    )


def list_all_options(game: AnyGame, known: Sequence[TableOption[Any]]) -> tuple[Option, ...]:
    """Return all that a host can choose in a lobby: the game's presets and options, then the table options."""
    return (*options.game_choices(game), *options_for(game, known))


def validate_table_options(table_options: TableOptions) -> TableOptions:
    """Return the table options if their values are allowed. Raises ValueError with a sentence."""
    for option in table_options.known:
        if not option.accepts(table_options.of(option)):
            raise ValueError(f"{option.name.capitalize()} can be {option.allowed_text()}.")
    return table_options


def change_any_option(
    game: AnyGame, game_options: Any, table_options: TableOptions, name: str, text: str
) -> tuple[Any, TableOptions]:
    """Return the game's options and the table options with one of them set from a text.

    Instead of an option, a preset, a pace or a group of switches can be set. Raises ValueError with a sentence.
    """
    wanted = name.strip().lower()
    if wanted == PACE:
        chosen = options.parse_value(Option(PACE, "", tuple(PACES)), text)
        return game_options, set_pace(table_options, chosen)
    if wanted == options.START_FROM and game.presets:
        return options.start_from_preset(game, text), table_options
    if wanted in game.option_groups:
        return options.set_group(game, game_options, wanted, text), table_options
    if option := next((each for each in options_for(game, table_options.known) if each.name == wanted), None):
        return game_options, table_options.set_option(option, options.parse_value(option, text))
    if choice := next((each for each in options.game_choices(game) if each.name == wanted), None):
        return options.change_option(game, game_options, choice.name, text), table_options
    known = ", ".join(each.name for each in list_all_options(game, table_options.known))
    raise ValueError(f"{game.title} has no such option. Its options are: {known}.")


def format_table_options(table_options: TableOptions) -> str:
    """Return the table options as JSON."""
    known = [(option, table_options.of(option)) for option in table_options.known]
    stored = {option.name: value for option, value in known if option.always_stored or value != option.default}
    return json.dumps(stored | dict(table_options.values), separators=(",", ":"))


def parse_table_options(text: str, known: tuple[TableOption[Any], ...]) -> tuple[TableOptions | None, bool]:
    """Return the table options from JSON (None if invalid), and whether a newer version wrote them.

    An unknown option or choice means a newer version: writing them back would lose it.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None, False
    if not isinstance(found, dict):
        return None, False
    parsed = TableOptions(known=known).set_values(found)
    if not all(option.accepts(parsed.of(option)) for option in known):
        return None, True
    return parsed, not found.keys() <= {option.name for option in known}
