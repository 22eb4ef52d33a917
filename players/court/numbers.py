"""The tuned weights: what makes a seat likely to win, in log-odds."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class Weights(BaseModel):
    """The weights for one number of seats. Lists are indexed by the banners a seat still needs, from 1, unless noted.

    `left`: needing this many banners. `health`: by health from 1; first without banners, then with some, then with all
    but one. `threat`: by the number of seats that move before it, from 0; the chance to cross a wanted edge in its next
    turn. `pace`: each turn it needs to cross one. `barred`: the share of these edges that Menhirs block. `in_hand`: a
    number card, a court card, an ace, a Menhir card in the seat's own hand.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: tuple[float, float, float, float]
    health: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    threat: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    pace: tuple[float, float, float, float]
    barred: tuple[float, float, float, float]
    in_hand: tuple[float, float, float, float]


@cache
def load_weights(seats: int) -> Weights:
    """Return the weights for this many seats."""
    tuned = tomllib.loads(Path(__file__).with_name("numbers.toml").read_text(encoding="utf-8"))
    return Weights.model_validate(tuned[str(seats)])
