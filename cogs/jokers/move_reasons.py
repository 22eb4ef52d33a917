"""Reasons for Jokers' moves: one sentence each, based only on what the seat can see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from cogs.jokers.words import (
    best_eight,
    join_cards,
    safety_reach,
    short_card,
    sort_hand,
    sort_meld,
    split_without,
    the_card,
)
from cogs.screens import words
from engines.jokers import deck
from engines.jokers.deck import JOKER, SAFETY_DEPTH
from engines.jokers.melds import Meld, best_split, is_full_hand
from engines.jokers.model import Declare, Discard, Done, Keep, Move, Take, Trade, TurnUp
from engines.jokers.view import View

MAX_DEPTH = max(SAFETY_DEPTH)  # the deepest reach of a safety card


def move_reason(view: View, move: Move) -> str:
    """Return why the move may be good."""
    match move:
        case Trade(cards):
            return _trade_reason(view, cards)
        case TurnUp():
            return _turn_up_reason(view)
        case Take(depth):
            return _take_reason(view, view.discard[-depth])
        case Keep():
            assert view.turned is not None
            return _keep_reason(view, view.turned)
        case Discard(card):
            return _discard_reason(view, card)
        case Declare():
            return (
                "All eight cards are in melds, which scores "
                f"{best_split(deck.make_hand(view.hand), declared=True).points} now."
            )
        case Done():
            return _done_reason(view)


# Trades


def _trade_reason(view: View, out: Sequence[int]) -> str:
    """The melds or near melds that stay, and that the traded cards are not in a meld."""
    before, rest = best_split(deck.make_hand(view.hand)), _remove_cards(view.hand, out)
    melds = [meld for meld in before.melds if not set(_natural_cards(meld)) & set(out)]
    broken = [meld for meld in before.melds if meld not in melds]
    go = f"{'It is' if len(out) == 1 else 'They are'} not in a meld"
    if melds and not broken:
        return f"{go}, and you keep your {_melds_text(melds)}."
    if broken and not melds:
        return f"You give up your {_melds_text(broken)} for {_new_cards_text(out)}{_keeping_clause(rest)}."
    if broken:
        return f"You keep your {_melds_text(melds)} and give up the other meld for {_new_cards_text(out)}."
    return f"{go}{_keeping_clause(rest)}."


def _new_cards_text(out: Sequence[int]) -> str:
    return "a new card" if len(out) == 1 else f"{len(out)} new cards"


def _keeping_clause(rest: Sequence[int]) -> str:
    """The remaining cards that may become a meld, as a clause."""
    jokers = rest.count(JOKER)
    if jokers:
        return f", and you keep {'the joker, which fits' if jokers == 1 else 'both jokers, which fit'} any meld"
    near = next(((one, other) for one, other in combinations(sort_hand(rest), 2) if _is_near_meld(one, other)), None)
    if near:
        return f", and {short_card(near[0])} and {short_card(near[1])} need one more card for a meld"
    return f", and you keep only {join_cards(rest)}" if 0 < len(rest) < 3 else ""


def _is_near_meld(one: int, other: int) -> bool:
    """Whether a third card could complete a meld: same rank, or close together in a suit."""
    if JOKER in (one, other):
        return False
    return one % 13 == other % 13 or (one // 13 == other // 13 and abs(one - other) <= 2)


# Safety cards


def _turn_up_reason(view: View) -> str:
    """The card of the discard pile that would improve the hand most, if the safety card reaches it."""
    now = best_split(deck.make_hand(view.hand)).points
    found = [
        (_points_with_card(view.hand, card), -depth, card)
        for depth, card in enumerate(reversed(view.discard[-MAX_DEPTH:]), 1)
    ]
    worth, depth, card = max(found)
    if worth > now:
        return (
            f"{words.capitalize(the_card(card))}, {_depth_text(-depth)} in the discard pile, could make "
            f"your hand worth {words.signed_number(worth)} instead of {words.signed_number(now)}."
        )
    if not view.draw or not view.trades:
        return "You cannot trade any more, and an unused safety card is worth nothing."
    down = sum(card is None for card in view.safety[view.turn])
    pile = words.pluralize(len(view.discard), "card")
    return f"It may get you one of the {pile} in the discard pile, {_safety_left_text(down)}."


def _safety_left_text(down: int) -> str:
    return "but it is your last safety card" if down == 1 else "and you still have another one"


def _depth_text(depth: int) -> str:
    return "on top" if depth == 1 else f"{words.ordinal(depth)} from the top"


def _take_reason(view: View, card: int) -> str:
    """What the card does for the hand."""
    return f"{_card_effect_text(view, card)}."


def _keep_reason(view: View, card: int) -> str:
    """What the safety card does for the hand, compared with the cards in its reach."""
    worth = _points_with_card(view.hand, card)
    within = [_points_with_card(view.hand, view.discard[-depth]) for depth in range(1, safety_reach(view) + 1)]
    if within and worth >= max(within):
        better = "better" if worth == max(within) else "as good"
        return f"{_card_effect_text(view, card)}, and no card in its reach is {better}."
    return f"{_card_effect_text(view, card)}."


def _card_effect_text(view: View, card: int) -> str:
    """`The 6♣ makes a run 4♣–6♣`, or what the hand is worth with the card."""
    before, (_, after) = best_split(deck.make_hand(view.hand)), best_eight((*view.hand, card))
    text = words.capitalize(the_card(card))
    meld = next((meld for meld in after.melds if card in _natural_cards(meld) or (card == JOKER and meld.jokers)), None)
    if meld and after.points > before.points:
        return f"{text} makes {_meld_with_article(meld)} and your hand worth {words.signed_number(after.points)}"
    if meld:
        return f"{text} fits in {_meld_with_article(meld)}"
    near = next((one for one in sort_hand(view.hand) if _is_near_meld(one, card)), None)
    if near is not None:
        return f"{text} and your {short_card(near)} need one more card for a meld"
    return f"Your hand is still worth {words.signed_number(after.points)} with {the_card(card)}"


def _points_with_card(hand: Sequence[int], card: int) -> int:
    """The points of the best eight cards of the hand and one more card, if the round is lost."""
    return best_eight((*hand, card))[1].points


# Discards, and the end of a turn


def _discard_reason(view: View, card: int) -> str:
    """What the hand is worth without the card."""
    rest = deck.remove_card(deck.make_hand(view.hand), card)
    if view.declared is None and is_full_hand(rest):
        return f"The rest is a full hand, worth {best_split(rest, declared=True).points} if you declare it."
    left, others = (
        split_without(view.hand, card),
        [split_without(view.hand, one).points for one in {*view.hand} - {card}],
    )
    if others and left.points > max(others):
        return (
            f"Without {the_card(card)}, your hand is worth {words.signed_number(left.points)} if you lose, more "
            "than without any other card."
        )
    near = sum(_is_near_meld(card, one) for one in view.hand if one != card)
    if not near and card != JOKER:
        return (
            f"{words.capitalize(the_card(card))} fits no other card, and without it your hand is worth "
            f"{words.signed_number(left.points)}."
        )
    return f"Your hand is worth {words.signed_number(left.points)} without {the_card(card)}, if you lose."


def _done_reason(view: View) -> str:
    """What the hand is worth, and why the turn may end."""
    split = best_split(deck.make_hand(view.hand))
    worth = words.signed_number(split.points)
    if not view.draw:
        return f"The draw pile is empty, and your hand is worth {worth}."
    if not view.trades:
        return f"You have no trades left, and your hand is worth {worth}."
    if split.melds:
        return f"Your hand is worth {worth} with your {_melds_text(split.melds)}."
    return f"Your hand is worth {worth}."


# Words


def _melds_text(melds: Sequence[Meld]) -> str:
    """Melds in a sentence: `run 4♣–6♣ and set 9♦ 9♥ 9♠`."""
    return words.join_with_and([f"{meld.kind} {_meld_cards_text(meld)}" for meld in melds])


def _meld_with_article(meld: Meld) -> str:
    return f"a {meld.kind} {_meld_cards_text(meld)}"


def _meld_cards_text(meld: Meld) -> str:
    """A run by its ends, other melds card by card: `4♣–6♣`, `9♦ 9♥ joker`."""
    cards = [JOKER if card in meld.jokers else card for card in sort_meld(meld)]
    if meld.kind == "run" and JOKER not in (cards[0], cards[-1]):
        return f"{short_card(cards[0])}–{short_card(cards[-1])}"
    return " ".join(map(short_card, cards))


def _natural_cards(meld: Meld) -> list[int]:
    """The meld's cards that are not jokers."""
    return [card for card in meld.cards if card not in meld.jokers]


def _remove_cards(hand: Iterable[int], out: Iterable[int]) -> list[int]:
    left = list(hand)
    for card in out:
        left.remove(card)
    return left
