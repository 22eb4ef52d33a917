"""Registers the sketches. `pytest -p tests.features.register_sketches` does so before anything reads the registry."""

from __future__ import annotations

from engines.features import registry
from tests.features.sketches import SKETCHES

registry.FEATURES = (*registry.FEATURES, *SKETCHES)
registry.TABLES = (*registry.TABLES, *(table for sketch in SKETCHES for table in sketch.tables))
