"""The numbers that the players of Jest go by, from numbers.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

FROZEN_CONFIG = ConfigDict(frozen=True, extra="forbid")


class TakeWeights(BaseModel):
    """What counts when a card is taken; what each means is said in numbers.toml."""

    model_config = FROZEN_CONFIG

    hidden: float
    wish: float
    wish_hidden: float
    done: float
    next: float


class OfferWeights(BaseModel):
    """What counts when a card is shown."""

    model_config = FROZEN_CONFIG

    rank: float
    mean: float
    best: float
    own: float
    front: float


class StageWeights(BaseModel):
    """A part of a match."""

    model_config = FROZEN_CONFIG

    take: TakeWeights
    offer: OfferWeights


class MatchWeights(BaseModel):
    """A match of so many: all rounds but the last, and that."""

    model_config = FROZEN_CONFIG

    early: StageWeights
    late: StageWeights


class WorldWeights(BaseModel):
    """What counts when worlds are supposed in which others have offered what they have."""

    model_config = FROZEN_CONFIG

    sureness: float
    whim: float


class ForecastWeights(BaseModel):
    """What counts when a round is over."""

    model_config = FROZEN_CONFIG

    good: float
    bad: float
    trophy: float
    spread: tuple[float, float, float, float]
    win: float


class Weights(BaseModel):
    """All of them."""

    model_config = FROZEN_CONFIG

    good: float
    bad: float
    spread: float
    habit: float
    offers: WorldWeights
    forecast: ForecastWeights
    three: MatchWeights
    four: MatchWeights

    def stage_weights(self, seats: int, is_last_round: bool) -> StageWeights:
        """Those for a round."""
        match = self.three if seats == 3 else self.four
        return match.late if is_last_round else match.early


@cache
def load_weights() -> Weights:
    """Read once."""
    return Weights.model_validate(tomllib.loads(files(__package__).joinpath("numbers.toml").read_text("utf-8")))
