"""The types of the Court: options, state, view, moves and events.

Cards are ints (engines.court.deck). Squares are ints too (engines.court.board; −1 is no square). Suits are as in
kit.cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.court.board import Obstacle
from engines.kit.chance import Chance
from engines.kit.contract import Event, event
from engines.kit.options import LENGTH

HAND_SIZE = 6
FULL_HEALTH = 6

Phase = Literal["move", "hinder", "end", "over"]
"""Phase One and Phase Two of a turn (T3), its end while something is owed, and the end of the match."""
DebtKind = Literal["place", "give"]
Cause = Literal["start", "crossed", "knocked out", "enclosed"]
"""Why a Mage is off the board: T2, T6, T10, T11."""
Ending = Literal["banners", "turns"]


@dataclass(frozen=True, slots=True)
class Options:
    """`banners`: how many win. `turns`: the match ends after this many turns of all seats (None: no limit; T13)."""

    banners: Annotated[
        int, Field(ge=2, le=4, description="How many banners a player needs to win", json_schema_extra=LENGTH)
    ] = 4
    turns: Annotated[
        Annotated[int, Field(ge=1, le=1000)] | None,
        Field(description="After that, the most banners win", json_schema_extra=LENGTH),
    ] = None


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {"as published": {"banners": 4}, "quick": {"banners": 3}}
)
"""The rules that a lobby offers under one name (T13)."""


class OwedDecision(NamedTuple):
    """A decision that the match waits for: its seat, its subject, and its cause (T14)."""

    seat: int
    what: DebtKind
    cause: Cause


class Defence(NamedTuple):
    """A defender's die, including ties that were rolled again, and whether the attack hit (T9)."""

    seat: int
    rolls: tuple[int, ...]
    hit: bool


class AttackResult(NamedTuple):
    """An attack: its turn (from 1), seat, card, attacker's die, and all defences in turn order."""

    turn: int
    seat: int
    card: int
    roll: int
    defences: tuple[Defence, ...]


@event
class MageMoved(Event):
    """A seat moved a Mage with a card: its own in Phase One, or another's in Phase Two.

    `end` is −1 if it crossed the card's edge. `stopped` is the kind of piece that stopped it, if any, and `at` the
    square of that piece. If the Mage was stopped at once, `end` equals `start`.
    """

    kind: Literal["moved"] = "moved"
    seat: int
    card: int
    mage: int
    start: int
    end: int
    stopped: Obstacle | None = None
    at: int = -1


@dataclass(slots=True)
class State:
    """A whole match of Jester's Court. Lists are by seat unless noted otherwise."""

    chance: Chance
    goal: int  # how many banners win
    cap: int | None  # the most turns of the match
    rolls: list[tuple[int, ...]]  # the roll-off: the dice of all seats, then those of ties (T2)
    order: list[int]  # the seats in turn order, highest roll first
    phase: Phase = "move"
    turn: int = 0  # the seat in turn
    turns: int = 1  # the number of the turn, counted over all seats
    owed: list[OwedDecision] = field(default_factory=list)  # the next decision first; the others wait for it
    mages: list[int] = field(default_factory=list)
    menhirs: list[int] = field(default_factory=list)
    health: list[int] = field(default_factory=list)
    banners: list[tuple[int, ...]] = field(default_factory=list)  # the claimed suits, sorted
    hands: list[list[int]] = field(default_factory=list)  # sorted
    bare: list[int] = field(default_factory=list)  # how many cards of the hand are publicly known to be no number cards
    draw: list[int] = field(default_factory=list)  # the draw pile; its top is last
    pool: tuple[int, ...] = ()  # the cards from which the draw pile was last shuffled, sorted
    discard: list[int] = field(default_factory=list)  # the discard pile; its top is last
    attacked: AttackResult | None = None  # the last attack
    moved: tuple[MageMoved, ...] = ()  # how Mages moved since the last Phase One began
    knocked: list[int] = field(default_factory=list)  # how often each Mage was knocked out
    ending: Ending | None = None
    numbers: list[int] = field(default_factory=list)  # moves made by each seat


@dataclass(frozen=True, slots=True)
class Place:
    """Place one's Mage on a free starting square (T2, T6, T10, T11)."""

    square: int


@dataclass(frozen=True, slots=True)
class Give:
    """Give back a banner after being knocked out (T10)."""

    suit: int


@dataclass(frozen=True, slots=True)
class Step:
    """Move one's own Mage with a number card, or with a court card if there is none (T4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Skip:
    """Skip the movement of Phase One, without a number card (T4)."""


@dataclass(frozen=True, slots=True)
class Push:
    """Move another player's Mage with a number card (T8)."""

    card: int
    target: int


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack with a court card (T9). Without targets it attacks everybody. Lists of moves have sorted targets."""

    card: int
    targets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Strike:
    """Deal one damage to every other Mage with an ace (T8)."""

    card: int


@dataclass(frozen=True, slots=True)
class Heal:
    """Heal one's own Mage by one with an ace (T8)."""

    card: int


@dataclass(frozen=True, slots=True)
class SetMenhir:
    """Place or move one's Menhir with a Menhir card (T8)."""

    square: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card in Phase Two without effect (T8)."""

    card: int


Hinder = Push | Attack | Strike | Heal | SetMenhir | Discard
"""The moves of Phase Two."""
Move = Place | Give | Step | Skip | Hinder


@event
class MagePlaced(Event):
    """A Mage was placed on a starting square. `alone`: automatically, because no other square was free (T14)."""

    kind: Literal["placed"] = "placed"
    seat: int
    square: int
    cause: Cause
    alone: bool = False


@event
class PhaseSkipped(Event):
    """A seat skipped Phase One."""

    kind: Literal["skipped"] = "skipped"
    seat: int


@event
class BannerClaimed(Event):
    """A seat claimed a banner. Crossing the edge of a banner one already has brings nothing."""

    kind: Literal["claimed"] = "claimed"
    seat: int
    suit: int


@event
class MagesAttacked(Event):
    """An attack with all its dice (T9)."""

    kind: Literal["attacked"] = "attacked"
    attacked: AttackResult


@event
class MagesStruck(Event):
    """A seat dealt damage to every other Mage with an ace."""

    kind: Literal["struck"] = "struck"
    seat: int
    card: int


@event
class MageDamaged(Event):
    """A Mage lost one health and has this much left."""

    kind: Literal["damaged"] = "damaged"
    seat: int
    health: int


@event
class MageKnockedOut(Event):
    """A Mage was knocked out: lifted off the board and restored to full health (T10)."""

    kind: Literal["knocked"] = "knocked"
    seat: int


@event
class MageHealed(Event):
    """A seat healed its own Mage with an ace, to this much health."""

    kind: Literal["healed"] = "healed"
    seat: int
    card: int
    health: int


@event
class MenhirSet(Event):
    """A seat's Menhir was placed (`start` −1) or moved."""

    kind: Literal["menhir"] = "menhir"
    seat: int
    start: int
    square: int


@event
class MageEnclosed(Event):
    """A Mage with a Menhir on all four sides was lifted off that square (T11)."""

    kind: Literal["enclosed"] = "enclosed"
    seat: int
    square: int


@event
class CardDiscarded(Event):
    """A seat discarded a card in Phase Two."""

    kind: Literal["discarded"] = "discarded"
    seat: int
    card: int


@event
class BannerGiven(Event):
    """A seat gave back a banner. `alone`: automatically, because it had no other (T14)."""

    kind: Literal["gave"] = "gave"
    seat: int
    suit: int
    alone: bool = False


@event
class PileReshuffled(Event):
    """The discard pile with this many cards became the draw pile (T12)."""

    kind: Literal["reshuffled"] = "reshuffled"
    cards: int


@event
class CardsDrawn(Event):
    """A seat drew this many cards at the end of its turn. The next seat is in turn."""

    kind: Literal["drew"] = "drew"
    seat: int
    number: int


@event
class HandDrawn(Event):
    """The cards that a seat drew, visible only to it."""

    kind: Literal["drawn"] = "drawn"
    seat: int
    cards: tuple[int, ...]


@event
class MatchEnded(Event):
    """The match is over: because of enough banners, or at the turn limit (T13)."""

    kind: Literal["ended"] = "ended"
    ending: Ending
    winners: tuple[int, ...]


AnyEvent = Annotated[
    MagePlaced
    | MageMoved
    | PhaseSkipped
    | BannerClaimed
    | MagesAttacked
    | MagesStruck
    | MageDamaged
    | MageKnockedOut
    | MageHealed
    | MenhirSet
    | MageEnclosed
    | CardDiscarded
    | BannerGiven
    | PileReshuffled
    | CardsDrawn
    | HandDrawn
    | MatchEnded,
    Field(discriminator="kind"),
]
