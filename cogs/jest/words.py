"""Jest's table and hand in words: short lines with everything that the pictures show."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.screens import words
from cogs.screens.emoji import Emoji, playing_card_emoji
from cogs.screens.screen import Context
from engines.jest import deck, scoring
from engines.jest.deck import JOKER
from engines.jest.model import KnownRound, TakenCard
from engines.jest.scoring import TrophyCondition, ValueLine
from engines.jest.view import View


def card_text(card: int) -> str:
    """Return a card's name: `3 of spades ♠`, `Joker`."""
    playing = deck.PLAYING_CARD[card]
    return "Joker" if playing is None else words.playing_card_text(playing)


def emoji_of(card: int) -> Emoji:
    """Return the small picture of a card for its control."""
    playing = deck.PLAYING_CARD[card]
    return Emoji("joker") if playing is None else playing_card_emoji(playing)


def the_card(card: int) -> str:
    """Return a card with its article: `the 3 of spades ♠`, `the Joker`."""
    return f"the {card_text(card)}"


def short_card(card: int) -> str:
    """Return a card's short name: `3♠`, `A♥`, `Joker`."""
    suit = deck.SUIT[card]
    return "Joker" if suit is None else f"{'A234'[card % 4]}{words.SUIT_SHAPES[suit]}"


def the_short_card(card: int) -> str:
    """Return a card's short name in a sentence: `the Joker`, `3♠`."""
    return f"the {short_card(card)}" if deck.SUIT[card] is None else short_card(card)


def round_line(view: View) -> str:
    """Return the round: `Round 2 of 4`."""
    return f"Round {view.round} of {view.rounds}"


# Trophies and turns


def condition_text(condition: TrophyCondition) -> str:
    """Return a trophy's condition, to follow “for”: `the lowest club ♣`."""
    match condition.test:
        case "highest" | "lowest":
            return f"the {condition.test} {_suit_name(condition.subject)}"
        case "majority":
            return f"the most {condition.subject}s"
        case "joker":
            return "the Joker"
        case "best":
            return "the best Jest"
        case "best without joker":
            return "the best Jest without the Joker"


def _suit_name(suit: int) -> str:
    """`club ♣`."""
    word, shape = words.suit_text(suit).split()
    return f"{word[:-1]} {shape}"


def waiting_text(view: View, context: Context) -> str:
    """Return the players that the match waits for, the decision, and why it is their turn."""
    if view.phase == "over":
        return "The match is over."
    names = words.join_with_and([f"**{words.seat_label(context, seat)}**" for seat in sorted(view.waiting)])
    if view.phase == "offer":
        return f"Waiting for {names} to choose a card to lay face down."
    turn = view.waiting[0]
    return f"Waiting for **{words.seat_label(context, turn)}** to take a card: {turn_reason(view, context)}."


def waiting_headline(view: View, context: Context) -> str:
    """Return the players that the match waits for, and the decision, with short names."""
    if view.phase == "over":
        return "The match is over."
    names = words.join_with_and([context.short_names[seat] for seat in sorted(view.waiting)])
    if view.phase == "offer":
        return f"Waiting for {names} to choose."
    return f"Waiting for {context.short_names[view.waiting[0]]} to take a card."


def turn_reason(view: View, context: Context) -> str:
    """Return why it is this seat's turn to take (J5 to J7)."""
    turn = view.waiting[0]
    called, highest = words.short_seat_label(context, turn), the_card(view.up[turn])
    if not view.takes:
        return f"{called}'s face-up card, {highest}, is the highest"
    last = view.takes[-1]
    if last.source == turn:
        return f"{words.short_seat_label(context, last.seat)} took from {called}'s offer"
    had = f"{words.short_seat_label(context, last.source)} has already taken a card"
    if len(view.waiting) == 1:
        return f"{had}, and {called} is the only one left"
    return f"{had}, and of the others {called}'s face-up card, {highest}, is the highest"


# The table


def trophy_lines(view: View) -> list[str]:
    """Return the trophies with their conditions, and the size of the deck."""
    lines = [f"{card_text(one).capitalize()}: for {condition_text(scoring.CONDITIONS[one])}" for one in view.trophies]
    return ["**Trophies**", *lines, f"**Deck**: {words.pluralize(view.deck, 'card')}"]


def offer_lines(view: View, context: Context) -> list[str]:
    """Return a line per seat: its offer, or whether it has chosen, and the size of its Jest."""
    return ["**Offers**", *(_offer_line(view, context, seat) for seat in range(view.seats))]


def _offer_line(view: View, context: Context, seat: int) -> str:
    jest = f"Jest: {words.pluralize(view.jest_sizes[seat], 'card')}"
    return f"**{words.seat_label(context, seat, view.seat)}**: {_offer_text(view, seat)}. {jest}"


def _offer_text(view: View, seat: int) -> str:
    if view.phase == "offer":
        return "is choosing" if seat in view.waiting else "has chosen"
    if view.phase == "over":
        return "nothing"
    taken = next((take for take in view.takes if take.source == seat), None)
    up, down = f"{card_text(view.up[seat])} face up", "a card face down"
    if taken is None:
        return f"{up}, {down}"
    return f"{down if taken.up else up}, the other card is taken"


def take_lines(view: View, context: Context) -> list[str]:
    """Return the cards taken in this round, in order. While offers are made, return those of the last round."""
    if view.phase == "take":
        now = KnownRound(view.up, view.down, view.takes)
        return (
            _taken_lines("**Taken** this round", now, view, context)
            if view.takes
            else ["**Taken** this round: nothing yet"]
        )
    if view.phase == "offer" and view.past:
        return _taken_lines("**Taken** last round", view.past[-1], view, context)
    return []


def _taken_lines(head: str, known_round: KnownRound, view: View, context: Context) -> list[str]:
    return [head, *(_take_line(known_round, take, view, context) for take in known_round.takes)]


def _take_line(known_round: KnownRound, take: TakenCard, view: View, context: Context) -> str:
    taker = words.capitalize(words.seat_or_you(context, take.seat, view.seat))
    own = "your own offer" if take.seat == view.seat else "their own offer"
    source = own if take.source == take.seat else words.seat_or_you(context, take.source, view.seat)
    if take.up:
        return f"{taker} from {source}, face up: {card_text(known_round.up[take.source])}"
    known = known_round.down[take.source]  # J8: only the taker and the owner of the offer see it
    return f"{taker} from {source}, face down" + (
        "" if known is None else f": {card_text(known)} (hidden from the others)"
    )


# The hand


def hand_lines(view: View, context: Context) -> list[str]:
    """Return the player's two cards, and which of them is face down."""
    if view.phase == "over" or view.seat is None:
        return []
    seat = view.seat
    dealt = words.join_with_and([card_text(one) for one in sort_hand(view.hand)])
    down = view.down[seat]
    if view.phase == "offer":
        chosen = "nothing chosen yet" if down is None else card_text(down)
        return [f"**Your hand**: {dealt}", f"Face down: {chosen}"]
    assert down is not None
    taken = next((take for take in view.takes if take.source == seat), None)
    taker = words.short_seat_label(context, taken.seat) if taken else ""
    notes = [f" (taken by {taker})" if taken and taken.up is up else "" for up in (True, False)]
    return [
        "**Your hand**, as you offer it",
        f"Face up: {card_text(view.up[seat])}{notes[0]}",
        f"Face down: {card_text(down)}{notes[1]}",
    ]


def jest_lines(view: View) -> list[str]:
    """Return the player's Jest and its value so far, without trophies."""
    if not view.jest:
        return ["**Your Jest**: no cards yet"]
    worth = scoring.value_breakdown(deck.make_jest(view.jest))
    points = words.plain_number(worth.points)
    head = f"**Your Jest**: {words.pluralize(len(view.jest), 'card')}, worth **{points}** so far"
    return [head, *value_lines(worth.lines, deck.make_jest(view.jest))]


def value_lines(lines: Sequence[ValueLine], jest: int, trophies: Sequence[int] = ()) -> list[str]:
    """Return a Jest's value, a line per card and pair."""
    return [
        f"{_line_name(line, trophies)}: {words.signed_number(line.points)}{_line_reason(line, jest)}" for line in lines
    ]


def _line_name(line: ValueLine, trophies: Sequence[int]) -> str:
    if line.kind == "pair":
        rank = deck.VALUE[line.cards[0]]
        return f"Pair of black {'aces' if rank == 1 else f'{rank}s'}"
    (one,) = line.cards
    return card_text(one).capitalize() + (" (trophy)" if one in trophies else "")


def _line_reason(line: ValueLine, jest: int) -> str:
    """Why a line has its points, if the card alone does not explain it."""
    alone = "alone in its suit" if line.face == 5 and line.kind != "pair" else ""
    rule = ""
    if line.kind == "heart":
        rule = _heart_rule_text(jest)
    elif line.kind == "joker":
        rule = "no hearts" if line.points else "with hearts"
    text = ", ".join(part for part in (alone, rule) if part)
    return f" ({text})" if text else ""


def _heart_rule_text(jest: int) -> str:
    if not jest & deck.CARD_BIT[JOKER]:
        return "no Joker"
    return "all hearts with the Joker" if jest & 15 == 15 else "with the Joker"


def sort_hand(cards: Sequence[int]) -> list[int]:
    """Return cards in hand order: spades first, each suit from the lowest up, the Joker last."""
    return sorted(cards, key=_hand_position)


def _hand_position(card: int) -> tuple[int, int]:
    suit = deck.SUIT[card]
    return (9, 0) if suit is None else (words.SUIT_ORDER.index(suit), card)


def secret_hand_text(view: View) -> str:
    """Return what only this seat knows, on one line: `3♠, Joker (face down); Jest: A♥`."""
    if view.seat is None or view.phase == "over":
        return ""
    down, taken = view.down[view.seat], {take.up for take in view.takes if take.source == view.seat}
    offered = [
        f"{short_card(card)}{' (face down)' if card == down else ''}"
        for card in sort_hand(view.hand)
        if (card != down) not in taken
    ]
    jest = f"Jest: {', '.join(map(short_card, sort_hand(view.jest)))}" if view.jest else ""
    return "; ".join(filter(None, (", ".join(offered), jest)))
