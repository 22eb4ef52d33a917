"""What happens in Jesters, told in a sentence each."""

from __future__ import annotations

from typing import assert_never

from cogs.jesters.words import bottom, counted_dice, dice_numbers, dice_words, gift, plain_roll, symbols, top
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS
from engines.jesters.events import (
    AnyEvent,
    Attempted,
    CardsDrawn,
    CardSpent,
    Completed,
    DieTurned,
    Failed,
    FameGained,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    GiftUsed,
    Learned,
    Marked,
    Painted,
    Passed,
    Refilled,
    RerollBought,
    Rerolled,
    Revealed,
    RoundBegan,
    Scored,
    TechniqueAdded,
    WentOut,
)
from engines.jesters.model import FAVORITE, OUT
from engines.jesters.scoring import PLACES


def tell(event: AnyEvent, context: Context) -> str | None:
    """One event in a sentence; None for what needs no telling."""
    match event:
        case Learned() | Attempted() | Completed() | Failed() | Passed() | WentOut():
            return _turn(event, context)
        case CardSpent() | RerollBought() | GiftUsed() | DieTurned() | TechniqueAdded():
            return _used(event, context)
        case Marked() | Rerolled() | Painted():
            return _marked(event, context)
        case FameGained() | GiftsDrawn() | GiftsSeen() | GiftKept():
            return _gift(event, context)
        case Revealed() | CardsDrawn() | Refilled() | FavoritePlaced() | RoundBegan() | Scored():
            return _around(event, context)
        case _:
            assert_never(event)


def brief(event: AnyEvent, context: Context) -> str | None:
    """One event in few words; None for what the picture shows, or what another event says."""
    match event:
        case Learned():
            return f"{context.short[event.seat]} learns {dice_words(counted_dice(event.dice))}"
        case Completed():
            return f"{context.short[event.seat]} completes {called(event.target)}"
        case Failed():
            return f"{context.short[event.seat]} fails at {called(event.target)}"
        case Passed():
            return f"{context.short[event.seat]} passes"
        case WentOut():
            return f"{context.short[event.seat]} is out"
        case CardSpent() | DieTurned():
            return f"{context.short[event.seat]} makes a {event.before} a {event.face}"
        case TechniqueAdded():
            return f"{context.short[event.seat]} one more die: {COLOURS[event.colour]} {event.face}"
        case Rerolled():
            return f"{context.short[event.seat]} rolls again: {', '.join(map(str, event.faces))}"
        case RerollBought():
            return None  # told by what is rolled
        case GiftUsed():
            return f"{context.short[event.seat]} uses a Gift"
        case Painted():
            return f"{context.short[event.seat]} makes {dice_numbers(event.dice)} {COLOURS[event.colour]}"
        case FameGained():
            return f"{context.short[event.seat]} +{event.fame} by a Gift"
        case GiftKept():
            return f"{context.short[event.seat]} keeps a Gift: {gift(event.gift)}"
        case RoundBegan():
            return f"round {event.round} begins"
    return None


def called(target: int) -> str:
    """What was performed, by name, without quotation marks."""
    return "the Favorite" if target == FAVORITE else catalogue.performance(target).name


def performed(target: int) -> str:
    """What is performed, by name."""
    return "the Favorite" if target == FAVORITE else f"“{catalogue.performance(target).name}”"


def _turn(event: Learned | Attempted | Completed | Failed | Passed | WentOut, context: Context) -> str:
    """How turns begin and end."""
    name = context.names[event.seat]
    match event:
        case Learned():
            with_card = f"discards Jest card {event.card} ({top(event.card)})"
            return f"{name} {with_card} and learns {dice_words(counted_dice(event.dice))}."
        case Attempted():
            return f"{name} performs {performed(event.target)} and rolls {plain_roll(event.dice)}."
        case Completed():
            return f"{name} completes {performed(event.target)} with {plain_roll(event.dice)}."
        case Failed():
            drawn = f" and draws {words.counted(event.cards, 'Jest card')}" if event.cards else ""
            time = words.ordinal(event.failures)
            return f"{name} fails at {performed(event.target)}, for the {time} time of {OUT}{drawn}."
        case Passed():
            back = f", returning {dice_words(event.dice)}" if any(event.dice) else ""
            first = " and takes the first player card" if event.first else ""
            return f"{name} passes{back}{first}."
        case WentOut():
            back = f" {dice_words(event.dice)} go back to the middle." if any(event.dice) else ""
            return f"{name} is out of play.{back}"


def _used(event: CardSpent | RerollBought | GiftUsed | DieTurned | TechniqueAdded, context: Context) -> str:
    """Cards and Gifts used in an attempt."""
    name = context.names[event.seat]
    match event:
        case CardSpent():
            change = f"die {event.die} from {event.before} to {event.face}"
            return f"{name} discards Jest card {event.card} ({bottom(event.card)}): {change}."
        case RerollBought():
            return f"{name} discards Jest card {event.card} for a reroll."
        case GiftUsed():
            return f"{name} uses Gift {event.gift}: it {_does(event.gift)}."
        case DieTurned():
            return f"{name} uses Gift {event.gift}: die {event.die} from {event.before} to {event.face}."
        case TechniqueAdded():
            die = f"a {COLOURS[event.colour]} die, which shows {event.face}"
            return f"{name} uses Gift {event.gift} and adds {die}."


def _does(number: int) -> str:
    said = gift(number)
    return said if said.startswith(("makes", "rolls")) else f"is {said}"


def _marked(event: Marked | Rerolled | Painted, context: Context) -> str | None:
    """Dice marked, and what becomes of them."""
    name = context.names[event.seat]
    match event:
        case Marked():
            return f"{name} {'marks' if event.marked else 'takes the mark off'} die {event.die}."
        case Rerolled():
            became = ", ".join(f"die {die} shows {face}" for die, face in zip(event.dice, event.faces, strict=True))
            return f"{name} rerolls: {became}."
        case Painted():
            return f"{name} makes {dice_numbers(event.dice)} {COLOURS[event.colour]}."


def _gift(event: FameGained | GiftsDrawn | GiftsSeen | GiftKept, context: Context) -> str:
    """Gifts, and the Fame they bring."""
    name = context.names[event.seat]
    match event:
        case FameGained():
            return f"{name} gains {event.fame} Fame by Gift {event.gift} ({gift(event.gift)})."
        case GiftsDrawn():
            return f"{name} draws two Gifts, to keep one."
        case GiftsSeen():
            return f"You draw {words.listed([f'Gift {number} ({gift(number)})' for number in event.gifts])}."
        case GiftKept():
            back = "; the other one goes under the pile" if event.returned else ""
            return f"{name} keeps Gift {event.gift} ({gift(event.gift)}){back}."


def _around(
    event: Revealed | CardsDrawn | Refilled | FavoritePlaced | RoundBegan | Scored, context: Context
) -> str | None:
    """Cards that come, and how rounds begin and end."""
    match event:
        case Revealed():
            return f"A new Performance: “{catalogue.performance(event.performance).name}”."
        case CardsDrawn():
            return f"You draw the Jest {_cards(event.cards)}."
        case Refilled():
            return f"The {words.counted(event.cards, 'discarded Jest card')} are shuffled to a new pile."
        case FavoritePlaced():
            worth = "/".join(map(str, PLACES[event.place]))
            favorite = catalogue.favorite(event.favorite)
            unplayed = "" if event.played else ", not played,"
            return f"“{favorite.name}” ({symbols(favorite.symbols)}){unplayed} goes to the majority {worth}."
        case RoundBegan():
            favorite = catalogue.favorite(event.favorite)
            return f"Round {event.round} begins with “{favorite.name}”; {context.names[event.starter]} starts."
        case Scored():
            totals = zip(context.names, event.final.totals, strict=True)
            return f"Final scoring: {', '.join(f'{name} {words.plain(total)}' for name, total in totals)}."


def _cards(cards: tuple[int, ...]) -> str:
    said = [f"{card} ({top(card)} / {bottom(card)})" for card in cards]
    return f"{'card' if len(cards) == 1 else 'cards'} {words.listed(said)}"
