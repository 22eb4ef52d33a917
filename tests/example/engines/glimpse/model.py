"""Glimpse's values: options, state, view, moves and events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.contract import Event, event

Phase = Literal["lay", "guess", "over"]


@dataclass(frozen=True, slots=True)
class Options:
    """`deals`: how many are played."""

    deals: Annotated[int, Field(ge=1, le=3)] = 1


class TurnedCard(NamedTuple):
    """A card that was turned up: who had laid it, and by seat whether a wizard was guessed (None: its own card)."""

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
    turn: int  # who lays a card, or has laid it
    hands: list[list[int]]
    rest: list[int]  # not dealt
    glimpses: list[int]  # G3: by seat, the card that it was shown of its left neighbour's
    laid: int | None  # face down
    guesses: list[bool | None]  # whether it is a wizard, by seat; None where nothing is guessed yet
    turned: list[TurnedCard]  # in this deal, in order
    scores: list[int]
    numbers: list[int]  # moves made, by seat


@dataclass(frozen=True, slots=True)
class Lay:
    """A seat lays a card face down (G4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A seat says what the card that lies face down is: a wizard or a fool (G5)."""

    wizard: bool


Move = Lay | Guess


@event
class DealBegun(Event):
    """The cards were dealt, and who begins was drawn or is next."""

    kind: Literal["deal"] = "deal"
    deal: int
    first: int


@event
class HandDealt(Event):
    """The cards that one seat, and it alone, was dealt."""

    kind: Literal["hand"] = "hand"
    seat: int
    cards: tuple[int, ...]


@event
class CardGlimpsed(Event):
    """The card of its left neighbour's that one seat, and it alone, was shown."""

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
    """A seat has guessed; what, is seen when the card is turned up."""

    kind: Literal["guessed"] = "guessed"
    seat: int


@event
class CardTurned(Event):
    """All have guessed: the card, the guesses as in Turned, and the points that everybody got for it."""

    kind: Literal["turned"] = "turned"
    seat: int
    card: int
    guesses: tuple[bool | None, ...]
    points: tuple[int, ...]


AnyEvent = Annotated[
    DealBegun | HandDealt | CardGlimpsed | CardLaid | GuessMade | CardTurned, Field(discriminator="kind")
]
