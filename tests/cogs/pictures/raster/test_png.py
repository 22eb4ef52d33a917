"""PNG files: Pillow reads the drawn pixels from them, with either compressor."""

from __future__ import annotations

import zlib
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from cogs.pictures.raster import png as packing
from cogs.pictures.raster.png import FILTER_BYTES, encode_png, join_strips, pack_strip

WAYS: dict[packing.PackFunction, packing.ChecksumFunction] = {packing.compress_with_zlib: zlib.adler32}
if find_spec("zlib_ng"):
    WAYS[packing.compress_with_zlib_ng] = packing.compute_checksum
PALETTE = Random(2).randbytes(3 * 256)


def sample_image() -> Image.Image:
    return Image.frombytes("L", (37, 11), Random(1).randbytes(37 * 11))


@pytest.mark.parametrize("way", WAYS)
def test_what_is_packed_in_pieces_unpacks_as_a_whole(way: packing.PackFunction) -> None:
    pieces = (b"", bytes(range(256)) * 100, Random(1).randbytes(100_000), b"end")
    packed = b"".join((*map(way, pieces), packing.LAST_BLOCK))
    assert zlib.decompress(packed, -zlib.MAX_WBITS) == b"".join(pieces)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("at", [(), (1,), (3, 4, 10)])
def test_strips_make_a_picture(way: packing.PackFunction, at: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "compress_rows", way)
    monkeypatch.setattr(packing, "compute_checksum", WAYS[way])
    image = sample_image()
    areas = [(-FILTER_BYTES, top, image.width, low) for top, low in pairwise((0, *at, image.height))]
    strips = [pack_strip(image.crop(area).tobytes(), image.width + FILTER_BYTES) for area in areas]
    check_file(join_strips(image.size, PALETTE, strips), image)


def check_file(file: bytes, image: Image.Image) -> None:
    """Check that Pillow reads this picture from a file, and all checksums."""
    Image.open(BytesIO(file)).verify()  # except the checksum of the pixels
    begin = file.index(b"IDAT") + 4
    size = int.from_bytes(file[begin - 8 : begin - 4], "big")
    assert len(zlib.decompress(file[begin : begin + size])) == (image.width + 1) * image.height
    read = Image.open(BytesIO(file))
    assert (read.format, read.mode, read.size) == ("PNG", "P", image.size)
    assert (read.tobytes(), read.getpalette()) == (image.tobytes(), [*PALETTE])


def tall_image(alike: int) -> Image.Image:
    """Return a picture that needs several blocks, with this number of equal rows in sequence."""
    random, rows = Random(3), 2 * packing.BLOCK_BYTES // 900 + 1
    texture = [random.randbytes(300) * 3 for _ in range(rows // alike + 1)]
    return Image.frombytes("L", (900, rows), b"".join(texture[y // alike] for y in range(rows)))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("image", [sample_image(), *map(tall_image, (1, 2, 30))], ids=["small", "1", "2", "30"])
def test_pictures_are_read(way: packing.PackFunction, image: Image.Image, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "compress_rows", way)
    monkeypatch.setattr(packing, "compute_checksum", WAYS[way])
    check_file(encode_png(image, PALETTE), image)


@pytest.mark.parametrize("over", [-1, 0, 1])
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost_where_a_block_ends(way: packing.PackFunction, over: int) -> None:
    data = Random(4).randbytes(1000) * (2 * packing.BLOCK_BYTES // 1000)
    data = data[:over] if over < 0 else data + data[:over]
    assert zlib.decompress(way(data) + packing.LAST_BLOCK, -zlib.MAX_WBITS) == data


def test_a_row_like_the_one_above_is_told_as_that() -> None:
    rows = [b"\0ab", b"\0ab", b"\0cd", b"\0ab", b"\0ab", b"\0ab"]
    same = b"\2\0\0"
    assert packing.filter_repeated_rows(b"".join(rows), 3) == b"".join((rows[0], same, rows[2], rows[3], same, same))
