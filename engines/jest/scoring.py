"""The values of Jests and the winners of trophies (J10–J13): fast tables for playing, and detailed data for display."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from engines.jest import deck
from engines.jest.deck import CARD_BIT, JOKER, SUITS
from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES

LineKind = Literal["black", "diamond", "heart", "joker", "pair"]
ConditionTest = Literal["highest", "lowest", "majority", "joker", "best", "best without joker"]


class ValueLine(NamedTuple):
    """A line of a Jest's value: a card at its face value in that Jest, the Joker, or the bonus of a pair."""

    kind: LineKind
    cards: tuple[int, ...]
    face: int
    points: int


class ValueBreakdown(NamedTuple):
    """A Jest's value, line by line: each card, spades first and the Joker last, then the pairs (J13)."""

    lines: tuple[ValueLine, ...]
    points: int


class TrophyCondition(NamedTuple):
    """The condition of a trophy. `of` is the suit (as in kit.cards) for highest and lowest, the value for majority."""

    test: ConditionTest
    subject: int = -1


class TrophyAward(NamedTuple):
    """The winner of a trophy (None: nobody), and the reason.

    `measures`, by seat, are the values that the condition compares: the face value of the highest or lowest card, the
    number of cards, 1 for the Joker, or the value of the Jest; None for seats that have nothing to compare. `tied` are
    the seats that share the best value, if several do. `card` is the winner's deciding card: the highest or lowest, the
    Joker, or the one that broke the tie.
    """

    trophy: int
    condition: TrophyCondition
    seat: int | None
    measures: tuple[int | None, ...]
    tied: tuple[int, ...]
    card: int | None


class Settlement(NamedTuple):
    """The winner of each trophy, and the Jests and their values with the trophies."""

    winners: tuple[int | None, ...]
    jests: tuple[int, ...]
    points: tuple[int, ...]


CONDITIONS = (
    *[TrophyCondition("joker")] * 4,  # the hearts
    TrophyCondition("majority", 4),  # the diamonds, from the Ace
    TrophyCondition("highest", DIAMONDS),
    TrophyCondition("lowest", DIAMONDS),
    TrophyCondition("best without joker"),
    TrophyCondition("highest", SPADES),  # the clubs
    TrophyCondition("lowest", HEARTS),
    TrophyCondition("highest", HEARTS),
    TrophyCondition("lowest", SPADES),
    TrophyCondition("highest", CLUBS),  # the spades
    TrophyCondition("majority", 3),
    TrophyCondition("majority", 2),
    TrophyCondition("lowest", CLUBS),
    TrophyCondition("best"),  # the Joker
)
"""By card: its condition as a trophy (J11)."""


# Each suit of a Jest is four bits, the Ace lowest. J12: an Ace alone in its suit is a 5.
_HIGH = tuple(5 if suit == 1 else suit.bit_length() for suit in range(16))  # 0: none of the suit
_LOW = tuple(5 if suit == 1 else (suit & -suit).bit_length() or 9 for suit in range(16))  # 9: none of the suit
_SUM = tuple(5 if suit == 1 else sum(value + 1 for value in range(4) if suit >> value & 1) for suit in range(16))


def _black_value(clubs: int, spades: int) -> int:
    pairs = (clubs & spades).bit_count()
    if clubs & spades & 1 and (clubs == 1) != (spades == 1):
        pairs -= 1  # J13: one Ace is a 5, the other is not
    return _SUM[clubs] + _SUM[spades] + 2 * pairs


_BLACK = tuple(_black_value(bits & 15, bits >> 4) for bits in range(256))
_JOKER = tuple(4 if hearts == 0 else _SUM[hearts] if hearts == 15 else -_SUM[hearts] for hearts in range(16))
_RED = (
    tuple(-_SUM[bits >> 4] for bits in range(256)),
    tuple(_JOKER[bits & 15] - _SUM[bits >> 4] for bits in range(256)),
)  # without the Joker and with it


def jest_value(jest: int) -> int:
    """Return the value of a Jest (J13)."""
    return _RED[jest >> 16][jest & 255] + _BLACK[jest >> 8 & 255]


def value_breakdown(jest: int) -> ValueBreakdown:
    """Return the value of a Jest line by line."""
    lines = [_card_line(jest, card) for card in (*range(JOKER - 1, -1, -1), JOKER) if jest & CARD_BIT[card]]
    lines += [_pair_line(jest, rank) for rank in range(3, -1, -1) if _is_pair(jest, rank)]
    return ValueBreakdown(tuple(lines), sum(line.points for line in lines))


def face_value(jest: int, card: int) -> int:
    """Return the card's face value in that Jest (J12)."""
    return 5 if card % 4 == 0 and card != JOKER and _suit_bits(jest, card // 4) == 1 else deck.VALUE[card]


def award_trophies(trophies: Sequence[int], jests: Sequence[int]) -> tuple[list[int | None], list[int]]:
    """J10: return the winner of each trophy, judged on the Jests without trophies, and the Jests with all trophies."""
    winners: list[int | None] = []
    final = list(jests)
    for trophy in trophies:
        seat = _WINNERS[trophy](jests)
        winners.append(seat)
        if seat is not None:
            final[seat] |= CARD_BIT[trophy]
    return winners, final


def settle_trophies(trophies: Sequence[int], jests: Sequence[int]) -> Settlement:
    """J10: award the trophies, and compute the values of the Jests with them."""
    winners, final = award_trophies(trophies, jests)
    return Settlement(tuple(winners), tuple(final), tuple([jest_value(jest) for jest in final]))


def trophy_winner(trophy: int, jests: Sequence[int]) -> int | None:
    """Return the winner of a trophy for these Jests, or None (J11)."""
    return _WINNERS[trophy](jests)


def trophy_award(trophy: int, jests: Sequence[int]) -> TrophyAward:
    """Return the winner of a trophy for these Jests, and the reason (J11)."""
    condition = CONDITIONS[trophy]
    seat = trophy_winner(trophy, jests)
    measures = tuple(_condition_measure(condition, jest) for jest in jests)
    if seat is None:
        return TrophyAward(trophy, condition, None, measures, (), None)
    sharing = tuple(other for other, measure in enumerate(measures) if measure == measures[seat])
    tied = sharing if len(sharing) > 1 else ()
    return TrophyAward(trophy, condition, seat, measures, tied, _deciding_card(condition, jests[seat], bool(tied)))


def _suit_bits(jest: int, strength: int) -> int:
    """Return the four bits of a suit, by its place in SUITS."""
    return jest >> 4 * strength & 15


def _card_line(jest: int, card: int) -> ValueLine:
    """Return the line of a card (J13)."""
    own = face_value(jest, card)
    hearts = _suit_bits(jest, 0)
    if card == JOKER:
        return ValueLine("joker", (card,), 0, 0 if hearts else 4)
    if card >= 8:
        return ValueLine("black", (card,), own, own)
    if card >= 4:
        return ValueLine("diamond", (card,), own, -own)
    return ValueLine("heart", (card,), own, 0 if not jest >> 16 else own if hearts == 15 else -own)


def _is_pair(jest: int, rank: int) -> bool:
    """Whether the spade and the club of that rank are both there, with the same face value."""
    club, spade = 8 + rank, 12 + rank
    return bool(jest & CARD_BIT[club] and jest & CARD_BIT[spade]) and face_value(jest, club) == face_value(jest, spade)


def _pair_line(jest: int, rank: int) -> ValueLine:
    return ValueLine("pair", (12 + rank, 8 + rank), face_value(jest, 12 + rank), 2)


def _highest_winner(suit: int, jests: Sequence[int]) -> int | None:
    shift = _SUIT_SHIFTS[suit]
    found = [_HIGH[jest >> shift & 15] for jest in jests]
    best = max(found)
    return found.index(best) if best else None


def _lowest_winner(suit: int, jests: Sequence[int]) -> int | None:
    shift = _SUIT_SHIFTS[suit]
    found = [_LOW[jest >> shift & 15] for jest in jests]
    best = min(found)
    return found.index(best) if best < 9 else None


def _majority_winner(rank: int, jests: Sequence[int]) -> int | None:
    """Return the seat with the most cards of the value. The strongest suit, which has the highest bit, breaks ties."""
    found = [(same := jest & _VALUE_MASKS[rank]) | same.bit_count() << 16 for jest in jests]
    best = max(found)
    return found.index(best) if best else None


def _joker_winner(of: int, jests: Sequence[int]) -> int | None:
    for seat, jest in enumerate(jests):
        if jest >> 16:
            return seat
    return None  # the Joker itself is a trophy


def _best_winner(of: int, jests: Sequence[int]) -> int | None:
    return _most_valuable_seat(jests, range(len(jests)))


def _best_winner_without_joker(of: int, jests: Sequence[int]) -> int | None:
    return _most_valuable_seat(jests, [seat for seat, jest in enumerate(jests) if not jest >> 16])


def _most_valuable_seat(jests: Sequence[int], seats: Sequence[int]) -> int | None:
    """Return the best of these seats. The highest face value in the Jest breaks ties, then its suit."""
    found = [jest_value(jests[seat]) for seat in seats]
    best = max(found, default=0)
    if found.count(best) == 1:
        return seats[found.index(best)]
    tied = [seat for seat, other in zip(seats, found, strict=True) if other == best]
    return max(tied, key=lambda seat: _top_card(jests[seat]), default=None)


def _top_card(jest: int) -> tuple[int, int]:
    """Return the face value and the suit (its place in SUITS) of the highest card."""
    return max((_HIGH[_suit_bits(jest, strength)], strength) for strength in range(4))


def _condition_measure(condition: TrophyCondition, jest: int) -> int | None:
    """Return what the condition compares in a Jest, or None if there is nothing to compare."""
    test, of = condition
    match test:
        case "highest":
            return _HIGH[jest >> _SUIT_SHIFTS[of] & 15] or None
        case "lowest":
            lowest = _LOW[jest >> _SUIT_SHIFTS[of] & 15]
            return lowest if lowest < 9 else None
        case "majority":
            return (jest & _VALUE_MASKS[of]).bit_count() or None
        case "joker":
            return jest >> 16 or None
        case "best":
            return jest_value(jest)
        case "best without joker":
            return None if jest >> 16 else jest_value(jest)


def _deciding_card(condition: TrophyCondition, jest: int, tied: bool) -> int | None:
    """Return the deciding card of the winner's Jest."""
    test, of = condition
    match test:
        case "highest":
            return _last_card(jest & 15 << _SUIT_SHIFTS[of])
        case "lowest":
            suit = jest & 15 << _SUIT_SHIFTS[of]
            return _last_card(suit & -suit)
        case "majority":
            return _last_card(jest & _VALUE_MASKS[of]) if tied else None
        case "joker":
            return JOKER
        case "best" | "best without joker":
            strength = _top_card(jest)[1]
            return _last_card(jest & 15 << 4 * strength) if tied else None


def _last_card(jest: int) -> int:
    """Return the last of these cards in the order of engines.jest.deck."""
    return jest.bit_length() - 1


_SUIT_SHIFTS = tuple(4 * SUITS.index(suit) for suit in range(4))  # by suit as in engines.kit.cards
_VALUE_MASKS = tuple(0x1111 << rank - 1 if rank else 0 for rank in range(5))  # the cards of each value
_JUDGES: Mapping[ConditionTest, Callable[[int, Sequence[int]], int | None]] = {
    "highest": _highest_winner,
    "lowest": _lowest_winner,
    "majority": _majority_winner,
    "joker": _joker_winner,
    "best": _best_winner,
    "best without joker": _best_winner_without_joker,
}
_WINNERS = tuple(partial(_JUDGES[test], of) for test, of in CONDITIONS)  # by trophy
