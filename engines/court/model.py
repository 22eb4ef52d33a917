"""The Court's values: options, state, view, moves and events.

Cards are ints (engines.court.deck), squares too (engines.court.board, −1 being no square), suits as in kit.cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.court.board import Obstacle
from engines.kit.chance import Chance
from engines.kit.contract import Event, event

HAND_SIZE = 6
FULL_HEALTH = 6

Phase = Literal["move", "hinder", "end", "over"]
"""Phase One and Phase Two of a turn (T3); its end, when something is still owed; the end of the match."""
DebtKind = Literal["place", "give"]
Cause = Literal["start", "crossed", "knocked out", "enclosed"]
"""Why a Mage is off the board: T2, T6, T10, T11."""
Ending = Literal["banners", "turns"]


@dataclass(frozen=True, slots=True)
class Options:
    """`banners`: how many win; `turns`: after how many, of all seats together, the match ends (None: never; T13)."""

    banners: Annotated[int, Field(ge=2, le=4)] = 4
    turns: Annotated[int, Field(ge=1, le=1000)] | None = None


class OwedDecision(NamedTuple):
    """A decision that the match waits for: who owes it, what it is about, and why (T14)."""

    seat: int
    what: DebtKind
    cause: Cause


class Defence(NamedTuple):
    """A defender's die, with the ties that were rolled again before it, and whether the attack hit (T9)."""

    seat: int
    rolls: tuple[int, ...]
    hit: bool


class AttackResult(NamedTuple):
    """An attack: in which turn (from 1), by whom, with what, the attacker's die, and every defence in turn order."""

    turn: int
    seat: int
    card: int
    roll: int
    defences: tuple[Defence, ...]


@event
class MageMoved(Event):
    """A seat moved a Mage by a card, its own in Phase One or another's in Phase Two.

    `end` is −1 where it crossed the card's edge; `stopped` is what it stopped before, if anything, and `at` the square
    of that. A Mage that was stopped at once has `end` equal to `start`.
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
    """A whole match of Jester's Court. Lists are by seat where nothing else is said."""

    chance: Chance
    goal: int  # how many banners win
    cap: int | None  # how many turns there are at most
    rolls: list[tuple[int, ...]]  # the roll-off: first the die of all, then those of ties (T2)
    order: list[int]  # the seats as turns go, the highest roll first
    phase: Phase = "move"
    turn: int = 0  # the seat in turn
    turns: int = 1  # which turn it is, counted over all seats
    owed: list[OwedDecision] = field(default_factory=list)  # the next one first; the others wait for it
    mages: list[int] = field(default_factory=list)
    menhirs: list[int] = field(default_factory=list)
    health: list[int] = field(default_factory=list)
    banners: list[tuple[int, ...]] = field(default_factory=list)  # the suits claimed, sorted
    hands: list[list[int]] = field(default_factory=list)  # sorted
    bare: list[int] = field(default_factory=list)  # how many cards of the hand everybody knows to be no number cards
    draw: list[int] = field(default_factory=list)  # the draw pile; its top is the last
    pool: tuple[int, ...] = ()  # what the draw pile was last shuffled from, sorted
    discard: list[int] = field(default_factory=list)  # the discard pile; its top is the last
    attacked: AttackResult | None = None  # the last attack
    moved: tuple[MageMoved, ...] = ()  # how Mages were moved since the last Phase One began
    knocked: list[int] = field(default_factory=list)  # how often each Mage was knocked out
    ending: Ending | None = None
    numbers: list[int] = field(default_factory=list)  # moves made


@dataclass(frozen=True, slots=True)
class Place:
    """Place one's Mage on a free starting square (T2, T6, T10, T11)."""

    square: int


@dataclass(frozen=True, slots=True)
class Give:
    """Give back a banner, for being knocked out (T10)."""

    suit: int


@dataclass(frozen=True, slots=True)
class Step:
    """Move one's own Mage by a number card, or without one by a court card (T4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Skip:
    """Move nothing in Phase One, without a number card (T4)."""


@dataclass(frozen=True, slots=True)
class Push:
    """Move another player's Mage by a number card (T8)."""

    card: int
    target: int


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack by a court card (T9): everybody where no targets are named. Targets are sorted in lists of moves."""

    card: int
    targets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Strike:
    """Deal one damage to every other Mage by an ace (T8)."""

    card: int


@dataclass(frozen=True, slots=True)
class Heal:
    """Heal one on one's own Mage by an ace (T8)."""

    card: int


@dataclass(frozen=True, slots=True)
class SetMenhir:
    """Place or move one's Menhir by a Menhir card (T8)."""

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
    """A Mage was placed on a starting square; `alone`: by itself, since no other was free (T14)."""

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
    """A seat claimed a banner. A Mage that crosses the edge of a banner that is claimed already brings none."""

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
    """A seat dealt damage to every other Mage by an ace."""

    kind: Literal["struck"] = "struck"
    seat: int
    card: int


@event
class MageDamaged(Event):
    """A Mage lost one health, and has this much left."""

    kind: Literal["damaged"] = "damaged"
    seat: int
    health: int


@event
class MageKnockedOut(Event):
    """A Mage was knocked out: lifted off the board, with all its health (T10)."""

    kind: Literal["knocked"] = "knocked"
    seat: int


@event
class MageHealed(Event):
    """A seat healed its own Mage by an ace, to this much health."""

    kind: Literal["healed"] = "healed"
    seat: int
    card: int
    health: int


@event
class MenhirSet(Event):
    """A seat's Menhir was placed (`start` −1), or moved."""

    kind: Literal["menhir"] = "menhir"
    seat: int
    start: int
    square: int


@event
class MageEnclosed(Event):
    """A Mage with a Menhir on each side was lifted off that square (T11)."""

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
    """A seat gave back a banner; `alone`: by itself, since it had no other (T14)."""

    kind: Literal["gave"] = "gave"
    seat: int
    suit: int
    alone: bool = False


@event
class PileReshuffled(Event):
    """The discard pile, of so many cards, became the draw pile (T12)."""

    kind: Literal["reshuffled"] = "reshuffled"
    cards: int


@event
class CardsDrawn(Event):
    """A seat drew so many cards at the end of its turn; the next seat is in turn."""

    kind: Literal["drew"] = "drew"
    seat: int
    number: int


@event
class HandDrawn(Event):
    """The cards that one seat, and it alone, drew."""

    kind: Literal["drawn"] = "drawn"
    seat: int
    cards: tuple[int, ...]


@event
class MatchEnded(Event):
    """The match is over: by enough banners, or at the agreed number of turns (T13)."""

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
