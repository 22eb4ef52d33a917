"""Jesters' table and hand in words: short lines with everything that the pictures show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cogs.jesters.help import CLOSER, MEETS, all_die_numbers, best_reroll, luck_texts, move_effect
from cogs.jesters.tasks import missing_text, percent_text, requirement_text
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jesters import effects, prospects, scoring
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import (
    COLOURS,
    SYMBOLS,
    Adjust,
    Extra,
    FameForColour,
    FameForSymbol,
    Favorite,
    Opposite,
    Performance,
    Recolour,
    Reroll,
    TurnOver,
)
from engines.jesters.model import OUT_FAILURES, ROUNDS, Die, Move, Spend, UseGift
from engines.jesters.scoring import FAILURE_TRACK, MAJORITY_PLACES
from engines.jesters.view import View

COLOUR_WORDS = (*COLOURS, "any")


# Components


def target_task(view: View, target: int) -> Performance | Favorite:
    """Return a Performance, or the round's Favorite."""
    return effects.task(target, view.favorite)


def symbol_names(numbers: Iterable[int]) -> str:
    """Return the names of symbols: `Mime, Bad News`."""
    return ", ".join(SYMBOLS[number] for number in numbers)


def dice_text(counts: Sequence[int], nothing: str = "no dice") -> str:
    """Return dice by colour: `2 red, 1 blue`."""
    return ", ".join(f"{number} {COLOURS[colour]}" for colour, number in enumerate(counts) if number) or nothing


def count_dice(colours: Iterable[int]) -> tuple[int, ...]:
    """Return the number of dice of each colour."""
    found = list(colours)
    return tuple(found.count(colour) for colour in range(4))


def card_top_text(card: int) -> str:
    """Return what a Jest card teaches: `red, any`."""
    return ", ".join(COLOUR_WORDS[colour] for colour in catalogue.jest_card(card).top)


def card_bottom_text(card: int) -> str:
    """Return how a Jest card changes a die: `±2 any`, `turn red`."""
    does = catalogue.jest_card(card).bottom
    match does:
        case Adjust(amount, colour):
            return f"±{amount} {COLOUR_WORDS[colour]}"
        case TurnOver(colour):
            return f"turn {COLOUR_WORDS[colour]}"


def jest_card_text(card: int) -> str:
    """Return both halves of a Jest card: `red, blue / ±3 green`."""
    return f"{card_top_text(card)} / {card_bottom_text(card)}"


def numbered_card_text(card: int) -> str:
    """Return a Jest card with its number: `17: red, blue / ±3 green`."""
    return f"{card}: {jest_card_text(card)}"


def gift_text(number: int) -> str:
    """Return what a Gift does: `turns a red die over`."""
    match catalogue.gift(number).effect:
        case Opposite(colour):
            return f"turns a {COLOURS[colour]} die over"
        case Recolour(colour):
            return f"makes dice {COLOURS[colour]}, +1 Fame"
        case FameForSymbol(symbol):
            return f"2 Fame for {SYMBOLS[symbol]}"
        case FameForColour(colour):
            return f"2 Fame if {COLOURS[colour]} is required"
        case Extra():
            return "one more die"
        case Reroll():
            return "rerolls all dice"


def gift_effect_text(number: int) -> str:
    """Return what a Gift does, with a verb: `turns a red die over`, `brings 2 Fame for Mime`."""
    if isinstance(recolour := catalogue.gift(number).effect, Recolour):
        return f"makes dice {COLOURS[recolour.colour]} and adds 1 Fame"
    text = gift_text(number)
    return f"brings {text}" if text.startswith(("2 Fame", "one more")) else text


def gift_line(number: int, used: Iterable[int] = (), is_brief: bool = False) -> str:
    """Return a Gift with its number and symbol: `3: turns a green die over (Juggling)`.

    The brief form has no symbol, and no effect if the Gift is used.
    """
    after = ", used" if number in used else ""
    if is_brief:
        return f"{number} (used)" if after else f"{number}: {gift_text(number)}"
    return f"{number}: {gift_text(number)} ({SYMBOLS[catalogue.gift(number).symbol]}{after})"


def current_fame(view: View, seat: int) -> int:
    """Return a seat's Fame so far, from Performances and Gifts."""
    return view.fame[seat] + sum(catalogue.performance(number).fame for number in view.completed[seat])


def fame_text(number: int) -> str:
    """Return an amount of Fame in words."""
    return f"{words.plain_number(number)} Fame"


def numbered_roll_text(dice: Iterable[Die]) -> str:
    """Return dice with their numbers: `1: red 3 · 2: blue 5`."""
    return " · ".join(words.nonbreaking(f"**{number}**: {_die_text(die)}") for number, die in enumerate(dice, 1))


def roll_text(dice: Iterable[Die]) -> str:
    """Return dice without their numbers: `red 3, blue 5`."""
    return ", ".join(_die_text(die) for die in dice)


def _die_text(die: Die) -> str:
    was = f" (a {COLOURS[die.own]} die)" if die.own != die.colour else ""
    return f"{COLOURS[die.colour]} {die.face}{was}"


# The table


def round_line(view: View) -> str:
    """Return the round: `Round 2 of 3`."""
    return f"Round {view.round} of {ROUNDS}"


def waiting_text(view: View, context: Context) -> str:
    """Return the player that the match waits for, and the decision."""
    if view.phase == "over":
        return "The match is over."
    wanted = {
        "turn": "learn, perform or pass",
        "attempt": "continue an attempt",
        "mark": "mark dice",
        "keep": "keep one of two Gifts",
    }
    return f"Waiting for **{words.seat_label(context, view.turn)}** to {wanted[view.phase]}."


def attempt_lines(view: View, context: Context) -> list[str]:
    """Return the current attempt as everybody sees it: dice, what is missing, the chance of a reroll."""
    attempt = view.attempt
    if attempt is None:
        return []
    doing = target_task(view, attempt.target)
    is_own_turn = view.turn == view.seat
    whose = "Your attempt" if is_own_turn else f"{words.seat_label(context, view.turn)}'s attempt"
    lines = [
        f"**{whose}**: {doing.name}, {requirement_text(doing.requirement)}",
        f"**Dice**: {numbered_roll_text(attempt.dice)}",
        *attempt_state_lines(view),
    ]
    if attempt.marking is not None:
        lines.append(marking_line(view))
    return lines


def attempt_state_lines(view: View) -> list[str]:
    """Return what is missing and the chance of a reroll, or that the dice meet the requirement."""
    lack = prospects.missing_dice(view)
    if lack is None:
        return ["**The dice meet the requirement.**"]
    head, *what = missing_text(lack, prospects.attempted_task(view).requirement.form).partition(": ")
    return [f"**{head}**{''.join(what)}", _reroll_line(view)]


def _reroll_line(view: View) -> str:
    """The chance of rerolling all dice, and of the best reroll. If the best one is unknown, of a good one."""
    chance, which, exact = best_reroll(view)
    if not chance:
        return "A reroll alone is not enough"
    text = (
        "**Chance of a reroll**: of all dice "
        f"{percent_text(prospects.success_chance(view_without_marks(view), all_die_numbers(view)))}"
    )
    if len(which) == len(all_die_numbers(view)):
        return text
    return f"{text}; {'the best, ' if exact else ''}of {dice_numbers_text(which)}, {percent_text(chance)}"


def view_without_marks(view: View) -> View:
    """Return the view without marked dice, to compute the chance of a reroll."""
    assert view.attempt is not None
    return replace(view, attempt=view.attempt._replace(marking=None, marked=()))


def dice_numbers_text(numbers: Sequence[int]) -> str:
    """Return the numbers of dice: `die 2`, `dice 1 and 3`."""
    return f"{'die' if len(numbers) == 1 else 'dice'} {words.join_with_and(list(map(str, numbers)))}"


def marking_line(view: View) -> str:
    """Return the marked dice, and the purpose of the marks."""
    attempt = view.attempt
    assert attempt is not None
    marked = dice_numbers_text(attempt.marked) if attempt.marked else "none yet"
    paint = effects.paint_colour(attempt.marking)
    if paint is not None:
        return f"**Marked to become {COLOURS[paint]}**: {marked}"
    chance = f", {percent_text(prospects.success_chance(view))} to succeed" if attempt.marked else ""
    return f"**Marked for the reroll**: {marked}{chance}"


def task_lines(view: View, context: Context) -> list[str]:
    """Return a line per open Performance and for the Favorite."""
    if view.phase == "over":
        return []
    return [*([_favorite_line(view, context)] if view.favorite else []), *(_task_line(number) for number in view.board)]


def _favorite_line(view: View, context: Context) -> str:
    favorite = catalogue.favorite(view.favorite)
    done = (
        f" · completed by {words.join_with_and([words.short_seat_label(context, seat) for seat in view.done])}"
        if view.done
        else ""
    )
    what = f"{requirement_text(favorite.requirement)} · a Gift · {symbol_names(favorite.symbols)}"
    return f"**{favorite.name}**, the Favorite: {what}{done}"


def _task_line(number: int) -> str:
    performance = catalogue.performance(number)
    what = (
        f"{requirement_text(performance.requirement)} · {performance.fame} Fame · {symbol_names(performance.symbols)}"
    )
    return f"**{performance.name}** ({number}): {what}"


def pile_lines(view: View) -> list[str]:
    """Return lines on the middle and the piles."""
    cards = f"{words.pluralize(view.draw, 'card')} to draw, {len(view.discard)} discarded"
    piles = f"{words.pluralize(view.pile, 'Performance')}, {words.pluralize(view.gift_pile, 'Gift')}"
    return [f"**In the middle**: {dice_text(view.middle)}", f"**Piles**: {piles}; Jest: {cards}"]


def majority_lines(view: View, context: Context) -> list[str]:
    """Return the majorities: their Favorites, and the number of matching symbols of each seat."""
    return [_majority_line(view, place, context) for place in range(len(MAJORITY_PLACES))]


def majority_favorite(view: View, place: int) -> tuple[int, bool] | None:
    """Return the Favorite of a majority and whether it is this round's, or None if it is not revealed."""
    if place < len(view.placed):
        return view.placed[place], False
    return (view.favorite, True) if place == len(view.placed) and view.favorite else None


def symbol_counts(view: View, favorite: int) -> tuple[int, ...]:
    """Return the number of a Favorite's symbols that each seat has."""
    return scoring.matching_symbols(favorite, list(map(scoring.count_symbols, view.completed, view.gifts)))


def _majority_line(view: View, place: int, context: Context) -> str:
    worth = f"**Majority {'/'.join(map(str, MAJORITY_PLACES[place]))}**"
    found = majority_favorite(view, place)
    if found is None:
        return f"{worth}: not revealed yet"
    favorite, now = found
    numbers = enumerate(symbol_counts(view, favorite))
    have = ", ".join(f"{words.short_seat_label(context, seat)} {number}" for seat, number in numbers)
    return f"{worth} {symbol_names(catalogue.favorite(favorite).symbols)}{' (this round)' if now else ''}: {have}"


def seat_lines(view: View, context: Context, is_brief: bool = False) -> list[str]:
    """Return two lines per seat: dice, cards, Fame, failures and status; and the Gifts."""
    return [line for seat in range(view.seats) for line in _seat_lines(view, context, seat, is_brief)]


def _seat_lines(view: View, context: Context, seat: int, is_brief: bool) -> list[str]:
    first = ", first player card" if seat == view.first else ""
    done = f"{words.pluralize(len(view.completed[seat]), 'Performance')}, {current_fame(view, seat)} Fame"
    cards = words.pluralize(view.hand_sizes[seat], "Jest card")
    parts = [dice_text(view.dice[seat]), cards, done, failures_text(view, seat), *seat_status(view, seat)]
    gifts = "; ".join(gift_line(number, view.used, is_brief) for number in view.gifts[seat]) or "none"
    return [f"**{words.seat_label(context, seat, view.seat)}**{first}: {' · '.join(parts)}", f"-# Gifts: {gifts}"]


def failures_text(view: View, seat: int) -> str:
    """Return the failures with their Fame: `1 failure (+2)`."""
    number = view.failures[seat]
    text = words.pluralize(number, "failure") if number else "no failures"
    return f"{text} ({words.signed_number(FAILURE_TRACK[number])})"


def seat_status(view: View, seat: int) -> list[str]:
    """Return whether a seat has passed or is out of play. Empty while it plays."""
    if view.failures[seat] >= OUT_FAILURES:
        return ["out of play"]
    return ["passed"] if seat in view.passed else []


# Hands


def card_lines(view: View) -> list[str]:
    """Return the player's Jest cards: number, what each teaches, how it changes a die."""
    cards = " · ".join(words.nonbreaking(f"**{card}**: {jest_card_text(card)}") for card in view.hand)
    return [f"**Your Jest cards** (to learn / to change): {cards}" if view.hand else "**Your Jest cards**: none"]


def help_lines(view: View, moves: Sequence[Move]) -> list[str]:
    """Return the moves that meet the requirement at once, or bring it closer, and those that need luck."""
    if view.attempt is None or prospects.meets_requirement(view):
        return []
    brings = [(move, move_effect(view, move)) for move in moves]
    meets, closer = ([move for move, does in brings if does == wanted] for wanted in (MEETS, CLOSER))
    chosen = meets or closer
    lines = [f"**{'Success at once' if meets else 'Gets closer'}**: {_changes_text(view, chosen)}"] if chosen else []
    luck = "; ".join(luck_texts(view, moves))
    return [*lines, f"**With luck**: {luck}"] if luck else lines


def _changes_text(view: View, moves: Sequence[Move], most: int = 6) -> str:
    """Changes by card and die: `card 12: die 3 to 5 or 6; Gift 4: die 2 to 6`."""
    by_source: dict[str, dict[str, list[str]]] = {}
    for move in moves[:most]:
        by, die, face = _change_parts(view, move)
        by_source.setdefault(by, {}).setdefault(die, []).append(face)
    texts = [
        f"{by}: {', '.join(f'{die}{words.join_with_or(faces)}' for die, faces in dice.items())}"
        for by, dice in by_source.items()
    ]
    after = f" and {len(moves) - most} more" if len(moves) > most else ""
    return "; ".join(texts) + after


def _change_parts(view: View, move: Move) -> tuple[str, str, str]:
    """The card or Gift, the die, and the new face: `card 12`, `die 3 to `, `5`."""
    match move:
        case Spend(card, die, face):
            return f"card {card}", f"die {die} to ", str(face)
        case UseGift(number, int(die)):
            assert view.attempt is not None
            return f"Gift {number}", f"die {die} to ", str(7 - view.attempt.dice[die - 1].face)
        case UseGift(number):
            return f"Gift {number}", "", dice_numbers_text(prospects.fewest_dice_to_paint(view, number))
    raise TypeError(move)


def secret_hand_text(view: View) -> str:
    """Return what only this seat knows, on one line: its Jest cards and the Gifts that it chooses from."""
    if view.seat is None:
        return ""
    gifts = [gift_text(gift) for gift in view.drawn if gift is not None] if view.seat == view.turn else []
    drawn = f"Gifts: {' or '.join(gifts)}" if gifts else ""
    return "; ".join(filter(None, (*map(numbered_card_text, view.hand), drawn)))
