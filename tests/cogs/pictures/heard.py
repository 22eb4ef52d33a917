"""A surface that records what is drawn on it, for tests of layouts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from cogs.pictures import table_pieces
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import WIDTH, Colour
from cogs.pictures.spec import Spec
from tests.fronts import STUDIO


@dataclass
class RecordingSurface:
    """A surface that records what is drawn on it."""

    pasted: list[tuple[float, float, DrawFunction, tuple[Hashable, ...]]] = field(default_factory=list)
    written: list[tuple[float, float, str, int]] = field(default_factory=list)

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        self.pasted.append((x, y, draw, arguments))

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        width = text_width(text, size)
        self.written.append((x - {"l": 0, "m": width / 2, "r": width}[anchor], y, text, size))

    def beyond(self) -> Iterator[str]:
        """Return texts that cross the right edge of their panel or of the picture, or the next text in their line."""
        lines = [(y, x, x + text_width(text, size), text) for x, y, text, size in self.written if text.strip()]
        for y, left, right, text in lines:
            ends = [
                px + wide
                for px, py, wide, high in self.plate_grounds()
                if px <= left < px + wide and py <= y < py + high
            ]
            if left < 0 or right > min([*ends, WIDTH]):
                yield text
        for (y, _, right, text), (below, left, _, other) in pairwise(sorted(lines)):
            if y == below and left < right:
                yield f"{text} | {other}"

    def plate_grounds(self) -> list[tuple[float, float, int, int]]:
        """Return the positions and sizes of the plates' grounds."""
        found = []
        for x, y, draw, arguments in self.pasted:
            if draw is table_pieces.panel:
                width, height, _ = arguments
                assert isinstance(width, int)
                assert isinstance(height, int)
                found.append((x, y, width, height))
        return found


def record_picture(spec: Spec) -> tuple[RecordingSurface, int]:
    """Return the recorded parts of a picture, and its height."""
    heard, heights = RecordingSurface(), [0]

    def start(ground: DrawFunction, height: int) -> RecordingSurface:
        heights.append(height)
        return heard

    return STUDIO.lay_out(spec, start), heights[-1]
