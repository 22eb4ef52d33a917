"""What a Performance of Jesters asks for, in words and in signs; what dice lack of it; chances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from cogs.jesters.spec import Sign
from cogs.screens import words
from engines.jesters.requirements.evaluation import COLOURS, NUMBERS, Missing, Requirement
from engines.jesters.requirements.forms import HIGH, Alike, Different, Each, Form, Groups, High, Low, Run, Sum


def asked(requirement: Requirement) -> str:
    """`a pair, one of them blue`."""
    form = requirement.form
    return _form(form) + _colours(requirement.colours, 0 if isinstance(form, Sum) else form.size)


def briefly(requirement: Requirement) -> str:
    """The same where there is little room: `a pair, 1 blue`, `1/2/3 and 4/5/6, 1 red`."""
    colours = [f"{number} {COLOURS[colour]}" for colour, number in enumerate(requirement.colours) if number]
    match requirement.form:
        case Sum(least):
            form = f"sum {least} or more"
        case Low(count, most):
            form = f"{count} dice, sum {most} or less"
        case Each(slots):
            form = words.listed(["/".join(map(str, slot)) for slot in slots])
        case other:
            form = _form(other)
    return ", ".join([form, *colours])


def _form(form: Form) -> str:
    match form:
        case Sum(least):
            return f"a sum of {least} or more"
        case Low(count, most):
            return f"{count} dice with a sum of {most} or less"
        case High(count):
            return f"{count} dice of {HIGH} or more"
        case Alike(count):
            return _group(count)
        case Groups(2, 2):
            return "two pairs"
        case Groups(first, second):
            return f"{_group(first)} and {_group(second)}"
        case Run(length):
            return f"{length} in a row"
        case Different(count):
            return f"{count} different numbers"
        case Each(slots):
            return f"a die each of {words.listed(['/'.join(map(str, slot)) for slot in slots])}"
    raise TypeError(form)


def _group(count: int) -> str:
    return "a pair" if count == 2 else f"{count} alike"


def _colours(colours: Sequence[int], dice: int) -> str:
    """`, one of them blue and two green`; where it is all the dice that meet it, `, both blue`."""
    found = [(NUMBERS[number], COLOURS[colour]) for colour, number in enumerate(colours) if number]
    if not found:
        return ""
    if dice and dice in colours:
        return f", {'both' if dice == 2 else 'all'} {found[0][1]}"
    said = [f"{number} {'of them ' if not i else ''}{colour}" for i, (number, colour) in enumerate(found)]
    return f", {words.listed(said)}"


def lacks(missing: Missing, form: Form) -> str:
    """What dice lack: `Missing: a blue die showing 4 or 5`, `3 points too many`, `Missing: 3 points`."""
    if not missing.points:
        return f"Missing: {_dice(missing, form)}"
    points = words.counted(missing.points, "point")
    if isinstance(form, Low):  # so many dice of the colours asked for are there
        return f"{points} too many"
    colours = [_of(number, COLOURS[colour]) for colour, number in enumerate(missing.colours) if number]
    return f"Missing: {words.listed([points, *colours])}"


def _of(number: int, colour: str) -> str:
    return f"a {colour} die" if number == 1 else f"{number} {colour} dice"


def _dice(missing: Missing, form: Form) -> str:
    """How many dice would do, of which colours, and what they may show."""
    if isinstance(form, Each) and missing.dice == len(form.slots):
        return _form(form)
    faces = "" if len(missing.faces) == 6 else words.either(list(map(str, missing.faces)))
    colours = [(NUMBERS[number], COLOURS[colour]) for colour, number in enumerate(missing.colours) if number]
    if missing.dice == 1:
        return f"a {colours[0][1] + ' ' if colours else ''}die" + (f" showing {faces}" if faces else "")
    asked = [f"{number} {'' if i else 'of them '}{colour}" for i, (number, colour) in enumerate(colours)]
    which = "both" if missing.dice == 2 else "all"
    every = f"{which} showing" if isinstance(form, High) else "one of them showing"
    parts = [f"{missing.dice} dice", *asked, *([f"{every} {faces}"] if faces else [])]
    return ", ".join(parts)


def percent(chance: Fraction) -> str:
    """`36%`; never 0 or 100 where it is not certain."""
    if chance in (0, 1):
        return f"{int(100 * chance)}%"
    rounded = round(100 * chance)
    return "under 1%" if rounded == 0 else "over 99%" if rounded == 100 else f"{rounded}%"


# In signs


def signs(requirement: Requirement) -> tuple[Sign, ...]:
    """A requirement as dice: `x x` for a pair, with the colours asked for where any of the dice may have them."""
    form, colours = requirement.form, _each_colour(requirement.colours)
    match form:
        case Sum(least):
            dice = _coloured("?", max(2, len(colours)), colours)
            return (*_joined(dice), _word("+"), _word("…"), _word(f"≥{least}"))
        case Low(count, most):
            return (*_joined(_coloured("?", count, colours)), _word(f"≤{most}"))
        case High(count):
            return _coloured(f"{HIGH}+", count, colours)
        case Alike(count):
            return _coloured("x", count, colours)
        case Different(count):
            return _coloured("≠", count, colours)
    return (*_in_order(form), *_with(colours))


def _in_order(form: Form) -> tuple[Sign, ...]:
    """The dice of a form in which they differ from each other."""
    match form:
        case Groups(first, second):
            return (*(Sign("x"),) * first, _word("+"), *(Sign("y"),) * second)
        case Run(length):
            return (Sign("x"), *(Sign(f"x+{i}") for i in range(1, length)))
        case Each(slots):
            return tuple(Sign("/".join(map(str, slot))) for slot in slots)
    raise TypeError(form)


def _each_colour(colours: Iterable[int]) -> list[int]:
    return [colour for colour, number in enumerate(colours) for _ in range(number)]


def _coloured(text: str, count: int, colours: Sequence[int]) -> tuple[Sign, ...]:
    """Dice that show the same, the last of them in these colours."""
    plain = count - len(colours)
    return (*(Sign(text),) * plain, *(Sign(text, colour) for colour in colours))


def _joined(dice: Sequence[Sign]) -> list[Sign]:
    """Dice with a plus between them."""
    return [sign for i, die in enumerate(dice) for sign in ((_word("+"), die) if i else (die,))]


def _with(colours: Sequence[int]) -> tuple[Sign, ...]:
    """Dice of these colours, which any of the others may be."""
    return (_word("with"), *(Sign("", colour) for colour in colours)) if colours else ()


def _word(text: str) -> Sign:
    return Sign(text, die=False)
