"""Labels of Jesters' cards, dice and Gifts on controls."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing.emoji_keys import dice_key, die_key, performance_key
from cogs.jesters.words import (
    card_bottom_text,
    count_dice,
    dice_text,
    gift_effect_text,
    gift_text,
    jest_card_text,
    symbol_names,
)
from cogs.screens import words
from cogs.screens.control_widths import MAX_LABEL
from cogs.screens.emoji import Emoji
from cogs.screens.special_cards import NO_CHANGE, HandChange, SpecialCard
from cogs.screens.truncation import first_fitting
from engines.jesters import effects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, COLOURS, Favorite, Performance
from engines.jesters.events import AnyEvent, GiftKept
from engines.jesters.model import Keep, Learn, Move, Spend, UseGift
from engines.jesters.view import View

DICE = "🎲"
COLOUR_SQUARES = ("🟥", "🟦", "🟩", "🟪", DICE)  # by colour, the last for any


def learned_dice_text(view: View, move: Learn) -> str:
    """Return the dice that a card teaches: `1 red, 1 blue`."""
    return dice_text(count_dice(effects.taken_techniques(move.card, move.colours, view.middle)))


def card_label(view: View, card: int) -> str:
    """Return `red, blue / ±3 green`, with its place in the hand if another card looks the same."""
    alike = sum(jest_card_text(each) == jest_card_text(card) for each in view.hand) > 1
    return f"{jest_card_text(card)} ({hand_place(view, card)})" if alike else jest_card_text(card)


def own_card_text(view: View, card: int) -> str:
    """Return a Jest card in a sentence: `your 2nd card`. The pictures do not show card numbers."""
    return f"your {hand_place(view, card)} card" if card in view.hand else f"card {card}"


def gift_phrase(view: View, move: UseGift) -> str:
    """Return a Gift in a sentence: `the Gift that turns a red die over: die 2`.

    If another Gift does the same, the text has its number.
    """
    does = gift_effect_text(move.gift)
    alike = sum(gift_effect_text(number) == does for number in _own_gifts(view)) > 1
    which = f"Gift {move.gift}, which" if alike else "the Gift that"
    text = f"{which} {does}"
    if move.die is not None:
        return f"{text}: die {move.die}"
    return text if move.colour is None else f"{text}: {COLOURS[move.colour]}"


def die_label(view: View, die: int) -> str:
    """Return a die's label: `die 3, blue 4`."""
    assert view.attempt is not None
    own = view.attempt.dice[die - 1]
    return f"die {die}, {COLOURS[own.colour]} {own.face}"


def colour_emoji(colour: int) -> Emoji:
    """Return the small picture of a colour's dice (4: any)."""
    return Emoji(die_key(colour), COLOUR_SQUARES[colour])


def card_emoji(card: int) -> Emoji:
    """Return the small picture of what a Jest card teaches."""
    return _dice_emoji(catalogue.jest_card(card).top)


def learned_emoji(move: Learn) -> Emoji:
    """Return the small picture of what a Jest card teaches with the colours chosen for "any"."""
    named = [colour for colour in catalogue.jest_card(move.card).top if colour != ANY]
    return _dice_emoji([*named, *move.colours])


def _dice_emoji(colours: Sequence[int]) -> Emoji:
    return Emoji(dice_key(colours), DICE) if len(colours) > 1 else colour_emoji(colours[0])


def task_emoji(doing: Performance | Favorite) -> Emoji:
    """Return the small picture of a Performance or the Favorite, with what it brings."""
    return (
        Emoji(performance_key(doing.fame), "🎭") if isinstance(doing, Performance) else Emoji(performance_key(0), "🎁")
    )


def change_emoji(view: View, move: Spend | UseGift) -> Emoji:
    """Return the small picture of the die that a change concerns, or of the colour that dice get."""
    if move.die is not None:
        return die_emoji(view, move.die)
    paint = effects.paint_colour(move.gift) if isinstance(move, UseGift) else None
    colour = move.colour if isinstance(move, UseGift) and move.colour is not None else paint
    return colour_emoji(ANY if colour is None else colour)


def die_emoji(view: View, die: int) -> Emoji:
    """Return the small picture of a die's colour."""
    assert view.attempt is not None
    return colour_emoji(view.attempt.dice[die - 1].colour)


def spend_label(view: View, move: Spend) -> str:
    """Return a change of a die: `die 3, blue 4 to 5`."""
    return f"{die_label(view, move.die)} to {move.face}"


def change_label(view: View, move: Spend | UseGift) -> str:
    """Return a change: `±2: die 3, blue 4 to 5`, with the card's place in the hand if another card also has ±2."""
    if isinstance(move, UseGift):
        return _short_gift_use_label(view, move)
    assert view.seat is not None
    by = card_bottom_text(move.card).partition(" ")[0]
    alike = sum(card_bottom_text(card).partition(" ")[0] == by for card in view.hand) > 1
    place = f" ({hand_place(view, move.card)} card)" if alike else ""
    return words.capitalize(f"{by}{place}: {spend_label(view, move)}")


def meeting_label(view: View, move: Spend | UseGift) -> str:
    """Return the label of a change that meets the requirement: `Success: ±2 (3rd card), blue 4 to 5`."""
    label = change_label(view, move)
    by, _, die = label.partition(": ")
    near = by.replace(" card)", ")")
    wordings = [f"{by}, {die}", f"{near}, {die}", f"{near}, {die.partition(', ')[2]}"] if die else [by]
    return first_fitting(MAX_LABEL, *(f"Success: {each}" for each in wordings), label)


def gift_use_label(view: View, move: UseGift) -> str:
    """Return the use of a Gift: `Gift 3 turns a green die over: die 2, green 5 to 2`."""
    text = f"Gift {move.gift} {gift_text(move.gift)}"
    if move.colour is not None:
        return f"{text}: {COLOURS[move.colour]}"
    if move.die is None:
        return text
    assert view.attempt is not None
    return f"{text}: {die_label(view, move.die)} to {7 - view.attempt.dice[move.die - 1].face}"


def _short_gift_use_label(view: View, move: UseGift) -> str:
    """The short form, without the effect if it is obvious: `Gift: die 2, green 5 to 2`."""
    if move.die is not None:
        return f"Gift:{gift_use_label(view, move).rpartition(':')[2]}"
    colour = "" if move.colour is None else f": {COLOURS[move.colour]}"
    alike = sum(gift_text(number) == gift_text(move.gift) for number in _own_gifts(view)) > 1
    return f"Gift{f' {move.gift}' if alike else ''} {gift_effect_text(move.gift)}{colour}"


def _own_gifts(view: View) -> tuple[int, ...]:
    return () if view.seat is None else view.gifts[view.seat]


def keep_label(number: int) -> str:
    """Return what a Gift does, and its symbol: `2 Fame for Comedy (Mime)`."""
    text, symbol = words.capitalize(gift_text(number)), symbol_names([catalogue.gift(number).symbol])
    return first_fitting(MAX_LABEL, f"{text} ({symbol})", text)


def keep_phrase(number: int) -> str:
    """Return a Gift that a seat may keep, in a sentence: `the Gift that brings 2 Fame for Comedy (Mime)`."""
    return f"the Gift that {gift_effect_text(number)} ({symbol_names([catalogue.gift(number).symbol])})"


def hand_place(view: View, card: int) -> str:
    """Return a card's place in the hand: `2nd`."""
    return words.ordinal(view.hand.index(card) + 1)


# Gifts as special cards


def special_cards() -> Sequence[SpecialCard]:
    """Return all kinds of Gifts."""
    return list(dict.fromkeys(_special_card(gift.id) for gift in catalogue.all_components().gifts))


def own_special_cards(view: View) -> Sequence[SpecialCard]:
    """Return the seat's Gifts."""
    gifts = () if view.seat is None else view.gifts[view.seat]
    return list(map(_special_card, gifts))


def special_cards_of(event: AnyEvent, view: View) -> HandChange:
    """Return the Gift that the seat keeps."""
    if isinstance(event, GiftKept) and event.seat == view.seat:
        return HandChange((_special_card(event.gift),))
    return NO_CHANGE


def special_card_in(move: Move, view: View) -> SpecialCard | None:
    """Return the Gift that a move uses or keeps."""
    return _special_card(move.gift) if isinstance(move, UseGift | Keep) else None


def _special_card(number: int) -> SpecialCard:
    return SpecialCard("Gift", gift_effect_text(number), "Gifts")
