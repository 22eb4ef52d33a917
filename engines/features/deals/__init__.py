"""What players ask about a sealed deal. The seal, the cuts and the drawing of the deal are parts of the core."""

from __future__ import annotations

from engines.hosting.feature import Feature


class DealsFeature(Feature):
    """It stores nothing of its own: cuts stand on the seats of a match."""

    name = "deals"


DEALS = DealsFeature()
