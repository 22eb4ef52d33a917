"""What a picture shows, as values: frozen, hashable, without names or anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.court.spec import CourtHand, CourtTable


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card of a hand; `key` is its name in the notation (`10H`), `wizard`, `jester` or `back`."""

    key: str
    raised: bool = False
    dimmed: bool = False
    trump: bool = False


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A hand in the order given, in one row or two."""

    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """What lies before a seat: up to two numbers with a word each, and a line below them."""

    numbers: tuple[tuple[str, str], ...]
    foot: str = ""
    cards: int = 0  # in the hand
    dealer: bool = False
    turn: str = ""  # what the seat is to do now: `to bid`


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
class TrickTable:
    """A card table seen from above: plates by seat, clockwise; the trick in the middle, the last one small."""

    title: tuple[str, ...]
    plates: tuple[Plate, ...]
    trick: Trick = Trick()
    last: Trick = Trick()
    turned: str | None = None
    trump: str | None = None  # the suit's letter
    trump_words: tuple[str, ...] = ()  # a short line or two beside the turned card
    middle: tuple[str, ...] = ()  # what to say as long as no trick lies there


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a score sheet: what it is called, and for every seat a small note and a number."""

    name: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole score sheet: a column a seat, a line a round, the totals, and the places once it is over."""

    rows: tuple[SheetRow, ...]
    totals: tuple[str, ...]
    places: tuple[int, ...] = ()
    note: str = "bid/took"  # what the small notes are


@dataclass(frozen=True, slots=True)
class Offered:
    """A place of an offer: the card there (a key, or `back`), or none and whose it became, as the how-manyeth taken."""

    key: str = ""
    taker: int | None = None
    order: int = 0


@dataclass(frozen=True, slots=True)
class JestSeat:
    """What lies before a seat of Jest: the two places of its offer, how large its Jest is, what it did or is to do."""

    up: Offered
    down: Offered
    jest: int
    tag: str = ""
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Trophy:
    """A trophy and what it asks for, in two short lines at most; the letter of a suit that it asks for."""

    key: str
    words: tuple[str, ...]
    suit: str = ""


@dataclass(frozen=True, slots=True)
class JestTable:
    """A table of Jest: the trophies and the deck above, a column a seat below."""

    title: tuple[str, ...]
    trophies: tuple[Trophy, ...]
    deck: int
    seats: tuple[JestSeat, ...]


@dataclass(frozen=True, slots=True)
class JestHand:
    """A seat's two cards, each with a word below it and who took it, and its Jest with what it is worth."""

    cards: tuple[tuple[str, str, int | None], ...]
    jest: tuple[str, ...]
    worth: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A card of a Jest and what it counts there; or none, for the bonus of the pairs."""

    key: str
    points: str
    trophy: bool = False


@dataclass(frozen=True, slots=True)
class JestRow:
    """A Jest worked out."""

    seat: int
    place: int
    cards: tuple[Counted, ...]
    total: str


@dataclass(frozen=True, slots=True)
class JestSheet:
    """All Jests worked out, the best first, and the trophies that nobody got."""

    rows: tuple[JestRow, ...]
    nobody: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Sign:
    """A die of a requirement and what it has to show (nothing: whatever), or without `die` a relation: `≥9`, `+`."""

    text: str
    colour: int = -1  # that is asked of it; -1: any
    die: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """A Performance or the Favorite: what it asks for, its symbols, the Fame it brings."""

    name: str
    signs: tuple[Sign, ...]
    symbols: tuple[int, ...]
    fame: str = ""  # none at the Favorite
    favorite: bool = False


@dataclass(frozen=True, slots=True)
class GiftFace:
    """A Gift: what it does (`opposite`, `recolour`, `extra`, `reroll`, `symbol`, `colour`), to or for which."""

    effect: str
    of: int
    symbol: int
    used: bool = False


@dataclass(frozen=True, slots=True)
class JestersSeat:
    """What lies before a seat of Jesters."""

    dice: tuple[int, ...]  # how many of each colour
    cards: int
    done: int  # completed Performances
    fame: int
    failures: int
    gifts: str  # how many are not used, of how many
    tag: str = ""
    turn: bool = False
    first: bool = False  # holds the first player card


@dataclass(frozen=True, slots=True)
class Majority:
    """A majority: what it is worth, its Favorite's symbols (none: not revealed), how many each seat has of them."""

    worth: str
    symbols: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    now: bool = False  # it is this round's Favorite


@dataclass(frozen=True, slots=True)
class Roll:
    """A rolled die."""

    colour: int
    face: int
    marked: bool = False
    was: int | None = None  # its own colour, where that is another one


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt: who performs what, the dice in their order, and what to say beside them."""

    seat: int
    task: Task
    dice: tuple[Roll, ...]
    lines: tuple[str, ...]
    met: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """Jesters' table: the open Performances or an attempt, the middle, failures, majorities, the seats."""

    title: str
    pile: str
    tasks: tuple[Task, ...]
    middle: tuple[int, ...]
    seats: tuple[JestersSeat, ...]
    majorities: tuple[Majority, ...]
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class JestFace:
    """A Jest card: its number, the colours it teaches (-1: any), and how it changes a die of a colour (-1: any)."""

    number: int
    learn: tuple[int, ...]
    change: str  # `±2`, or `opposite`
    colour: int = -1
    dimmed: bool = False


@dataclass(frozen=True, slots=True)
class JestersHand:
    """A seat's Jest cards, its dice and its Gifts; above them its attempt, or the Gifts of which to keep one."""

    cards: tuple[JestFace, ...]
    dice: tuple[int, ...]  # how many of each colour
    gifts: tuple[GiftFace, ...]
    attempt: Attempt | None = None
    choice: tuple[GiftFace, ...] = ()


@dataclass(frozen=True, slots=True)
class JestersLine:
    """A line of the final scoring: its name, symbols that belong to it, and for every seat a count and its Fame."""

    name: str
    cells: tuple[tuple[str, str], ...]
    symbols: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class JestersSheet:
    """The final scoring: a line for each thing that scores, a column a seat."""

    lines: tuple[JestersLine, ...]
    totals: tuple[str, ...]
    places: tuple[int, ...]


Spec = (
    HandPicture
    | TrickTable
    | ScoreSheet
    | JestTable
    | JestHand
    | JestSheet
    | GroupedHand
    | PileTable
    | Stage
    | JestersHand
    | JestersSheet
    | CourtTable
    | CourtHand
)
