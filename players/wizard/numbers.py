"""The tuned weights of the policy, from `numbers.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from tomllib import loads
from typing import Any


@dataclass(frozen=True, slots=True)
class SuitWeights:
    """The terms of the log-odds that a card of a suit takes a trick."""

    base: float
    higher: float  # per higher card of the suit that the others are likely to have
    wizards: float  # per Wizard that the others are likely to have
    demand: float  # for the tricks that the others still want, as a fraction of those to come
    need: float  # and for those that the card's owner wants
    tricks: float  # for the logarithm of the tricks to come
    suit: float = 0.0  # per card of the suit that the others are likely to have
    own: float = 0.0  # per further card of the suit in the hand


@dataclass(frozen=True, slots=True)
class SpreadWeights:
    """How far a hand's tricks deviate from the estimate, as logarithms."""

    sure: float  # of the basic variance
    doubt: float  # and of the additional variance per trick of variance among the cards


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the policy. Chances are log-odds, so that any numbers make sense."""

    wizard: float  # the chance that a Wizard takes a trick
    jester: float
    trump: SuitWeights
    plain: SuitWeights  # the other suits
    plain_trumps: float  # per trump that the others are likely to have
    bare: SuitWeights  # any suit, if there is no trump
    keen: float  # how certainly a player who wants tricks takes one that they can take
    shy: float  # and a player who wants none
    play: SpreadWeights
    miss: float  # the logarithm of the variance's effect on the points of a missed bid
    bid: SpreadWeights
    bid_base: float
    bid_hand: float  # per trick that the hand is likely to take
    bid_tricks: float  # for the logarithm of the tricks
    bid_lead: float  # for the player who bids first and leads
    bid_others: float  # per trick that others have bid above their share


def load_weights() -> Weights:
    """Return the weights of the file."""
    return parse_weights(loads(files(__package__).joinpath("numbers.toml").read_text(encoding="utf-8")))


def parse_weights(table: Mapping[str, Any]) -> Weights:
    """Parse weights from a table as in the file."""
    kinds = {
        "trump": SuitWeights,
        "plain": SuitWeights,
        "bare": SuitWeights,
        "play": SpreadWeights,
        "bid": SpreadWeights,
    }
    return Weights(**{name: kinds[name](**value) if name in kinds else value for name, value in table.items()})
