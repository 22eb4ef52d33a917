"""Wizard's table and hand in words: short lines with everything that the pictures show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from cogs.screens import words
from cogs.screens.emoji import SUIT_EMOJI, Emoji, playing_card_emoji
from cogs.screens.screen import Context
from engines.wizard import deck
from engines.wizard.deck import (
    CAROUSEL,
    CHAMELEON,
    ELEPHANT,
    JESTER,
    MOUSE,
    SUIT,
    TRAPDOOR,
    WEATHERVANE,
    WIZARD,
)
from engines.wizard.house_rules import are_bids_hidden, is_blind_round
from engines.wizard.view import View

DUMMY = "Dummy"
"""The name of the dummy hand of two players (W19)."""
MAX_WAITING_NAMES = 3  # more players are counted
_SPECIAL_NAMES = {
    WIZARD: "Wizard",
    JESTER: "Jester",
    ELEPHANT: "Elephant",
    MOUSE: "Mouse",
    TRAPDOOR: "Trapdoor",
    CHAMELEON: "Chameleon",
    CAROUSEL: "Carousel",
    WEATHERVANE: "Weathervane",
}
_SPECIAL_EMOJI = {
    WIZARD: "🧙",
    JESTER: "🃏",
    ELEPHANT: "🐘",
    MOUSE: "🐭",
    TRAPDOOR: "🚪",
    CHAMELEON: "🦎",
    CAROUSEL: "🎠",
    WEATHERVANE: "🐓",
}
_HAND_ORDER = (ELEPHANT, WIZARD, None, JESTER, TRAPDOOR, CHAMELEON, CAROUSEL, WEATHERVANE, MOUSE)
"""The order of cards in a hand. None stands for the suits."""


def with_dummy(context: Context) -> Context:
    """Return the context with a name for the place after two players, which is a dummy hand (W19)."""
    if len(context.names) != 2:
        return context
    names = (context.names, context.plate_names, context.short_names)
    whole, plates, short = ((*some, DUMMY) for some in names)
    return replace(context, names=whole, plate_names=plates, short_names=short)


def card_text(card: int) -> str:
    """Return a card's name: `10 of hearts ♥`, `Wizard`."""
    return _SPECIAL_NAMES.get(card) or words.playing_card_text(card)


def short_card(card: int) -> str:
    """Return a card's short name: `Q♣`, `Wizard`."""
    return _SPECIAL_NAMES.get(card) or words.short_card_text(card)


def card_with_article(card: int) -> str:
    """Return a card's name in a sentence: `the 10 of hearts ♥`, `a Wizard`, `the Elephant`."""
    return f"{'a' if card in (WIZARD, JESTER) else 'the'} {card_text(card)}"


def card_emoji(card: int) -> str:
    """Return the emoji of a card's suit or kind."""
    return _SPECIAL_EMOJI.get(card) or SUIT_EMOJI[card // 13]


def emoji_of(card: int) -> Emoji:
    """Return the small picture of a card for its control."""
    return Emoji(_SPECIAL_NAMES[card].lower()) if card in _SPECIAL_NAMES else playing_card_emoji(card)


def sort_hand(hand: Sequence[int]) -> list[int]:
    """Return cards in hand order: the strongest first, then suit by suit from the highest down, then the weakest."""
    return sorted(hand, key=_hand_position)


def _hand_position(card: int) -> tuple[int, int, int]:
    suit = SUIT[card]
    if suit is None:
        return (_HAND_ORDER.index(card), 0, 0)
    return (_HAND_ORDER.index(None), words.SUIT_ORDER.index(suit), -deck.STRENGTH[card])


def round_line(view: View) -> str:
    """Return the round: `Round 3 of 15`; if its number is not the number of cards, also these."""
    cards = "" if view.hand_plan == "growing" else f" ({words.pluralize(view.trick_count, 'card')})"
    blind = ", blind bids" if is_blind_round(view.blind, view.round) else ""
    return f"Round {view.round} of {view.rounds}{cards}{blind}"


def waiting_text(view: View, context: Context) -> str:
    """Return the players that the match waits for, and the decision."""
    names = words.join_with_and([f"**{words.seat_label(context, seat)}**" for seat in view.seats_to_act])
    return f"Waiting for {names} to {_wanted_move(view)}." if names else "The match is over."


def waiting_headline(view: View, context: Context) -> str:
    """Return the same with short names, and with a number for many players."""
    waiting = view.seats_to_act
    names = words.join_with_and([context.short_names[seat] for seat in waiting])
    if len(waiting) > MAX_WAITING_NAMES:
        names = words.pluralize(len(waiting), "player")
    return f"Waiting for {names} to {_wanted_move(view)}." if names else "The match is over."


def _wanted_move(view: View) -> str:
    """What the match waits for: `lead a card`."""
    wanted = {"trump": "name the trump suit", "bid": "bid", "adjust": "raise or lower the bid", "pass": "pass a card"}
    return wanted.get(view.phase, "play a card" if view.trick else "lead a card")


def trump_lines(view: View, context: Context) -> list[str]:
    """Return the trump, the turned-up card and the dealer; in round 1, also the draw for the deal."""
    dealer = words.seat_or_you(context, view.dealer, view.seat)
    return [*_trump_texts(view, context), f"**Dealer**: {dealer}", *_draw_lines(view, context)]


def _trump_texts(view: View, context: Context) -> list[str]:
    if view.turned is None:
        trump = "**No trump**" if view.trump is None else f"**Trump**: {words.suit_text(view.trump)}"
        return [trump, "No card is turned up" + ("" if view.specials else ": every card is dealt")]
    turned_text = f"Turned up: {card_text(view.turned)}"
    namer = words.seat_or_you(context, trump_namer(view), view.seat)
    if view.swap is not None:
        turned_text += f". {words.capitalize(namer)} swapped it for {card_with_article(view.swap.card)}"
    if view.phase == "trump":
        return [f"**Trump**: {namer} {'choose' if namer == 'you' else 'chooses'} it", turned_text]
    named = f", named by {namer}" if view.turned == WIZARD or view.swap is not None else ""
    return [
        ("**No trump**" if view.trump is None else f"**Trump**: {words.suit_text(view.trump)}") + named,
        turned_text,
    ]


def trump_namer(view: View) -> int:
    """Return who names the trump suit if it has to be named: the dealer (W3), or the Chameleon's player (W23)."""
    return view.dealer if view.swap is None else view.swap.seat


def nothing_turned_text(view: View) -> str:
    """Return why no card is turned up (W3, W15)."""
    return "no card is turned up" if view.specials else "every card is dealt"


def bid_change_mark(view: View, seat: int) -> str:
    """Return how a seat's bid was changed in this round, or an empty text: `+1`, `−1`, `±1` if that is hidden (W25)."""
    change = view.bid_change
    if change is None or change.seat != seat:
        return ""
    return "±1" if change.by is None else words.signed_number(change.by)


def _draw_lines(view: View, context: Context) -> list[str]:
    """The cards drawn for the deal, in round 1 (W1)."""
    if view.round > 1:
        return []
    lines = []
    for number, row in enumerate(view.draws):
        drew = [
            f"{words.short_seat_label(context, seat)}: {card_text(one)}" for seat, one in enumerate(row) if one >= 0
        ]
        lines.append(f"{'Tied, drawn again' if number else 'Drawn for the deal'}: {', '.join(drew)}")
    return lines


def plate_lines(view: View, context: Context) -> list[str]:
    """Return a line per seat with bid, tricks, points and cards, then the total of the bids, and the hook."""
    together = _total_bid_text(view)
    if view.phase in ("trump", "bid") and view.hook is not None and view.hook <= view.trick_count:
        together += f" (hook: must not end at {view.trick_count})"
    lines = [_plate_line(view, context, seat) for seat in range(view.seats)]
    if view.places > view.seats:
        cards = words.pluralize(view.hand_sizes[-1], "card")
        lines.append(f"**{DUMMY}**: no bid, took {view.taken[-1]}, no score, {cards} face down")
    return [*lines, together]


def _total_bid_text(view: View) -> str:
    """The total of the bids, or how long they are hidden (W16, W17)."""
    tricks = words.pluralize(view.trick_count, "trick")
    if not are_bids_hidden(view.bidding, view.phase):
        return f"Bids total: {sum(bid for bid in view.bids if bid is not None)} of {tricks}"
    until = "all have bid" if view.bidding == "hidden" else "the round is scored"
    return f"Bids total: hidden until {until}; {tricks} in this round"


def _plate_line(view: View, context: Context, seat: int) -> str:
    bid = view.bids[seat]
    won = f"bid {bid}" if bid is not None else "has bid" if view.has_bid[seat] else "no bid yet"
    won += f" ({changed} by the Weathervane)" if (changed := bid_change_mark(view, seat)) else ""
    won += f", took {view.taken[seat]}" if bid is not None or view.phase not in ("trump", "bid") else ""
    won += ", has chosen a card" if view.phase == "pass" and view.has_passed[seat] else ""
    last = f" ({words.signed_number(view.sheet[-1][seat].points)} last round)" if view.sheet else ""
    cards = words.pluralize(view.hand_sizes[seat], "card")
    return (
        f"**{words.seat_label(context, seat, view.seat)}**: {won}, "
        f"{words.pluralize(view.scores[seat], 'point')}{last}, {cards}"
    )


def trick_lines(view: View, context: Context) -> list[str]:
    """Return the trick on the table, or a line that there is none."""
    if view.phase == "adjust":
        change = words.seat_does(context, view.turn, view.seat, "change")
        return [f"**Weathervane**: {change} the bid by one, up or down"]
    if view.phase == "pass":
        return ["**Carousel**: everybody passes a card to the left"]
    if view.phase != "play":
        return ["All tricks are played" if view.phase == "over" else "No card has been played yet"]
    number = f"**Trick {len(view.tricks) + 1} of {view.trick_count}**"
    if not view.trick:
        return [f"{number}: {words.seat_does(context, view.turn, view.seat, 'lead')}"]
    lines = [f"{number}: {_follow_text(view)}"]
    for i, one in enumerate(view.trick):
        seat = (view.leader + i) % view.places
        does = words.seat_does(context, seat, view.seat, "play" if i else "lead")
        lines.append(f"{words.capitalize(does)}: {card_text(one)}")
    best = (view.leader + deck.winning_index(view.trick, view.trump)) % view.places
    if TRAPDOOR in view.trick:
        lines.append("Trapdoor: nobody takes this trick")
    return [*lines, f"Best so far: {words.seat_or_you(context, best, view.seat)}"]


def _follow_text(view: View) -> str:
    if deck.is_suit_open(view.trick):
        return "no suit to follow yet"
    suit = deck.suit_to_follow(view.trick)
    return "no suit to follow" if suit is None else f"follow {words.suit_text(suit)}"


def last_trick_round(view: View) -> int:
    """Return the round that the last trick ended; 0 if it belongs to the present round, or if there was none."""
    return 0 if view.last is None or view.tricks or view.phase == "over" else view.round - 1


def last_trick_paragraph(view: View, context: Context) -> tuple[str, ...]:
    """Return the last trick in one paragraph, or nothing if there was none."""
    if view.last is None:
        return ()
    fallen = ", ".join(
        f"{words.short_seat_label(context, (view.last.leader + i) % view.places)} "
        f"{'plays' if i else 'leads'} {card_text(one)}"
        for i, one in enumerate(view.last.cards)
    )
    of = f" of round {ended}" if (ended := last_trick_round(view)) else ""
    taker = words.seat_or_you(context, view.last.winner, view.seat)
    taken = "which nobody took" if view.last.has_vanished else f"taken by {taker}"
    return (f"**Last trick{of}**, {taken}\n{fallen}",)


def pass_lines(view: View, names: Sequence[str]) -> list[str]:
    """Return the cards that the seat has passed and received in this round (W24), with these names of the seats."""
    if view.seat is None or view.passed is None:
        return []
    left_name, right_name = names[(view.seat + 1) % view.seats], names[(view.seat - 1) % view.seats]
    if view.received is None:
        return [f"You pass {card_with_article(view.passed)} to {left_name}, once all have chosen"]
    return [
        f"You passed {card_with_article(view.passed)} to {left_name}",
        f"You got {card_with_article(view.received)} from {right_name}",
    ]


def hand_lines(view: View) -> list[str]:
    """Return the player's cards, a line per suit; only their number while they are hidden (W18)."""
    if view.is_hand_hidden and view.seat is not None:
        cards = words.pluralize(view.hand_sizes[view.seat], "card")
        return [f"**Your hand**: {cards}, face down. In this round you bid before you see your cards."]
    lines = [f"**Your hand**: {words.pluralize(len(view.hand), 'card')}"]
    for suit, group in groupby(sort_hand(view.hand), key=lambda one: SUIT[one] if one < JESTER else -one):
        own = list(group)
        if suit is None or suit < 0:
            counted = words.pluralize(len(own), card_text(own[0]))
            lines.append(f"{card_emoji(own[0])} {card_text(own[0]) if own[0] > WIZARD else counted}")
        else:
            mark = " (trump)" if suit == view.trump else ""
            ranks = ", ".join(words.rank_word(one) for one in own)
            lines.append(f"{words.SUIT_SHAPES[suit]} {words.suit_text(suit).split()[0].capitalize()}{mark}: {ranks}")
    return lines


def secret_hand_text(view: View) -> str:
    """Return what only this seat knows, on one line: `Wizard, Q♣, bid 2`."""
    if view.seat is None or view.phase == "over":
        return ""
    if view.is_hand_hidden:
        cards = f"{words.pluralize(view.hand_sizes[view.seat], 'card')} face down"
    else:
        cards = ", ".join(map(short_card, sort_hand(view.hand)))
    own_bid = view.bids[view.seat]
    bid = f"bid {own_bid}" if own_bid is not None and view.bidding != "open" else ""
    passed = f"passes {card_with_article(view.passed)}" if view.passed is not None and view.received is None else ""
    return ", ".join(filter(None, (cards, bid, passed)))
