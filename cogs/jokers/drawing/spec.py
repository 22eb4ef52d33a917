"""What Jokers's pictures show, as values: frozen, hashable, without anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import SeatPlate, Tone


@dataclass(frozen=True, slots=True)
class Held:
    """A card of a meld; `stands` is what a joker stands for there."""

    key: str
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that belong together, and what they are: `run`, `set`, `no meld`."""

    name: str
    cards: tuple[Held, ...]
    meld: bool = True


@dataclass(frozen=True, slots=True)
class Hand:
    """The reader's cards in groups, and what they are worth now."""

    groups: tuple[Group, ...]
    worth: str = ""
    tone: Tone = "plain"
    said: str = "your hand"


@dataclass(frozen=True, slots=True)
class PileTable:
    """Two seats' plates, the draw pile, a discard pile spread out with its depths, what is turned up or declared.

    On a hand the reader's own cards lie below.
    """

    plates: tuple[SeatPlate, SeatPlate]
    said: tuple[str, ...]  # beside the draw pile: the round, the trades left
    draw: int
    pile: tuple[str, ...]  # its top first; only the newest cards of a long one
    below: int = 0  # how many more there are
    turned: str | None = None
    reach: int = 0  # how deep the card turned up reaches
    declared: tuple[Group, ...] = ()
    declarer: int = 0  # whose hand that is
    hand: Hand | None = None
