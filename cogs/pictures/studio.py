"""Draws pictures: from a spec, by the layout of its type, to a PNG."""

from __future__ import annotations

from collections.abc import Iterable

from cogs.pictures.canvas import Canvas, Layouts, S, Start
from cogs.pictures.sheet import lay_sheet
from cogs.pictures.spec import ScoreSheet, Spec

SHARED: Layouts = {ScoreSheet: lay_sheet}
"""The layouts of what several games draw alike."""


class Studio:
    """Knows how to draw the pictures of the games whose layouts it was given. May be used from any thread."""

    def __init__(self, games: Iterable[Layouts]) -> None:
        self._layouts = dict(SHARED)
        for layouts in games:
            self._layouts |= layouts

    def render(self, spec: Spec) -> bytes:
        """The picture as a PNG."""
        return self.lay(spec, Canvas).png()

    def lay(self, spec: Spec, start: Start[S]) -> S:
        """Draw on a surface that `start` makes from the drawer of a ground and a height. LookupError: no layout."""
        laid: S = self._layouts[type(spec)](spec, start)
        return laid
