"""The types of Wizard: options, state, view, moves and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.contract import Event, event
from engines.kit.options import LENGTH, PAST_VALUES, PUBLISHED_VARIANT
from engines.wizard.deck import TRAPDOOR

Phase = Literal["trump", "bid", "play", "adjust", "pass", "over"]
"""`adjust`: the taker of the Weathervane changes their bid (W25). `pass`: everybody passes a card (W24)."""
HandPlan = Literal["growing", "by twos", "descending", "all cards", "quick"]
"""How the size of the hands changes from round to round (W2, W13, W14, W15). New tables are not offered `quick`."""
HookSize = Literal[1, 2, 3, 4, 5, 10]
"""The smallest hand with the hook (W12)."""
Bidding = Literal["open", "hidden", "late"]
"""One after another and openly, or all at once: hidden until the play (W16), or until the score (W17)."""


@dataclass(frozen=True, slots=True)
class Options:
    """`rounds`: play only this many rounds. None, or more than possible: the full game (W2).

    The others are house rules (W12–W25). `dummy` counts only with two players. From `elephant` on they name special
    cards that are in the pack.
    """

    rounds: Annotated[
        Annotated[int, Field(ge=1, le=20)] | None,
        Field(description="How many rounds you play", json_schema_extra=LENGTH),
    ] = None
    hands: Annotated[
        HandPlan,
        Field(
            description="How many cards are dealt each round",
            json_schema_extra={**LENGTH, **PUBLISHED_VARIANT, PAST_VALUES: ["quick"]},
        ),
    ] = "growing"
    hook: Annotated[
        HookSize | None,
        Field(description="The bids must not total the tricks", json_schema_extra=PUBLISHED_VARIANT),
    ] = None
    bids: Annotated[
        Bidding, Field(description="One after the other, or all at once", json_schema_extra=PUBLISHED_VARIANT)
    ] = "open"
    blind: Annotated[
        bool,
        Field(description="Every third round, you bid blind", json_schema_extra=PUBLISHED_VARIANT),
    ] = False
    dummy: Annotated[bool, Field(description="A third hand for two players")] = False
    elephant: Annotated[bool, Field(description="Beats every card but the Mouse")] = False
    mouse: Annotated[bool, Field(description="Loses to all, but catches the Elephant")] = False
    trapdoor: Annotated[bool, Field(description="Its trick vanishes: nobody takes it")] = False
    chameleon: Annotated[bool, Field(description="Swaps with the turned-up card")] = False
    carousel: Annotated[bool, Field(description="After the trick with it, all pass a card left")] = False
    weathervane: Annotated[bool, Field(description="If you take it, change your bid by one")] = False


SPECIAL_NAMES = ("elephant", "mouse", "trapdoor", "chameleon", "carousel", "weathervane")
"""The options for special cards, in the order of the cards (W20–W25)."""
PUBLISHED: Mapping[str, object] = {
    "hands": "growing",
    "hook": None,
    "bids": "open",
    "blind": False,
    "dummy": False,
    **dict.fromkeys(SPECIAL_NAMES, False),
}
PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "as published": PUBLISHED,
        "hook": {**PUBLISHED, "hook": 2},  # with one card, the hook could leave the dealer no choice
        "quick hands": {**PUBLISHED, "hands": "by twos"},
        "carnival": {**PUBLISHED, "hands": "by twos", "bids": "hidden", **dict.fromkeys(SPECIAL_NAMES, True)},
    }
)
"""The rules that a lobby offers under one name. They set every house rule, and leave the number of rounds alone."""
PAST_PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "quick": {**PUBLISHED, "hands": "quick"},
        "party": {**PUBLISHED, "hands": "quick", "bids": "hidden", **dict.fromkeys(SPECIAL_NAMES, True)},
    }
)
"""Those that lobbies offered before rules version 3. Settings of servers and older messages may name them."""


class Score(NamedTuple):
    """One seat's round: its bid, its tricks, and its points (W10)."""

    bid: int
    taken: int
    points: int


class Trick(NamedTuple):
    """A completed trick: who led, the cards in the order played, and the seat that took it.

    If the trick has vanished, the winner is the seat that would have taken it, which leads next (W22).
    """

    leader: int
    cards: tuple[int, ...]
    winner: int

    @property
    def has_vanished(self) -> bool:
        """Whether nobody took the trick, because the Trapdoor lies in it (W22)."""
        return TRAPDOOR in self.cards


class Swap(NamedTuple):
    """The Chameleon took the place of the turned-up card: whose it was, and the card that they took (W23)."""

    seat: int
    card: int


class BidChange(NamedTuple):
    """A seat changed its bid by 1 or −1 after it took the Weathervane (W25). None: a view hides it (W17)."""

    seat: int
    by: int | None


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
    specials: tuple[int, ...] = ()  # W20–W25: the special cards in the pack
    swap: Swap | None = None  # W23: of this round
    bid_change: BidChange | None = None  # W25: of this round
    passes: list[int | None] = field(default_factory=list)  # W24: by seat, the card that it passes, once it is chosen


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The dealer chooses the trump suit after a Wizard was turned up (W3), or the Chameleon's player, or none (W23)."""

    suit: int | None


@dataclass(frozen=True, slots=True)
class Bid:
    """A seat bids how many tricks it will take (W4)."""

    tricks: int


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a card to the trick (W5–W7)."""

    card: int


@dataclass(frozen=True, slots=True)
class PassCard:
    """A seat chooses the card that it passes to the left (W24)."""

    card: int


@dataclass(frozen=True, slots=True)
class RaiseBid:
    """The taker of the Weathervane raises their bid by one (W25)."""


@dataclass(frozen=True, slots=True)
class LowerBid:
    """The taker of the Weathervane lowers their bid by one (W25)."""


Move = NameTrump | Bid | Play | PassCard | RaiseBid | LowerBid


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
class TurnedCardSwapped(Event):
    """The Chameleon took the place of the turned-up card, which this seat took (W23)."""

    kind: Literal["swapped"] = "swapped"
    seat: int
    card: int


@event
class TrumpNamed(Event):
    """The dealer or the Chameleon's player chose the trump. None: there is none (W23)."""

    kind: Literal["trump"] = "trump"
    seat: int
    suit: int | None


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
class TrickVanished(Event):
    """A trick with the Trapdoor was completed. Nobody took it, and that seat leads next (W22)."""

    kind: Literal["vanished"] = "vanished"
    seat: int


@event
class BidAdjusted(Event):
    """The taker of the Weathervane changed their bid to this one (W25). Visible only to it while bids are hidden."""

    kind: Literal["adjusted"] = "adjusted"
    seat: int
    tricks: int


@event
class BidAdjustedSecretly(Event):
    """The taker of the Weathervane changed their bid, and only that seat sees how (W17, W25)."""

    kind: Literal["adjusted secretly"] = "adjusted secretly"
    seat: int


@event
class PassChosen(Event):
    """A seat chose the card that it passes (W24). Nobody else sees it."""

    kind: Literal["pass chosen"] = "pass chosen"
    seat: int


@event
class CardPassed(Event):
    """A seat passed a card to the left, visible only to it and to the seat that has the card now (W24)."""

    kind: Literal["passed"] = "passed"
    seat: int
    receiver: int
    card: int


@event
class RoundScored(Event):
    """A round ended: each seat's score, and the new totals."""

    kind: Literal["scored"] = "scored"
    round: int
    scores: tuple[Score, ...]
    totals: tuple[int, ...]


AnyEvent = Annotated[
    RoundDealt
    | HandDealt
    | TurnedCardSwapped
    | TrumpNamed
    | BidPlaced
    | BidMade
    | BidsRevealed
    | CardPlayed
    | TrickTaken
    | TrickVanished
    | BidAdjusted
    | BidAdjustedSecretly
    | PassChosen
    | CardPassed
    | RoundScored,
    Field(discriminator="kind"),
]
