"""Words that several games' screens share: seats, cards, numbers, lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from cogs.screens.control_widths import MAX_LABEL
from cogs.screens.screen import Context
from cogs.screens.truncation import truncate
from engines.kit import cards
from engines.kit.contract import Outcome
from engines.kit.seats import letter as letter

COMPUTER_MARK = "🤖"  # in sentences, after the name of whoever a computer plays for
BIDI_ISOLATE, BIDI_RELEASE = "\u2068", "\u2069"  # keep right-to-left names from turning the line around
SUIT_SHAPES = ("♣", "♦", "♥", "♠")
SUIT_EMOJI = ("♣️", "♦️", "♥️", "♠️")
SUIT_ORDER = (cards.SPADES, cards.HEARTS, cards.CLUBS, cards.DIAMONDS)  # dark and red by turns
_RANK_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def seat_label(context: Context, index: int, you: int | None = None) -> str:
    """A seat by its name: `Ana`, `Ana (you)` for the reader's own; with the letter that pictures show: `B 李雷`."""
    return f"{_letter_prefix(context, index)}{context.names[index]}" + (" (you)" if index == you else "")


def seat_button_label(context: Context, index: int, max_length: int = MAX_LABEL) -> str:
    """The same where there is no markdown, on a button, in at most so many characters."""
    first, name = _letter_prefix(context, index), button_name(context, index)
    bare = name.strip(BIDI_ISOLATE + BIDI_RELEASE)
    room = max_length - len(first) - (len(name) - len(bare))
    return f"{first}{name.replace(bare, truncate(bare, room))}"


def button_name(context: Context, index: int, is_short: bool = False) -> str:
    """A name, or its short form, on a button: without the mark of a computer, for which the picture has a face."""
    name = unescape_markdown((context.short_names if is_short else context.names)[index])
    return name.removesuffix(f" {COMPUTER_MARK}") if index in context.computers else name


def _letter_prefix(context: Context, index: int) -> str:
    """The letter by which pictures show a seat, and a space; nothing where they show its name."""
    own = letter(index)
    return f"{own} " if context.plate_names[index : index + 1] == (own,) and context.names[index] != own else ""


def short_seat_label(context: Context, index: int) -> str:
    """A seat in a row of figures: by its short name, or by the letter that pictures show and `seat` explains."""
    return letter(index) if context.plate_names[index] == letter(index) else context.short_names[index]


def plate_text(context: Context, index: int) -> str:
    """A seat as its plate shows it, for alt texts: `Feste (computer)`."""
    return f"{context.plate_names[index]}{' (computer)' if index in context.computers else ''}"


def seat_or_you(context: Context, index: int, you: int | None = None) -> str:
    """A seat in a sentence: `you` for the reader's own, else its name."""
    return "you" if index == you else seat_label(context, index)


def seat_does(context: Context, index: int, you: int | None, verb: str) -> str:
    """What a seat does: `you lead`, `Ana leads`."""
    return f"{seat_or_you(context, index, you)} {verb}{'' if index == you else 's'}"


def suit_text(index: int) -> str:
    """A suit by word and shape: `hearts ♥`."""
    return f"{cards.SUIT_WORDS[index]} {SUIT_SHAPES[index]}"


def rank_word(card: int) -> str:
    """A playing card's rank, spelled: `ace`, `10`."""
    text = cards.RANKS[card % 13]
    return _RANK_WORDS.get(text, text)


def playing_card_text(card: int) -> str:
    """A playing card by words and shape: `10 of hearts ♥`."""
    return f"{rank_word(card)} of {suit_text(card // 13)}"


def short_card_text(card: int) -> str:
    """A playing card as it is written on buttons and in news: `Q♣`, `10♦`."""
    return f"{cards.RANKS[card % 13]}{SUIT_SHAPES[card // 13]}"


def signed_number(number: int) -> str:
    """Points won or lost: `+30`, `−10`, `0`."""
    return f"+{number}" if number > 0 else plain_number(number)


def plain_number(number: int) -> str:
    """A number with a true minus sign."""
    return str(number).replace("-", "−")


def pluralize(number: int, singular: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{plain_number(number)} {singular}" + ("" if number in (1, -1) else "s")


def capitalize(sentence: str) -> str:
    """The same with a capital letter at its beginning."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def nonbreaking(text: str) -> str:
    """The same with spaces at which no line is broken."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def join_with_dots(items: Iterable[str]) -> str:
    """`1 · 2 · 3`; where the line must be broken, that is after a dot and within no item."""
    return "\N{NO-BREAK SPACE}· ".join(map(nonbreaking, items))


def join_with_and(items: Sequence[str]) -> str:
    """`Ana`, `Ana and Ben`, `Ana, Ben and Cleo`; nothing of nobody."""
    return "".join(items) if len(items) < 2 else ", ".join(items[:-1]) + " and " + items[-1]


def join_with_or(items: Sequence[str]) -> str:
    """`trade, declare or be done`."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1]


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th` …; small numbers only."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def points_text(number: int) -> str:
    """`1 point`, `−12 points`."""
    return pluralize(number, "point")


def result_headline(outcome: Outcome, context: Context, score_text: Callable[[int], str] = points_text) -> str:
    """Who won: `Ana wins with 12 points`, `Ana and Cleo share the win with 40 points each`."""
    names = join_with_and([context.names[seat] for seat in outcome.winners])
    best = score_text(max(outcome.points))
    return f"{names} wins with {best}" if len(outcome.winners) == 1 else f"{names} share the win with {best} each"


def result_sentence(outcome: Outcome, context: Context, score_text: Callable[[int], str] = points_text) -> str:
    """Places and points in a sentence: `Ana wins with 12 points. 2nd Ben 9, 3rd Cleo 4`."""
    behind = sorted((place, index) for index, place in enumerate(outcome.places) if index not in outcome.winners)
    rest = [
        f"{ordinal(place)} {context.short_names[index]} {plain_number(outcome.points[index])}"
        for place, index in behind
    ]
    return ". ".join(filter(None, (result_headline(outcome, context, score_text), ", ".join(rest))))


def place_lines(outcome: Outcome, context: Context, score_text: Callable[[int], str] | None = None) -> list[str]:
    """A line a seat, the best first; a shared place is told. `told` says what a seat has to show, by default points."""
    score_text = score_text or (lambda index: points_text(outcome.points[index]))
    lines = []
    for place, index in sorted((place, index) for index, place in enumerate(outcome.places)):
        shared = " (shared)" if outcome.places.count(place) > 1 else ""
        lines.append(f"**{ordinal(place)}{shared}** {seat_label(context, index)}: {score_text(index)}")
    return lines


def unescape_markdown(name: str) -> str:
    """A name as it may stand where there is no markdown: on a button."""
    return re.sub(r"\\(.)", r"\1", name).replace("@\u200b", "@")


def newest_lines(news: Sequence[str], max_length: int = 500) -> tuple[str, ...]:
    """As a paragraph, the newest of these lines that fit; none when there are none."""
    kept: list[str] = []
    for line in reversed(news):
        max_length -= len(line) + 1
        if max_length < 0:
            break
        kept.append(line)
    return ("\n".join(reversed(kept)),) if kept else ()
