"""The policy of Jokers for every decision of a seat, from what it knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engines.jokers import deck
from engines.jokers.deck import CARD_BIT, HAND_SIZE, JOKER, SAFETY_DEPTH
from engines.jokers.melds import best_split as split
from engines.jokers.melds import is_full_hand
from engines.jokers.model import Declare, Discard, Done, Keep, Move, Take, Trade, TurnUp
from players.jokers.numbers import StageValues, stage_values
from players.jokers.plans import all_plans, best_plan
from players.jokers.seen import NON_JOKERS, SeatKnowledge

DECLARE, DONE, KEEP = Declare(), Done(), Keep()
TURN_UP_MOVES = TurnUp(1), TurnUp(2)
DEEPEST = max(SAFETY_DEPTH)

# A safety card is turned up if its expected gain in points is high enough; less is enough if the round may end before
# the next turn. Tuned by matches between candidate values.
SAFETY_THRESHOLD, LATE_SAFETY_THRESHOLD = 6.0, 3.0
LATE_DRAW_PILE = 8
EQUAL_POINTS = 0.5  # by which a move may be worse than the best and still count as about as good
OPPONENT_SCORE = 35  # the other hand's score when the draw pile is empty; one less for each card left


def _cards_near(card: int) -> int:
    """Return the cards that may share a meld with a card, without jokers: of its rank, or at most two ranks away."""
    suit, rank = divmod(card, 13)
    same = [13 * other + rank for other in range(4) if other != suit]
    close = [13 * suit + other for other in range(max(0, rank - 2), min(13, rank + 3)) if other != rank]
    return deck.make_hand(same + close)


def _run_pairs(card: int) -> tuple[int, ...]:
    """Return the pairs of cards that form a run of three with a card."""
    rank = card % 13
    lows = [low for low in (rank - 2, rank - 1, rank) if 0 <= low <= 10]
    return tuple(deck.make_hand(card - rank + each for each in range(low, low + 3) if each != rank) for low in lows)


NEAR_CARDS = (*map(_cards_near, range(JOKER)), 0)
SAME_RANK = tuple(deck.make_hand(range(card % 13, JOKER, 13)) & ~CARD_BIT[card] for card in range(JOKER))
MAX_LONELY = (0, 0, 2, HAND_SIZE)
"""By jokers: how many cards of a full hand may have none near them. Two jokers bridge a gap, as in 5 and 8."""
RUN_PAIRS = tuple(map(_run_pairs, range(JOKER)))


def choose_move(knowledge: SeatKnowledge) -> Move:
    """Return the policy's move."""
    match knowledge.phase:
        case "safety":
            return best_take(knowledge)
        case "discard":
            return Discard(least_needed_card(knowledge))
    if not knowledge.is_last_turn and is_full(knowledge.hand):
        return DECLARE
    if can_use_safety(knowledge) and wants_safety(knowledge):
        return TURN_UP_MOVES[knowledge.down.index(True)]
    if may_trade(knowledge):
        return trade_move(knowledge, best_plan(knowledge.hand, knowledge.live, current_values(knowledge))[1])
    return DONE


def equal_moves(knowledge: SeatKnowledge) -> list[Move]:
    """Return that move, and others that are about as good."""
    first = choose_move(knowledge)
    others: list[Move] = []
    match first:
        case Keep() | Take():
            values = {move: _value_with_card(knowledge, card) for move, card in take_options(knowledge)}
            others = [move for move, value in values.items() if value >= values[first] - EQUAL_POINTS]
        case Discard():
            others = [Discard(card) for card in _least_needed_cards(knowledge)]
        case Trade():
            plans = all_plans(knowledge.hand, knowledge.live, current_values(knowledge))
            best = max(value for value, _ in plans)
            near = dict.fromkeys(kept for value, kept in plans if value >= best - EQUAL_POINTS)
            others = [trade_move(knowledge, kept) for kept in near]
    return list(dict.fromkeys([first, *others]))


def is_full(hand: int) -> bool:
    """Whether a hand is full (K8). Most hands are ruled out quickly."""
    return count_lonely(hand) <= MAX_LONELY[hand >> JOKER] and is_full_hand(hand)


def count_lonely(hand: int) -> int:
    """Return how many cards have none near them."""
    return sum([not NEAR_CARDS[card] & hand for card in deck.hand_cards(hand & NON_JOKERS)])


def current_values(knowledge: SeatKnowledge) -> StageValues:
    """Return the values of parts and plans now."""
    return stage_values(knowledge.trades, knowledge.draw, knowledge.is_last_turn)


def may_trade(knowledge: SeatKnowledge) -> bool:
    """Whether a trade is left (K3)."""
    return knowledge.trades > 0 and knowledge.draw > 0


def trade_move(knowledge: SeatKnowledge, kept: int) -> Move:
    """Return the trade that keeps those cards and jokers; if there is none to trade, end the turn."""
    out = cards_to_trade(knowledge, kept)
    return Trade(out) if out else DONE


def cards_to_trade(knowledge: SeatKnowledge, kept: int) -> tuple[int, ...]:
    """Return the cards to trade, in order: those useful to the opponent are the deepest."""
    hand = knowledge.hand & NON_JOKERS
    out = list(deck.hand_cards(hand & ~kept))
    if len(out) > knowledge.draw:
        out.sort(key=lambda card: (NEAR_CARDS[card] & hand).bit_count())
        out = out[: knowledge.draw]
    out.sort(
        key=lambda card: (
            -20 * (NEAR_CARDS[card] & knowledge.theirs).bit_count() - (NEAR_CARDS[card] & knowledge.live).bit_count()
        )
    )
    return tuple(out)


# Safety cards


def can_use_safety(knowledge: SeatKnowledge) -> bool:
    """Whether a safety card may be turned up now (K4)."""
    return True in knowledge.down and len(knowledge.discard) > 0


def wants_safety(knowledge: SeatKnowledge) -> bool:
    """Whether to turn up a safety card now. At the very end always, because it can do no harm."""
    if not may_trade(knowledge) and (knowledge.is_last_turn or not knowledge.draw):
        return True
    return expected_safety_gain(knowledge) > (
        SAFETY_THRESHOLD if knowledge.draw > LATE_DRAW_PILE else LATE_SAFETY_THRESHOLD
    )


def expected_safety_gain(knowledge: SeatKnowledge) -> float:
    """Return the mean improvement of the hand from the discard pile, over all depths the safety card may reach."""
    now = None
    most = mean = 0.0
    for card in knowledge.discard[: -DEEPEST - 1 : -1]:
        if _is_useful(card, knowledge.hand):
            if now is None:
                now = best_plan(knowledge.hand, knowledge.live, current_values(knowledge))[0]
            most = max(most, _value_with_card(knowledge, card) - now)
        mean += most
    return (mean + most * (DEEPEST - min(DEEPEST, len(knowledge.discard)))) / DEEPEST


def best_take(knowledge: SeatKnowledge) -> Move:
    """Return the card that improves the hand most, or the safety card itself if none does better."""
    return max(take_options(knowledge), key=lambda each: _value_with_card(knowledge, each[1]))[0]


def take_options(knowledge: SeatKnowledge) -> Iterator[tuple[Move, int]]:
    """Return the choices for the turned-up safety card, with the card each gains, without useless ones."""
    assert knowledge.turned is not None
    yield KEEP, knowledge.turned
    for depth in range(1, min(SAFETY_DEPTH[knowledge.turned], len(knowledge.discard)) + 1):
        if _is_useful(card := knowledge.discard[-depth], knowledge.hand):
            yield Take(depth), card


def _value_with_card(knowledge: SeatKnowledge, card: int) -> float:
    """Return the value of the hand with one more card, before another is discarded."""
    hand = knowledge.hand + CARD_BIT[card]
    worth = best_plan(hand, knowledge.live, current_values(knowledge))[0]
    if knowledge.is_last_turn or not is_one_card_short(knowledge.hand) or not (spares := _full_hand_discards(hand)):
        return worth
    return max(worth, max(spares)[0] - max(0, OPPONENT_SCORE - knowledge.draw))


def fills_hand(knowledge: SeatKnowledge, card: int) -> bool:
    """Whether a hand of eight is full with one more card and without another."""
    return bool(_full_hand_discards(knowledge.hand + CARD_BIT[card]))


def _full_hand_discards(hand: int) -> list[tuple[int, int]]:
    """Return the cards of nine without which the others form a full hand, each with the score of that hand."""
    rests = [(hand - CARD_BIT[card], card) for card in dict.fromkeys(deck.hand_cards(hand))]
    return [(split(rest, declared=True).points, card) for rest, card in rests if is_full(rest)]


@lru_cache(maxsize=1 << 14)
def is_one_card_short(hand: int) -> bool:
    """Whether one different card would make the hand full."""
    if count_lonely(hand) > 1 + MAX_LONELY[(hand >> JOKER) + 1]:
        return False
    return any(is_full_hand(hand - CARD_BIT[card] + CARD_BIT[JOKER]) for card in dict.fromkeys(deck.hand_cards(hand)))


def _is_useful(card: int, hand: int) -> bool:
    """Whether a card forms a meld with two others of a hand, or is a joker."""
    return (
        card == JOKER or (SAME_RANK[card] & hand).bit_count() > 1 or any(two & hand == two for two in RUN_PAIRS[card])
    )


def least_needed_card(knowledge: SeatKnowledge) -> int:
    """Return the least needed card of a hand of nine."""
    return _least_needed_cards(knowledge)[0]


def _least_needed_cards(knowledge: SeatKnowledge) -> Sequence[int]:
    """Return the cards of a hand of nine that are needed least. If it holds a full hand, there is only one."""
    own = knowledge.hand & NON_JOKERS
    if not knowledge.is_last_turn and (spares := _full_hand_discards(knowledge.hand)):
        return (max(spares)[1],)
    out = own & ~best_plan(knowledge.hand, knowledge.live, current_values(knowledge))[1]
    near = {card: (NEAR_CARDS[card] & own).bit_count() for card in deck.hand_cards(out or own)}
    return [card for card, count in near.items() if count == min(near.values())]
