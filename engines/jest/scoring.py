"""What a Jest is worth and who gets a trophy (J10–J13): tables for playing, and the working-out as data for showing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from engines.jest import deck
from engines.jest.deck import JOKER, ONE, SUITS
from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES

Kind = Literal["black", "diamond", "heart", "joker", "pair"]
Test = Literal["highest", "lowest", "majority", "joker", "best", "best without joker"]


class Line(NamedTuple):
    """A line of a Jest's value: a card at its face value in that Jest, the Joker, or a pair's bonus."""

    kind: Kind
    cards: tuple[int, ...]
    face: int
    points: int


class Worth(NamedTuple):
    """A Jest's value, line by line: each card, spades first and the Joker last, then the pairs (J13)."""

    lines: tuple[Line, ...]
    points: int


class Condition(NamedTuple):
    """What a trophy asks for; `of` is the suit (as in engines.kit.cards) of highest and lowest, the value of majority."""

    test: Test
    of: int = -1


class Award(NamedTuple):
    """Who gets a trophy (None: nobody), and why.

    `measures`, by seat, are what the condition compares: the face value of the highest or lowest card, the number of
    cards, 1 for the Joker, the value of the Jest; None for who has nothing to compare. `tied` are the seats that
    share the best one, where several do. `card` is the winner's card that decided: the highest or lowest, the Joker,
    or the one that broke the tie.
    """

    trophy: int
    condition: Condition
    seat: int | None
    measures: tuple[int | None, ...]
    tied: tuple[int, ...]
    card: int | None


class Settlement(NamedTuple):
    """Who gets each trophy, and the Jests and their values with the trophies."""

    winners: tuple[int | None, ...]
    jests: tuple[int, ...]
    points: tuple[int, ...]


CONDITIONS = (
    *[Condition("joker")] * 4,  # the hearts
    Condition("majority", 4),  # the diamonds, from the Ace
    Condition("highest", DIAMONDS),
    Condition("lowest", DIAMONDS),
    Condition("best without joker"),
    Condition("highest", SPADES),  # the clubs
    Condition("lowest", HEARTS),
    Condition("highest", HEARTS),
    Condition("lowest", SPADES),
    Condition("highest", CLUBS),  # the spades
    Condition("majority", 3),
    Condition("majority", 2),
    Condition("lowest", CLUBS),
    Condition("best"),  # the Joker
)
"""By card: what it asks for as a trophy (J11)."""


# A suit's part of a Jest is four bits, the Ace lowest. J12: an Ace alone in its suit is a 5.
_HIGH = tuple(5 if suit == 1 else suit.bit_length() for suit in range(16))  # 0: none of the suit
_LOW = tuple(5 if suit == 1 else (suit & -suit).bit_length() or 9 for suit in range(16))  # 9: none of the suit
_SUM = tuple(5 if suit == 1 else sum(value + 1 for value in range(4) if suit >> value & 1) for suit in range(16))


def _black(clubs: int, spades: int) -> int:
    pairs = (clubs & spades).bit_count()
    if clubs & spades & 1 and (clubs == 1) != (spades == 1):
        pairs -= 1  # J13: one Ace is a 5, the other is not
    return _SUM[clubs] + _SUM[spades] + 2 * pairs


_BLACK = tuple(_black(bits & 15, bits >> 4) for bits in range(256))
_JOKER = tuple(4 if hearts == 0 else _SUM[hearts] if hearts == 15 else -_SUM[hearts] for hearts in range(16))
_RED = (
    tuple(-_SUM[bits >> 4] for bits in range(256)),
    tuple(_JOKER[bits & 15] - _SUM[bits >> 4] for bits in range(256)),
)  # without the Joker and with it


def value(jest: int) -> int:
    """What a Jest is worth (J13)."""
    return _RED[jest >> 16][jest & 255] + _BLACK[jest >> 8 & 255]


def worth(jest: int) -> Worth:
    """A Jest's value worked out."""
    lines = [_line(jest, card) for card in (*range(JOKER - 1, -1, -1), JOKER) if jest & ONE[card]]
    lines += [_pair(jest, rank) for rank in range(3, -1, -1) if _is_pair(jest, rank)]
    return Worth(tuple(lines), sum(line.points for line in lines))


def face(jest: int, card: int) -> int:
    """The card's face value in that Jest (J12)."""
    return 5 if card % 4 == 0 and card != JOKER and _suit(jest, card // 4) == 1 else deck.VALUE[card]


def given(trophies: Sequence[int], jests: Sequence[int]) -> tuple[list[int | None], list[int]]:
    """J10: who gets each trophy, which is judged on the Jests without any; and the Jests with all of them."""
    winners: list[int | None] = []
    final = list(jests)
    for trophy in trophies:
        seat = _WINNERS[trophy](jests)
        winners.append(seat)
        if seat is not None:
            final[seat] |= ONE[trophy]
    return winners, final


def settle(trophies: Sequence[int], jests: Sequence[int]) -> Settlement:
    """J10, with the values that the Jests have then."""
    winners, final = given(trophies, jests)
    return Settlement(tuple(winners), tuple(final), tuple([value(jest) for jest in final]))


def winner(trophy: int, jests: Sequence[int]) -> int | None:
    """Who gets a trophy with these Jests; None: nobody (J11)."""
    return _WINNERS[trophy](jests)


def award(trophy: int, jests: Sequence[int]) -> Award:
    """Who gets a trophy with these Jests, and why (J11)."""
    condition = CONDITIONS[trophy]
    seat = winner(trophy, jests)
    measures = tuple(_measure(condition, jest) for jest in jests)
    if seat is None:
        return Award(trophy, condition, None, measures, (), None)
    sharing = tuple(other for other, measure in enumerate(measures) if measure == measures[seat])
    tied = sharing if len(sharing) > 1 else ()
    return Award(trophy, condition, seat, measures, tied, _decider(condition, jests[seat], bool(tied)))


def _suit(jest: int, strength: int) -> int:
    """The four bits of a suit, by its place in SUITS."""
    return jest >> 4 * strength & 15


def _line(jest: int, card: int) -> Line:
    """One card's line (J13)."""
    own = face(jest, card)
    hearts = _suit(jest, 0)
    if card == JOKER:
        return Line("joker", (card,), 0, 0 if hearts else 4)
    if card >= 8:
        return Line("black", (card,), own, own)
    if card >= 4:
        return Line("diamond", (card,), own, -own)
    return Line("heart", (card,), own, 0 if not jest >> 16 else own if hearts == 15 else -own)


def _is_pair(jest: int, rank: int) -> bool:
    """Whether the spade and the club of that rank are both there, with the same face value."""
    club, spade = 8 + rank, 12 + rank
    return bool(jest & ONE[club] and jest & ONE[spade]) and face(jest, club) == face(jest, spade)


def _pair(jest: int, rank: int) -> Line:
    return Line("pair", (12 + rank, 8 + rank), face(jest, 12 + rank), 2)


def _highest(suit: int, jests: Sequence[int]) -> int | None:
    shift = _SHIFT[suit]
    found = [_HIGH[jest >> shift & 15] for jest in jests]
    best = max(found)
    return found.index(best) if best else None


def _lowest(suit: int, jests: Sequence[int]) -> int | None:
    shift = _SHIFT[suit]
    found = [_LOW[jest >> shift & 15] for jest in jests]
    best = min(found)
    return found.index(best) if best < 9 else None


def _majority(rank: int, jests: Sequence[int]) -> int | None:
    """The most cards of the value; among as many, the strongest suit, whose bit is the highest."""
    found = [(same := jest & _ALIKE[rank]) | same.bit_count() << 16 for jest in jests]
    best = max(found)
    return found.index(best) if best else None


def _joker(of: int, jests: Sequence[int]) -> int | None:
    for seat, jest in enumerate(jests):
        if jest >> 16:
            return seat
    return None  # the Joker is a trophy itself


def _best(of: int, jests: Sequence[int]) -> int | None:
    return _most_valuable(jests, range(len(jests)))


def _best_without_joker(of: int, jests: Sequence[int]) -> int | None:
    return _most_valuable(jests, [seat for seat, jest in enumerate(jests) if not jest >> 16])


def _most_valuable(jests: Sequence[int], seats: Sequence[int]) -> int | None:
    """Among these seats; ties go by the highest face value in the Jest, then by its suit."""
    found = [value(jests[seat]) for seat in seats]
    best = max(found, default=0)
    if found.count(best) == 1:
        return seats[found.index(best)]
    tied = [seat for seat, other in zip(seats, found, strict=True) if other == best]
    return max(tied, key=lambda seat: _top(jests[seat]), default=None)


def _top(jest: int) -> tuple[int, int]:
    """The face value and the suit (its place in SUITS) of the highest card."""
    return max((_HIGH[_suit(jest, strength)], strength) for strength in range(4))


def _measure(condition: Condition, jest: int) -> int | None:
    """What the condition compares of a Jest; None where there is nothing to compare."""
    test, of = condition
    match test:
        case "highest":
            return _HIGH[jest >> _SHIFT[of] & 15] or None
        case "lowest":
            lowest = _LOW[jest >> _SHIFT[of] & 15]
            return lowest if lowest < 9 else None
        case "majority":
            return (jest & _ALIKE[of]).bit_count() or None
        case "joker":
            return jest >> 16 or None
        case "best":
            return value(jest)
        case "best without joker":
            return None if jest >> 16 else value(jest)


def _decider(condition: Condition, jest: int, tied: bool) -> int | None:
    """The card of the winner's Jest that decided."""
    test, of = condition
    match test:
        case "highest":
            return _last(jest & 15 << _SHIFT[of])
        case "lowest":
            suit = jest & 15 << _SHIFT[of]
            return _last(suit & -suit)
        case "majority":
            return _last(jest & _ALIKE[of]) if tied else None
        case "joker":
            return JOKER
        case "best" | "best without joker":
            strength = _top(jest)[1]
            return _last(jest & 15 << 4 * strength) if tied else None


def _last(jest: int) -> int:
    """The last of these cards in the order of engines.jest.deck."""
    return jest.bit_length() - 1


_SHIFT = tuple(4 * SUITS.index(suit) for suit in range(4))  # by suit as in engines.kit.cards
_ALIKE = tuple(0x1111 << rank - 1 if rank else 0 for rank in range(5))  # by value: the cards of it
_JUDGE: Mapping[Test, Callable[[int, Sequence[int]], int | None]] = {
    "highest": _highest,
    "lowest": _lowest,
    "majority": _majority,
    "joker": _joker,
    "best": _best,
    "best without joker": _best_without_joker,
}
_WINNERS = tuple(partial(_JUDGE[test], of) for test, of in CONDITIONS)  # by trophy
