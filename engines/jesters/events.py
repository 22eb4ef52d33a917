"""What happens in Jesters. All of it is public but the Jest cards that a seat gets and the Gifts it chooses from."""

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
    """A seat used a Gift: an extra Technique was taken from the middle and rolled at once."""

    kind: Literal["added"] = "added"
    seat: int
    gift: int
    die: int
    colour: int
    face: int


@event
class DieMarked(Event):
    """A seat marked a die, or took the mark back."""

    kind: Literal["marked"] = "marked"
    seat: int
    die: int
    marked: bool


@event
class DiceRerolled(Event):
    """The marked dice were rerolled; `faces` in the same order."""

    kind: Literal["rerolled"] = "rerolled"
    seat: int
    dice: tuple[int, ...]
    faces: tuple[int, ...]


@event
class DicePainted(Event):
    """The marked dice changed to a colour."""

    kind: Literal["painted"] = "painted"
    seat: int
    dice: tuple[int, ...]
    colour: int


@event
class TaskCompleted(Event):
    """A seat's dice met the requirement of a Performance or the FAVORITE; they are back in the middle."""

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
    """A new Performance lies open."""

    kind: Literal["revealed"] = "revealed"
    performance: int


@event
class GiftsDrawn(Event):
    """A seat drew two Gifts, of which it keeps one."""

    kind: Literal["gifts"] = "gifts"
    seat: int


@event
class GiftsSeen(Event):
    """The Gifts that one seat, and it alone, may choose from."""

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
    """A seat failed, for the first, second or third time, and so many Jest cards came to its hand."""

    kind: Literal["failed"] = "failed"
    seat: int
    target: int
    dice: tuple[Die, ...]
    failures: int
    cards: int


@event
class CardsDrawn(Event):
    """The Jest cards that came to one seat's hand, told to it alone."""

    kind: Literal["drawn"] = "drawn"
    seat: int
    cards: tuple[int, ...]


@event
class WentOut(Event):
    """A seat is out of play; its Techniques, by colour, are back in the middle."""

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
    """The discarded Jest cards were shuffled to a new draw pile."""

    kind: Literal["refilled"] = "refilled"
    cards: int


@event
class FavoritePlaced(Event):
    """A Favorite went to a majority place: 0 is the topmost. `played`: its round has been played."""

    kind: Literal["placed"] = "placed"
    favorite: int
    place: int
    played: bool


@event
class RoundBegan(Event):
    """A round began: its Favorite, who starts, and by seat how many Jest cards came to the hands."""

    kind: Literal["round"] = "round"
    round: int
    favorite: int
    starter: int
    cards: tuple[int, ...]


@event
class MatchScored(Event):
    """The end: everything that is scored (S16–S19)."""

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
