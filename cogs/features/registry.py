"""The registry of features on Discord, the only list of them here; see also `engines/features`."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.breaks.feature_ui import BREAKS_UI
from cogs.features.clips.feature_ui import CLIPS_UI
from cogs.features.deals.feature_ui import DEALS_UI
from cogs.features.guesses.feature_ui import GUESSES_UI
from cogs.features.hints.feature_ui import HINTS_UI
from cogs.features.lessons.feature_ui import LESSONS_UI
from cogs.features.luck.feature_ui import LUCK_UI
from cogs.features.notes.feature_ui import NOTES_UI
from cogs.features.plans.feature_ui import PLANS_UI
from cogs.features.puzzles.feature_ui import PUZZLES_UI
from cogs.features.replays.feature_ui import REPLAYS_UI
from cogs.features.reports.feature_ui import REPORTS_UI
from cogs.features.takebacks.feature_ui import TAKE_BACKS_UI
from cogs.table.commands.feature_ui import FeatureUI

FEATURE_UIS: Sequence[FeatureUI] = (
    BREAKS_UI,
    PLANS_UI,
    GUESSES_UI,
    LESSONS_UI,
    DEALS_UI,
    LUCK_UI,
    NOTES_UI,
    HINTS_UI,
    PUZZLES_UI,
    REPORTS_UI,
    REPLAYS_UI,
    CLIPS_UI,
    TAKE_BACKS_UI,
)
"""In the order in which they stand on pages."""
ACTION_TEXTS = {action: text for ui in FEATURE_UIS for action, text in ui.action_texts.items()}
"""How the history of a match tells the actions of features."""
FURTHER_HELP = " ".join(ui.help_text for ui in FEATURE_UIS if ui.help_text)
