"""PNG files: Pillow reads the drawn pixels from them, with either compressor."""

from __future__ import annotations

import zlib
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from cogs.pictures.raster import png
from cogs.pictures.raster.png import FILTER_BYTES, encode_png, join_strips, pack_strip

WAYS: dict[png.PackFunction, png.ChecksumFunction] = {png.compress_with_zlib: zlib.adler32}
if find_spec("zlib_ng"):
    WAYS[png.compress_with_zlib_ng] = png.compute_checksum
PALETTE = Random(2).randbytes(3 * 256)


def sample_image() -> Image.Image:
    return Image.frombytes("L", (37, 11), Random(1).randbytes(37 * 11))


@pytest.mark.parametrize("way", WAYS)
def test_data_packed_in_pieces_unpacks_as_a_whole(way: png.PackFunction) -> None:
    pieces = (b"", bytes(range(256)) * 100, Random(1).randbytes(100_000), b"end")
    packed = b"".join((*(way(piece, png.LEVEL) for piece in pieces), png.LAST_BLOCK))
    assert zlib.decompress(packed, -zlib.MAX_WBITS) == b"".join(pieces)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("at", [(), (1,), (3, 4, 10)])
def test_strips_make_a_picture(way: png.PackFunction, at: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "compress_rows", way)
    monkeypatch.setattr(png, "compute_checksum", WAYS[way])
    image = sample_image()
    areas = [(-FILTER_BYTES, top, image.width, low) for top, low in pairwise((0, *at, image.height))]
    strips = [pack_strip(image.crop(area).tobytes(), png.highest_index(image)) for area in areas]
    check_file(join_strips(image.size, PALETTE, strips), image)


def check_file(file: bytes, image: Image.Image) -> None:
    """Check that Pillow reads this picture from a file, and all checksums."""
    Image.open(BytesIO(file)).verify()  # except the checksum of the pixels
    start = file.index(b"IDAT") + 4
    size = int.from_bytes(file[start - 8 : start - 4], "big")
    assert len(zlib.decompress(file[start : start + size])) == (image.width + 1) * image.height
    read = Image.open(BytesIO(file))
    assert (read.format, read.mode, read.size) == ("PNG", "P", image.size)
    assert (read.tobytes(), read.getpalette()) == (image.tobytes(), [*PALETTE[: 3 * (max(image.tobytes()) + 1)]])


def large_image() -> Image.Image:
    """Return a picture that is packed at the level of large strips."""
    rows = png.LARGE_BYTES // 900 + 1
    return Image.frombytes("L", (900, rows), Random(3).randbytes(300) * 3 * rows)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("image", [sample_image(), large_image()], ids=["small", "large"])
def test_pictures_are_read(way: png.PackFunction, image: Image.Image, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "compress_rows", way)
    monkeypatch.setattr(png, "compute_checksum", WAYS[way])
    check_file(encode_png(image, PALETTE), image)


def test_the_palette_ends_after_the_last_colour_of_the_picture() -> None:
    image = sample_image().point([index % 7 for index in range(256)])
    read = Image.open(BytesIO(encode_png(image, PALETTE)))
    assert (read.tobytes(), read.getpalette()) == (image.tobytes(), [*PALETTE[: 3 * 7]])


def test_the_palette_of_strips_has_the_colours_of_each() -> None:
    strips = [pack_strip(bytes([0, *range(first, first + 3)]), first + 2) for first in (40, 90, 3)]
    read = Image.open(BytesIO(join_strips((3, 3), PALETTE, strips)))
    assert read.convert("RGB").tobytes() == b"".join(PALETTE[3 * first :][:9] for first in (40, 90, 3))
    assert read.getpalette() == [*PALETTE[: 3 * 93]]
