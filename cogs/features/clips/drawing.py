"""Draws clips: animated GIFs in which every picture has a caption above it, within fixed limits."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from PIL import Image

from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.gif import GifWriter
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.raster.pen import DrawFunction, Drawing, solid_rectangle
from cogs.pictures.raster.theme import IVORY, NAME_TYPE_SIZE, ROOM, WIDTH, Colour
from cogs.pictures.result_banner import BANNER_HEIGHT, BelowBanner, lay_banner
from cogs.pictures.spec import ResultBanner, Spec
from cogs.pictures.studio import Studio
from worker_pool.processor_time import thread_seconds

MAX_FRAMES = 60
MAX_BYTES = 3 << 20
MAX_SECONDS = 1.0  # of processor time
CAPTION_HEIGHT, _CAPTION_EDGE, _BANNER_EDGE = 60, 24, 30  # layout units


class ClipTooLarge(Exception):
    """A clip would pass its limits after this many frames."""

    def __init__(self, frames: int) -> None:
        super().__init__(f"{frames} frames")
        self.frames = frames


@dataclass(frozen=True, slots=True)
class ClipFrame:
    """One picture of a clip, how long it is shown, and what happens there in a few words.

    The banner of a result lies across the picture.
    """

    spec: Spec
    milliseconds: int
    caption: str = ""
    banner: ResultBanner | None = None


def draw_clip(
    frames: Sequence[ClipFrame], studio: Studio, *, seconds: float = MAX_SECONDS, most_bytes: int = MAX_BYTES
) -> bytes:
    """Draw the frames into a GIF. Each is drawn while the file is written, so only two are in memory.

    Raises ClipTooLarge if that takes more processor time or bytes.
    """
    start = thread_seconds()
    readers = [studio.lay_out(spec, SizeReader) for spec in dict.fromkeys(frame.spec for frame in frames)]
    height, cloth = max(each.height for each in readers), readers[0].cloth
    writer: GifWriter | None = None
    for drawn, frame in enumerate(frames, 1):
        image = _draw_frame(frame, studio, height)
        writer = writer or GifWriter(image.size, cloth)
        writer.add_frame(image, frame.milliseconds)
        if writer.size_so_far > most_bytes or thread_seconds() - start > seconds:
            raise ClipTooLarge(drawn)
    assert writer is not None, "a clip without frames"
    return writer.finish()


def _draw_frame(frame: ClipFrame, studio: Studio, height: int) -> Image.Image:
    """Return a frame: its caption, and below it the picture on a table of that height."""
    caption = Canvas(_caption_ground, CAPTION_HEIGHT)
    if frame.caption:
        fitted, size = fit_text(frame.caption, WIDTH - 2 * _CAPTION_EDGE, NAME_TYPE_SIZE)
        caption.text(_CAPTION_EDGE, CAPTION_HEIGHT / 2, fitted, size, IVORY, ROOM, "l")
    picture = studio.lay_out(frame.spec, lambda ground, _, cloth="green": Canvas(ground, height, cloth))
    if frame.banner is not None:
        lay_banner(BelowBanner(picture, height - BANNER_HEIGHT - _BANNER_EDGE), frame.banner)
    above = caption.image.height
    whole = Image.new("L", (picture.image.width, above + picture.image.height))
    whole.paste(caption.image, (0, 0))
    whole.paste(picture.image, (0, above))
    return whole


def _caption_ground(height: int) -> Drawing:
    return solid_rectangle(WIDTH, height, ROOM)


class SizeReader:
    """A surface that draws nothing: it only tells how high the picture is, in layout units, and its cloth."""

    def __init__(self, ground: DrawFunction, height: int, cloth: str = "green") -> None:
        self.height = height
        self.cloth = cloth

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """Draw nothing."""

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
        """Write nothing."""
