"""The policy: rules of thumb for every decision of a seat, from what it knows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engines.jokers import deck
from engines.jokers.deck import DEPTH, HAND, JOKER, ONE
from engines.jokers.melds import best as split
from engines.jokers.melds import full
from engines.jokers.model import Declare, Discard, Done, Keep, Move, Take, Trade, TurnUp
from players.jokers.numbers import Worths, worths
from players.jokers.plans import best
from players.jokers.seen import PACK, Seen

DECLARE, DONE, KEEP = Declare(), Done(), Keep()
TURN_UPS = TurnUp(1), TurnUp(2)
DEEPEST = max(DEPTH)

# A safety card is turned up for what it is expected to bring, in points; for less where the round may end before the
# next turn. Tuned by matches between such numbers.
ENOUGH, ENOUGH_LATE = 6.0, 3.0
LATE = 8
THEIRS = 35  # what the other's hand scores when the draw pile has run out; by one less for each card that is left


def _near(card: int) -> int:
    """The cards that a card may be in a meld with, but for jokers: of its rank, or at most two ranks away."""
    suit, rank = divmod(card, 13)
    same = [13 * other + rank for other in range(4) if other != suit]
    close = [13 * suit + other for other in range(max(0, rank - 2), min(13, rank + 3)) if other != rank]
    return deck.hand(same + close)


def _runs(card: int) -> tuple[int, ...]:
    """The pairs of cards that are a run of three with a card."""
    rank = card % 13
    lows = [low for low in (rank - 2, rank - 1, rank) if 0 <= low <= 10]
    return tuple(deck.hand(card - rank + each for each in range(low, low + 3) if each != rank) for low in lows)


NEAR = (*map(_near, range(JOKER)), 0)
SAME = tuple(deck.hand(range(card % 13, JOKER, 13)) & ~ONE[card] for card in range(JOKER))
LONELY = (0, 0, 2, HAND)
"""By jokers, how many cards of a full hand may have none near them: two jokers bridge a gap, as in 5 and 8."""
RUNS = tuple(map(_runs, range(JOKER)))


def move(seen: Seen) -> Move:
    """What to do."""
    match seen.phase:
        case "safety":
            return take(seen)
        case "discard":
            return Discard(worst(seen))
    if not seen.last and is_full(seen.hand):
        return DECLARE
    if usable(seen) and wants_safety(seen):
        return TURN_UPS[seen.down.index(True)]
    if may_trade(seen):
        return trade(seen, best(seen.hand, seen.live, stage(seen))[1])
    return DONE


def is_full(hand: int) -> bool:
    """Whether a hand is full (K8); for most hands it is quicker to see that it is not."""
    return lonely(hand) <= LONELY[hand >> JOKER] and full(hand)


def lonely(hand: int) -> int:
    """How many cards have none near them."""
    return sum([not NEAR[card] & hand for card in deck.held(hand & PACK)])


def stage(seen: Seen) -> Worths:
    """What things are worth now."""
    return worths(seen.trades, seen.draw, seen.last)


def may_trade(seen: Seen) -> bool:
    """Whether a trade is left (K3)."""
    return seen.trades > 0 and seen.draw > 0


def trade(seen: Seen, kept: int) -> Move:
    """The trade that keeps those cards, and jokers; with none to trade, the seat is done."""
    out = laid(seen, kept)
    return Trade(out) if out else DONE


def laid(seen: Seen, kept: int) -> tuple[int, ...]:
    """The cards to trade, in order: what the other could use lies deepest."""
    hand = seen.hand & PACK
    out = list(deck.held(hand & ~kept))
    if len(out) > seen.draw:
        out.sort(key=lambda card: (NEAR[card] & hand).bit_count())
        out = out[: seen.draw]
    out.sort(key=lambda card: -20 * (NEAR[card] & seen.theirs).bit_count() - (NEAR[card] & seen.live).bit_count())
    return tuple(out)


# Safety cards


def usable(seen: Seen) -> bool:
    """Whether a safety card may be turned up in this open moment (K4)."""
    return True in seen.down and len(seen.discard) > 0


def wants_safety(seen: Seen) -> bool:
    """Whether to turn up a safety card now: at the very end always, as it cannot do harm."""
    if not may_trade(seen) and (seen.last or not seen.draw):
        return True
    return expected(seen) > (ENOUGH if seen.draw > LATE else ENOUGH_LATE)


def expected(seen: Seen) -> float:
    """By how much the discard pile betters the hand in the mean, however deep the safety card may reach."""
    now = None
    most = mean = 0.0
    for card in seen.discard[: -DEEPEST - 1 : -1]:
        if _of_use(card, seen.hand):
            if now is None:
                now = best(seen.hand, seen.live, stage(seen))[0]
            most = max(most, _with(seen, card) - now)
        mean += most
    return (mean + most * (DEEPEST - min(DEEPEST, len(seen.discard)))) / DEEPEST


def take(seen: Seen) -> Move:
    """The card that betters the hand most; the safety card itself where none does more."""
    return max(takes(seen), key=lambda each: _with(seen, each[1]))[0]


def takes(seen: Seen) -> Iterator[tuple[Move, int]]:
    """What may be done with the safety card turned up, and the card that this brings; useless ones left out."""
    assert seen.turned is not None
    yield KEEP, seen.turned
    for depth in range(1, min(DEPTH[seen.turned], len(seen.discard)) + 1):
        if _of_use(card := seen.discard[-depth], seen.hand):
            yield Take(depth), card


def _with(seen: Seen, card: int) -> float:
    """What the hand is worth with one more card, before another is laid down for it."""
    hand = seen.hand + ONE[card]
    worth = best(hand, seen.live, stage(seen))[0]
    if seen.last or not one_short(seen.hand) or not (spares := _spares(hand)):
        return worth
    return max(worth, max(spares)[0] - max(0, THEIRS - seen.draw))


def _spares(hand: int) -> list[tuple[int, int]]:
    """The cards of nine without which the others are a full hand, and before each what that scores."""
    rests = [(hand - ONE[card], card) for card in dict.fromkeys(deck.held(hand))]
    return [(split(rest, declared=True).points, card) for rest, card in rests if is_full(rest)]


@lru_cache(maxsize=1 << 14)
def one_short(hand: int) -> bool:
    """Whether a hand could be full with another card for one of its own."""
    if lonely(hand) > 1 + LONELY[(hand >> JOKER) + 1]:
        return False
    return any(full(hand - ONE[card] + ONE[JOKER]) for card in dict.fromkeys(deck.held(hand)))


def _of_use(card: int, hand: int) -> bool:
    """Whether a card makes a meld with two others of a hand, or is a joker."""
    return card == JOKER or (SAME[card] & hand).bit_count() > 1 or any(two & hand == two for two in RUNS[card])


def worst(seen: Seen) -> int:
    """The card of a hand of nine that is needed least."""
    own = seen.hand & PACK
    if not seen.last and (spares := _spares(seen.hand)):
        return max(spares)[1]
    out = own & ~best(seen.hand, seen.live, stage(seen))[1]
    return min(deck.held(out or own), key=lambda card: (NEAR[card] & own).bit_count())
