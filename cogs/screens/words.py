"""Words that several games' screens share: seats, cards, numbers, lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from cogs.screens.control_widths import LABEL
from cogs.screens.screen import Context
from cogs.screens.truncation import cut
from engines.kit import cards
from engines.kit.contract import Outcome
from engines.kit.seats import letter as letter

COMPUTER = "🤖"  # in sentences, after the name of whoever a computer plays for
ISOLATE, RELEASE = "\u2068", "\u2069"  # keep right-to-left names from turning the line around
SHAPES = ("♣", "♦", "♥", "♠")
EMOJI = ("♣️", "♦️", "♥️", "♠️")
SUIT_ORDER = (cards.SPADES, cards.HEARTS, cards.CLUBS, cards.DIAMONDS)  # dark and red by turns
_RANK_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def seat(context: Context, index: int, you: int | None = None) -> str:
    """A seat by its name: `Ana`, `Ana (you)` for the reader's own; with the letter that pictures show: `B 李雷`."""
    return f"{_shown(context, index)}{context.names[index]}" + (" (you)" if index == you else "")


def named(context: Context, index: int, longest: int = LABEL) -> str:
    """The same where there is no markdown, on a button, in at most so many characters."""
    first, name = _shown(context, index), labelled(context, index)
    bare = name.strip(ISOLATE + RELEASE)
    room = longest - len(first) - (len(name) - len(bare))
    return f"{first}{name.replace(bare, cut(bare, room))}"


def labelled(context: Context, index: int, brief: bool = False) -> str:
    """A name, or its short form, on a button: without the mark of a computer, for which the picture has a face."""
    name = unescaped((context.short if brief else context.names)[index])
    return name.removesuffix(f" {COMPUTER}") if index in context.computers else name


def _shown(context: Context, index: int) -> str:
    """The letter by which pictures show a seat, and a space; nothing where they show its name."""
    own = letter(index)
    return f"{own} " if context.plates[index : index + 1] == (own,) and context.names[index] != own else ""


def brief(context: Context, index: int) -> str:
    """A seat in a row of figures: by its short name, or by the letter that pictures show and `seat` explains."""
    return letter(index) if context.plates[index] == letter(index) else context.short[index]


def plate(context: Context, index: int) -> str:
    """A seat as its plate shows it, for alt texts: `Feste (computer)`."""
    return f"{context.plates[index]}{' (computer)' if index in context.computers else ''}"


def who(context: Context, index: int, you: int | None = None) -> str:
    """A seat in a sentence: `you` for the reader's own, else its name."""
    return "you" if index == you else seat(context, index)


def does(context: Context, index: int, you: int | None, verb: str) -> str:
    """What a seat does: `you lead`, `Ana leads`."""
    return f"{who(context, index, you)} {verb}{'' if index == you else 's'}"


def suit(index: int) -> str:
    """A suit by word and shape: `hearts ♥`."""
    return f"{cards.SUIT_WORDS[index]} {SHAPES[index]}"


def rank(card: int) -> str:
    """A playing card's rank, spelled: `ace`, `10`."""
    text = cards.RANKS[card % 13]
    return _RANK_WORDS.get(text, text)


def playing_card(card: int) -> str:
    """A playing card by words and shape: `10 of hearts ♥`."""
    return f"{rank(card)} of {suit(card // 13)}"


def short_card(card: int) -> str:
    """A playing card as it is written on buttons and in news: `Q♣`, `10♦`."""
    return f"{cards.RANKS[card % 13]}{SHAPES[card // 13]}"


def signed(number: int) -> str:
    """Points won or lost: `+30`, `−10`, `0`."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """A number with a true minus sign."""
    return str(number).replace("-", "−")


def counted(number: int, one: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{plain(number)} {one}" + ("" if number in (1, -1) else "s")


def opening(sentence: str) -> str:
    """The same with a capital letter at its beginning."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def together(text: str) -> str:
    """The same with spaces at which no line is broken."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def dotted(items: Iterable[str]) -> str:
    """`1 · 2 · 3`; where the line must be broken, that is after a dot and within no item."""
    return "\N{NO-BREAK SPACE}· ".join(map(together, items))


def listed(items: Sequence[str]) -> str:
    """`Ana`, `Ana and Ben`, `Ana, Ben and Cleo`; nothing of nobody."""
    return "".join(items) if len(items) < 2 else ", ".join(items[:-1]) + " and " + items[-1]


def either(items: Sequence[str]) -> str:
    """`trade, declare or be done`."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1]


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th` …; small numbers only."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def points(number: int) -> str:
    """`1 point`, `−12 points`."""
    return counted(number, "point")


def headline(outcome: Outcome, context: Context, told: Callable[[int], str] = points) -> str:
    """Who won: `Ana wins with 12 points`, `Ana and Cleo share the win with 40 points each`."""
    names = listed([context.names[seat] for seat in outcome.winners])
    best = told(max(outcome.points))
    return f"{names} wins with {best}" if len(outcome.winners) == 1 else f"{names} share the win with {best} each"


def ending(outcome: Outcome, context: Context, told: Callable[[int], str] = points) -> str:
    """Places and points in a sentence: `Ana wins with 12 points. 2nd Ben 9, 3rd Cleo 4`."""
    behind = sorted((place, index) for index, place in enumerate(outcome.places) if index not in outcome.winners)
    rest = [f"{ordinal(place)} {context.short[index]} {plain(outcome.points[index])}" for place, index in behind]
    return ". ".join(filter(None, (headline(outcome, context, told), ", ".join(rest))))


def places(outcome: Outcome, context: Context, told: Callable[[int], str] | None = None) -> list[str]:
    """A line a seat, the best first; a shared place is told. `told` says what a seat has to show, by default points."""
    told = told or (lambda index: points(outcome.points[index]))
    lines = []
    for place, index in sorted((place, index) for index, place in enumerate(outcome.places)):
        shared = " (shared)" if outcome.places.count(place) > 1 else ""
        lines.append(f"**{ordinal(place)}{shared}** {seat(context, index)}: {told(index)}")
    return lines


def unescaped(name: str) -> str:
    """A name as it may stand where there is no markdown: on a button."""
    return re.sub(r"\\(.)", r"\1", name).replace("@\u200b", "@")


def newest(news: Sequence[str], limit: int = 500) -> tuple[str, ...]:
    """As a paragraph, the newest of these lines that fit; none when there are none."""
    kept: list[str] = []
    for line in reversed(news):
        limit -= len(line) + 1
        if limit < 0:
            break
        kept.append(line)
    return ("\n".join(reversed(kept)),) if kept else ()
