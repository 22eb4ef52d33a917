"""Jest's values: options, state, view, moves and events. Cards are ints (engines.jest.deck)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.jest.scoring import TrophyAward, ValueBreakdown
from engines.kit.chance import Chance
from engines.kit.contract import Event, event

Phase = Literal["offer", "take", "over"]


@dataclass(frozen=True, slots=True)
class Options:
    """There are none."""


class TakenCard(NamedTuple):
    """A card taken: who took it, from whose offer, and whether it was the face-up or the face-down one."""

    seat: int
    source: int
    up: bool


class Round(NamedTuple):
    """A round that is over: the offers, by seat, and what was taken, in order."""

    up: tuple[int, ...]
    down: tuple[int, ...]
    takes: tuple[TakenCard, ...]


class KnownRound(NamedTuple):
    """A round that is over, as a seat knows it: None where it does not know what lay face down."""

    up: tuple[int, ...]
    down: tuple[int | None, ...]
    takes: tuple[TakenCard, ...]


class FinalScoring(NamedTuple):
    """The end: the Jests by seat without trophies (J9), their values then, each trophy's fate (J11), and what every
    Jest is worth with its trophies (J13)."""

    jests: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    awards: tuple[TrophyAward, ...]
    worths: tuple[ValueBreakdown, ...]


@dataclass(slots=True)
class State:
    """A whole match of Jest. −1 stands for a card that is not there."""

    chance: Chance
    trophies: tuple[int, ...]
    deck: list[int]  # the next cards last
    round: int = 0  # from 1
    phase: Phase = "offer"
    dealt: list[tuple[int, int]] = field(default_factory=list)  # by seat, sorted
    # The offers, by seat, each from when it is chosen on (−1: not yet); secret until all are
    up: list[int] = field(default_factory=list)
    down: list[int] = field(default_factory=list)
    # Who is still to choose, or to take: the next one first, then from the highest face-up card to the lowest
    waiting: list[int] = field(default_factory=list)
    complete: list[int] = field(default_factory=list)  # whose offers still hold both cards
    takes: list[TakenCard] = field(default_factory=list)  # this round's
    past: list[Round] = field(default_factory=list)
    jests: list[int] = field(default_factory=list)  # as sets of bits, never with trophies
    numbers: list[int] = field(default_factory=list)  # moves made, by seat


@dataclass(frozen=True, slots=True)
class Offer:
    """A seat says which of its two cards lies face down in its offer (J4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Take:
    """A seat takes the face-up or the face-down card of a seat's offer (J6)."""

    source: int
    up: bool


Move = Offer | Take


@event
class RoundDealt(Event):
    """A round began; so many cards are left in the deck."""

    kind: Literal["dealt"] = "dealt"
    round: int
    deck: int


@event
class HandDealt(Event):
    """The two cards that one seat, and it alone, was dealt."""

    kind: Literal["hand"] = "hand"
    seat: int
    cards: tuple[int, int]


@event
class OfferChosen(Event):
    """A seat has chosen. What it chose, and whether it changes that later on, is told to itself alone."""

    kind: Literal["chosen"] = "chosen"
    seat: int


@event
class FaceDownChosen(Event):
    """What a seat, as it alone learns, has chosen to lie face down."""

    kind: Literal["choice"] = "choice"
    seat: int
    card: int


@event
class OffersRevealed(Event):
    """All have chosen: the face-up cards, by seat."""

    kind: Literal["revealed"] = "revealed"
    up: tuple[int, ...]


@event
class CardTaken(Event):
    """A seat took a card of an offer; `card` is None where it lay face down."""

    kind: Literal["taken"] = "taken"
    seat: int
    source: int
    card: int | None


@event
class FaceDownTaken(Event):
    """What the face-down card was that a seat took; told to it and to who had offered it."""

    kind: Literal["taken down"] = "taken down"
    seat: int
    source: int
    card: int


@event
class JestsRevealed(Event):
    """The game is over: everybody's Jest, with the card left of the last offer and without trophies."""

    kind: Literal["jests"] = "jests"
    jests: tuple[tuple[int, ...], ...]


@event
class TrophyAwarded(Event):
    """Who got a trophy; None: nobody met its condition."""

    kind: Literal["trophy"] = "trophy"
    trophy: int
    seat: int | None


@event
class JestsScored(Event):
    """The Jests' values with their trophies, by seat."""

    kind: Literal["scored"] = "scored"
    points: tuple[int, ...]


AnyEvent = Annotated[
    RoundDealt
    | HandDealt
    | OfferChosen
    | FaceDownChosen
    | OffersRevealed
    | CardTaken
    | FaceDownTaken
    | JestsRevealed
    | TrophyAwarded
    | JestsScored,
    Field(discriminator="kind"),
]
