"""What a hand of Jokers offers: cards to tap, safety cards, and moves as they are called and typed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from cogs.jokers.words import in_order, left_by, reach, row, short, the
from cogs.screens import words
from cogs.screens.screen import (
    Button,
    Buttons,
    Control,
    Option,
    Pick,
    Picks,
    Select,
)
from engines.jokers import JOKERS, deck
from engines.jokers.melds import best, full
from engines.jokers.model import (
    Declare,
    Discard,
    Done,
    Keep,
    Move,
    Take,
    Trade,
    TurnUp,
    View,
)


def controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """A control for every move; trades are made of cards that are picked from the hand."""
    if view.phase == "safety":
        return _safety_controls(view, moves)
    if view.phase == "discard":
        return (_discards(view, moves),)
    others = untraded(moves)
    buttons = Buttons(tuple(_button(view, move, others) for move in others))
    most = tradable(moves)
    return (_trades(view, most), buttons) if most else (buttons,)


def _trades(view: View, most: int) -> Picks:
    """The cards of the hand; the last one that is picked comes to lie on top."""
    picks = tuple(Pick(short(one), deck.name(one)) for one in in_order(view.hand))
    title = "Trade in this order"
    return Picks(
        "Pick the cards to trade", "trade", picks, most=most, title=title, done="Trade", ends=("first", "on top")
    )


def _button(view: View, move: Move, others: Sequence[Move]) -> Button:
    """A move of an open moment. To be done with a full hand is asked for once more."""
    notation = JOKERS.write(move)
    if isinstance(move, TurnUp):
        return Button(f"Safety {move.number}", notation)
    points = best(deck.hand(view.hand), declared=True).points if Declare() in others else 0
    if isinstance(move, Declare):
        return Button(f"Declare for {points}", notation)
    confirm = f"**You hold a full hand**: declared now it scores {points} points. Are you done without declaring it?"
    return Button("Done", notation, confirm=confirm if points else None)


def _safety_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    assert view.turned is not None
    takes = [move for move in reversed(moves) if isinstance(move, Take)]  # the deepest first, as the pile is drawn
    buttons = [Button(choice(view, move), JOKERS.write(move)) for move in takes]
    return (Buttons((*buttons, Button(f"Keep {the(view.turned)}", JOKERS.write(Keep())))),)


def _discards(view: View, moves: Sequence[Move]) -> Select:
    """The cards of the hand, each with what it would leave."""
    discards = {move.card: move for move in moves if isinstance(move, Discard)}
    options = [_discard(view, discards[one]) for one in dict.fromkeys(in_order(view.hand)) if one in discards]
    return Select("Discard a card", tuple(options))


def _discard(view: View, move: Discard) -> Option:
    points = words.signed(left_by(view.hand, move.card).points)
    left = deck.without(deck.hand(view.hand), move.card)
    if view.declared is None and full(left):
        said = f"leaves a full hand: {words.signed(best(left, declared=True).points)} declared"
    else:
        said = f"leaves a hand worth {points} if lost"
    return Option(short(move.card), JOKERS.write(move), said)


def tradable(moves: Sequence[Move]) -> int:
    """How many cards may be traded. Of the trades, which come first, the last one is the largest."""
    trades = len(moves) - len(untraded(moves))
    largest = moves[trades - 1] if trades else None
    return len(largest.cards) if isinstance(largest, Trade) else 0


def untraded(moves: Sequence[Move]) -> tuple[Move, ...]:
    """The moves that are no trade: a few, and the last ones of a list that is hundreds of trades long."""
    return tuple(takewhile(lambda move: not isinstance(move, Trade), reversed(moves)))[::-1]


def label(move: Move) -> str:
    """`Trade 4♣, 9♦`, `Take the card at depth 3`, `End your turn`."""
    match move:
        case Trade(cards):
            return f"Trade {row(cards)}"
        case TurnUp(number):
            return f"Turn up safety card {number}"
        case Take(depth):
            return f"Take the card at depth {depth}"
        case Keep():
            return "Take the safety card into the hand"
        case Discard(card):
            return f"Discard {the(card)}"
        case Declare():
            return "Declare the full hand"
        case Done():
            return "End your turn"


def choice(view: View, move: Move) -> str:
    """A move as it is offered to this seat: with the card that lies at a depth; the depth of one of two jokers."""
    if isinstance(move, Take):
        one = view.discard[-move.depth]
        twice = view.discard[-reach(view) :].count(one) > 1
        return f"{short(one)} at {move.depth}" if twice else short(one)
    return short(move.card) if isinstance(move, Discard) else label(move)


def completions(view: View, moves: Sequence[Move], typed: str) -> list[tuple[str, str]]:
    """What a trade may be that begins with the cards typed so far: in words, and as the cards' names.

    The cards typed come first as they are, where that is a trade; then with each card that may follow. The last word
    may be half of a card's name.
    """
    most = tradable(moves)
    typed = typed.replace(",", " ")
    *named, last = typed.split(" ")
    chosen = _chosen(view, " ".join(named))
    if chosen is None or not most:
        return []
    whole = _chosen(view, typed)
    found = [whole] if whole and len(whole) <= most else []
    start = [*whole] if whole and last else chosen
    if len(start) < most:
        left = _left(view, start)
        found += [[*start, one] for one in dict.fromkeys(left) if whole or _begins(one, last)]
    return [(_said(cards), " ".join(map(deck.name, cards))) for cards in found]


def _chosen(view: View, typed: str) -> list[int] | None:
    """The cards of the hand that a text names; None where it names others, or none."""
    try:
        chosen = [deck.card(word) for word in typed.split()]
    except ValueError:
        return None
    return chosen if len(_left(view, chosen)) == len(view.hand) - len(chosen) else None


def _left(view: View, chosen: Sequence[int]) -> list[int]:
    """The hand less these cards, in order."""
    left = in_order(view.hand)
    for one in chosen:
        if one in left:
            left.remove(one)
    return left


def _begins(one: int, word: str) -> bool:
    return deck.name(one).lower().startswith(word.lower())


def _said(cards: Sequence[int]) -> str:
    return f"Trade {row(cards)}" + (" (on top)" if len(cards) > 1 else "")
