"""Clips of finished matches. Nothing of them is stored: everything is on Discord."""

from __future__ import annotations

from engines.hosting.feature import Feature


class ClipsFeature(Feature):
    """Clips have no rows, and no part in changes."""

    name = "clips"


CLIPS = ClipsFeature()
