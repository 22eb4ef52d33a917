"""Autocomplete choices of Jesters' commands: legal moves only, in words and in notation."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.help import choose_dice, move_effect, roll_chance
from cogs.jesters.tasks import percent_text, requirement_text
from cogs.jesters.words import dice_text, target_task
from cogs.screens.screen import Offers, TypedCommand
from cogs.screens.screen import filter_offers as those_that_fit
from engines.jesters.components.catalogue import COLOURS
from engines.jesters.model import FAVORITE_TARGET, Move
from engines.jesters.view import View

Offer = tuple[str, str]  # in words, and in notation without the verb


def complete_option(view: View, typed: TypedCommand) -> Offers | None:
    """Return the choices for an option of a command, or None for the moves of its verb."""
    if typed.option == "what":
        return those_that_fit(task_offers(view), typed.text)
    if typed.option == "dice":
        return dice_offers(view, typed.others.get("what", ""), typed.text)
    return None


def with_effect(view: View, move: Move, text: str) -> str:
    """Return the text of a dice change, and whether it succeeds or gets closer."""
    does = move_effect(view, move)
    return f"{text}, {does}" if does else text


def task_offers(view: View) -> list[Offer]:
    """Return what this seat can perform."""
    if view.seat is None or view.phase != "turn" or view.turn != view.seat or not any(view.dice[view.seat]):
        return []
    targets = [*([] if view.seat in view.done else [FAVORITE_TARGET]), *view.board]
    return [
        (f"{target_task(view, t).name}: {requirement_text(target_task(view, t).requirement)}", _target_word(t))
        for t in targets
    ]


def _target_word(target: int) -> str:
    return "favorite" if target == FAVORITE_TARGET else str(target)


def dice_offers(view: View, what: str, typed: str) -> list[Offer]:
    """Return choices of the player's dice that start with the typed text.

    Without text, return the number of dice that the task needs, all dice, and each colour. With text, add one more die.
    """
    if not task_offers(view):
        return []
    assert view.seat is not None
    target = next((t for t in (FAVORITE_TARGET, *view.board) if _target_word(t) == what.strip().lower()), None)
    owned = view.dice[view.seat]
    some = _suggested_dice(view, target, owned) if not typed.strip() else _extended_dice(owned, typed)
    return [(_offer_text(view, target, counts), format_dice(counts)) for counts in dict.fromkeys(some)]


def _suggested_dice(view: View, target: int | None, owned: Sequence[int]) -> list[tuple[int, ...]]:
    """All dice, the number of dice that the task needs, and each colour alone."""
    found = [tuple(owned)]
    if target is not None:
        doing = target_task(view, target)
        found.insert(0, choose_dice(doing.requirement, owned, doing.dice))
    return found + [_add_dice((0, 0, 0, 0), colour) for colour in range(4) if owned[colour]]


def _extended_dice(owned: Sequence[int], typed: str) -> list[tuple[int, ...]]:
    """The typed dice, alone and with one more colour. The last word may be a number or the start of a colour."""
    *words, last = typed.lower().replace(",", " ").split() or [""]
    whole, started = parse_dice([*words, last]), parse_dice(words)
    if whole is not None:
        found = [whole, *(_add_dice(whole, colour) for colour in range(4))]
    elif started is not None and _is_number(last):
        found = [_add_dice(started, colour, int(last)) for colour in range(4)]
    elif words and _is_number(words[-1]) and (started := parse_dice(words[:-1])) is not None:
        found = [_add_dice(started, colour, int(words[-1])) for colour in range(4) if COLOURS[colour].startswith(last)]
    elif started is not None:
        found = [_add_dice(started, colour) for colour in range(4) if COLOURS[colour].startswith(last)]
    else:
        found = []
    return [some for some in found if any(some) and all(a <= b for a, b in zip(some, owned, strict=True))]


def _add_dice(counts: Sequence[int], colour: int, number: int = 1) -> tuple[int, ...]:
    return tuple(count + number * (colour == each) for each, count in enumerate(counts))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 3


def parse_dice(words: Sequence[str]) -> tuple[int, ...] | None:
    """Return the number of dice per colour in words like `2 red blue`, or None if a word is not understood."""
    counts, times = [0] * 4, 1
    for i, word in enumerate(words):
        if word in COLOURS:
            counts[COLOURS.index(word)] += times
            times = 1
        elif _is_number(word) and words[i + 1 : i + 2] and words[i + 1] in COLOURS:
            times = int(word)
        else:
            return None
    return tuple(counts)


def format_dice(counts: Sequence[int]) -> str:
    """Return dice in notation: `2 red blue`."""
    named = zip(counts, COLOURS, strict=True)
    return " ".join(name if number == 1 else f"{number} {name}" for number, name in named if number)


def _offer_text(view: View, target: int | None, counts: Sequence[int]) -> str:
    if target is None:
        return dice_text(counts)
    return (
        f"{dice_text(counts)}: {percent_text(roll_chance(target_task(view, target).requirement, counts))} "
        "without changes"
    )
