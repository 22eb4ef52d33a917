"""Requirements of Jesters' Performances in words and in signs, missing dice, and chances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from cogs.jesters.drawing.spec import Sign
from cogs.screens import words
from engines.jesters.requirements.evaluation import COLOURS, NUMBER_WORDS, MissingDice, Requirement
from engines.jesters.requirements.forms import (
    HIGH_FACE,
    DifferentFaces,
    FaceSlots,
    Form,
    HighDice,
    MaxSum,
    MinSum,
    Run,
    SameFace,
    TwoGroups,
)


def requirement_text(requirement: Requirement) -> str:
    """Return a requirement in words: `a pair, one of them blue`."""
    form = requirement.form
    return _form_text(form) + _colours_clause(requirement.colours, 0 if isinstance(form, MinSum) else form.dice_needed)


def _form_text(form: Form) -> str:
    match form:
        case MinSum(least):
            return f"a sum of {least} or more"
        case MaxSum(count, most):
            return f"{count} dice with a sum of {most} or less"
        case HighDice(count):
            return f"{count} dice of {HIGH_FACE} or more"
        case SameFace(count):
            return _group_text(count)
        case TwoGroups(2, 2):
            return "two pairs"
        case TwoGroups(first, second):
            return f"{_group_text(first)} and {_group_text(second)}"
        case Run(length):
            return f"{length} in a row"
        case DifferentFaces(count):
            return f"{count} different numbers"
        case FaceSlots(slots):
            return f"one die for each of {words.join_with_and(['/'.join(map(str, slot)) for slot in slots])}"
    raise TypeError(form)


def _group_text(count: int) -> str:
    return "a pair" if count == 2 else f"{count} alike"


def _colours_clause(colours: Sequence[int], dice: int) -> str:
    """`, one of them blue and two green`, or `, both blue` if all dice need the colour."""
    found = [(NUMBER_WORDS[number], COLOURS[colour]) for colour, number in enumerate(colours) if number]
    if not found:
        return ""
    if dice and dice in colours:
        return f", {'both' if dice == 2 else 'all'} {found[0][1]}"
    clauses = [f"{number} {'of them ' if not i else ''}{colour}" for i, (number, colour) in enumerate(found)]
    return f", {words.join_with_and(clauses)}"


def missing_text(missing: MissingDice, form: Form) -> str:
    """Return what the dice lack: `Missing: a blue die showing 4 or 5`, `3 points too many`, `Missing: 3 points`."""
    if not missing.points:
        return f"Missing: {_missing_dice_text(missing, form)}"
    points = words.pluralize(missing.points, "point")
    if isinstance(form, MaxSum):  # the required colours are there
        return f"{points} too many"
    colours = [_coloured_dice_text(number, COLOURS[colour]) for colour, number in enumerate(missing.colours) if number]
    return f"Missing: {words.join_with_and([points, *colours])}"


def _coloured_dice_text(number: int, colour: str) -> str:
    return f"a {colour} die" if number == 1 else f"{number} {colour} dice"


def _missing_dice_text(missing: MissingDice, form: Form) -> str:
    """The number of missing dice, their colours, and the faces they may show."""
    if isinstance(form, FaceSlots) and missing.dice == len(form.slots):
        return _form_text(form)
    faces = "" if len(missing.faces) == 6 else words.join_with_or(list(map(str, missing.faces)))
    colours = [(NUMBER_WORDS[number], COLOURS[colour]) for colour, number in enumerate(missing.colours) if number]
    if missing.dice == 1:
        return f"a {colours[0][1] + ' ' if colours else ''}die" + (f" showing {faces}" if faces else "")
    clauses = [f"{number} {'' if i else 'of them '}{colour}" for i, (number, colour) in enumerate(colours)]
    which = "both" if missing.dice == 2 else "all"
    every = f"{which} showing" if isinstance(form, HighDice) else "one of them showing"
    parts = [f"{missing.dice} dice", *clauses, *([f"{every} {faces}"] if faces else [])]
    return ", ".join(parts)


def percent_text(chance: Fraction) -> str:
    """Return a chance: `36%`. Only certain chances are 0% or 100%."""
    if chance in (0, 1):
        return f"{int(100 * chance)}%"
    rounded = round(100 * chance)
    return "under 1%" if rounded == 0 else "over 99%" if rounded == 100 else f"{rounded}%"


# In signs


def requirement_signs(requirement: Requirement) -> tuple[Sign, ...]:
    """Return a requirement as dice signs: `x x` for a pair, with the required colours."""
    form, colours = requirement.form, _expand_colours(requirement.colours)
    match form:
        case MinSum(least):
            dice = _same_signs("?", max(2, len(colours)), colours)
            return (*_join_with_plus(dice), _word_sign("+"), _word_sign("…"), _word_sign(f"≥{least}"))
        case MaxSum(count, most):
            return (*_join_with_plus(_same_signs("?", count, colours)), _word_sign(f"≤{most}"))
        case HighDice(count):
            return _same_signs(f"{HIGH_FACE}+", count, colours)
        case SameFace(count):
            return _same_signs("x", count, colours)
        case DifferentFaces(count):
            return _same_signs("≠", count, colours)
    return (*_distinct_signs(form), *_colour_signs(colours))


def _distinct_signs(form: Form) -> tuple[Sign, ...]:
    """The signs of a form whose dice differ from each other."""
    match form:
        case TwoGroups(first, second):
            return (*(Sign("x"),) * first, _word_sign("+"), *(Sign("y"),) * second)
        case Run(length):
            return (Sign("x"), *(Sign(f"x+{i}") for i in range(1, length)))
        case FaceSlots(slots):
            return tuple(Sign("/".join(map(str, slot))) for slot in slots)
    raise TypeError(form)


def _expand_colours(colours: Iterable[int]) -> list[int]:
    return [colour for colour, number in enumerate(colours) for _ in range(number)]


def _same_signs(text: str, count: int, colours: Sequence[int]) -> tuple[Sign, ...]:
    """Dice with the same sign, the last ones in these colours."""
    plain = count - len(colours)
    return (*(Sign(text),) * plain, *(Sign(text, colour) for colour in colours))


def _join_with_plus(dice: Sequence[Sign]) -> list[Sign]:
    """Dice with a plus between them."""
    return [sign for i, die in enumerate(dice) for sign in ((_word_sign("+"), die) if i else (die,))]


def _colour_signs(colours: Sequence[int]) -> tuple[Sign, ...]:
    """Signs for required colours that any of the dice may have."""
    return (_word_sign("with"), *(Sign("", colour) for colour in colours)) if colours else ()


def _word_sign(text: str) -> Sign:
    return Sign(text, die=False)
