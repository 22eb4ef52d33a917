"""The events of Wizard as sentences, and in a few words."""

from __future__ import annotations

from typing import assert_never

from cogs.screens import words
from cogs.screens.control_widths import estimate_width, fits_narration
from cogs.screens.screen import Context
from cogs.wizard.words import card_text, card_with_article, short_card, sort_hand, with_dummy
from engines.wizard.deck import SUIT, WIZARD
from engines.wizard.model import (
    SPECIAL_NAMES,
    AnyEvent,
    BidAdjusted,
    BidAdjustedSecretly,
    BidMade,
    BidPlaced,
    BidsRevealed,
    CardPassed,
    CardPlayed,
    HandDealt,
    PassChosen,
    RoundDealt,
    RoundScored,
    TrickTaken,
    TrickVanished,
    TrumpNamed,
    TurnedCardSwapped,
)


def narrate(event: AnyEvent, context: Context) -> str | None:
    """Return an event as a sentence."""
    names = with_dummy(context).names
    match event:
        case RoundDealt():
            return f"Round {event.round}: {names[event.dealer]} deals. {_turned_card_text(event, context)}"
        case HandDealt():
            return f"You are dealt {words.join_with_and([card_text(one) for one in sort_hand(event.cards)])}."
        case TurnedCardSwapped():
            taken = card_with_article(event.card)
            return f"{names[event.seat]} swaps the Chameleon for {taken}, and names the trump suit."
        case TrumpNamed():
            return f"{names[event.seat]} {_naming_text(event.suit)}."
        case BidPlaced():
            return f"{names[event.seat]} has bid."
        case BidMade():
            return f"{names[event.seat]} bids {event.tricks}."
        case BidsRevealed():
            bids = [f"{names[seat]} {bid}" for seat, bid in enumerate(event.bids)]
            return f"The bids are revealed: {', '.join(bids)}."
        case CardPlayed():
            return f"{names[event.seat]} plays {card_with_article(event.card)}."
        case TrickTaken():
            return f"{names[event.seat]} takes the trick."
        case TrickVanished():
            return "The trick vanishes through the Trapdoor. Nobody takes it."
        case BidAdjusted():
            return f"{names[event.seat]} changes the bid to {event.tricks}."
        case BidAdjustedSecretly():
            return f"{names[event.seat]} changes the bid in secret."
        case PassChosen():
            return f"{names[event.seat]} has chosen a card to pass."
        case CardPassed():
            return f"{names[event.seat]} passes {card_with_article(event.card)} to {names[event.receiver]}."
        case RoundScored():
            points = [f"{names[seat]} {words.signed_number(score.points)}" for seat, score in enumerate(event.scores)]
            return f"Round {event.round} is scored: {', '.join(points)}."
        case _:
            assert_never(event)


def narrate_briefly(event: AnyEvent, context: Context) -> str | None:
    """Return an event in a few words."""
    names = with_dummy(context).short_names
    match event:
        case BidsRevealed() if context.options.bids == "late":  # the picture already shows the next round
            bids = [f"{names[seat]} {bid}" for seat, bid in enumerate(event.bids)]
            return f"The bids were {words.join_with_and(bids)}."
        case RoundDealt() | BidPlaced() | BidMade() | BidsRevealed() | PassChosen() | BidAdjustedSecretly():
            return None  # the picture shows it
        case HandDealt():
            return None
        case TurnedCardSwapped():
            return f"{names[event.seat]} swaps the Chameleon for {_played_card(event.card)}"
        case TrumpNamed():
            return f"{names[event.seat]} {_naming_text(event.suit)}"
        case CardPlayed():
            return f"{names[event.seat]} plays {_played_card(event.card)}"
        case TrickTaken():
            return f"{names[event.seat]} takes the trick"
        case TrickVanished():
            return "nobody takes the trick"
        case BidAdjusted():
            return f"{names[event.seat]} changes the bid to {event.tricks}"
        case CardPassed():
            return f"{names[event.seat]} passes {_played_card(event.card)} to {names[event.receiver]}"
        case RoundScored():
            points = [words.signed_number(score.points) for score in event.scores]
            named = [f"{names[seat]} {won}" for seat, won in enumerate(points)]
            whole, brief = (f"round {event.round} gives {words.join_with_and(parts)}" for parts in (named, points))
            last_trick = f"{max(names, key=estimate_width)} takes the trick."  # it comes before
            return whole if fits_narration(f"{last_trick} {whole}.") else brief
        case _:
            assert_never(event)


def _played_card(card: int) -> str:
    """Return a card in a short sentence: `Q♣`, `a Wizard`."""
    return card_with_article(card) if SUIT[card] is None else short_card(card)


def _naming_text(suit: int | None) -> str:
    return "names no trump" if suit is None else f"names {words.suit_text(suit)} as trump"


def _turned_card_text(event: RoundDealt, context: Context) -> str:
    """The turned-up card of a deal, and the trump."""
    if event.turned is None:
        named = "no trump" if event.trump is None else f"{words.suit_text(event.trump)} are trump"
        has_specials = any(getattr(context.options, name) for name in SPECIAL_NAMES)
        return f"{'No card is turned up' if has_specials else 'Every card is dealt'}: {named}."
    up = f"{words.capitalize(card_with_article(event.turned))} is turned up"
    if context.options.chameleon:  # it may take the card's place, and the next news say so
        return f"{up}."
    if event.trump is not None:
        return f"{up}: {words.suit_text(event.trump)} are trump."
    return (
        f"{up}: {context.names[event.dealer]} names the trump suit." if event.turned == WIZARD else f"{up}: no trump."
    )
