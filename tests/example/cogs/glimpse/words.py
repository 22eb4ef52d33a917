"""Glimpse's table and hand in words: short lines with everything that the pictures show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.screens import words
from cogs.screens.screen import Context
from tests.example.engines.glimpse.deck import is_wizard, kind_name
from tests.example.engines.glimpse.model import TurnedCard
from tests.example.engines.glimpse.view import View

KIND_EMOJI = {False: "🃏", True: "🧙"}


def card_text(number: int) -> str:
    """Return a card's name: `fool 3`, `wizard 9`."""
    return f"{kind_name(is_wizard(number))} {number}"


def join_cards(several: Iterable[int]) -> str:
    """Return cards in a list, or `none`."""
    return ", ".join(map(card_text, several)) or "none"


def deal_line(view: View) -> str:
    """Return the deal: `Deal 1 of 3`."""
    return f"Deal {view.deal} of {view.deals}"


def missing_guessers(view: View) -> Sequence[int]:
    """Return the seats that still have to guess."""
    others = [seat for seat in range(view.seats) if seat != view.turn and not view.guessed[seat]]
    return others if view.phase == "guess" else ()


def waiting_text(view: View, context: Context) -> str:
    """Return the players that the match waits for, and the decision."""
    names = [f"**{words.seat_label(context, seat)}**" for seat in range(view.seats)]
    return _waiting_for(view, names, words.seat_or_you(context, view.turn, view.seat))


def waiting_headline(view: View, context: Context) -> str:
    """Return the players that the match waits for, and the decision, with short names."""
    return _waiting_for(view, context.short_names, "you" if view.turn == view.seat else context.short_names[view.turn])


def _waiting_for(view: View, names: Sequence[str], owner: str) -> str:
    if view.phase == "over":
        return "The match is over."
    if view.phase == "lay":
        return f"Waiting for {names[view.turn]} to lay a card."
    return (
        f"Waiting for {words.join_with_and([names[seat] for seat in missing_guessers(view)])} to guess what "
        f"{owner} laid."
    )


def seat_lines(view: View, context: Context) -> list[str]:
    """Return a line per seat: points, cards held, and cards turned up."""
    return [_seat_line(view, context, seat) for seat in range(view.seats)]


def _seat_line(view: View, context: Context, seat: int) -> str:
    size = words.pluralize(view.hand_sizes[seat], "card")
    up = join_cards(turned_card.card for turned_card in view.turned if turned_card.seat == seat)
    score = words.pluralize(view.scores[seat], "point")
    return (
        f"**{words.seat_label(context, seat, view.seat)}**: {score}, {size}, turned up: {up}{_doing_text(view, seat)}"
    )


def _doing_text(view: View, seat: int) -> str:
    """What a seat does during the guesses, after its other facts."""
    if view.phase != "guess":
        return ""
    if seat == view.turn:
        return ", one face down"
    return ", has guessed" if view.guessed[seat] else ", is guessing"


def turned_lines(view: View) -> list[str]:
    """Return the guesses for each card turned up in this deal, the newest first."""
    if not view.turned:
        return ["No card is turned up yet"]
    return ["**Guessed**", *(turned_line(turned_card) for turned_card in reversed(view.turned))]


def turned_line(turned_card: TurnedCard) -> str:
    """Return a card with its guesses: `A's wizard 9: B fool, C wizard`."""
    guesses = [
        f"{words.letter(seat)} {kind_name(guess)}"
        for seat, guess in enumerate(turned_card.guesses)
        if guess is not None
    ]
    return f"{words.letter(turned_card.seat)}'s {card_text(turned_card.card)}: {', '.join(guesses)}"


def hand_lines(view: View, context: Context) -> list[str]:
    """Return the player's cards, guess, and glimpse."""
    if view.seat is None or view.glimpse is None:
        return []
    neighbour = words.seat_label(context, (view.seat + 1) % view.seats)
    lines = [f"**Your hand**: {join_cards(view.hand)}"]
    if view.laid is not None:
        lines.append(f"Face down: {card_text(view.laid)}")
    if view.guess is not None:
        lines.append(f"You guessed: {kind_name(view.guess)}")
    return [*lines, f"**Your glimpse**: {neighbour} was dealt {card_text(view.glimpse)}"]


def secret_hand_text(view: View) -> str:
    """Return what only this seat knows, on one line."""
    if view.seat is None or view.glimpse is None:
        return ""
    laid = f"face down {card_text(view.laid)}" if view.laid is not None else ""
    guessed = f"guessed {kind_name(view.guess)}" if view.guess is not None else ""
    return "; ".join(filter(None, (join_cards(view.hand), laid, guessed, f"glimpsed {card_text(view.glimpse)}")))
