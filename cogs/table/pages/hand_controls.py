"""What a hand offers: a screen's controls with their custom_ids, in rows; steps on the way; picks in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from cogs.screens.screen import Button, Buttons, Control, Picks, Select, Step, Steps
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Line, Menu, Press, Row, Style, rows, table_press

LINES = 25  # of a drop-down list


@dataclass(frozen=True, slots=True)
class Laid:
    """The controls of a hand in rows, or of a step on the way to a move: what was chosen so far, and what is left."""

    left: tuple[Row, ...]
    way: tuple[Row, ...] = ()  # the lists from which steps were chosen
    chosen: str = ""  # what was chosen, in a few words
    said: str = ""  # and what there is to say of it
    back: tuple[Press, ...] = ()
    asks: str = ""  # what there is to choose now, in a sentence


def laid(match: str, decision: int, controls: Sequence[Control], trail: Sequence[Step] = ()) -> Laid:
    """Controls in rows. After some steps: the lists these were chosen from, what they leave to choose, a way back."""
    numbers = count()
    if not trail:
        return Laid(tuple(_laid(match, decision, controls, (), numbers)))
    last = trail[-1]
    keys = [step.key for step in trail]
    way = _way(match, decision, controls, trail, numbers)
    left = _laid(match, decision, last.controls, keys, numbers)
    chosen = " · ".join(step.label for step in trail)
    back = _back(match, decision, keys[:-1], last.back)
    return Laid(tuple(left), tuple(way), chosen, last.said, (back,), last.asks)


def picked(
    match: str, decision: int, controls: Sequence[Control], trail: Sequence[Step], picks: Picks, notation: str
) -> Laid:
    """What was picked so far, what may be picked beside it, and the button that makes the move."""
    tokens = _tokens(picks, notation)
    labels = {pick.token: pick.label for pick in picks.picks}
    named = [labels.get(token, token) for token in tokens]
    if len(named) > 1 and picks.ordered:
        ends = [f"{named[0]} ({picks.ends[0]})", *named[1:-1], f"{named[-1]} ({picks.ends[1]})"]
        chosen = f"{picks.title}: {', '.join(ends)}"
    else:
        chosen = f"{picks.done}: {', '.join(named)}"
    way = _way(match, decision, controls, trail, count())
    confirm = rows((Press(picks.done, custom_ids.move(match, decision, notation), "primary"),))
    back = _back(match, decision, [step.key for step in trail])
    if picks.ordered:
        return Laid((*rows(taps(match, decision, picks, tokens)), *confirm), tuple(way), chosen, "", (back,))
    return Laid(confirm, (*way, picks_row(match, decision, picks, tokens)), chosen, "", (back,))


def trail(controls: Sequence[Control], keys: Sequence[str]) -> tuple[Step, ...] | None:
    """The steps of that path; None where there are none."""
    found: list[Step] = []
    for key in keys:
        step = next((step for step in _steps(controls) if step.key == key), None)
        if step is None:
            return None
        found.append(step)
        controls = step.controls
    return tuple(found) or None


def picks_of(controls: Sequence[Control], notation: str) -> tuple[tuple[Step, ...], Picks] | None:
    """The picks that such a move is made of, and the steps that lead there."""
    for control in controls:
        if isinstance(control, Picks) and f"{notation} ".startswith(f"{control.verb} "):
            return (), control
    for step in _steps(controls):
        if found := picks_of(step.controls, notation):
            return (step, *found[0]), found[1]
    return None


def buttons(controls: Sequence[Control]) -> Iterator[Button]:
    """Every button, those of steps, too."""
    for control in controls:
        if isinstance(control, Buttons):
            yield from control.buttons
    for step in _steps(controls):
        yield from buttons(step.controls)


def called(controls: Sequence[Control], notation: str) -> tuple[str, bool]:
    """How these call a move, and whether they ask once more before it; nothing where they make it of picks."""
    for control in controls:
        match control:
            case Buttons(buttons):
                found = [(button.label, bool(button.confirm)) for button in buttons if button.move == notation]
            case Select(_, options) | Steps(moves=options):
                found = [(option.label, False) for option in options if option.move == notation]
            case Picks():
                found = []
        if found:
            return found[0]
    inner = (called(step.controls, notation) for step in _steps(controls))
    return next((each for each in inner if each[0]), ("", False))


def picks_row(match: str, decision: int, picks: Picks, chosen: Sequence[str] = ()) -> Row:
    """The list of what can be picked, with what is picked already."""
    left, lines = list(chosen), []
    for place, pick in enumerate(picks.picks):
        picked = pick.token in left
        if picked:
            left.remove(pick.token)
        lines.append(Line(pick.label, custom_ids.pick(pick.token, place), pick.description, pick.emoji, chosen=picked))
    return Row(
        Menu(custom_ids.picks(match, decision, picks.verb), picks.placeholder, tuple(lines), picks.least, picks.most)
    )


def taps(match: str, decision: int, picks: Picks, tokens: Sequence[str] = ()) -> list[Press]:
    """A button for every pick, in the list's order so that none of them moves: a tap picks it, or takes it back.

    The order in which they are tapped is theirs; what was picked has its place in it. Nothing is kept but in the
    custom_ids. The last one left is taken back by going back.
    """
    copies = Counter(pick.token for pick in picks.picks)
    presses = []
    for token, label in {pick.token: pick.label for pick in picks.picks}.items():
        places = [place for place, each in enumerate(tokens) if each == token]
        if places:
            without = [*tokens[: places[-1]], *tokens[places[-1] + 1 :]]
            to = custom_ids.order(match, decision, " ".join((picks.verb, *(without or tokens))))
            marks = ", ".join(str(place + 1) for place in places)
            presses.append(Press(f"{label} ({marks})", to, "success", idle=not without))
        if len(places) < copies[token]:
            full = len(tokens) == picks.most
            to = custom_ids.order(match, decision, " ".join((picks.verb, *tokens, token)))
            presses.append(Press(label, to, idle=full))
    return presses


def _tokens(picks: Picks, notation: str) -> list[str]:
    """What was picked. A game may write `2 red` for `red red`, so that many picks fit in a custom_id."""
    known, found, times = {pick.token for pick in picks.picks}, [], 1
    for word in notation.split()[len(picks.verb.split()) :]:
        if word.isdecimal() and word not in known:
            times = int(word)
        else:
            found += [word] * times
            times = 1
    return found


def _steps(controls: Sequence[Control]) -> Iterator[Step]:
    """What may be chosen first, from all the lists of it."""
    return (step for control in controls if isinstance(control, Steps) for step in control.steps)


def _laid(
    match: str, decision: int, controls: Sequence[Control], keys: Sequence[str], numbers: Iterator[int]
) -> list[Row]:
    """These controls, in rows. Where lists stand beside them, no button looks as if it were the better choice.

    Buttons that lead on and those after them stand side by side.
    """
    found: list[Row] = []
    led: tuple[Press, ...] = ()
    style: Style = "primary" if all(map(_pressed, controls)) else "secondary"
    for control in controls:
        if not isinstance(control, Buttons):
            found, led = [*found, *rows(led)], ()
        match control:
            case Buttons(buttons):
                found += rows((*led, *(_press(match, decision, button, style) for button in buttons)))
                led = ()
            case Select(placeholder, options):
                lines = [Line(o.label, o.move, o.description, o.emoji) for o in options]
                found += _menus(placeholder, lines, (custom_ids.select(match, decision, i) for i in numbers))
            case Picks() if control.listed:
                found.append(picks_row(match, decision, control))
            case Picks():
                found += rows(taps(match, decision, control))
            case Steps(_, steps, True):
                led = tuple(_onward(match, decision, step, keys, style) for step in steps)
            case Steps():
                found += _steps_rows(match, decision, control, keys, numbers)
    return [*found, *rows(led)]


def _way(
    match: str, decision: int, controls: Sequence[Control], trail: Sequence[Step], numbers: Iterator[int]
) -> list[Row]:
    """The lists from which steps were chosen, each with its line marked, so that another one can be.

    Of those that were buttons nothing stays: there is the way back.
    """
    found: list[Row] = []
    keys: list[str] = []
    for step in trail:
        source = next(control for control in controls if isinstance(control, Steps) and step in control.steps)
        if not source.buttons:
            found += _steps_rows(match, decision, source, keys, numbers, step)
        keys.append(step.key)
        controls = step.controls
    return found


def _steps_rows(
    match: str, decision: int, steps: Steps, keys: Sequence[str], numbers: Iterator[int], chosen: Step | None = None
) -> list[Row]:
    lines = [Line(o.label, custom_ids.now(o.move), o.description, o.emoji) for o in steps.moves]
    lines += [
        Line(
            s.label,
            custom_ids.path((*keys, s.key)),
            s.description,
            s.emoji,
            chosen=chosen is not None and s.key == chosen.key,
        )
        for s in steps.steps
    ]
    return _menus(steps.placeholder, lines, (custom_ids.steps(match, decision, i) for i in numbers))


def _menus(placeholder: str, lines: Sequence[Line], to: Iterator[str]) -> list[Row]:
    """A list in as many menus as it needs."""
    parts = [tuple(lines[i : i + LINES]) for i in range(0, len(lines), LINES)]
    named = [
        placeholder if len(parts) == 1 else f"{placeholder} ({i} of {len(parts)})" for i in range(1, len(parts) + 1)
    ]
    return [Row(Menu(next(to), name, part)) for name, part in zip(named, parts, strict=True)]


def _pressed(control: Control) -> bool:
    """Whether it is buttons rather than a list."""
    return isinstance(control, Buttons) or (isinstance(control, Steps) and control.buttons)


def _onward(match: str, decision: int, step: Step, keys: Sequence[str], style: Style) -> Press:
    return Press(step.label, custom_ids.onward(match, decision, (*keys, step.key)), style, step.emoji)


def _back(match: str, decision: int, keys: Sequence[str], called: str = "") -> Press:
    """One step back, or to the hand."""
    if not keys:
        return table_press(match, called or "Back to the hand", "back")
    return Press(called or "Back", custom_ids.step(match, decision, keys))


def _press(match: str, decision: int, button: Button, style: Style) -> Press:
    write = custom_ids.ask if button.confirm else custom_ids.move
    return Press(button.label, write(match, decision, button.move), style, button.emoji)
