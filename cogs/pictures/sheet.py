"""The layout of a score sheet."""

from __future__ import annotations

from cogs.pictures import theme, things
from cogs.pictures.canvas import S, Start
from cogs.pictures.spec import ScoreSheet

_TOP, _STEP, _NAMES = 150, 48, 110


def lay_sheet(spec: ScoreSheet, start: Start[S]) -> S:
    """A column a seat under its token and place, a line a round, the totals below."""
    height = _TOP + _STEP * len(spec.rows) + 110
    surface = start(things.room, height)
    width = (theme.WIDTH - _NAMES - 20) / len(spec.totals)
    columns = [_NAMES + width * (seat + 0.5) for seat in range(len(spec.totals))]
    for seat, x in enumerate(columns):
        surface.paste(x - 42, 14, things.token, seat, 84)
        if spec.places:
            surface.paste(x - 38, 104, things.tag, things.PLACES[spec.places[seat] - 1])
    surface.text(_NAMES - 16, 122, spec.note, 22, theme.MIST, theme.PLATE, "r")
    surface.text(_NAMES - 16, height - 56, "total", 28, theme.MIST, theme.PLATE, "r")
    for i, row in enumerate(spec.rows):
        y = _TOP + _STEP * (i + 0.5)
        if i % 2 == 0:
            surface.paste(0, y - _STEP / 2, things.band, _STEP)
        surface.text(_NAMES - 16, y, row.name, 28, theme.MIST, theme.PLATE, "r")
        for x, (note, points) in zip(columns, row.cells, strict=True):
            surface.text(x - 8, y, note, 24, theme.MIST, theme.PLATE, "r")
            ink = theme.LIME if points.startswith("+") else theme.ROSE
            surface.text(x + 8, y, points, 30, ink, theme.PLATE, "l")
    for x, total in zip(columns, spec.totals, strict=True):
        surface.text(x, height - 56, total, 48, theme.GOLD, theme.PLATE)
    return surface
