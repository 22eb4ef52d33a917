"""What Wizard's pictures show, as values: frozen, hashable, without anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import SeatPlate


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card of a hand; `key` is its name in the notation (`10H`), `wizard`, `jester` or `back`."""

    key: str
    raised: bool = False
    dimmed: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a trick and the seat that played it."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in the order they fell, the first one led; the seat that takes it, so far or (`over`) for good."""

    cards: tuple[Laid, ...] = ()
    taker: int | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class WizardPicture:
    """The table, and for a seat its hand below it: everything that a decision depends on."""

    plates: tuple[SeatPlate, ...]
    turned: str | None  # the card that was turned up
    trump: tuple[str, str]  # in words: what is trump, and why
    counts: tuple[str, str]  # the round, and the bids together
    trick: Trick = Trick()
    last: Trick = Trick()  # the trick before, small
    hand: tuple[CardFace, ...] = ()
