"""The numbers that the players of Jest go by, from numbers.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

FROZEN = ConfigDict(frozen=True, extra="forbid")


class Taking(BaseModel):
    """What counts when a card is taken; what each means is said in numbers.toml."""

    model_config = FROZEN

    hidden: float
    wish: float
    wish_hidden: float
    done: float
    next: float


class Offering(BaseModel):
    """What counts when a card is shown."""

    model_config = FROZEN

    rank: float
    mean: float
    best: float
    own: float
    front: float


class Stage(BaseModel):
    """A part of a match."""

    model_config = FROZEN

    take: Taking
    offer: Offering


class Seats(BaseModel):
    """A match of so many: all rounds but the last, and that."""

    model_config = FROZEN

    early: Stage
    late: Stage


class Offers(BaseModel):
    """What counts when worlds are supposed in which others have offered what they have."""

    model_config = FROZEN

    sureness: float
    whim: float


class Forecast(BaseModel):
    """What counts when a round is over."""

    model_config = FROZEN

    good: float
    bad: float
    trophy: float
    spread: tuple[float, float, float, float]
    win: float


class Numbers(BaseModel):
    """All of them."""

    model_config = FROZEN

    good: float
    bad: float
    spread: float
    habit: float
    offers: Offers
    forecast: Forecast
    three: Seats
    four: Seats

    def stage(self, seats: int, last: bool) -> Stage:
        """Those for a round."""
        match = self.three if seats == 3 else self.four
        return match.late if last else match.early


@cache
def numbers() -> Numbers:
    """Read once."""
    return Numbers.model_validate(tomllib.loads(files(__package__).joinpath("numbers.toml").read_text("utf-8")))
