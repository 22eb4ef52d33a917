"""The tuned numbers: what makes a seat likely to win, in units of log-odds."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class Weights(BaseModel):
    """For one number of seats. Lists go by how many banners a seat still needs, from 1, where nothing else is said.

    `left`: that it needs so many. `health`: by health from 1, first without banners, then with some, then with all
    but one. `threat`: by the
    seats that move before it, from 0; the chance that it crosses an edge it wants in its next turn. `pace`: a turn that
    it needs to cross one. `barred`: the share of these edges that Menhirs keep it from. `held`: a number card, a court
    card, an ace, a Menhir card in the seat's own hand.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: tuple[float, float, float, float]
    health: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    threat: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    pace: tuple[float, float, float, float]
    barred: tuple[float, float, float, float]
    held: tuple[float, float, float, float]


@cache
def load_weights(seats: int) -> Weights:
    """The numbers for so many seats."""
    tuned = tomllib.loads(Path(__file__).with_name("numbers.toml").read_text(encoding="utf-8"))
    return Weights.model_validate(tuned[str(seats)])
