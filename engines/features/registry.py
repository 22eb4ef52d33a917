"""The registry of features, the only list of them in this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.features.breaks import BreaksFeature
from engines.features.guesses.guessing import GuessesFeature
from engines.features.hints import HintsFeature
from engines.features.lessons import LessonsFeature
from engines.features.notes import NotesFeature
from engines.features.plans.planned_moves import PlansFeature
from engines.features.reports import ReportsFeature
from engines.features.takebacks.rules import TakeBacksFeature
from engines.hosting.feature import Feature, table_options_of
from engines.hosting.reactions import LATE_REACTIONS
from engines.store.rows import RowTable
from engines.store.table_options import TableOptions

FEATURES: Sequence[Feature] = (
    BreaksFeature(),
    PlansFeature(),
    GuessesFeature(),
    LessonsFeature(),
    NotesFeature(),
    HintsFeature(),
    ReportsFeature(),
    TakeBacksFeature(),
)
COMMAND_NAMES = tuple(name for feature in FEATURES for name in feature.command_names)
TABLES: Sequence[RowTable[Any]] = (LATE_REACTIONS, *(table for feature in FEATURES for table in feature.tables))
"""The tables that are declared by their rows. Each refers only to matches."""
OWNER_SETTINGS = tuple(setting for feature in FEATURES for setting in feature.owner_settings)
TABLE_OPTIONS = table_options_of(FEATURES)
"""All table options, in order."""
UNKNOWN_OPTIONS = TableOptions(known=TABLE_OPTIONS)
"""What counts if stored options cannot be read: the default of each."""
