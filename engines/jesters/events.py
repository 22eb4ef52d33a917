"""The events of Jesters. All are public except a seat's new Jest cards and the Gifts it chooses from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from engines.jesters.model import Die, FinalScoring
from engines.kit.contract import Event, event


@event
class TechniquesLearned(Event):
    """A seat discarded a Jest card and took Techniques of these colours."""

    kind: Literal["learned"] = "learned"
    seat: int
    card: int
    dice: tuple[int, ...]


@event
class AttemptStarted(Event):
    """A seat rolled these dice for a Performance or the FAVORITE."""

    kind: Literal["attempted"] = "attempted"
    seat: int
    target: int
    dice: tuple[Die, ...]


@event
class CardSpent(Event):
    """A seat discarded a Jest card for its bottom half: a die that showed `before` now shows `face`."""

    kind: Literal["spent"] = "spent"
    seat: int
    card: int
    die: int
    before: int
    face: int


@event
class RerollBought(Event):
    """A seat discarded a Jest card to reroll dice, which it marks next."""

    kind: Literal["reroll"] = "reroll"
    seat: int
    card: int


@event
class GiftUsed(Event):
    """A seat used a Gift for which it marks dice next."""

    kind: Literal["gift"] = "gift"
    seat: int
    gift: int


@event
class DieTurned(Event):
    """A seat used a Gift: a die that showed `before` was turned to its opposite side."""

    kind: Literal["turned"] = "turned"
    seat: int
    gift: int
    die: int
    before: int
    face: int


@event
class TechniqueAdded(Event):
    """A seat used a Gift: it took an extra Technique from the middle and rolled it at once."""

    kind: Literal["added"] = "added"
    seat: int
    gift: int
    die: int
    colour: int
    face: int


@event
class DieMarked(Event):
    """A seat marked a die, or removed the mark."""

    kind: Literal["marked"] = "marked"
    seat: int
    die: int
    marked: bool


@event
class DiceRerolled(Event):
    """The marked dice were rerolled. `faces` are in the same order."""

    kind: Literal["rerolled"] = "rerolled"
    seat: int
    dice: tuple[int, ...]
    faces: tuple[int, ...]


@event
class DicePainted(Event):
    """The marked dice changed their colour."""

    kind: Literal["painted"] = "painted"
    seat: int
    dice: tuple[int, ...]
    colour: int


@event
class TaskCompleted(Event):
    """A seat's dice met the requirement of a Performance or the FAVORITE. The dice are back in the middle."""

    kind: Literal["completed"] = "completed"
    seat: int
    target: int
    dice: tuple[Die, ...]


@event
class FameGained(Event):
    """One of a seat's Gifts gave Fame."""

    kind: Literal["fame"] = "fame"
    seat: int
    gift: int
    fame: int


@event
class PerformanceRevealed(Event):
    """A new Performance was revealed."""

    kind: Literal["revealed"] = "revealed"
    performance: int


@event
class GiftsDrawn(Event):
    """A seat drew two Gifts and will keep one."""

    kind: Literal["gifts"] = "gifts"
    seat: int


@event
class GiftsSeen(Event):
    """The Gifts that a seat may choose from, visible only to it."""

    kind: Literal["choice"] = "choice"
    seat: int
    gifts: tuple[int, ...]


@event
class GiftKept(Event):
    """A seat has a new Gift. `returned`: another one went under the pile."""

    kind: Literal["kept"] = "kept"
    seat: int
    gift: int
    returned: bool


@event
class AttemptFailed(Event):
    """A seat failed for the first, second or third time, and got this many Jest cards."""

    kind: Literal["failed"] = "failed"
    seat: int
    target: int
    dice: tuple[Die, ...]
    failures: int
    cards: int


@event
class CardsDrawn(Event):
    """The Jest cards that a seat got, visible only to it."""

    kind: Literal["drawn"] = "drawn"
    seat: int
    cards: tuple[int, ...]


@event
class WentOut(Event):
    """A seat is out of play. Its Techniques, by colour, are back in the middle."""

    kind: Literal["out"] = "out"
    seat: int
    dice: tuple[int, ...]


@event
class SeatPassed(Event):
    """A seat passed and returned its Techniques, by colour. `first`: it takes the first player card."""

    kind: Literal["passed"] = "passed"
    seat: int
    dice: tuple[int, ...]
    first: bool


@event
class PileRefilled(Event):
    """The discarded Jest cards were shuffled into a new draw pile."""

    kind: Literal["refilled"] = "refilled"
    cards: int


@event
class FavoritePlaced(Event):
    """A Favorite was put on a majority place: 0 is the topmost. `played`: its round was played."""

    kind: Literal["placed"] = "placed"
    favorite: int
    place: int
    played: bool


@event
class RoundBegan(Event):
    """A round began: its Favorite, its first player, and the number of new Jest cards by seat."""

    kind: Literal["round"] = "round"
    round: int
    favorite: int
    starter: int
    cards: tuple[int, ...]


@event
class MatchScored(Event):
    """The end: the complete scoring (S16–S19)."""

    kind: Literal["scored"] = "scored"
    final: FinalScoring


AnyEvent = Annotated[
    TechniquesLearned
    | AttemptStarted
    | CardSpent
    | RerollBought
    | GiftUsed
    | DieTurned
    | TechniqueAdded
    | DieMarked
    | DiceRerolled
    | DicePainted
    | TaskCompleted
    | FameGained
    | PerformanceRevealed
    | GiftsDrawn
    | GiftsSeen
    | GiftKept
    | AttemptFailed
    | CardsDrawn
    | WentOut
    | SeatPassed
    | PileRefilled
    | FavoritePlaced
    | RoundBegan
    | MatchScored,
    Field(discriminator="kind"),
]
