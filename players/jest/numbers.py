"""The weights of Jest's computer players, from numbers.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

FROZEN_CONFIG = ConfigDict(frozen=True, extra="forbid")


class TakeWeights(BaseModel):
    """The weights for taking a card; numbers.toml explains each."""

    model_config = FROZEN_CONFIG

    hidden: float
    wish: float
    wish_hidden: float
    done: float
    next: float


class OfferWeights(BaseModel):
    """The weights for choosing the card to show before the last round."""

    model_config = FROZEN_CONFIG

    rank: float
    mean: float
    best: float
    own: float


class LastOfferWeights(BaseModel):
    """The weights for choosing the card to show in the last round."""

    model_config = FROZEN_CONFIG

    even: float
    spread: float
    taken: float


class EarlyWeights(BaseModel):
    """The weights for all rounds but the last."""

    model_config = FROZEN_CONFIG

    take: TakeWeights
    offer: OfferWeights


class MatchWeights(BaseModel):
    """The weights for one number of players: all rounds but the last, and takes in the last."""

    model_config = FROZEN_CONFIG

    early: EarlyWeights
    late: TakeWeights


class WorldWeights(BaseModel):
    """The weights for sampling worlds that explain what the others offered or took."""

    model_config = FROZEN_CONFIG

    sureness: float
    whim: float


class ForecastWeights(BaseModel):
    """The weights for the end of a round."""

    model_config = FROZEN_CONFIG

    good: float
    bad: float
    trophy: float
    spread: tuple[float, float, float, float]
    win: float


class Weights(BaseModel):
    """All weights."""

    model_config = FROZEN_CONFIG

    good: float
    bad: float
    spread: float
    habit: float
    offers: WorldWeights
    takes: WorldWeights
    forecast: ForecastWeights
    last_offer: LastOfferWeights
    three: MatchWeights
    four: MatchWeights

    def take_weights(self, seats: int, is_last_round: bool) -> TakeWeights:
        """Return the weights for a take."""
        match = self.three if seats == 3 else self.four
        return match.late if is_last_round else match.early.take

    def offer_weights(self, seats: int) -> OfferWeights:
        """Return the weights for an offer before the last round."""
        return (self.three if seats == 3 else self.four).early.offer


@cache
def load_weights() -> Weights:
    """Load the weights once."""
    return Weights.model_validate(tomllib.loads(files(__package__).joinpath("numbers.toml").read_text("utf-8")))
