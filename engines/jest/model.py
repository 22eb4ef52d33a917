"""The types of Jest: options, state, view, moves and events. Cards are ints (engines.jest.deck)."""

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
    """Jest has no options."""


class TakenCard(NamedTuple):
    """A taken card: who took it, from whose offer, and whether it lay face up."""

    seat: int
    source: int
    up: bool


class Round(NamedTuple):
    """A finished round: the offers by seat, and the cards taken, in order."""

    up: tuple[int, ...]
    down: tuple[int, ...]
    takes: tuple[TakenCard, ...]


class KnownRound(NamedTuple):
    """A finished round as a seat knows it. None stands for face-down cards it does not know."""

    up: tuple[int, ...]
    down: tuple[int | None, ...]
    takes: tuple[TakenCard, ...]


class FinalScoring(NamedTuple):
    """The end of the match: the Jests by seat without trophies (J9) and their values, the result of each trophy (J11),
    and the values of the Jests with their trophies (J13)."""

    jests: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    awards: tuple[TrophyAward, ...]
    breakdowns: tuple[ValueBreakdown, ...]


@dataclass(slots=True)
class State:
    """A whole match of Jest. −1 stands for a card that is not there."""

    chance: Chance
    trophies: tuple[int, ...]
    deck: list[int]  # the next cards are last
    round: int = 0  # from 1
    phase: Phase = "offer"
    dealt: list[tuple[int, int]] = field(default_factory=list)  # by seat, sorted
    # The offers by seat; −1 until the seat has chosen. They stay secret until all seats have chosen.
    up: list[int] = field(default_factory=list)
    down: list[int] = field(default_factory=list)
    # The seats that still have to choose or take, the next one first, then by their face-up cards, highest first.
    waiting: list[int] = field(default_factory=list)
    complete: list[int] = field(default_factory=list)  # whose offers still have both cards
    takes: list[TakenCard] = field(default_factory=list)  # of this round
    past: list[Round] = field(default_factory=list)
    jests: list[int] = field(default_factory=list)  # as sets of bits, without trophies
    numbers: list[int] = field(default_factory=list)  # moves made by each seat


@dataclass(frozen=True, slots=True)
class Offer:
    """A seat chooses which of its two cards lies face down in its offer (J4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Take:
    """A seat takes the face-up or the face-down card of an offer (J6)."""

    source: int
    up: bool


Move = Offer | Take


@event
class RoundDealt(Event):
    """A round began. The deck has this many cards left."""

    kind: Literal["dealt"] = "dealt"
    round: int
    deck: int


@event
class HandDealt(Event):
    """The two cards that a seat was dealt, visible only to it."""

    kind: Literal["hand"] = "hand"
    seat: int
    cards: tuple[int, int]


@event
class OfferChosen(Event):
    """A seat has chosen. Only the seat itself sees what it chose, and whether it changes that later."""

    kind: Literal["chosen"] = "chosen"
    seat: int


@event
class FaceDownChosen(Event):
    """The card that a seat chose to lie face down, visible only to it."""

    kind: Literal["choice"] = "choice"
    seat: int
    card: int


@event
class OffersRevealed(Event):
    """All seats have chosen: the face-up cards by seat."""

    kind: Literal["revealed"] = "revealed"
    up: tuple[int, ...]


@event
class CardTaken(Event):
    """A seat took a card from an offer. `card` is None if it lay face down."""

    kind: Literal["taken"] = "taken"
    seat: int
    source: int
    card: int | None


@event
class FaceDownTaken(Event):
    """The face-down card that a seat took, visible only to it and to the card's offerer."""

    kind: Literal["taken down"] = "taken down"
    seat: int
    source: int
    card: int


@event
class JestsRevealed(Event):
    """The game is over: everybody's Jest, including the last card of their offer, without trophies."""

    kind: Literal["jests"] = "jests"
    jests: tuple[tuple[int, ...], ...]


@event
class TrophyAwarded(Event):
    """The winner of a trophy. None: no Jest met its condition."""

    kind: Literal["trophy"] = "trophy"
    trophy: int
    seat: int | None


@event
class JestsScored(Event):
    """The values of the Jests with their trophies, by seat."""

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
