"""The pen: vector drawing in its own units, drawn large and scaled down for smooth edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from cogs.pictures.raster.theme import OVERSAMPLING, PIXELS_PER_UNIT, SHADE, Colour
from cogs.pictures.raster.typeface import TEXT_FONT, read_font

Point = tuple[float, float]
Points = Sequence[Point]

CAPITAL_HEIGHT = 0.714  # the height of capitals at type size 1
_MAX_SMALL = 80  # layout units
_EVEN_UNITS = 20  # layout units that make an even number of whole pixels


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished drawing: its colours, and a mask of the area that it covers (None: everything).

    If the image is smaller than `size`, its middle column and row are repeated up to that size. A woven drawing looks
    the same, but large areas of felt compress better (see `palette.weave_indices`).
    """

    image: Image.Image
    mask: Image.Image | None
    size: tuple[int, int] | None = None  # pixels
    is_woven: bool = False
    colours: frozenset[Colour] = frozenset()  # those that it is drawn in; empty: not known


DrawFunction = Callable[..., Drawing]
"""Makes a drawing from hashable arguments; equal arguments give equal drawings."""


@cache
def font(size: int, name: str = TEXT_FONT) -> ImageFont.FreeTypeFont:
    """Return a typeface of ours with Pillow's basic layout, which is the same on every machine."""
    return ImageFont.truetype(BytesIO(read_font(name)), size, layout_engine=ImageFont.Layout.BASIC)


def bezier_curve(start: Point, *bends: tuple[Point, Point, Point], steps: int = 14) -> list[Point]:
    """Return points along joined Bézier curves. Each bend has two control points and an end."""
    points = [start]
    for one, two, end in bends:
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[-1], one, two, end
        for i in range(1, steps + 1):
            t = i / steps
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return points


def mirror_outline(half: Points) -> list[Point]:
    """Return the full outline of a right half that is mirrored to the left."""
    return [*half, *((-x, y) for x, y in reversed(half))]


def place_outline(points: Iterable[Point], x: float, y: float, size: float, upside_down: bool = False) -> list[Point]:
    """Move and scale an outline of about one unit, and turn it upside down if requested."""
    sign = -size if upside_down else size
    return [(x + sign * px, y + sign * py) for px, py in points]


def star_outline(sides: int, inner: float = 0.5, outer: float = 0.5, start_angle: float = -pi / 2) -> list[Point]:
    """Return a regular polygon one unit across, or a star if the radii differ."""
    radii = [outer, inner] if inner != outer else [outer]
    corners = sides * len(radii)
    angles = (start_angle + 2 * pi * i / corners for i in range(corners))
    return [(r * cos(a), r * sin(a)) for a, r in zip(angles, radii * sides, strict=True)]


def solid_rectangle(width: float, height: float, colour: Colour) -> Drawing:
    """Return a rectangle of one colour."""
    return Drawing(
        Image.new("RGB", (1, 1), colour), None, (round(width * PIXELS_PER_UNIT), round(height * PIXELS_PER_UNIT))
    )


def draw_stretchable(draw: Callable[[int, int], Drawing], width: int, height: int) -> Drawing:
    """Draw a small version of a shape and stretch its middle to the given width and height.

    This works for shapes that are uniform along their middle, with edges narrower than half of `_MAX_SMALL`. The
    result equals the large drawing to the pixel.
    """
    art = draw(_small_length(width), _small_length(height))
    return replace(art, size=(round(width * PIXELS_PER_UNIT), round(height * PIXELS_PER_UNIT)))


def _small_length(length: int) -> int:
    """Return a small length with the same pixel fraction and rounding."""
    return length if length <= _MAX_SMALL else _MAX_SMALL + (length - _MAX_SMALL) % _EVEN_UNITS


def stretch_image(image: Image.Image, size: tuple[int, int] | None) -> Image.Image:
    """Repeat an image's middle column and middle row up to a size (None: keep its own)."""
    if size is None or size == image.size:
        return image
    if image.size == (1, 1):
        return Image.new(image.mode, size, image.getpixel((0, 0)))
    (w, h), (width, height) = image.size, size
    x, y = w // 2, h // 2
    wide = Image.new(image.mode, (width, h))
    wide.paste(image.crop((x, 0, x + 1, h)).resize((width, h), Image.Resampling.NEAREST))
    wide.paste(image.crop((0, 0, x, h)), (0, 0))
    wide.paste(image.crop((x, 0, w, h)), (width - w + x, 0))
    rows = wide.tobytes()
    row = len(rows) // h
    rows = rows[: y * row] + rows[y * row : (y + 1) * row] * (height - h + 1) + rows[(y + 1) * row :]
    return Image.frombytes(image.mode, size, rows)


def image_from_bytes(size: tuple[int, int], pixels: bytes) -> Image.Image:
    """Return a read-only image of these pixels, one byte each, without copying them."""
    if not all(size):
        return Image.new("L", size)
    return Image.frombuffer("L", size, pixels, "raw", "L", 0, 1)


class Pen:
    """Draws on a canvas measured in its own units, each `unit` layout units large.

    Shapes with `in_mask` also define the area that the drawing covers.
    """

    def __init__(self, width: float, height: float, unit: float = 1, ground: Colour = SHADE) -> None:
        self.size = (round(width * unit * PIXELS_PER_UNIT), round(height * unit * PIXELS_PER_UNIT))
        self.pixel_scale = unit * PIXELS_PER_UNIT * OVERSAMPLING
        large = (self.size[0] * OVERSAMPLING, self.size[1] * OVERSAMPLING)
        self.image = Image.new("RGB", large, ground)
        self.mask = Image.new("L", large, 0)
        self._image_draw = ImageDraw.Draw(self.image)
        self._mask_draw = ImageDraw.Draw(self.mask)
        self._colours = {ground}

    def polygon(self, points: Iterable[Point], fill: Colour, in_mask: bool = False) -> None:
        """Fill an outline."""
        self._colours.add(fill)
        large = [(x * self.pixel_scale, y * self.pixel_scale) for x, y in points]
        self._image_draw.polygon(large, fill=fill)
        if in_mask:
            self._mask_draw.polygon(large, fill=255)

    def oval(self, x: float, y: float, rx: float, ry: float, fill: Colour, in_mask: bool = False) -> None:
        """Fill an ellipse around a point."""
        self._colours.add(fill)
        box = (
            (x - rx) * self.pixel_scale,
            (y - ry) * self.pixel_scale,
            (x + rx) * self.pixel_scale,
            (y + ry) * self.pixel_scale,
        )
        self._image_draw.ellipse(box, fill=fill)
        if in_mask:
            self._mask_draw.ellipse(box, fill=255)

    def box(
        self, x0: float, y0: float, x1: float, y1: float, radius: float, fill: Colour, in_mask: bool = False
    ) -> None:
        """Fill a rectangle with round corners."""
        self._colours.add(fill)
        area = (x0 * self.pixel_scale, y0 * self.pixel_scale, x1 * self.pixel_scale - 1, y1 * self.pixel_scale - 1)
        self._image_draw.rounded_rectangle(area, radius * self.pixel_scale, fill=fill)
        if in_mask:
            self._mask_draw.rounded_rectangle(area, radius * self.pixel_scale, fill=255)

    def line(self, points: Iterable[Point], width: float, fill: Colour) -> None:
        """Draw a line with soft joints and round ends."""
        self._colours.add(fill)
        large = [(x * self.pixel_scale, y * self.pixel_scale) for x, y in points]
        self._image_draw.line(large, fill=fill, width=round(width * self.pixel_scale), joint="curve")
        r = width * self.pixel_scale / 2
        for x, y in (large[0], large[-1]):
            self._image_draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        height: float,
        fill: Colour,
        typeface: str = TEXT_FONT,
        in_mask: bool = False,
    ) -> None:
        """Write text centred on a point; `height` is the height of capitals of the text's typeface.

        The area that a drawing covers has the letters with their soft edges.
        """
        self._colours.add(fill)
        face = font(round(height * self.pixel_scale / CAPITAL_HEIGHT), typeface)
        box, caps = face.getbbox(text), face.getbbox("H")
        at = (x * self.pixel_scale - (box[0] + box[2]) / 2, y * self.pixel_scale - (caps[1] + caps[3]) / 2)
        self._image_draw.text(at, text, fill=fill, font=face)
        if in_mask:
            self._mask_draw.text(at, text, fill=255, font=face, stroke_width=OVERSAMPLING // 2)

    def finish(self, covers_all: bool = False, tilt: int = 0) -> Drawing:
        """Return the drawing at its true size. `covers_all` is true if it fills its whole rectangle.

        `tilt` turns it clockwise around its middle, in degrees; the drawing grows to `tilted_size`.
        """
        image, mask = self.image, self.mask
        if tilt:
            width, height = (round(side) * OVERSAMPLING for side in tilted_size(*self.size, tilt))
            image, mask = (_tilt_image(each, (width, height), tilt) for each in (image, mask))
        outline = None if covers_all else mask.reduce(OVERSAMPLING)
        return Drawing(image.reduce(OVERSAMPLING), outline, colours=frozenset(self._colours))


def tilted_size(width: float, height: float, tilt: int) -> tuple[float, float]:
    """Return the size of the upright rectangle around a tilted one."""
    across, down = abs(cos(tilt * pi / 180)), abs(sin(tilt * pi / 180))
    return width * across + height * down, width * down + height * across


def _tilt_image(image: Image.Image, size: tuple[int, int], tilt: int) -> Image.Image:
    """Turn an image in the middle of one of that size, whose corners get the colour of its upper left pixel."""
    ground = image.getpixel((0, 0))
    large = Image.new(image.mode, size, ground)
    large.paste(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    return large.rotate(-tilt, Image.Resampling.BICUBIC, fillcolor=ground)
