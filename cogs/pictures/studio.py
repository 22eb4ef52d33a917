"""Draws pictures: from a spec, by the layout of its type, to a PNG."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

from cogs.pictures.raster.canvas import Layouts, S, Start
from cogs.pictures.raster.memoized import Known
from cogs.pictures.raster.strips import Striped
from cogs.pictures.score_sheet import lay_sheet
from cogs.pictures.spec import ScoreSheet, Spec

KEPT = 64  # pictures, those that were asked for last; a few dozen kilobytes each
SHARED: Layouts = {ScoreSheet: lay_sheet}
"""The layouts of what several games draw alike."""


class Studio:
    """Knows how to draw the pictures of the games whose layouts it was given. May be used from any thread."""

    def __init__(self, games: Iterable[Layouts]) -> None:
        self._layouts = dict(SHARED)
        for layouts in games:
            self._layouts |= layouts
        self._kept: OrderedDict[Known, bytes] = OrderedDict()
        self._keeping = Lock()

    def picture(self, spec: Spec) -> bytes:
        """The picture as a PNG, drawn unless it was lately."""
        known = Known(spec)
        image = self._found(known)
        if image is None:
            image = self.render(spec)
            with self._keeping:
                self._kept[known] = image
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return image

    def kept(self, spec: Spec) -> bytes | None:
        """The picture as a PNG, if it was drawn lately."""
        return self._found(Known(spec))

    def _found(self, known: Known) -> bytes | None:
        with self._keeping:
            image = self._kept.get(known)
            if image is not None:
                self._kept.move_to_end(known)
        return image

    def render(self, spec: Spec) -> bytes:
        """The picture as a PNG, drawn anew."""
        return self.lay(spec, Striped).png()

    def lay(self, spec: Spec, start: Start[S]) -> S:
        """Draw on a surface that `start` makes from the drawer of a ground and a height. LookupError: no layout."""
        laid: S = self._layouts[type(spec)](spec, start)
        return laid
