"""The contract of a feature of the table, as far as it does not concern Discord: its rows, and its part in commits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.store.match_store import Change
from engines.store.owner_settings import OwnerSetting
from engines.store.rows import Rows, RowTable, RowWrite
from engines.store.table_options import TableOption, list_table_options

OVER = "over"
"""A match was played to its end."""


@dataclass(frozen=True, slots=True)
class DueMoves:
    """Moves that a feature makes for people now: notations by seat. `writes` change rows that hands show."""

    moves: Mapping[int, str]
    writes: Sequence[RowWrite] = ()


class Feature:
    """A feature of the table. It overrides what it needs. `cogs.table.commands.feature_ui` has its part on Discord."""

    name: ClassVar[str]
    """The first word of its custom ids: 2 to 20 lower-case letters."""
    tables: ClassVar[tuple[RowTable[Any], ...]] = ()
    command_names: ClassVar[tuple[str, ...]] = ()
    """Names of its own commands beside those of `/motley`. The owner may rename them like those of games."""
    table_options: ClassVar[tuple[TableOption[Any], ...]] = ()
    """What the host of a lobby can choose. `MatchInfo.table_options.of(option)` is the choice."""
    owner_settings: ClassVar[tuple[OwnerSetting[Any], ...]] = ()
    """What the owner can set for it, with a paragraph in `.env.example`."""
    guards: ClassVar[frozenset[str]] = frozenset()
    """Actions (see `ActionKind`) that `guard` may refuse."""
    reacts_to: ClassVar[frozenset[str]] = frozenset()
    """Actions, or OVER, at which `react` writes rows."""

    def guard(self, before: MatchSnapshot, change: Change, rows: Rows) -> str:
        """Return why a change is refused, in a sentence; empty if it is not.

        It is asked under the lock of the match, before the commit. `rows` are the feature's own about the people who
        have a seat before or after the change, or who asked for it.
        """
        return ""

    def react(self, before: MatchSnapshot, change: Change, state: Any) -> Iterable[RowWrite]:
        """Return what is written in the transaction of a change that is one of `reacts_to` and leads to this state.

        If it raises, the change is committed without it, and `react` is tried again later: see `reactions`. `before` is
        then rebuilt, with the seats as they are by that time.
        """
        return ()

    def can_move(self, game: AnyGame) -> bool:
        """Whether its rows can make moves for people in matches of this game. `due_moves` returns them."""
        return False

    def due_moves(self, snapshot: MatchSnapshot, rows: Rows) -> DueMoves:
        """Return the moves that are to be made for people without a click, from all rows of a match that hands show.

        Their seats are due. It is asked after every change of the match or of these rows, and again after the pause
        before the moves. They are made like clicks, but not while time rests.
        """
        return DueMoves({})

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        """Return a person's rows as readable JSON, for the file of their data. It must tell every row.

        `rows` are those about one match, or those about none, of the tables with a field `user`.
        """
        by_table = {}
        for table, found in rows:
            hidden = {"match", "user"}
            listed = [{key: value for key, value in asdict(row).items() if key not in hidden} for row in found]
            by_table[table.name.replace("_", " ")] = listed
        return {title: listed for title, listed in by_table.items() if listed}


def check_features(features: Sequence[Feature]) -> None:
    """Raise ValueError if two features have one name, or if two tables or two settings of the owner have."""
    names = [feature.name for feature in features]
    tables = [table.name for feature in features for table in feature.tables]
    for name in names:
        if not re.fullmatch(r"[a-z]{2,20}", name):
            raise ValueError(f"{name!r} is no name of a feature.")
    settings = [setting.name for feature in features for setting in feature.owner_settings]
    for listed in (names, tables, settings):
        if twice := {name for name in listed if listed.count(name) > 1}:
            raise ValueError(f"Two features have {', '.join(sorted(twice))}.")


def table_options_of(features: Sequence[Feature]) -> tuple[TableOption[Any], ...]:
    """Return all table options in order. Raises ValueError if two have one name."""
    return list_table_options(option for feature in features for option in feature.table_options)
