"""Finished matches that are watched again. Nothing of that is stored.

`practice` starts matches from a moment of another one; everything else is on Discord.
"""

from __future__ import annotations

from engines.hosting.feature import Feature


class ReplaysFeature(Feature):
    """Replays have no rows, and no part in changes."""

    name = "replays"


REPLAYS = ReplaysFeature()
