"""Narration of Jesters' events."""

from __future__ import annotations

from typing import assert_never

from cogs.jesters.words import (
    card_bottom_text,
    card_top_text,
    count_dice,
    dice_numbers_text,
    dice_text,
    gift_text,
    roll_text,
    symbol_names,
)
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS
from engines.jesters.events import (
    AnyEvent,
    AttemptFailed,
    AttemptStarted,
    CardsDrawn,
    CardSpent,
    DicePainted,
    DiceRerolled,
    DieMarked,
    DieTurned,
    FameGained,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    GiftUsed,
    MatchScored,
    PerformanceRevealed,
    PileRefilled,
    RerollBought,
    RoundBegan,
    SeatPassed,
    TaskCompleted,
    TechniqueAdded,
    TechniquesLearned,
    WentOut,
)
from engines.jesters.model import FAVORITE_TARGET, OUT_FAILURES
from engines.jesters.scoring import MAJORITY_PLACES


def narrate(event: AnyEvent, context: Context) -> str | None:
    """Return an event as a sentence, or None if it needs none."""
    match event:
        case TechniquesLearned() | AttemptStarted() | TaskCompleted() | AttemptFailed() | SeatPassed() | WentOut():
            return _turn_sentence(event, context)
        case CardSpent() | RerollBought() | GiftUsed() | DieTurned() | TechniqueAdded():
            return _use_sentence(event, context)
        case DieMarked() | DiceRerolled() | DicePainted():
            return _marking_sentence(event, context)
        case FameGained() | GiftsDrawn() | GiftsSeen() | GiftKept():
            return _gift_sentence(event, context)
        case PerformanceRevealed() | CardsDrawn() | PileRefilled() | FavoritePlaced() | RoundBegan() | MatchScored():
            return _round_sentence(event, context)
        case _:
            assert_never(event)


def narrate_briefly(event: AnyEvent, context: Context) -> str | None:
    """Return an event in a few words, or None if the picture or another event shows it."""
    match event:
        case TechniquesLearned():
            dice = words.join_with_and(dice_text(count_dice(event.dice)).split(", "))
            return f"{context.short_names[event.seat]} learns {dice}"
        case TaskCompleted():
            return f"{context.short_names[event.seat]} completes {quoted_task_name(event.target)}"
        case AttemptFailed():
            return f"{context.short_names[event.seat]} fails at {quoted_task_name(event.target)}"
        case SeatPassed():
            return f"{context.short_names[event.seat]} passes"
        case WentOut():
            return f"{context.short_names[event.seat]} is out"
        case CardSpent() | DieTurned():
            return f"{context.short_names[event.seat]} turns a {event.before} into a {event.face}"
        case TechniqueAdded():
            return f"{context.short_names[event.seat]} adds a {COLOURS[event.colour]} {event.face}"
        case DiceRerolled():
            return f"{context.short_names[event.seat]} rerolls to {words.join_with_and([*map(str, event.faces)])}"
        case RerollBought():
            return None  # the reroll follows
        case GiftUsed():
            return f"{context.short_names[event.seat]} uses a Gift"
        case DicePainted():
            return f"{context.short_names[event.seat]} makes {dice_numbers_text(event.dice)} {COLOURS[event.colour]}"
        case FameGained():
            return f"{context.short_names[event.seat]} gains {event.fame} Fame from a Gift"
        case GiftKept():
            return f"{context.short_names[event.seat]} keeps a Gift ({gift_text(event.gift)})"
        case RoundBegan():
            return f"Round {event.round} begins"
    return None


def task_name(target: int) -> str:
    """Return the name of a task without quotation marks."""
    return "the Favorite" if target == FAVORITE_TARGET else catalogue.performance(target).name


def quoted_task_name(target: int) -> str:
    """Return the name of a task in quotation marks."""
    return "the Favorite" if target == FAVORITE_TARGET else f"“{catalogue.performance(target).name}”"


def _turn_sentence(
    event: TechniquesLearned | AttemptStarted | TaskCompleted | AttemptFailed | SeatPassed | WentOut, context: Context
) -> str:
    """Sentences on the start and the end of turns."""
    name = context.names[event.seat]
    match event:
        case TechniquesLearned():
            with_card = f"discards Jest card {event.card} ({card_top_text(event.card)})"
            return f"{name} {with_card} and learns {dice_text(count_dice(event.dice))}."
        case AttemptStarted():
            return f"{name} performs {quoted_task_name(event.target)} and rolls {roll_text(event.dice)}."
        case TaskCompleted():
            return f"{name} completes {quoted_task_name(event.target)} with {roll_text(event.dice)}."
        case AttemptFailed():
            drawn = f" and draws {words.pluralize(event.cards, 'Jest card')}" if event.cards else ""
            return (
                f"{name} fails at {quoted_task_name(event.target)} (failure {event.failures} of {OUT_FAILURES}){drawn}."
            )
        case SeatPassed():
            back = f", returning {dice_text(event.dice)}" if any(event.dice) else ""
            first = " and takes the first player card" if event.first else ""
            return f"{name} passes{back}{first}."
        case WentOut():
            back = f" {dice_text(event.dice)} go back to the middle." if any(event.dice) else ""
            return f"{name} is out of play.{back}"


def _use_sentence(event: CardSpent | RerollBought | GiftUsed | DieTurned | TechniqueAdded, context: Context) -> str:
    """Sentences on cards and Gifts used in an attempt."""
    name = context.names[event.seat]
    match event:
        case CardSpent():
            change = f"die {event.die} from {event.before} to {event.face}"
            return f"{name} discards Jest card {event.card} ({card_bottom_text(event.card)}): {change}."
        case RerollBought():
            return f"{name} discards Jest card {event.card} for a reroll."
        case GiftUsed():
            return f"{name} uses Gift {event.gift}: it {_gift_effect_clause(event.gift)}."
        case DieTurned():
            return f"{name} uses Gift {event.gift}: die {event.die} from {event.before} to {event.face}."
        case TechniqueAdded():
            die = f"a {COLOURS[event.colour]} die, which shows {event.face}"
            return f"{name} uses Gift {event.gift} and adds {die}."


def _gift_effect_clause(number: int) -> str:
    text = gift_text(number)
    return text if text.startswith(("makes", "rolls")) else f"is {text}"


def _marking_sentence(event: DieMarked | DiceRerolled | DicePainted, context: Context) -> str | None:
    """Sentences on marked dice and their changes."""
    name = context.names[event.seat]
    match event:
        case DieMarked():
            return f"{name} {'marks' if event.marked else 'unmarks'} die {event.die}."
        case DiceRerolled():
            became = ", ".join(f"die {die} shows {face}" for die, face in zip(event.dice, event.faces, strict=True))
            return f"{name} rerolls: {became}."
        case DicePainted():
            return f"{name} makes {dice_numbers_text(event.dice)} {COLOURS[event.colour]}."


def _gift_sentence(event: FameGained | GiftsDrawn | GiftsSeen | GiftKept, context: Context) -> str:
    """Sentences on Gifts and their Fame."""
    name = context.names[event.seat]
    match event:
        case FameGained():
            return f"{name} gains {event.fame} Fame from Gift {event.gift} ({gift_text(event.gift)})."
        case GiftsDrawn():
            return f"{name} draws two Gifts and keeps one."
        case GiftsSeen():
            return (
                f"You draw {words.join_with_and([f'Gift {number} ({gift_text(number)})' for number in event.gifts])}."
            )
        case GiftKept():
            back = "; the other one goes under the pile" if event.returned else ""
            return f"{name} keeps Gift {event.gift} ({gift_text(event.gift)}){back}."


def _round_sentence(
    event: PerformanceRevealed | CardsDrawn | PileRefilled | FavoritePlaced | RoundBegan | MatchScored, context: Context
) -> str | None:
    """Sentences on new cards, and on the start and the end of rounds."""
    match event:
        case PerformanceRevealed():
            return f"A new Performance: “{catalogue.performance(event.performance).name}”."
        case CardsDrawn():
            return f"You draw the Jest {_cards_text(event.cards)}."
        case PileRefilled():
            return f"The {words.pluralize(event.cards, 'discarded Jest card')} are shuffled into a new pile."
        case FavoritePlaced():
            worth = "/".join(map(str, MAJORITY_PLACES[event.place]))
            favorite = catalogue.favorite(event.favorite)
            unplayed = "" if event.played else " (not played)"
            return f"“{favorite.name}” ({symbol_names(favorite.symbols)}){unplayed} takes the {worth} majority place."
        case RoundBegan():
            favorite = catalogue.favorite(event.favorite)
            return f"Round {event.round} begins with “{favorite.name}”; {context.names[event.starter]} starts."
        case MatchScored():
            totals = zip(context.names, event.final.totals, strict=True)
            return f"Final scoring: {', '.join(f'{name} {words.plain_number(total)}' for name, total in totals)}."


def _cards_text(cards: tuple[int, ...]) -> str:
    texts = [f"{card} ({card_top_text(card)} / {card_bottom_text(card)})" for card in cards]
    return f"{'card' if len(cards) == 1 else 'cards'} {words.join_with_and(texts)}"
