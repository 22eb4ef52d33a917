"""Jesters' table and hand in words: short lines that alone say all that the pictures say."""

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
    """A Performance, or the round's Favorite."""
    return effects.task(target, view.favorite)


def symbol_names(numbers: Iterable[int]) -> str:
    """`Mime, Bad News`."""
    return ", ".join(SYMBOLS[number] for number in numbers)


def dice_text(counts: Sequence[int], nothing: str = "no dice") -> str:
    """Dice by colour: `2 red, 1 blue`."""
    return ", ".join(f"{number} {COLOURS[colour]}" for colour, number in enumerate(counts) if number) or nothing


def count_dice(colours: Iterable[int]) -> tuple[int, ...]:
    """How many of each colour there are."""
    found = list(colours)
    return tuple(found.count(colour) for colour in range(4))


def card_top_text(card: int) -> str:
    """What a Jest card teaches: `red, any`."""
    return ", ".join(COLOUR_WORDS[colour] for colour in catalogue.jest_card(card).top)


def card_bottom_text(card: int) -> str:
    """How a Jest card changes a die: `±2 any`, `turn red`."""
    does = catalogue.jest_card(card).bottom
    match does:
        case Adjust(amount, colour):
            return f"±{amount} {COLOUR_WORDS[colour]}"
        case TurnOver(colour):
            return f"turn {COLOUR_WORDS[colour]}"


def jest_card_text(card: int) -> str:
    """A Jest card as it looks: `red, blue / ±3 green`."""
    return f"{card_top_text(card)} / {card_bottom_text(card)}"


def numbered_card_text(card: int) -> str:
    """A Jest card with its number: `17: red, blue / ±3 green`."""
    return f"{card}: {jest_card_text(card)}"


def gift_text(number: int) -> str:
    """What a Gift does: `turns a red die over`."""
    match catalogue.gift(number).effect:
        case Opposite(colour):
            return f"turns a {COLOURS[colour]} die over"
        case Recolour(colour):
            return f"makes dice {COLOURS[colour]}, +1 Fame"
        case FameForSymbol(symbol):
            return f"2 Fame for {SYMBOLS[symbol]}"
        case FameForColour(colour):
            return f"2 Fame where {COLOURS[colour]} is asked"
        case Extra():
            return "one more die"
        case Reroll():
            return "rolls all dice again"


def gift_line(number: int, used: Iterable[int] = (), is_brief: bool = False) -> str:
    """A Gift with its number and symbol: `3: turns a green die over (Juggling)`; brief, without what is of no use."""
    after = ", used" if number in used else ""
    if is_brief:
        return f"{number} (used)" if after else f"{number}: {gift_text(number)}"
    return f"{number}: {gift_text(number)} ({SYMBOLS[catalogue.gift(number).symbol]}{after})"


def current_fame(view: View, seat: int) -> int:
    """The Fame that a seat has so far: of its Performances, and from its Gifts."""
    return view.fame[seat] + sum(catalogue.performance(number).fame for number in view.completed[seat])


def fame_text(number: int) -> str:
    """What one wins with."""
    return f"{words.plain_number(number)} Fame"


def numbered_roll_text(dice: Iterable[Die]) -> str:
    """Dice as they lie: `1: red 3 · 2: blue 5`."""
    return " · ".join(words.nonbreaking(f"**{number}**: {_die_text(die)}") for number, die in enumerate(dice, 1))


def roll_text(dice: Iterable[Die]) -> str:
    """Dice without their numbers: `red 3, blue 5`."""
    return ", ".join(_die_text(die) for die in dice)


def _die_text(die: Die) -> str:
    was = f" (a {COLOURS[die.own]} die)" if die.own != die.colour else ""
    return f"{COLOURS[die.colour]} {die.face}{was}"


# The table


def round_line(view: View) -> str:
    """`Round 2 of 3`."""
    return f"Round {view.round} of {ROUNDS}"


def waiting_text(view: View, context: Context) -> str:
    """Whom the match waits for, and for what."""
    if view.phase == "over":
        return "The match is over."
    wanted = {
        "turn": "learn, perform or pass",
        "attempt": "go on with an attempt",
        "mark": "mark dice",
        "keep": "keep one of two Gifts",
    }
    return f"Waiting for **{words.seat_label(context, view.turn)}** to {wanted[view.phase]}."


def attempt_lines(view: View, context: Context) -> list[str]:
    """The attempt under way, as everybody sees it: dice, what is missing, the chance of a plain reroll."""
    attempt = view.attempt
    if attempt is None:
        return []
    doing = target_task(view, attempt.target)
    mine = view.turn == view.seat
    whose = "Your attempt" if mine else f"Attempt of {words.seat_label(context, view.turn)}"
    lines = [
        f"**{whose}**: {doing.name}, {requirement_text(doing.requirement)}",
        f"**Dice**: {numbered_roll_text(attempt.dice)}",
        *attempt_state_lines(view),
    ]
    if attempt.marking is not None:
        lines.append(marking_line(view))
    return lines


def attempt_state_lines(view: View) -> list[str]:
    """What is missing, and what rerolls could do; or that the dice do."""
    lack = prospects.missing_dice(view)
    if lack is None:
        return ["**The dice meet it.**"]
    said, *what = missing_text(lack, prospects.attempted_task(view).requirement.form).partition(": ")
    return [f"**{said}**{''.join(what)}", _reroll_line(view)]


def _reroll_line(view: View) -> str:
    """The chance of a plain reroll of all dice, and of the best one, or of a good one where that is not known."""
    chance, which, exact = best_reroll(view)
    if not chance:
        return "No reroll alone can meet it"
    said = (
        "**Chance of a reroll**: of all dice "
        f"{percent_text(prospects.success_chance(view_without_marks(view), all_die_numbers(view)))}"
    )
    if len(which) == len(all_die_numbers(view)):
        return said
    return f"{said}; {'the best, ' if exact else ''}of {dice_numbers_text(which)}, {percent_text(chance)}"


def view_without_marks(view: View) -> View:
    """The view as if no dice were being marked, to ask for the chance of a reroll."""
    assert view.attempt is not None
    return replace(view, attempt=view.attempt._replace(marking=None, marked=()))


def dice_numbers_text(numbers: Sequence[int]) -> str:
    """`die 2`, `dice 1 and 3`."""
    return f"{'die' if len(numbers) == 1 else 'dice'} {words.join_with_and(list(map(str, numbers)))}"


def marking_line(view: View) -> str:
    """Which dice are marked, and what for."""
    attempt = view.attempt
    assert attempt is not None
    marked = dice_numbers_text(attempt.marked) if attempt.marked else "none yet"
    paint = effects.paint_colour(attempt.marking)
    if paint is not None:
        return f"**Marked to become {COLOURS[paint]}**: {marked}"
    chance = f", {percent_text(prospects.success_chance(view))} to meet it" if attempt.marked else ""
    return f"**Marked for the reroll**: {marked}{chance}"


def task_lines(view: View, context: Context) -> list[str]:
    """The open Performances and the Favorite, a line each."""
    if view.phase == "over":
        return []
    return [*([_favorite_line(view, context)] if view.favorite else []), *(_task_line(number) for number in view.board)]


def _favorite_line(view: View, context: Context) -> str:
    favorite = catalogue.favorite(view.favorite)
    done = (
        f" · done by {words.join_with_and([words.short_seat_label(context, seat) for seat in view.done])}"
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
    """The middle and the piles."""
    cards = f"{words.pluralize(view.draw, 'card')} to draw, {len(view.discard)} discarded"
    piles = f"{words.pluralize(view.pile, 'Performance')}, {words.pluralize(view.gift_pile, 'Gift')}"
    return [f"**In the middle**: {dice_text(view.middle)}", f"**Piles**: {piles}; Jest: {cards}"]


def majority_lines(view: View, context: Context) -> list[str]:
    """The majority places: their Favorites, and how many of their symbols each seat has."""
    return [_majority_line(view, place, context) for place in range(len(MAJORITY_PLACES))]


def majority_favorite(view: View, place: int) -> tuple[int, bool] | None:
    """The Favorite of a majority place, and whether it still is this round's; None where it is not revealed."""
    if place < len(view.placed):
        return view.placed[place], False
    return (view.favorite, True) if place == len(view.placed) and view.favorite else None


def symbol_counts(view: View, favorite: int) -> tuple[int, ...]:
    """How many symbols of a Favorite each seat has."""
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
    """Two lines a seat: dice, cards, Fame, failures, whether it still plays; and its Gifts."""
    return [line for seat in range(view.seats) for line in _seat_lines(view, context, seat, is_brief)]


def _seat_lines(view: View, context: Context, seat: int, is_brief: bool) -> list[str]:
    first = ", first player card" if seat == view.first else ""
    done = f"{words.pluralize(len(view.completed[seat]), 'Performance')}, {current_fame(view, seat)} Fame"
    held = words.pluralize(view.hand_sizes[seat], "Jest card")
    parts = [dice_text(view.dice[seat]), held, done, failures_text(view, seat), *seat_status(view, seat)]
    gifts = "; ".join(gift_line(number, view.used, is_brief) for number in view.gifts[seat]) or "none"
    return [f"**{words.seat_label(context, seat, view.seat)}**{first}: {' · '.join(parts)}", f"-# Gifts: {gifts}"]


def failures_text(view: View, seat: int) -> str:
    """`1 failure (+2)`."""
    number = view.failures[seat]
    said = words.pluralize(number, "failure") if number else "no failure"
    return f"{said} ({words.signed_number(FAILURE_TRACK[number])})"


def seat_status(view: View, seat: int) -> list[str]:
    """That a seat has passed or is out; nothing while it plays."""
    if view.failures[seat] >= OUT_FAILURES:
        return ["out of play"]
    return ["passed"] if seat in view.passed else []


# Hands


def card_lines(view: View) -> list[str]:
    """The reader's Jest cards: number, what each teaches, how it changes a die."""
    cards = " · ".join(words.nonbreaking(f"**{card}**: {jest_card_text(card)}") for card in view.hand)
    return [f"**Your Jest cards** (to learn / to change): {cards}" if view.hand else "**Your Jest cards**: none"]


def help_lines(view: View, moves: Sequence[Move]) -> list[str]:
    """Which of these moves would meet the requirement at once, else which would bring it closer, or might do it."""
    if view.attempt is None or prospects.meets_requirement(view):
        return []
    brings = [(move, move_effect(view, move)) for move in moves]
    meets, closer = ([move for move, does in brings if does == wanted] for wanted in (MEETS, CLOSER))
    chosen = meets or closer
    lines = (
        [f"**{'Meets it at once' if meets else 'Brings it closer'}**: {_changes_text(view, chosen)}"] if chosen else []
    )
    luck = "; ".join(luck_texts(view, moves))
    return [*lines, f"**With luck**: {luck}"] if luck else lines


def _changes_text(view: View, moves: Sequence[Move], most: int = 6) -> str:
    """`card 12: die 3 to 5 or 6; Gift 4: die 2 to 6`."""
    ways: dict[str, dict[str, list[str]]] = {}
    for move in moves[:most]:
        by, die, face = _change_parts(view, move)
        ways.setdefault(by, {}).setdefault(die, []).append(face)
    said = [
        f"{by}: {', '.join(f'{die}{words.join_with_or(faces)}' for die, faces in dice.items())}"
        for by, dice in ways.items()
    ]
    after = f" and {len(moves) - most} more" if len(moves) > most else ""
    return "; ".join(said) + after


def _change_parts(view: View, move: Move) -> tuple[str, str, str]:
    """A card or a Gift, which die it changes, and to what: `card 12`, `die 3 to `, `5`."""
    match move:
        case Spend(card, die, face):
            return f"card {card}", f"die {die} to ", str(face)
        case UseGift(number, int(die)):
            assert view.attempt is not None
            return f"Gift {number}", f"die {die} to ", str(7 - view.attempt.dice[die - 1].face)
        case UseGift(number):
            return f"Gift {number}", "", dice_numbers_text(prospects.fewest_dice_to_paint(view, number))
    raise TypeError(move)
