"""The registry of features, the only list of them in this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.features.breaks import BREAKS
from engines.features.clips import CLIPS
from engines.features.deals import DEALS
from engines.features.guesses.feature import GUESSES
from engines.features.hints import HINTS
from engines.features.lessons import LESSONS
from engines.features.luck import LUCK
from engines.features.notes import NOTES
from engines.features.plans.feature import PLANS
from engines.features.puzzles import PUZZLES
from engines.features.replays import REPLAYS
from engines.features.reports.feature import REPORTS_FEATURE
from engines.features.takebacks.feature import TAKE_BACKS
from engines.hosting.feature import Feature, table_options_of
from engines.hosting.reactions import LATE_REACTIONS
from engines.store.rows import RowTable
from engines.store.table_options import TableOptions

FEATURES: Sequence[Feature] = (
    BREAKS,
    PLANS,
    GUESSES,
    LESSONS,
    DEALS,
    LUCK,
    NOTES,
    HINTS,
    PUZZLES,
    REPORTS_FEATURE,
    REPLAYS,
    CLIPS,
    TAKE_BACKS,
)
COMMAND_NAMES = tuple(name for feature in FEATURES for name in feature.command_names)
TABLES: Sequence[RowTable[Any]] = (LATE_REACTIONS, *(table for feature in FEATURES for table in feature.tables))
"""The tables that are declared by their rows. Each refers only to matches."""
OWNER_SETTINGS = tuple(setting for feature in FEATURES for setting in feature.owner_settings)
TABLE_OPTIONS = table_options_of(FEATURES)
"""All table options, in order."""
UNKNOWN_OPTIONS = TableOptions(known=TABLE_OPTIONS)
"""What counts if stored options cannot be read: the default of each."""
