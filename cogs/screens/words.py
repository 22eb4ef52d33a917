"""Words that several games' screens share, for seats, cards, numbers and lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from cogs.pictures.spec import ResultBanner
from cogs.screens.control_widths import MAX_LABEL
from cogs.screens.screen import Context
from cogs.screens.truncation import truncate
from engines.kit import cards
from engines.kit.contract import Outcome
from engines.kit.seats import letter as letter

LEARNER_NAME = "You"  # how lessons name the learner's seat
COMPUTER_MARK = "🤖"  # in sentences, after the name of a seat that a computer plays
BIDI_ISOLATE, BIDI_RELEASE = "\u2068", "\u2069"  # keep right-to-left names from reversing the line
SUIT_SHAPES = ("♣", "♦", "♥", "♠")
SUIT_ORDER = (cards.SPADES, cards.HEARTS, cards.CLUBS, cards.DIAMONDS)  # dark and red suits alternate
_RANK_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def seat_label(context: Context, index: int, you: int | None = None) -> str:
    """Return a seat's name: `Ana`, `Ana (you)` for the reader; with its letter if pictures show that: `B 李雷`."""
    return f"{_letter_prefix(context, index)}{context.names[index]}" + (" (you)" if index == you else "")


def seat_button_label(context: Context, index: int, max_length: int = MAX_LABEL) -> str:
    """Return the same without markdown for a button, in at most `max_length` characters."""
    first, name = _letter_prefix(context, index), button_name(context, index)
    bare = name.strip(BIDI_ISOLATE + BIDI_RELEASE)
    room = max_length - len(first) - (len(name) - len(bare))
    return f"{first}{name.replace(bare, truncate(bare, room))}"


def button_name(context: Context, index: int, is_short: bool = False) -> str:
    """Return a name, or its short form, for a button. It omits the computer mark, which the picture shows."""
    name = unescape_markdown((context.short_names if is_short else context.names)[index])
    return name.removesuffix(f" {COMPUTER_MARK}") if index in context.computers else name


def _letter_prefix(context: Context, index: int) -> str:
    """Return the seat's letter and a space if pictures show the letter; empty if they show the name."""
    own = letter(index)
    return f"{own} " if context.plate_names[index : index + 1] == (own,) and context.names[index] != own else ""


def short_seat_label(context: Context, index: int) -> str:
    """Return a seat's short name for a row of figures, or its letter if pictures show that."""
    return letter(index) if context.plate_names[index] == letter(index) else context.short_names[index]


def plate_text(context: Context, index: int) -> str:
    """Return a seat's name as on its plate, for alt texts: `Feste (computer)`."""
    return f"{context.plate_names[index]}{' (computer)' if index in context.computers else ''}"


def seat_or_you(context: Context, index: int, you: int | None = None) -> str:
    """Return `you` for the reader's own seat, otherwise the seat's name."""
    return "you" if index == you else seat_label(context, index)


def seat_does(context: Context, index: int, you: int | None, verb: str) -> str:
    """Return what a seat does: `you lead`, `Ana leads`."""
    return f"{seat_or_you(context, index, you)} {verb}{'' if index == you else 's'}"


def suit_text(index: int) -> str:
    """Return a suit as word and symbol: `hearts ♥`."""
    return f"{cards.SUIT_WORDS[index]} {SUIT_SHAPES[index]}"


def rank_word(card: int) -> str:
    """Return a playing card's rank in words: `ace`, `10`."""
    text = cards.RANKS[card % 13]
    return _RANK_WORDS.get(text, text)


def playing_card_text(card: int) -> str:
    """Return a playing card in words, with its suit symbol: `10 of hearts ♥`."""
    return f"{rank_word(card)} of {suit_text(card // 13)}"


def short_card_text(card: int) -> str:
    """Return a playing card in short, for buttons and news: `Q♣`, `10♦`."""
    return f"{cards.RANKS[card % 13]}{SUIT_SHAPES[card // 13]}"


def signed_number(number: int) -> str:
    """Return points won or lost: `+30`, `−10`, `0`."""
    return f"+{number}" if number > 0 else plain_number(number)


def plain_number(number: int) -> str:
    """Return a number with a true minus sign."""
    return str(number).replace("-", "−")


def pluralize(number: int, singular: str) -> str:
    """Return a count with its noun: `1 card`, `3 cards`."""
    return f"{plain_number(number)} {singular}" + ("" if number in (1, -1) else "s")


def capitalize(sentence: str) -> str:
    """Return the sentence with a capital first letter."""
    return f"{sentence[:1].upper()}{sentence[1:]}"


def nonbreaking(text: str) -> str:
    """Return the text with no-break spaces."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def join_with_dots(items: Iterable[str]) -> str:
    """Return `1 · 2 · 3`. Lines can break only after a dot."""
    return "\N{NO-BREAK SPACE}· ".join(map(nonbreaking, items))


def join_with_and(items: Sequence[str]) -> str:
    """Return `Ana`, `Ana and Ben`, `Ana, Ben and Cleo`; empty for no items."""
    return "".join(items) if len(items) < 2 else ", ".join(items[:-1]) + " and " + items[-1]


def join_with_or(items: Sequence[str]) -> str:
    """Return `trade, declare or be done`."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1]


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `3rd`, `4th` …"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def points_text(number: int) -> str:
    """Return `1 point`, `−12 points`."""
    return pluralize(number, "point")


def _wins(name: str) -> str:
    return f"{name} {'win' if name == LEARNER_NAME else 'wins'}"


def result_headline(outcome: Outcome, context: Context, score_text: Callable[[int], str] = points_text) -> str:
    """Return who won: `Ana wins with 12 points`, `Ana and Cleo share the win with 40 points each`."""
    names = join_with_and([context.names[seat] for seat in outcome.winners])
    best = score_text(max(outcome.points))
    return f"{_wins(names)} with {best}" if len(outcome.winners) == 1 else f"{names} share the win with {best} each"


def result_banner(
    outcome: Outcome, context: Context, moment: str = "", score_text: Callable[[int], str] = points_text
) -> ResultBanner:
    """Return the banner of a result: who won, with how much and how far ahead, and a moment of the match."""
    names, winners, best = context.plate_names, outcome.winners, max(outcome.points)
    if len(winners) > 1:
        shared = f"{join_with_and([names[seat] for seat in winners])}: {score_text(best)} each"
        return ResultBanner(winners, "A shared win", shared, moment)
    behind = [seat for seat, place in enumerate(outcome.places) if place == 2]
    lead = best - max([outcome.points[seat] for seat in behind], default=best)
    ahead = f", {plain_number(lead)} ahead of {join_with_and([names[seat] for seat in behind])}" if lead > 0 else ""
    return ResultBanner(winners, _wins(names[winners[0]]), f"{score_text(best)}{ahead}", moment)


def banner_alt(banner: ResultBanner | None) -> str:
    """Return a banner as sentences for the alt text, with a space after them; empty without a banner."""
    if banner is None:
        return ""
    return " ".join([f"{banner.title}. {banner.how}.", *([f"{banner.moment}."] if banner.moment else []), ""])


def place_lines(outcome: Outcome, context: Context, score_text: Callable[[int], str] | None = None) -> list[str]:
    """Return one line per seat, the best first, with shared places marked. `score_text` defaults to the points."""
    score_text = score_text or (lambda index: points_text(outcome.points[index]))
    lines = []
    for place, index in sorted((place, index) for index, place in enumerate(outcome.places)):
        shared = " (shared)" if outcome.places.count(place) > 1 else ""
        lines.append(f"**{ordinal(place)}{shared}** {seat_label(context, index)}: {score_text(index)}")
    return lines


def unescape_markdown(name: str) -> str:
    """Return an escaped name as plain text, for a button."""
    return re.sub(r"\\(.)", r"\1", name).replace("@\u200b", "@")


def newest_lines(narration: Sequence[str], max_length: int = 500) -> tuple[str, ...]:
    """Return the newest lines that fit, as one paragraph; empty if there are none."""
    lines: list[str] = []
    for line in reversed(narration):
        max_length -= len(line) + 1
        if max_length < 0:
            break
        lines.append(line)
    return ("\n".join(reversed(lines)),) if lines else ()
