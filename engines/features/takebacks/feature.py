"""What the table's core calls of taking moves back."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engines.features.takebacks.rules import TAKEBACKS, TakeBackLimits
from engines.hosting.feature import Feature
from engines.store.owner_settings import OwnerSetting, OwnerSettings

_Times = Annotated[int, Field(ge=1, le=10_000)]
PER_DECISION: OwnerSetting[int] = OwnerSetting("take_backs_per_decision", _Times, 1)
PER_MATCH: OwnerSetting[int] = OwnerSetting("take_backs_per_match", _Times, 2)


class TakeBacksFeature(Feature):
    """The core stores the request with the match, because time rests while it is open."""

    name = "takebacks"
    table_options = (TAKEBACKS,)
    owner_settings = (PER_DECISION, PER_MATCH)


def limits_of(settings: OwnerSettings) -> TakeBackLimits:
    """Return how often a person may ask, as the owner has set it."""
    return TakeBackLimits(settings.of(PER_DECISION), settings.of(PER_MATCH))


TAKE_BACKS = TakeBacksFeature()
