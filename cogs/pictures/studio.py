"""The studio: renders a spec to a PNG with the layout for its type, and caches the result."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock

from cogs.pictures.emoji_names import NO_EMOJI, EmojiIds
from cogs.pictures.raster.canvas import Layouts, S, SurfaceFactory
from cogs.pictures.raster.hashed_key import HashedKey
from cogs.pictures.raster.strips import StripedSurface
from cogs.pictures.score_sheet import lay_sheet
from cogs.pictures.sign_strip import join_signs
from cogs.pictures.spec import FinishedImage, ScoreSheet, SignStrip, Spec

MAX_CACHED = 64  # pictures of a few dozen kilobytes; the most recently used ones are kept
SHARED_LAYOUTS: Layouts = {ScoreSheet: lay_sheet}
"""The layouts that several games share."""


class Studio:
    """Draws the pictures of all games and features whose layouts it gets. Safe to use from any thread.

    It also has what else a page needs to be shown: the application's emoji on Discord, and the names of commands.
    """

    def __init__(self, found: Iterable[Layouts], name_commands: Callable[[str], str] = str) -> None:
        self._layouts = dict(SHARED_LAYOUTS)
        for layouts in found:
            self._layouts |= layouts
        self._png_cache: OrderedDict[HashedKey, bytes] = OrderedDict()
        self._cache_lock = Lock()
        self.emoji: EmojiIds = NO_EMOJI
        self.name_commands = name_commands  # puts the names of commands into a text that mentions them
        self.emoji_listeners: list[Callable[[], object]] = []  # told if Discord does not know an emoji

    def report_unknown_emoji(self) -> None:
        """Tell those who listen that Discord does not know an emoji of the application."""
        for listener in self.emoji_listeners:
            listener()

    def cached_or_rendered(self, spec: Spec) -> bytes:
        """Return the picture as a PNG, from the cache if possible."""
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
        """Return the picture as a PNG if it is in the cache. An image that is drawn already needs no cache."""
        if isinstance(spec, FinishedImage):
            return spec.content
        return self._look_up(HashedKey(spec))

    def _look_up(self, known: HashedKey) -> bytes | None:
        with self._cache_lock:
            image = self._png_cache.get(known)
            if image is not None:
                self._png_cache.move_to_end(known)
        return image

    def render(self, spec: Spec) -> bytes:
        """Draw the picture and return it as a PNG."""
        if isinstance(spec, SignStrip):
            return join_signs([self.render(sign) for sign in spec.signs])
        return self.lay_out(spec, StripedSurface).to_png()

    def lay_out(self, spec: Spec, make_surface: SurfaceFactory[S]) -> S:
        """Lay out a picture on a surface that `make_surface` creates. Raises LookupError if the spec has no layout."""
        laid: S = self._layouts[type(spec)](spec, make_surface)
        return laid
