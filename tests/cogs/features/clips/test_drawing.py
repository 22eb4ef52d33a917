"""Clips: what stands on their frames, and that they stay within their limits."""

from __future__ import annotations

from io import BytesIO
from math import inf

import pytest
from PIL import Image

from cogs.features.clips import drawing
from cogs.features.clips.drawing import CAPTION_HEIGHT, ClipFrame, ClipTooLarge, draw_clip
from cogs.pictures.raster.theme import PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import FinishedImage, ResultBanner, ScoreSheet, SheetRow
from tests.game_uis import STUDIO

BANNER = ResultBanner((0,), "Ada wins", "with 3 points")


def sheet(rows: int) -> ScoreSheet:
    """A picture that is higher with more rows."""
    each = tuple(SheetRow(str(number), (("", "+1"), ("", "+2"))) for number in range(rows))
    return ScoreSheet(each, ("1", "2"), names=("Ada", "Bela"), cloth="violet")


def frames_of(content: bytes) -> list[Image.Image]:
    file = Image.open(BytesIO(content))
    found = []
    for number in range(getattr(file, "n_frames", 1)):
        file.seek(number)
        found.append(file.convert("RGB"))
    return found


def test_all_frames_are_as_high_as_the_highest_picture() -> None:
    frames = frames_of(draw_clip([ClipFrame(sheet(rows), 700) for rows in (1, 6, 3)], STUDIO))
    alone = frames_of(draw_clip([ClipFrame(sheet(6), 700)], STUDIO))
    assert [frame.size for frame in frames] == [alone[0].size] * 3
    assert alone[0].width == WIDTH * PIXELS_PER_UNIT
    assert frames[1].tobytes() == alone[0].tobytes()


def test_a_caption_stands_above_the_picture_and_a_banner_on_it() -> None:
    bare, captioned, won = (
        frames_of(draw_clip([frame], STUDIO))[0]
        for frame in (
            ClipFrame(sheet(6), 700),
            ClipFrame(sheet(6), 700, "Ada takes it"),
            ClipFrame(sheet(6), 700, banner=BANNER),
        )
    )
    above = round(CAPTION_HEIGHT * PIXELS_PER_UNIT)
    whole = (0, above, *bare.size)
    assert captioned.crop(whole).tobytes() == bare.crop(whole).tobytes()
    assert captioned.tobytes() != bare.tobytes()
    assert won.crop((0, 0, bare.width, above)).tobytes() == bare.crop((0, 0, bare.width, above)).tobytes()
    assert won.tobytes() != bare.tobytes()


def test_a_long_caption_is_cut() -> None:
    assert draw_clip([ClipFrame(sheet(1), 700, "Ada takes it " * 40)], STUDIO)


@pytest.mark.parametrize(("seconds", "most_bytes"), [(0.0, drawing.MAX_BYTES), (inf, 1000)])
def test_a_clip_beyond_its_limits_is_not_drawn(seconds: float, most_bytes: int) -> None:
    frames = [ClipFrame(sheet(rows), 700) for rows in (1, 2, 3)]
    with pytest.raises(ClipTooLarge):
        draw_clip(frames, STUDIO, seconds=seconds, most_bytes=most_bytes)
    assert draw_clip(frames, STUDIO, seconds=inf)


def test_a_finished_image_is_shown_as_it_is() -> None:
    image = FinishedImage("1", b"GIF89a")
    assert STUDIO.cached_picture(image) == b"GIF89a"
    assert image != FinishedImage("2", b"GIF89a")
    assert "GIF" not in repr(image), "its bytes stand in every digest of a page"
