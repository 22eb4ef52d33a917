"""What Jesters' commands offer while they are typed: legal moves alone, in words and as they are written."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.help import chance_of, effect, fitting
from cogs.jesters.tasks import asked, percent
from cogs.jesters.words import dice_words, task
from cogs.screens.screen import Offers, Typed
from cogs.screens.screen import fitting as those_that_fit
from engines.jesters.components.catalogue import COLOURS
from engines.jesters.model import FAVORITE, Move, View

Offer = tuple[str, str]  # in words, and what is written after the verb


def complete(view: View, typed: Typed) -> Offers | None:
    """What may stand in an option of a command; None: the moves of its verb."""
    if typed.option == "what":
        return those_that_fit(tasks(view), typed.text)
    if typed.option == "dice":
        return dice(view, typed.others.get("what", ""), typed.text)
    return None


def brings(view: View, move: Move, said: str) -> str:
    """A change of dice in words, and whether it meets the requirement or brings it closer."""
    does = effect(view, move)
    return f"{said}, {does}" if does else said


def tasks(view: View) -> list[Offer]:
    """What this seat may perform."""
    if view.seat is None or view.phase != "turn" or view.turn != view.seat or not any(view.dice[view.seat]):
        return []
    targets = [*([] if view.seat in view.done else [FAVORITE]), *view.board]
    return [(f"{task(view, t).name}: {asked(task(view, t).requirement)}", _target(t)) for t in targets]


def _target(target: int) -> str:
    return "favorite" if target == FAVORITE else str(target)


def dice(view: View, what: str, typed: str) -> list[Offer]:
    """Choices of one's own dice that begin with what was typed: first as many as it takes, and all; else one more."""
    if not tasks(view):
        return []
    assert view.seat is not None
    target = next((t for t in (FAVORITE, *view.board) if _target(t) == what.strip().lower()), None)
    owned = view.dice[view.seat]
    some = _first(view, target, owned) if not typed.strip() else _more(owned, typed)
    return [(_said(view, target, counts), write_dice(counts)) for counts in dict.fromkeys(some)]


def _first(view: View, target: int | None, owned: Sequence[int]) -> list[tuple[int, ...]]:
    """All dice, as many as it takes by its nature, and each colour alone."""
    found = [tuple(owned)]
    if target is not None:
        doing = task(view, target)
        found.insert(0, fitting(doing.requirement, owned, doing.dice))
    return found + [_plus((0, 0, 0, 0), colour) for colour in range(4) if owned[colour]]


def _more(owned: Sequence[int], typed: str) -> list[tuple[int, ...]]:
    """The dice typed, and with more of a colour; the last word may be a number or half of a colour's name."""
    *words, last = typed.lower().replace(",", " ").split() or [""]
    whole, begun = read_dice([*words, last]), read_dice(words)
    if whole is not None:
        found = [whole, *(_plus(whole, colour) for colour in range(4))]
    elif begun is not None and _is_number(last):
        found = [_plus(begun, colour, int(last)) for colour in range(4)]
    elif words and _is_number(words[-1]) and (begun := read_dice(words[:-1])) is not None:
        found = [_plus(begun, colour, int(words[-1])) for colour in range(4) if COLOURS[colour].startswith(last)]
    elif begun is not None:
        found = [_plus(begun, colour) for colour in range(4) if COLOURS[colour].startswith(last)]
    else:
        found = []
    return [some for some in found if any(some) and all(a <= b for a, b in zip(some, owned, strict=True))]


def _plus(counts: Sequence[int], colour: int, number: int = 1) -> tuple[int, ...]:
    return tuple(count + number * (colour == each) for each, count in enumerate(counts))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 3


def read_dice(words: Sequence[str]) -> tuple[int, ...] | None:
    """How many dice of each colour words name (`2 red blue`); None where they name anything else."""
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


def write_dice(counts: Sequence[int]) -> str:
    """Dice as they are written in a move: `2 red blue`."""
    named = zip(counts, COLOURS, strict=True)
    return " ".join(name if number == 1 else f"{number} {name}" for number, name in named if number)


def _said(view: View, target: int | None, counts: Sequence[int]) -> str:
    if target is None:
        return dice_words(counts)
    return f"{dice_words(counts)}: {percent(chance_of(task(view, target).requirement, counts))} without changes"
