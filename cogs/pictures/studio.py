"""Draws pictures: from a spec, by the layout of its type, to a PNG."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

from cogs.pictures.raster.canvas import Layouts, S, SurfaceFactory
from cogs.pictures.raster.memoized import HashedKey
from cogs.pictures.raster.strips import StripedSurface
from cogs.pictures.score_sheet import lay_sheet
from cogs.pictures.spec import ScoreSheet, Spec

MAX_CACHED = 64  # pictures, those that were asked for last; a few dozen kilobytes each
SHARED_LAYOUTS: Layouts = {ScoreSheet: lay_sheet}
"""The layouts of what several games draw alike."""


class Studio:
    """Knows how to draw the pictures of the games whose layouts it was given. May be used from any thread."""

    def __init__(self, games: Iterable[Layouts]) -> None:
        self._layouts = dict(SHARED_LAYOUTS)
        for layouts in games:
            self._layouts |= layouts
        self._png_cache: OrderedDict[HashedKey, bytes] = OrderedDict()
        self._cache_lock = Lock()

    def cached_or_rendered(self, spec: Spec) -> bytes:
        """The picture as a PNG, drawn unless it was lately."""
        known = HashedKey(spec)
        image = self._look_up(known)
        if image is None:
            image = self.render(spec)
            with self._cache_lock:
                self._png_cache[known] = image
                if len(self._png_cache) > MAX_CACHED:
                    self._png_cache.popitem(last=False)
        return image

    def cached_picture(self, spec: Spec) -> bytes | None:
        """The picture as a PNG, if it was drawn lately."""
        return self._look_up(HashedKey(spec))

    def _look_up(self, known: HashedKey) -> bytes | None:
        with self._cache_lock:
            image = self._png_cache.get(known)
            if image is not None:
                self._png_cache.move_to_end(known)
        return image

    def render(self, spec: Spec) -> bytes:
        """The picture as a PNG, drawn anew."""
        return self.lay_out(spec, StripedSurface).to_png()

    def lay_out(self, spec: Spec, make_surface: SurfaceFactory[S]) -> S:
        """Draw on a surface that `start` makes from the drawer of a ground and a height. LookupError: no layout."""
        laid: S = self._layouts[type(spec)](spec, make_surface)
        return laid
