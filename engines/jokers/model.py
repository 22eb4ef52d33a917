"""The types of Jokers: options, state, view, moves and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.contract import Event, event
from engines.kit.options import LENGTH, PUBLISHED_VARIANT

Phase = Literal["turn", "safety", "discard", "over"]
"""The normal moment of a turn; a safety card is face up; a card is to be discarded after that; the end."""
Ending = Literal["declared", "empty", "stall"]


@dataclass(frozen=True, slots=True)
class Options:
    """`rounds`: the number of rounds (K1)."""

    rounds: Annotated[
        int,
        Field(ge=1, le=12, description="How many rounds you play", json_schema_extra={**LENGTH, **PUBLISHED_VARIANT}),
    ] = 6


PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType({"as published": {"rounds": 6}, "quick": {"rounds": 3}})
"""The rules that a lobby offers under one name (K1)."""


class Score(NamedTuple):
    """One seat's score for a round (K12–K15) with its parts: win, melds, extra cards, colour, both jokers."""

    points: int
    win: int
    melds: int
    extras: int
    colour: int
    jokers: int


class RoundResult(NamedTuple):
    """How a round ended: who declared, if anybody, and by seat the scored hands and the scores."""

    round: int
    ending: Ending
    declared: int | None
    hands: tuple[tuple[int, ...], ...]
    scores: tuple[Score, ...]


@dataclass(slots=True)
class State:
    """A whole match of Jokers. Cards are ints (engines.jokers.deck), hands are sets of bits (deck.make_hand,
    deck.hand_cards)."""

    chance: Chance
    rounds: int
    starter: int  # who has the first turn of the round
    round: int = 0  # from 1
    phase: Phase = "turn"
    turn: int = 0
    hands: list[int] = field(default_factory=list)
    draw: list[int] = field(default_factory=list)  # the draw pile; its top is last
    discard: list[int] = field(default_factory=list)  # the discard pile; its top is last
    safety: list[list[int]] = field(default_factory=list)  # by seat: its two safety cards as dealt
    down: list[list[bool]] = field(default_factory=list)  # by seat: which of them are still face down
    turned: int | None = None  # the safety card just turned up, until it is placed
    trades: int = 2  # left in this turn
    idle: bool = True  # no trade and no safety card in this turn so far
    still: int = 0  # consecutive turns that ended idle (K11)
    declared: int | None = None
    known: list[int] = field(default_factory=list)  # by seat: the cards publicly known to be in its hand
    scores: list[int] = field(default_factory=list)
    sheet: list[list[Score]] = field(default_factory=list)
    last: RoundResult | None = None  # of the round before; at the end, of the last one
    numbers: list[int] = field(default_factory=list)  # moves made by each seat


@dataclass(frozen=True, slots=True)
class Trade:
    """Lay cards on the discard pile in this order, and draw as many (K3)."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Turn up one's first or second safety card (K4)."""

    number: int


@dataclass(frozen=True, slots=True)
class Take:
    """Take the card at that depth of the discard pile (1 is its top) in exchange for the safety card (K4)."""

    depth: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Take the turned-up safety card into the hand (K4)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card from the hand to have eight again (K4)."""

    card: int


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare a full hand (K9)."""


@dataclass(frozen=True, slots=True)
class Done:
    """End the turn (K3)."""


Move = Trade | TurnUp | Take | Keep | Discard | Declare | Done


@event
class RoundDealt(Event):
    """A round began: its number, and who has the first turn."""

    kind: Literal["dealt"] = "dealt"
    round: int
    starter: int


@event
class HandDealt(Event):
    """The cards that a seat was dealt, visible only to it."""

    kind: Literal["hand"] = "hand"
    seat: int
    cards: tuple[int, ...]


@event
class CardsTraded(Event):
    """A seat laid these cards on the discard pile, in this order, and drew as many."""

    kind: Literal["traded"] = "traded"
    seat: int
    cards: tuple[int, ...]


@event
class CardsDrawn(Event):
    """The cards that a seat drew, visible only to it."""

    kind: Literal["drawn"] = "drawn"
    seat: int
    cards: tuple[int, ...]


@event
class SafetyTurned(Event):
    """A seat turned up its first or second safety card."""

    kind: Literal["turned"] = "turned"
    seat: int
    number: int
    card: int


@event
class CardTaken(Event):
    """A seat took a card from that depth of the discard pile, and laid its safety card there."""

    kind: Literal["taken"] = "taken"
    seat: int
    depth: int
    card: int
    safety: int


@event
class SafetyKept(Event):
    """A seat took its safety card into its hand."""

    kind: Literal["kept"] = "kept"
    seat: int
    card: int


@event
class CardDiscarded(Event):
    """A seat laid a card on the discard pile after using a safety card."""

    kind: Literal["discarded"] = "discarded"
    seat: int
    card: int


@event
class HandDeclared(Event):
    """A seat declared this full hand."""

    kind: Literal["declared"] = "declared"
    seat: int
    cards: tuple[int, ...]


@event
class TurnEnded(Event):
    """A seat ended its turn. `idle`: without a trade or a safety card."""

    kind: Literal["ended"] = "ended"
    seat: int
    idle: bool


@event
class RoundScored(Event):
    """A round ended: how, the hands, each seat's score, and the new totals."""

    kind: Literal["scored"] = "scored"
    result: RoundResult
    totals: tuple[int, ...]


AnyEvent = Annotated[
    RoundDealt
    | HandDealt
    | CardsTraded
    | CardsDrawn
    | SafetyTurned
    | CardTaken
    | SafetyKept
    | CardDiscarded
    | HandDeclared
    | TurnEnded
    | RoundScored,
    Field(discriminator="kind"),
]
