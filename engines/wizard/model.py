"""The types of Wizard: options, state, view, moves and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.contract import Event, event

Phase = Literal["trump", "bid", "play", "over"]
HandPlan = Literal["growing", "quick", "descending", "all cards"]
"""How the size of the hands changes from round to round (W2, W13, W14, W15)."""
HookSize = Literal[1, 2, 3, 5, 10]
"""The smallest hand with the hook (W12)."""
Bidding = Literal["open", "hidden", "late"]
"""One after another and openly, or all at once: hidden until the play (W16), or until the score (W17)."""


@dataclass(frozen=True, slots=True)
class Options:
    """`rounds`: play only this many rounds. None, or more than possible: the full game (W2).

    The others are house rules (W12–W19). `dummy` counts only with two players.
    """

    rounds: Annotated[int, Field(ge=1, le=20)] | None = None
    hands: Annotated[HandPlan, Field(description="How many cards are dealt in each round")] = "growing"
    hook: Annotated[
        HookSize | None,
        Field(description="The dealer bids last. From this many cards on, the bids may not add up to the tricks."),
    ] = None
    bids: Annotated[
        Bidding, Field(description="Hidden and late: all bid at once. Late: the bids stay hidden until the score.")
    ] = "open"
    blind: Annotated[bool, Field(description="In every third round you bid before you see your cards.")] = False
    dummy: Annotated[bool, Field(description="Two players play with a third hand, which nobody holds.")] = False


PUBLISHED: Mapping[str, object] = {"hands": "growing", "hook": None, "bids": "open", "blind": False, "dummy": False}
PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "as published": PUBLISHED,
        "hook": {**PUBLISHED, "hook": 2},  # with one card, the hook could leave the dealer no choice
        "quick": {**PUBLISHED, "hands": "quick"},
    }
)
"""The rules that a lobby offers under one name. They set every house rule, and leave the number of rounds alone."""


class Score(NamedTuple):
    """One seat's round: its bid, its tricks, and its points (W10)."""

    bid: int
    taken: int
    points: int


class Trick(NamedTuple):
    """A completed trick: who led, the cards in the order played, and the seat that took it."""

    leader: int
    cards: tuple[int, ...]
    winner: int


@dataclass(slots=True)
class State:
    """A whole match of Wizard. Cards are ints (engines.wizard.deck), suits 0–3, hands sorted.

    The dummy hand of two players (W19) is the last of three hands, with its next card last, and it has a place in
    `taken`. Nothing else counts it as a seat; `turn` is never its place, but `leader` may be.
    """

    chance: Chance
    rounds: int
    draws: list[tuple[int, ...]]  # W1: one row per draw, one card per seat; −1 if the seat no longer took part
    dealer: int
    round: int = 0  # from 1
    phase: Phase = "bid"
    turn: int = 0
    hands: list[list[int]] = field(default_factory=list)
    stock: list[int] = field(default_factory=list)  # not dealt this round, without the turned card
    turned: int | None = None
    trump: int | None = None
    bids: list[int | None] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    leader: int = 0
    trick: list[int] = field(default_factory=list)
    follow: int | None = None  # the suit to follow in this trick, once a card has set it
    fallen: list[int] = field(default_factory=list)  # the cards of this round's completed tricks, in the order played
    takers: list[int] = field(default_factory=list)  # the winners of those tricks
    last: Trick | None = None  # of the round before, so that it stays visible
    scores: list[int] = field(default_factory=list)
    sheet: list[tuple[Score, ...]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # moves made by each seat
    trick_count: int = 0  # the tricks of this round, and so the cards that each seat was dealt
    hand_plan: HandPlan = "growing"
    hook: int | None = None  # W12: the smallest hand with the hook
    bidding: Bidding = "open"
    blind: bool = False  # W18: in every third round, bids come before the cards are seen


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The dealer chooses the trump suit after a Wizard was turned up (W3)."""

    suit: int


@dataclass(frozen=True, slots=True)
class Bid:
    """A seat bids how many tricks it will take (W4)."""

    tricks: int


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card to the trick (W5–W7)."""

    card: int


Move = NameTrump | Bid | Play


@event
class RoundDealt(Event):
    """A round began: its number, its dealer, the turned card and the trump (None: none, or not chosen yet)."""

    kind: Literal["dealt"] = "dealt"
    round: int
    dealer: int
    turned: int | None
    trump: int | None


@event
class HandDealt(Event):
    """The cards that a seat was dealt, visible only to it."""

    kind: Literal["hand"] = "hand"
    seat: int
    cards: tuple[int, ...]


@event
class TrumpNamed(Event):
    """The dealer chose the trump."""

    kind: Literal["trump"] = "trump"
    seat: int
    suit: int


@event
class BidPlaced(Event):
    """A seat has bid. Only the seat itself sees what (W16, W17)."""

    kind: Literal["placed"] = "placed"
    seat: int


@event
class BidMade(Event):
    """A seat bid. Visible only to it while bids are hidden."""

    kind: Literal["bid"] = "bid"
    seat: int
    tricks: int


@event
class BidsRevealed(Event):
    """The bids of all seats, which were hidden (W16, W17)."""

    kind: Literal["revealed"] = "revealed"
    bids: tuple[int, ...]


@event
class CardPlayed(Event):
    """A seat played a card. The seat of a dummy hand is the number of players, also in TrickTaken (W19)."""

    kind: Literal["played"] = "played"
    seat: int
    card: int


@event
class TrickTaken(Event):
    """A trick was completed by the card played just before, and taken by that seat."""

    kind: Literal["taken"] = "taken"
    seat: int


@event
class RoundScored(Event):
    """A round ended: each seat's score, and the new totals."""

    kind: Literal["scored"] = "scored"
    round: int
    scores: tuple[Score, ...]
    totals: tuple[int, ...]


AnyEvent = Annotated[
    RoundDealt | HandDealt | TrumpNamed | BidPlaced | BidMade | BidsRevealed | CardPlayed | TrickTaken | RoundScored,
    Field(discriminator="kind"),
]
