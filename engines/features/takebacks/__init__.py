"""Players take their newest move back, at once or with the consent of the others."""

from __future__ import annotations

from engines.hosting.feature import Feature


class TakeBacksFeature(Feature):
    """The core undoes moves, and stores the request for it with the match."""

    name = "takebacks"


TAKE_BACKS = TakeBacksFeature()
