"""Glimpse's values: options, state, moves and events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.contract import Event, event
from engines.kit.options import LENGTH

Phase = Literal["lay", "guess", "over"]


@dataclass(frozen=True, slots=True)
class Options:
    """`deals`: the number of deals in a match."""

    deals: Annotated[int, Field(ge=1, le=3, description="How many deals you play", json_schema_extra=LENGTH)] = 1


class TurnedCard(NamedTuple):
    """A card turned up: its owner, and by seat whether the guess was a wizard (None for the owner)."""

    seat: int
    card: int
    guesses: tuple[bool | None, ...]


@dataclass(slots=True)
class State:
    """A whole match of Glimpse. Hands are sorted."""

    chance: Chance
    deals: int
    deal: int  # from 1
    phase: Phase
    turn: int  # the seat that lays a card, or has laid it
    hands: list[list[int]]
    rest: list[int]  # not dealt
    glimpses: list[int]  # G3: by seat, the card that it saw of its left neighbour
    laid: int | None  # face down
    guesses: list[bool | None]  # by seat, whether the guess is a wizard; None before the guess
    turned: list[TurnedCard]  # in this deal, in order
    scores: list[int]
    numbers: list[int]  # moves made, by seat


@dataclass(frozen=True, slots=True)
class Lay:
    """A seat lays a card face down (G4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A seat guesses whether the card face down is a wizard or a fool (G5)."""

    wizard: bool


Move = Lay | Guess


@event
class DealBegun(Event):
    """A deal began, with the seat that begins."""

    kind: Literal["deal"] = "deal"
    deal: int
    first: int


@event
class HandDealt(Event):
    """The cards that a seat was dealt. Only this seat sees the event."""

    kind: Literal["hand"] = "hand"
    seat: int
    cards: tuple[int, ...]


@event
class CardGlimpsed(Event):
    """The card of the left neighbour that a seat glimpsed. Only this seat sees the event."""

    kind: Literal["glimpsed"] = "glimpsed"
    seat: int
    card: int


@event
class CardLaid(Event):
    """A card was laid face down."""

    kind: Literal["laid"] = "laid"
    seat: int


@event
class GuessMade(Event):
    """A seat has guessed. The guess is public when the card is turned up."""

    kind: Literal["guessed"] = "guessed"
    seat: int


@event
class CardTurned(Event):
    """All have guessed: the card, the guesses as in TurnedCard, and the points by seat."""

    kind: Literal["turned"] = "turned"
    seat: int
    card: int
    guesses: tuple[bool | None, ...]
    points: tuple[int, ...]


AnyEvent = Annotated[
    DealBegun | HandDealt | CardGlimpsed | CardLaid | GuessMade | CardTurned, Field(discriminator="kind")
]
