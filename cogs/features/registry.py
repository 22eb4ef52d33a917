"""The registry of features on Discord, the only list of them here; see also `engines/features`."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.breaks.feature_ui import BreaksUI
from cogs.features.clips.feature_ui import ClipsUI
from cogs.features.deals.feature_ui import DealsUI
from cogs.features.guesses.feature_ui import GuessesUI
from cogs.features.hints.feature_ui import HintsUI
from cogs.features.lessons.feature_ui import LessonsUI
from cogs.features.luck.feature_ui import LuckUI
from cogs.features.notes.feature_ui import NotesUI
from cogs.features.plans.feature_ui import PlansUI
from cogs.features.puzzles.feature_ui import PuzzlesUI
from cogs.features.replays.feature_ui import ReplaysUI
from cogs.features.reports.feature_ui import ReportsUI
from cogs.features.takebacks.feature_ui import TakeBacksUI
from cogs.table.commands.feature_ui import FeatureUI

FEATURE_UIS: Sequence[FeatureUI] = (
    BreaksUI(),
    PlansUI(),
    GuessesUI(),
    LessonsUI(),
    DealsUI(),
    LuckUI(),
    NotesUI(),
    HintsUI(),
    PuzzlesUI(),
    ReportsUI(),
    ReplaysUI(),
    ClipsUI(),
    TakeBacksUI(),
)
"""In the order in which they stand on pages."""
ACTION_TEXTS = {action: text for ui in FEATURE_UIS for action, text in ui.action_texts.items()}
"""How the history of a match tells the actions of features."""
FURTHER_HELP = " ".join(ui.help_text for ui in FEATURE_UIS if ui.help_text)
