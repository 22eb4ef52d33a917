"""How many taps a move takes by a hand's controls, every one counted."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.screens.screen import Buttons, Control, Option, Picks, Select, Steps

PRESS_TAPS, CHOOSE_TAPS = 1, 2  # a list is opened, and a line of it chosen


class TapCounter:
    """The fewest taps to every move that these controls offer."""

    def __init__(self, controls: Sequence[Control]) -> None:
        self._direct_taps: dict[str, int] = {}
        self._picks: list[tuple[int, Picks]] = []
        self._count_controls(controls, 0)

    def taps_for(self, notation: str) -> int:
        taps = [
            before + self._picked_taps(picks, notation) for before, picks in self._picks if _is_made_by(picks, notation)
        ]
        if notation in self._direct_taps:
            taps.append(self._direct_taps[notation])
        if not taps:
            raise LookupError(f"No control leads to {notation}.")
        return min(taps)

    def _count_controls(self, controls: Sequence[Control], before: int) -> None:
        """Note what these offer, when so many taps have led to them."""
        for control in controls:
            match control:
                case Buttons(buttons):
                    for button in buttons:
                        self._record_taps(button.move, before + PRESS_TAPS * (2 if button.confirm else 1))
                case Select(_, options):
                    self._count_options(options, before)
                case Steps():
                    self._count_options(control.moves, before)
                    for step in control.steps:
                        self._count_controls(step.controls, before + (PRESS_TAPS if control.buttons else CHOOSE_TAPS))
                case Picks():
                    self._picks.append((before, control))

    def _count_options(self, options: Sequence[Option], before: int) -> None:
        for option in options:
            self._record_taps(option.move, before + CHOOSE_TAPS)

    def _record_taps(self, notation: str, number: int) -> None:
        self._direct_taps[notation] = min(number, self._direct_taps.get(notation, number))

    def _picked_taps(self, picks: Picks, notation: str) -> int:
        """Each is tapped, and the move confirmed. A list is opened before that, and closed after it."""
        return _pick_count(picks, notation) + PRESS_TAPS + (0 if picks.ordered else PRESS_TAPS + PRESS_TAPS)


def _is_made_by(picks: Picks, notation: str) -> bool:
    return notation.startswith(f"{picks.verb} ") and picks.least <= _pick_count(picks, notation) <= picks.most


def _pick_count(picks: Picks, notation: str) -> int:
    """How many lines are picked for a move; `2 red` may stand for two of them."""
    known, number, times = {pick.token for pick in picks.picks}, 0, 1
    for word in notation.split()[len(picks.verb.split()) :]:
        if word.isdecimal() and word not in known:
            times = int(word)
        else:
            number, times = number + times, 1
    return number
