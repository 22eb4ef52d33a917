"""The numbers that the policy was tuned to, from `numbers.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from tomllib import loads
from typing import Any


@dataclass(frozen=True, slots=True)
class SuitWeights:
    """What the logarithm of the odds that a card of a suit takes a trick is made of."""

    base: float
    higher: float  # for each higher card of the suit that the others are likely to hold
    wizards: float  # for each Wizard that the others are likely to hold
    demand: float  # for the tricks that the others still want, in parts of those to come
    need: float  # and for those that the card's owner wants
    tricks: float  # for the logarithm of the tricks to come
    suit: float = 0.0  # for each card of the suit that the others are likely to hold
    own: float = 0.0  # for each further card of the suit in the hand


@dataclass(frozen=True, slots=True)
class SpreadWeights:
    """How far the tricks of a hand are from what is likely: logarithms."""

    sure: float  # of the variance that there is anyway
    doubt: float  # and of that for each trick of variance among the cards


@dataclass(frozen=True, slots=True)
class Weights:
    """What the rules of thumb weigh. Chances are logarithms of odds, so that any numbers make sense."""

    wizard: float  # the chance that a Wizard takes a trick
    jester: float
    trump: SuitWeights
    plain: SuitWeights  # the other suits
    plain_trumps: float  # for each trump that the others are likely to hold
    bare: SuitWeights  # any suit, where there is no trump
    keen: float  # how surely somebody who wants tricks takes one that they can take
    shy: float  # and somebody who wants none
    play: SpreadWeights
    miss: float  # the logarithm of how much of the variance tells by how many tricks a bid is missed
    bid: SpreadWeights
    bid_base: float
    bid_hand: float  # for each trick that the hand is likely to take
    bid_tricks: float  # for the logarithm of the tricks
    bid_lead: float  # for who bids first and leads
    bid_others: float  # for each trick that others have bid above their part


def load_weights() -> Weights:
    """As they stand in the file."""
    return parse_weights(loads(files(__package__).joinpath("numbers.toml").read_text(encoding="utf-8")))


def parse_weights(table: Mapping[str, Any]) -> Weights:
    """Numbers from a table as in the file."""
    kinds = {
        "trump": SuitWeights,
        "plain": SuitWeights,
        "bare": SuitWeights,
        "play": SpreadWeights,
        "bid": SpreadWeights,
    }
    return Weights(**{name: kinds[name](**value) if name in kinds else value for name, value in table.items()})
