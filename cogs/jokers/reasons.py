"""Why a move of Jokers may be good: what speaks for it, in one sentence, from what its seat knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from cogs.jokers.words import best_eight, in_order, laid, left_by, reach, row, short, the
from cogs.screens import words
from engines.jokers import deck
from engines.jokers.deck import DEPTH, JOKER
from engines.jokers.melds import Meld, best, full
from engines.jokers.model import Declare, Discard, Done, Keep, Move, Take, Trade, TurnUp, View

DEEPEST = max(DEPTH)  # as deep as a safety card may reach


def reason(view: View, move: Move) -> str:
    """What speaks for the move."""
    match move:
        case Trade(cards):
            return _trade(view, cards)
        case TurnUp():
            return _turn_up(view)
        case Take(depth):
            return _taken(view, view.discard[-depth])
        case Keep():
            assert view.turned is not None
            return _kept(view, view.turned)
        case Discard(card):
            return _discard(view, card)
        case Declare():
            return f"All eight cards are in melds: that scores {best(deck.hand(view.hand), declared=True).points} now."
        case Done():
            return _done(view)


# Trades


def _trade(view: View, out: Sequence[int]) -> str:
    """What is kept: melds, else cards that lack one more; and that what goes is in no meld."""
    before, kept = best(deck.hand(view.hand)), _without(view.hand, out)
    melds = [meld for meld in before.melds if not set(_own(meld)) & set(out)]
    broken = [meld for meld in before.melds if meld not in melds]
    go = f"{'It is' if len(out) == 1 else 'They are'} in no meld"
    if melds and not broken:
        return f"{go}, and you keep your {_melds(melds)}."
    if broken and not melds:
        return f"You give up your {_melds(broken)} for {_new(out)}{_keeping(kept)}."
    if broken:
        return f"You keep your {_melds(melds)} and give up the other meld for {_new(out)}."
    return f"{go}{_keeping(kept)}."


def _new(out: Sequence[int]) -> str:
    return "a new card" if len(out) == 1 else f"{len(out)} new cards"


def _keeping(kept: Sequence[int]) -> str:
    """What is kept that may become a meld."""
    jokers = kept.count(JOKER)
    if jokers:
        return f", and you keep {'the joker, which fits' if jokers == 1 else 'both jokers, which fit'} any meld"
    near = next(((one, other) for one, other in combinations(in_order(kept), 2) if _one_short(one, other)), None)
    if near:
        return f", and {short(near[0])} with {short(near[1])} needs one more card for a meld"
    return f", and so is nothing that you keep but {row(kept)}" if 0 < len(kept) < 3 else ""


def _one_short(one: int, other: int) -> bool:
    """Whether a third card makes a meld of the two: of one rank, or near each other in a suit."""
    if JOKER in (one, other):
        return False
    return one % 13 == other % 13 or (one // 13 == other // 13 and abs(one - other) <= 2)


# Safety cards


def _turn_up(view: View) -> str:
    """What lies in the discard pile that would better the hand, if the safety card reaches as deep."""
    now = best(deck.hand(view.hand)).points
    found = [
        (_points(view.hand, card), -depth, card) for depth, card in enumerate(reversed(view.discard[-DEEPEST:]), 1)
    ]
    worth, depth, card = max(found)
    if worth > now:
        return (
            f"{words.opening(the(card))}, {_deep(-depth)} in the discard pile, could make your hand worth "
            f"{words.signed(worth)} in place of {words.signed(now)}."
        )
    if not view.draw or not view.trades:
        return "You can trade no more, and a safety card that is not used brings nothing."
    down = sum(card is None for card in view.safety[view.turn])
    pile = words.counted(len(view.discard), "card")
    return f"It may bring a card out of the {pile} of the discard pile; {_left(down)}."


def _left(down: int) -> str:
    return "it is your last one" if down == 1 else "you have another one after it"


def _deep(depth: int) -> str:
    return "on top" if depth == 1 else f"{words.ordinal(depth)} from the top"


def _taken(view: View, card: int) -> str:
    """What the card makes of the hand."""
    return f"{_brings(view, card)}."


def _kept(view: View, card: int) -> str:
    """The safety card itself, beside those within its reach."""
    worth = _points(view.hand, card)
    within = [_points(view.hand, view.discard[-depth]) for depth in range(1, reach(view) + 1)]
    if within and worth >= max(within):
        better = "more" if worth == max(within) else "as much"
        return f"{_brings(view, card)}; nothing that it reaches does {better}."
    return f"{_brings(view, card)}."


def _brings(view: View, card: int) -> str:
    """`The 6♣ makes a run 4♣, 5♣, 6♣`, or what the hand is worth with it."""
    before, (_, after) = best(deck.hand(view.hand)), best_eight((*view.hand, card))
    said = words.opening(the(card))
    meld = next((meld for meld in after.melds if card in _own(meld) or (card == JOKER and meld.jokers)), None)
    if meld and after.points > before.points:
        return f"{said} makes {_a(meld)} and your hand worth {words.signed(after.points)}"
    if meld:
        return f"{said} fits in {_a(meld)}"
    near = next((one for one in in_order(view.hand) if _one_short(one, card)), None)
    if near is not None:
        return f"{said} with your {short(near)} needs one more card for a meld"
    return f"Your hand stays worth {words.signed(after.points)} with {the(card)}"


def _points(hand: Sequence[int], card: int) -> int:
    """What the best eight cards of a hand with one more are worth if it is lost."""
    return best_eight((*hand, card))[1].points


# Discards, and the end of a turn


def _discard(view: View, card: int) -> str:
    """What is left without it."""
    rest = deck.without(deck.hand(view.hand), card)
    if view.declared is None and full(rest):
        return f"What is left is a full hand, worth {best(rest, declared=True).points} when you declare it."
    left, others = left_by(view.hand, card), [left_by(view.hand, one).points for one in {*view.hand} - {card}]
    if others and left.points > max(others):
        return f"Without {the(card)} your hand is worth {words.signed(left.points)} if lost, more than without another."
    near = sum(_one_short(card, one) for one in view.hand if one != card)
    if not near and card != JOKER:
        return (
            f"{words.opening(the(card))} has no card near it; without, your hand is worth {words.signed(left.points)}."
        )
    return f"Your hand is worth {words.signed(left.points)} without {the(card)}, if it is lost."


def _done(view: View) -> str:
    """What the hand is worth as it is, and why nothing more is done."""
    split = best(deck.hand(view.hand))
    worth = words.signed(split.points)
    if not view.draw:
        return f"The draw pile is empty, and your hand is worth {worth} as it is."
    if not view.trades:
        return f"You have no trade left, and your hand is worth {worth} as it is."
    if split.melds:
        return f"Your hand is worth {worth} with your {_melds(split.melds)}."
    return f"Your hand is worth {worth} as it is."


# Words


def _melds(melds: Sequence[Meld]) -> str:
    """`run 4♣, 5♣, 6♣ and set 9♦, 9♥, 9♠`; of three, how many."""
    return words.listed([f"{meld.kind} {_cards(meld)}" for meld in melds])


def _a(meld: Meld) -> str:
    return f"a {meld.kind} {_cards(meld)}"


def _cards(meld: Meld) -> str:
    """A run by its ends, a set card by card, jokers as what they are: `4♣–6♣`, `9♦ 9♥ joker`."""
    cards = [JOKER if card in meld.jokers else card for card in laid(meld)]
    if meld.kind == "run" and JOKER not in (cards[0], cards[-1]):
        return f"{short(cards[0])}–{short(cards[-1])}"
    return " ".join(map(short, cards))


def _own(meld: Meld) -> list[int]:
    """Its cards that are no jokers."""
    return [card for card in meld.cards if card not in meld.jokers]


def _without(hand: Iterable[int], out: Iterable[int]) -> list[int]:
    left = list(hand)
    for card in out:
        left.remove(card)
    return left
