"""Parses custom ids as the router does, also those of older versions that features answer."""

from __future__ import annotations

from unittest.mock import MagicMock

from cogs.features.registry import FEATURE_UIS
from cogs.table.commands.component_router import ComponentRouter
from cogs.table.commands.core_controls import core_controls
from cogs.table.commands.feature_ui import FeatureControls
from cogs.table.pages.custom_ids import MAX_ID_LENGTH, Control, parse_control

ROUTER = ComponentRouter.__new__(ComponentRouter)
ROUTER._features = FeatureControls(FEATURE_UIS, MagicMock())


def parse(custom_id: str) -> Control | None:
    """Parse a custom id; None if it is none."""
    return ROUTER.parse(custom_id)


def is_answered(controls: FeatureControls, custom_id: str) -> bool:
    """Whether a control of a feature answers this custom id, and Discord accepts its length."""
    control = parse_control(custom_id)
    return control is not None and controls.find(control) is not None and len(custom_id) <= MAX_ID_LENGTH


def is_about_finished(control: Control) -> bool:
    """Whether a control is about matches that are over, so that nobody is noted as active because of it."""
    found = ROUTER._features.find(control)
    return found is not None and found.about_finished


CORE = core_controls(MagicMock(), MagicMock())
CORE_KINDS = {name.partition(":")[0] for name in CORE} | {"a"}
"""The kinds of the core's controls; the router adds an admin's confirmation."""
