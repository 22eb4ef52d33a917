"""Lay out a screen's controls in rows with custom_ids: moves, steps toward a move, and ordered picks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from cogs.screens.screen import Button, Buttons, Control, Picks, Select, Step, Steps
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Line, Menu, Press, Row, Style, press_rows, table_press

MAX_LINES = 25  # lines of a drop-down list; Discord's limit


@dataclass(frozen=True, slots=True)
class HandControls:
    """The controls of a hand in rows, or of a step toward a move: the choices made so far, and the remaining ones."""

    remaining: tuple[Row, ...]
    step_rows: tuple[Row, ...] = ()  # the lists of the steps chosen so far
    chosen: str = ""  # the choices in a few words
    description: str = ""  # a text about the choices
    back: tuple[Press, ...] = ()
    question: str = ""  # the next choice, as a headline


def lay_out_controls(
    match: str, decision: int, controls: Sequence[Control], steps: Sequence[Step] = ()
) -> HandControls:
    """Lay out controls in rows. After steps, add their lists, the remaining choices, and a button that leads back."""
    numbers = count()
    if not steps:
        return HandControls(tuple(_control_rows(match, decision, controls, (), numbers)))
    last = steps[-1]
    keys = [step.key for step in steps]
    way = _chosen_step_rows(match, decision, controls, steps, numbers)
    left = _control_rows(match, decision, last.controls, keys, numbers)
    chosen = " · ".join(step.label for step in steps)
    back = _back_press(match, decision, keys[:-1], last.back)
    return HandControls(tuple(left), tuple(way), chosen, last.intro, (back,), last.question)


def lay_out_picks(
    match: str, decision: int, controls: Sequence[Control], steps: Sequence[Step], picks: Picks, notation: str
) -> HandControls:
    """Lay out the picks made so far, the possible further ones, and the button that makes the move."""
    tokens = _picked_tokens(picks, notation)
    labels = {pick.token: pick.label for pick in picks.picks}
    named = [labels.get(token, token) for token in tokens]
    if len(named) > 1 and picks.ordered:
        ends = [f"{named[0]} ({picks.end_labels[0]})", *named[1:-1], f"{named[-1]} ({picks.end_labels[1]})"]
        chosen = f"{picks.title}: {', '.join(ends)}"
    else:
        chosen = f"{picks.confirm_label}: {', '.join(named)}"
    way = _chosen_step_rows(match, decision, controls, steps, count())
    confirm = press_rows((Press(picks.confirm_label, custom_ids.move_id(match, decision, notation), "primary"),))
    back = _back_press(match, decision, [step.key for step in steps])
    if picks.ordered:
        return HandControls(
            (*press_rows(pick_presses(match, decision, picks, tokens)), *confirm), tuple(way), chosen, "", (back,)
        )
    return HandControls(confirm, (*way, picks_row(match, decision, picks, tokens)), chosen, "", (back,))


def find_steps(controls: Sequence[Control], keys: Sequence[str]) -> tuple[Step, ...] | None:
    """Return the steps with these keys; None if the controls do not offer them.

    An older message may offer a step on the hand itself that is now behind a first step. It is found there.
    """
    direct = _follow_steps(controls, keys)
    behind = ((step, _follow_steps(step.controls, keys)) for step in _iter_steps(controls))
    return direct or next(((step, *found) for step, found in behind if found), None)


def _follow_steps(controls: Sequence[Control], keys: Sequence[str]) -> tuple[Step, ...] | None:
    found: list[Step] = []
    for key in keys:
        step = next((step for step in _iter_steps(controls) if step.key == key), None)
        if step is None:
            return None
        found.append(step)
        controls = step.controls
    return tuple(found) or None


def find_picks(controls: Sequence[Control], notation: str) -> tuple[tuple[Step, ...], Picks] | None:
    """Return the picks that make this move, and the steps that lead to them; None if there are none."""
    for control in controls:
        if isinstance(control, Picks) and f"{notation} ".startswith(f"{control.verb} "):
            return (), control
    for step in _iter_steps(controls):
        if found := find_picks(step.controls, notation):
            return (step, *found[0]), found[1]
    return None


def iter_buttons(controls: Sequence[Control]) -> Iterator[Button]:
    """Iterate over all buttons, including those behind steps."""
    for control in controls:
        if isinstance(control, Buttons):
            yield from control.buttons
    for step in _iter_steps(controls):
        yield from iter_buttons(step.controls)


def find_label(controls: Sequence[Control], notation: str) -> tuple[str, bool]:
    """Return a move's label and whether it asks for confirmation; `("", False)` if the move is made of picks."""
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
    inner = (find_label(step.controls, notation) for step in _iter_steps(controls))
    return next((each for each in inner if each[0]), ("", False))


def picks_row(match: str, decision: int, picks: Picks, chosen: Sequence[str] = ()) -> Row:
    """Return the list of picks, with `chosen` marked."""
    left, lines = list(chosen), []
    for place, pick in enumerate(picks.picks):
        picked = pick.token in left
        if picked:
            left.remove(pick.token)
        lines.append(
            Line(pick.label, custom_ids.pick_value(pick.token, place), pick.description, pick.emoji, chosen=picked)
        )
    return Row(
        Menu(custom_ids.picks_id(match, decision, picks.verb), picks.placeholder, tuple(lines), picks.least, picks.most)
    )


def pick_presses(match: str, decision: int, picks: Picks, tokens: Sequence[str] = ()) -> list[Press]:
    """Return a button for every pick: a tap picks it, or takes it back. Buttons stay in place, in list order.

    The order of the taps is the order of the picks, and each picked button shows its place. The custom_ids hold the
    picks. The back button takes back the last one left.
    """
    copies = Counter(pick.token for pick in picks.picks)
    presses = []
    for token, label in {pick.token: pick.label for pick in picks.picks}.items():
        places = [place for place, each in enumerate(tokens) if each == token]
        if places:
            without = [*tokens[: places[-1]], *tokens[places[-1] + 1 :]]
            to = custom_ids.picks_order_id(match, decision, " ".join((picks.verb, *(without or tokens))))
            marks = ", ".join(str(place + 1) for place in places)
            presses.append(Press(f"{label} ({marks})", to, "success", idle=not without))
        if len(places) < copies[token]:
            full = len(tokens) == picks.most
            to = custom_ids.picks_order_id(match, decision, " ".join((picks.verb, *tokens, token)))
            presses.append(Press(label, to, idle=full))
    return presses


def _picked_tokens(picks: Picks, notation: str) -> list[str]:
    """Return the picked tokens. A game may write `2 red` for `red red`, so that many picks fit in a custom_id."""
    known, found, times = {pick.token for pick in picks.picks}, [], 1
    for word in notation.split()[len(picks.verb.split()) :]:
        if word.isdecimal() and word not in known:
            times = int(word)
        else:
            found += [word] * times
            times = 1
    return found


def _iter_steps(controls: Sequence[Control]) -> Iterator[Step]:
    return (step for control in controls if isinstance(control, Steps) for step in control.steps)


def _control_rows(
    match: str, decision: int, controls: Sequence[Control], keys: Sequence[str], numbers: Iterator[int]
) -> list[Row]:
    """Lay out controls in rows. Beside lists, buttons are secondary, so that none looks like the better choice.

    Beside a highlighted button, all others are secondary. Step buttons share rows with the move buttons that follow
    them.
    """
    found: list[Row] = []
    led: tuple[Press, ...] = ()
    alike = all(map(_is_pressed, controls)) and not any(map(_is_highlighted, controls))
    style: Style = "primary" if alike else "secondary"
    for control in controls:
        if not isinstance(control, Buttons):
            found, led = [*found, *press_rows(led)], ()
        match control:
            case Buttons(buttons):
                found += press_rows((*led, *(_move_press(match, decision, button, style) for button in buttons)))
                led = ()
            case Select(placeholder, options):
                lines = [Line(o.label, o.move, o.description, o.emoji) for o in options]
                found += _menu_rows(
                    placeholder, lines, (custom_ids.move_select_id(match, decision, i) for i in numbers)
                )
            case Picks() if control.ordered:
                found += press_rows(pick_presses(match, decision, control))
            case Picks():
                found.append(picks_row(match, decision, control))
            case Steps(_, steps, True):
                led = tuple(_step_press(match, decision, step, keys, style) for step in steps)
            case Steps():
                found += _step_menu_rows(match, decision, control, keys, numbers)
    return [*found, *press_rows(led)]


def _chosen_step_rows(
    match: str, decision: int, controls: Sequence[Control], steps: Sequence[Step], numbers: Iterator[int]
) -> list[Row]:
    """Return the lists of the chosen steps, each with its line marked, so that the player can choose another one.

    Step buttons are left out: the back button undoes them.
    """
    found: list[Row] = []
    keys: list[str] = []
    for step in steps:
        source = next(control for control in controls if isinstance(control, Steps) and step in control.steps)
        if not source.buttons:
            found += _step_menu_rows(match, decision, source, keys, numbers, step)
        keys.append(step.key)
        controls = step.controls
    return found


def _step_menu_rows(
    match: str, decision: int, steps: Steps, keys: Sequence[str], numbers: Iterator[int], chosen: Step | None = None
) -> list[Row]:
    lines = [Line(o.label, custom_ids.instant_move_value(o.move), o.description, o.emoji) for o in steps.moves]
    lines += [
        Line(
            s.label,
            custom_ids.step_path((*keys, s.key)),
            s.description,
            s.emoji,
            chosen=chosen is not None and s.key == chosen.key,
        )
        for s in steps.steps
    ]
    return _menu_rows(steps.placeholder, lines, (custom_ids.step_select_id(match, decision, i) for i in numbers))


def _menu_rows(placeholder: str, lines: Sequence[Line], to: Iterator[str]) -> list[Row]:
    """Split a list into as many menus as it needs."""
    parts = [tuple(lines[i : i + MAX_LINES]) for i in range(0, len(lines), MAX_LINES)]
    named = [
        placeholder if len(parts) == 1 else f"{placeholder} ({i} of {len(parts)})" for i in range(1, len(parts) + 1)
    ]
    return [Row(Menu(next(to), name, part)) for name, part in zip(named, parts, strict=True)]


def _is_pressed(control: Control) -> bool:
    """Whether a control consists of buttons rather than a list."""
    return isinstance(control, Buttons) or (isinstance(control, Steps) and control.buttons)


def _is_highlighted(control: Control) -> bool:
    return isinstance(control, Buttons) and any(button.highlighted for button in control.buttons)


def _step_press(match: str, decision: int, step: Step, keys: Sequence[str], style: Style) -> Press:
    return Press(step.label, custom_ids.next_step_id(match, decision, (*keys, step.key)), style, step.emoji)


def _back_press(match: str, decision: int, keys: Sequence[str], label: str = "") -> Press:
    """Return the button that leads one step back, or to the hand."""
    if not keys:
        return table_press(match, label or "Back to the hand", "back")
    return Press(label or "Back", custom_ids.previous_step_id(match, decision, keys))


def _move_press(match: str, decision: int, button: Button, style: Style) -> Press:
    write = custom_ids.confirm_id if button.confirm else custom_ids.move_id
    return Press(
        button.label, write(match, decision, button.move), "primary" if button.highlighted else style, button.emoji
    )
