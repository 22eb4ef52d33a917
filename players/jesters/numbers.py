"""The weights of Jesters' computer players, from numbers.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

ByRound = tuple[float, float, float]


class Weights(BaseModel):
    """The weights; numbers.toml explains each."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: ByRound
    learner: tuple[float, float]
    keeping: tuple[float, float, float]
    last_cards: int
    technique: float
    technique_alone: float
    gift: ByRound
    luck: float
    tool: float
    begun: float
    out: float
    caution: float
    consolation: float
    turn: float
    first: float
    stay: float
    spread: ByRound
    hasty: float
    hopeless: float
    forgetful: float
    careless: float
    equal: float


@cache
def load_weights() -> Weights:
    """Load the weights once."""
    text = files("players.jesters").joinpath("numbers.toml").read_text(encoding="utf-8")
    return Weights.model_validate(tomllib.loads(text))
