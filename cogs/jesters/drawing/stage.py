"""The layout of Jesters' table: the open Performances or an attempt above, then what everybody has."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import cards, icons
from cogs.jesters.drawing.attempt import lay_attempt
from cogs.jesters.drawing.parts import CARD_HEIGHT, ink_of, lay_dice, lay_task
from cogs.jesters.spec import JestersSeat, Majority, Stage, Task
from cogs.pictures import faces, theme, things
from cogs.pictures.canvas import S, Start, Surface

_LEFT, _RIGHT, _GAP = theme.MARGIN, theme.WIDTH - theme.MARGIN, 12
_ROOM = _RIGHT - _LEFT
_CARDS = 54  # where the Performances begin
_STRIP = _CARDS + 2 * CARD_HEIGHT + 2 * _GAP
_MAJORITIES = _STRIP + 92 + _GAP
_SEATS = _MAJORITIES + 118 + _GAP
_SEAT = 146
_STEPS = ("+5", "+2", "−2", "−5")  # S17


def lay_stage(spec: Stage, start: Start[S]) -> S:
    """Performances or the attempt; the middle and the failure track; the majorities; a panel a seat."""
    rows = (len(spec.seats) + 1) // 2
    surface = start(things.room, _SEATS + rows * (_SEAT + _GAP) + 8)
    surface.text(_LEFT, 30, spec.title, 32, theme.GOLD, theme.PLATE, "l")
    surface.text(_RIGHT, 30, spec.pile, 25, theme.MIST, theme.PLATE, "r")
    if spec.attempt is None:
        _lay_tasks(surface, spec.tasks)
    else:
        lay_attempt(surface, spec.attempt, _CARDS)
    _lay_middle(surface, spec.middle)
    _lay_failures(surface, [seat.failures for seat in spec.seats])
    for i, majority in enumerate(spec.majorities):
        _lay_majority(surface, majority, _LEFT + i * (_third() + _GAP))
    for i, seat in enumerate(spec.seats):
        x = _LEFT + (i % 2) * (_half() + _GAP)
        _lay_seat(surface, i, seat, x, _SEATS + (i // 2) * (_SEAT + _GAP))
    return surface


def _half() -> int:
    return (_ROOM - _GAP) // 2


def _third() -> int:
    return (_ROOM - 2 * _GAP) // 3


def _lay_tasks(surface: Surface, tasks: Sequence[Task]) -> None:
    columns, width = (2, _half()) if len(tasks) <= 4 else (3, _third())
    for i, task in enumerate(tasks):
        x = _LEFT + (i % columns) * (width + _GAP)
        lay_task(surface, task, x, _CARDS + (i // columns) * (CARD_HEIGHT + _GAP), width, CARD_HEIGHT)


# What everybody has


def _lay_middle(surface: Surface, middle: Sequence[int]) -> None:
    surface.paste(_LEFT, _STRIP, cards.pit, 392, 92)
    surface.text(_LEFT + 14, _STRIP + 20, "in the middle", 22, theme.MIST, theme.ROOM, "l")
    lay_dice(surface, middle, _LEFT + 14, _STRIP + 38, 46, 95, theme.ROOM, all_of=True)


def _lay_failures(surface: Surface, failures: Sequence[int]) -> None:
    """The failure track; everybody's token lies where they stand."""
    left = _LEFT + 392 + _GAP
    step = (_RIGHT - left + _GAP) / 4
    for i, points in enumerate(_STEPS):
        x = left + step * i
        surface.paste(x, _STRIP, cards.pit, round(step - _GAP), 92)
        word = ("no fail", "1 fail", "2 fails", "out")[i]
        surface.text(x + 10, _STRIP + 20, word, 22, theme.MIST, theme.ROOM, "l")
        surface.text(x + step - _GAP - 8, _STRIP + 20, points, 27, ink_of(points), theme.ROOM, "r")
        here = [seat for seat, count in enumerate(failures) if count == i]
        for j, seat in enumerate(here):
            surface.paste(x + 5 + 27 * j, _STRIP + 46, things.token, seat, 37)


def _lay_majority(surface: Surface, majority: Majority, x: float) -> None:
    """What it is worth, its symbols, and how many of them each seat has."""
    surface.paste(x, _MAJORITIES, things.panel, _third(), 118, majority.now)
    ground = theme.PLATE
    surface.text(x + 20, _MAJORITIES + 34, majority.worth, 36, theme.GOLD, ground, "l")
    if not majority.symbols:
        surface.text(x + 20, _MAJORITIES + 84, "not revealed yet", 24, theme.MIST, ground, "l")
        return
    for i, symbol in enumerate(reversed(majority.symbols)):
        surface.paste(x + _third() - 62 - 54 * i, _MAJORITIES + 10, icons.symbol, symbol, 48)
    if majority.now:
        surface.text(x + 92, _MAJORITIES + 34, "now", 24, theme.MIST, ground, "l")
    for seat, count in enumerate(majority.counts):
        at = x + 16 + 74 * seat
        surface.paste(at, _MAJORITIES + 68, things.token, seat, 38)
        surface.text(at + 52, _MAJORITIES + 88, str(count), 32, theme.IVORY, ground)


def _lay_seat(surface: Surface, seat: int, spec: JestersSeat, x: float, y: float) -> None:
    """A seat's panel: its dice; below them its hand, Fame and Gifts."""
    surface.paste(x, y, things.panel, _half(), _SEAT, spec.turn)
    surface.paste(x + 14, y + 16, things.token, seat, 70)
    if spec.first:
        surface.paste(x + 62, y + 60, things.badge, "1", 40, True)
    lay_dice(surface, spec.dice, x + 104, y + 22, 48, 89, theme.PLATE, all_of=False)
    if not any(spec.dice):
        surface.text(x + 108, y + 46, "no dice", 26, theme.MIST, theme.PLATE, "l")
    surface.paste(x + 34, y + 94, faces.card, "back", 0.28)
    surface.text(x + 72, y + 114, str(spec.cards), 34, theme.IVORY, theme.PLATE, "l")
    surface.paste(x + 122, y + 86, icons.fame, str(spec.fame), 54)
    surface.text(x + 184, y + 114, f"{spec.done} done", 27, theme.IVORY, theme.PLATE, "l")
    surface.paste(x + 308, y + 90, icons.gift_sign, 42)
    surface.text(x + 358, y + 114, spec.gifts, 27, theme.IVORY, theme.PLATE, "l")
    if spec.tag:
        surface.paste(x + _half() - 30 - 15 * len(spec.tag), y - 12, things.tag, spec.tag)
