"""Wizard's table and hand in words: short lines that alone say all that the pictures say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from cogs.screens import words
from cogs.screens.screen import Context
from engines.wizard import deck
from engines.wizard.deck import JESTER, SUIT, WIZARD
from engines.wizard.model import View

_SPECIAL = {WIZARD: "Wizard", JESTER: "Jester"}
_EMOJI = {WIZARD: "🧙", JESTER: "🃏"}


def card(one: int) -> str:
    """A card in words and shape: `10 of hearts ♥`, `Wizard`."""
    return _SPECIAL.get(one) or words.playing_card(one)


def short(one: int) -> str:
    """A card as it is written on buttons and in news: `Q♣`, `Wizard`."""
    return _SPECIAL.get(one) or words.short_card(one)


def emoji(one: int) -> str:
    """The emoji that stands for a card's suit or kind."""
    return _EMOJI.get(one) or words.EMOJI[one // 13]


def in_order(hand: Sequence[int]) -> list[int]:
    """Cards as a hand is held: Wizards, then suit by suit from the highest down, then Jesters."""
    return sorted(hand, key=_place)


def _place(one: int) -> tuple[int, int]:
    suit = SUIT[one]
    if suit is None:
        return (-1 if one == WIZARD else 9, 0)
    return (words.SUIT_ORDER.index(suit), -deck.STRENGTH[one])


def round_line(view: View) -> str:
    """`Round 3 of 15`."""
    return f"Round {view.round} of {view.rounds}"


def waiting(view: View, context: Context) -> str:
    """Whom the match waits for, and for what."""
    lead = "play a card" if view.trick else "lead a card"
    wanted = {"trump": "name the trump", "bid": "bid", "play": lead}.get(view.phase)
    return f"Waiting for **{words.seat(context, view.turn)}** to {wanted}." if wanted else "The match is over."


def trump_lines(view: View, context: Context) -> list[str]:
    """The trump, the turned card and the dealer; in the first round also who drew what for the deal."""
    dealer = words.who(context, view.dealer, view.seat)
    return [*_trump(view, dealer), f"**Dealer**: {dealer}", *_draws(view, context)]


def _trump(view: View, dealer: str) -> list[str]:
    if view.turned is None:
        return ["**No trump**", "Turned up: nothing, every card is dealt"]
    turned = f"Turned up: {card(view.turned)}"
    if view.trump is not None:
        named = f", named by {dealer}" if view.turned == WIZARD else ""
        return [f"**Trump**: {words.suit(view.trump)}{named}", turned]
    return [
        "**No trump**"
        if view.turned == JESTER
        else f"**Trump**: {dealer} {'are' if dealer == 'you' else 'is'} to name it",
        turned,
    ]


def _draws(view: View, context: Context) -> list[str]:
    """W1, while it is news: who drew what for the deal."""
    if view.round > 1:
        return []
    lines = []
    for number, row in enumerate(view.draws):
        drew = [f"{words.brief(context, seat)}: {card(one)}" for seat, one in enumerate(row) if one >= 0]
        lines.append(f"{'Tied, drawn again' if number else 'Drawn for the deal'}: {', '.join(drew)}")
    return lines


def plates(view: View, context: Context) -> list[str]:
    """A line a seat, in seating order: bid, tricks, points, cards; and the bids together."""
    made = [bid for bid in view.bids if bid is not None]
    together = f"Total bid: {sum(made)} of {words.counted(view.round, 'trick')}"
    return [*(_plate(view, context, seat) for seat in range(view.seats)), together]


def _plate(view: View, context: Context, seat: int) -> str:
    bid = view.bids[seat]
    won = "no bid yet" if bid is None else f"bid {bid}, took {view.taken[seat]}"
    last = f" ({words.signed(view.sheet[-1][seat].points)} last round)" if view.sheet else ""
    cards = words.counted(view.hand_sizes[seat], "card")
    return (
        f"**{words.seat(context, seat, view.seat)}**: {won}, {words.counted(view.scores[seat], 'point')}{last}, {cards}"
    )


def trick_lines(view: View, context: Context) -> list[str]:
    """The trick on the table, or that there is none."""
    if view.phase != "play":
        return ["All tricks are played" if view.phase == "over" else "No card is played yet"]
    number = f"**Trick {len(view.tricks) + 1} of {view.round}**"
    if not view.trick:
        return [f"{number}: {words.does(context, view.turn, view.seat, 'lead')}"]
    lines = [f"{number}: {_to_follow(view)}"]
    for i, one in enumerate(view.trick):
        seat = (view.leader + i) % view.seats
        does = words.does(context, seat, view.seat, "play" if i else "lead")
        lines.append(f"{words.opening(does)}: {card(one)}")
    best = (view.leader + deck.winner(view.trick, view.trump)) % view.seats
    return [*lines, f"Best so far: {words.who(context, best, view.seat)}"]


def _to_follow(view: View) -> str:
    if deck.open_suit(view.trick):
        return "no suit to follow yet"
    suit = deck.suit_to_follow(view.trick)
    return "no suit to follow" if suit is None else f"follow {words.suit(suit)}"


def last_trick(view: View, context: Context) -> tuple[str, ...]:
    """The last trick in one paragraph; none before there was one."""
    if view.last is None:
        return ()
    fallen = ", ".join(
        f"{words.brief(context, (view.last.leader + i) % view.seats)} {'plays' if i else 'leads'} {card(one)}"
        for i, one in enumerate(view.last.cards)
    )
    of = "" if view.tricks or view.phase == "over" else f" of round {view.round - 1}"
    return (f"**Last trick{of}**, taken by {words.who(context, view.last.winner, view.seat)}\n{fallen}",)


def hand_lines(view: View) -> list[str]:
    """The reader's cards, a line a suit."""
    lines = [f"**Your hand**: {words.counted(len(view.hand), 'card')}"]
    for suit, group in groupby(in_order(view.hand), key=lambda one: SUIT[one] if one < JESTER else -one):
        held = list(group)
        if suit is None or suit < 0:
            lines.append(f"{emoji(held[0])} {words.counted(len(held), card(held[0]))}")
        else:
            mark = " (trump)" if suit == view.trump else ""
            ranks = ", ".join(words.rank(one) for one in held)
            lines.append(f"{words.SHAPES[suit]} {words.suit(suit).split()[0].capitalize()}{mark}: {ranks}")
    return lines
