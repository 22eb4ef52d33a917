"""What Jokers's pictures show, as values: frozen, hashable, without names or anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass


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
class GroupedHand:
    """A hand laid out in groups, in one row."""

    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class SafetyPlate:
    """What lies before a seat of Jokers: its points, how many cards it holds, and its two safety cards."""

    points: str
    gained: str
    cards: int
    safety: tuple[bool, bool]  # which still lie face down
    turn: str = ""  # what the seat is to do now


@dataclass(frozen=True, slots=True)
class PileTable:
    """Two seats' plates, the draw pile, a discard pile spread out with its depths, what is turned up or declared."""

    title: tuple[str, str]
    plates: tuple[SafetyPlate, SafetyPlate]
    draw: int
    pile: tuple[str, ...]  # its top first; only the newest cards of a long one
    below: int = 0  # how many more there are
    turned: str | None = None
    reach: int = 0  # how deep the card turned up reaches
    declared: tuple[Group, ...] = ()
    declarer: int = 0  # whose hand that is
    middle: tuple[str, ...] = ()  # what to say as long as no hand is declared
