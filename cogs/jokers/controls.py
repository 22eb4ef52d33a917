"""The controls of a hand of Jokers, and the names of its moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from cogs.jokers.special_cards import JOKER_CARD
from cogs.jokers.words import emoji_of, join_cards, safety_reach, short_card, sort_hand, split_without, the_card
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
from engines.jokers.deck import JOKER
from engines.jokers.melds import best_split, is_full_hand
from engines.jokers.model import Declare, Discard, Done, Keep, Move, Take, Trade, TurnUp
from engines.jokers.view import View


def hand_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    """Return controls for all legal moves. Trades are picked card by card."""
    if view.phase == "safety":
        return _safety_controls(view, moves)
    if view.phase == "discard":
        return (_discard_select(view, moves),)
    others = non_trade_moves(moves)
    buttons = Buttons(tuple(_move_button(view, move, others) for move in others))
    most = max_tradable(moves)
    return (_trade_picks(view, most), buttons) if most else (buttons,)


def _trade_picks(view: View, most: int) -> Picks:
    """A picker for the cards to trade. The last one ends on top."""
    picks = tuple(Pick(short_card(one), deck.card_name(one), emoji=emoji_of(one)) for one in sort_hand(view.hand))
    title = "Trade in this order"
    return Picks(
        "Pick the cards to trade",
        "trade",
        picks,
        most=most,
        title=title,
        confirm_label="Trade",
        end_labels=("first", "on top"),
    )


def _move_button(view: View, move: Move, others: Sequence[Move]) -> Button:
    """The button of a move. Ending the turn with a full hand needs a confirmation."""
    notation = JOKERS.format_move(move)
    if isinstance(move, TurnUp):
        return Button(f"Safety {move.number}", notation)
    points = best_split(deck.make_hand(view.hand), declared=True).points if Declare() in others else 0
    if isinstance(move, Declare):
        return Button(f"Declare for {points}", notation)
    confirm = f"**You hold a full hand** worth {points} points if you declare it now. End your turn without declaring?"
    return Button("End turn", notation, confirm=confirm if points else None)


def _safety_controls(view: View, moves: Sequence[Move]) -> tuple[Control, ...]:
    assert view.turned is not None
    takes = [move for move in reversed(moves) if isinstance(move, Take)]  # the deepest first, as in the picture
    buttons = [
        Button(short_choice_label(view, move), JOKERS.format_move(move), emoji=emoji_of(view.discard[-move.depth]))
        for move in takes
    ]
    return (Buttons((*buttons, Button(f"Keep {the_card(view.turned)}", JOKERS.format_move(Keep())))),)


def _discard_select(view: View, moves: Sequence[Move]) -> Select:
    """A list of the cards to discard, each with the worth of the remaining hand."""
    discards = {move.card: move for move in moves if isinstance(move, Discard)}
    options = [_discard_option(view, discards[one]) for one in dict.fromkeys(sort_hand(view.hand)) if one in discards]
    return Select("Discard a card", tuple(options))


def _discard_option(view: View, move: Discard) -> Option:
    points = words.signed_number(split_without(view.hand, move.card).points)
    left = deck.remove_card(deck.make_hand(view.hand), move.card)
    if view.declared is None and is_full_hand(left):
        text = f"leaves a full hand: {words.signed_number(best_split(left, declared=True).points)} if you declare it"
    else:
        text = f"leaves a hand worth {points} if you lose"
    if move.card == JOKER:
        text = f"{JOKER_CARD.effect}; {text.replace('a full hand: ', '').replace('a hand worth ', '')}"
    return Option(short_card(move.card), JOKERS.format_move(move), text, emoji_of(move.card))


def max_tradable(moves: Sequence[Move]) -> int:
    """Return how many cards can be traded. Trades come first in the moves, the largest one last."""
    trades = len(moves) - len(non_trade_moves(moves))
    largest = moves[trades - 1] if trades else None
    return len(largest.cards) if isinstance(largest, Trade) else 0


def non_trade_moves(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the moves that are not trades. They are the last few of a list with hundreds of trades."""
    return tuple(takewhile(lambda move: not isinstance(move, Trade), reversed(moves)))[::-1]


def move_label(move: Move) -> str:
    """Return a move's name: `Trade 4♣, 9♦`, `Take the card at depth 3`, `End your turn`."""
    match move:
        case Trade(cards):
            return f"Trade {join_cards(cards)}"
        case TurnUp(number):
            return f"Turn up safety card {number}"
        case Take(depth):
            return f"Take the card at depth {depth}"
        case Keep():
            return "Keep the safety card"
        case Discard(card):
            return f"Discard {the_card(card)}"
        case Declare():
            return "Declare the full hand"
        case Done():
            return "End your turn"


def short_choice_label(view: View, move: Move) -> str:
    """Return a move's short name: the card to take, with its depth if there are two of it in reach."""
    if isinstance(move, Take):
        one = view.discard[-move.depth]
        twice = view.discard[-safety_reach(view) :].count(one) > 1
        return f"{short_card(one)} at {move.depth}" if twice else short_card(one)
    return short_card(move.card) if isinstance(move, Discard) else move_label(move)


def trade_offers(view: View, moves: Sequence[Move], typed: str) -> list[tuple[str, str]]:
    """Return the trades that start with the typed cards, in words and in notation.

    The typed cards come first if they are a trade, then the same with each possible next card. The last word may be
    the start of a card's name.
    """
    most = max_tradable(moves)
    typed = typed.replace(",", " ")
    *named, last = typed.split(" ")
    chosen = _parse_cards(view, " ".join(named))
    if chosen is None or not most:
        return []
    whole = _parse_cards(view, typed)
    found = [whole] if whole and len(whole) <= most else []
    start = [*whole] if whole and last else chosen
    if len(start) < most:
        left = _remaining_hand(view, start)
        found += [[*start, one] for one in dict.fromkeys(left) if whole or _name_starts_with(one, last)]
    return [(_trade_text(cards), " ".join(map(deck.card_name, cards))) for cards in found]


def _parse_cards(view: View, typed: str) -> list[int] | None:
    """The cards named in a text, or None if a word is not a card of the hand."""
    try:
        chosen = [deck.parse_card(word) for word in typed.split()]
    except ValueError:
        return None
    return chosen if len(_remaining_hand(view, chosen)) == len(view.hand) - len(chosen) else None


def _remaining_hand(view: View, chosen: Sequence[int]) -> list[int]:
    """The hand without these cards, in order."""
    left = sort_hand(view.hand)
    for one in chosen:
        if one in left:
            left.remove(one)
    return left


def _name_starts_with(card: int, word: str) -> bool:
    return deck.card_name(card).lower().startswith(word.lower())


def _trade_text(cards: Sequence[int]) -> str:
    return f"Trade {join_cards(cards)}" + (" (on top)" if len(cards) > 1 else "")
