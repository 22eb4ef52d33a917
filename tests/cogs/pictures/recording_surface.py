"""What tests of pictures share: a surface that records what is drawn on it, and shapes without their colours."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import combinations, pairwise
from typing import Any

from PIL import Image, ImageChops

from cogs.pictures import table_pieces
from cogs.pictures.raster.canvas import shared_sprite
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import PIXELS_PER_UNIT, WIDTH, Colour
from cogs.pictures.spec import Spec
from cogs.pictures.studio import Studio
from tests.game_uis import STUDIO

MIN_CONTRAST = 4.5  # of words, against their ground


@dataclass
class RecordingSurface:
    pasted: list[tuple[float, float, DrawFunction, tuple[Hashable, ...]]] = field(default_factory=list)
    written: list[tuple[float, float, str, int]] = field(default_factory=list)
    widths: dict[tuple[float, float, str], float] = field(default_factory=dict)
    """How wide each text is written, by its left end, its height and its words."""

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        self.pasted.append((x, y, draw, arguments))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        ink: Colour,
        ground: Colour,
        anchor: str = "m",
        stretch: float = 1,
    ) -> None:
        width = text_width(text, size) * stretch
        left = x - {"l": 0, "m": width / 2, "r": width}[anchor]
        self.written.append((left, y, text, size))
        self.widths[left, y, text] = width

    def overflowing_texts(self) -> Iterator[str]:
        """Return texts that cross the right edge of their panel or of the picture, or the next text in their line."""
        lines = [box for box in self.text_boxes() if box[3].strip()]
        for y, left, right, text in lines:
            ends = [
                px + wide
                for px, py, wide, high in self.plate_grounds()
                if px <= left < px + wide and py <= y < py + high
            ]
            if left < 0 or right > min([*ends, WIDTH]):
                yield text
        for (y, _, right, text), (below, left, _, other) in pairwise(lines):
            if y == below and left < right:
                yield f"{text} | {other}"

    def places_of(self, kind: str) -> list[tuple[float, float, float, float]]:
        """Return the left, upper, right and lower edges of all drawings of a kind."""
        found = []
        for x, y, draw, arguments in self.pasted:
            if draw.__name__ == kind:
                width, height = shared_sprite(draw, *arguments).image.size
                found.append((x, y, x + width / PIXELS_PER_UNIT, y + height / PIXELS_PER_UNIT))
        return found

    def texts(self) -> set[str]:
        return {text for _, _, text, _ in self.written}

    def text_boxes(self) -> list[tuple[float, float, float, str]]:
        """Return every text with its height, its start and its end, line by line."""
        return sorted((y, x, x + self.widths[x, y, text], text) for x, y, text, _ in self.written)

    def plate_grounds(self) -> list[tuple[float, float, int, int]]:
        found = []
        for x, y, draw, arguments in self.pasted:
            if draw is table_pieces.panel:
                width, height, _ = arguments
                assert isinstance(width, int)
                assert isinstance(height, int)
                found.append((x, y, width, height))
        return found


def record_picture(spec: Spec, studio: Studio = STUDIO) -> tuple[RecordingSurface, int]:
    """Return the recorded parts of a picture, and its height."""
    surface, heights = RecordingSurface(), [0]

    def start(ground: DrawFunction, height: int, cloth: str = "green") -> RecordingSurface:
        heights.append(height)
        return surface

    return studio.lay_out(spec, start), heights[-1]


def picture_size(spec: Spec) -> tuple[int, int]:
    return Image.open(BytesIO(STUDIO.render(spec))).size


def outline(draw: DrawFunction, *arguments: Hashable) -> Image.Image:
    """Return where a sprite covers its ground."""
    thing = shared_sprite(draw, *arguments)
    assert thing.mask is not None
    return thing.mask.convert("L")


def colourless_shape(draw: DrawFunction, *arguments: Hashable) -> Image.Image:
    """Return a drawing without colours: everything but its most common colour is ink."""
    image = shared_sprite(draw, *arguments).image
    counts = image.histogram()
    ground = counts.index(max(counts))
    return Image.frombytes("L", image.size, image.tobytes()).point([255 * (index != ground) for index in range(256)])


def check_differ(shapes: Mapping[Any, Image.Image], share: float) -> None:
    """Check that any two shapes differ in more than this share of their pixels."""
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height * share, (one, other)


def contrast_ratio(one: Colour, other: Colour) -> float:
    """Return the contrast ratio as defined by the WCAG."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    shares = (v / 255 for v in colour)
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
