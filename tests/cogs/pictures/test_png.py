"""Pictures as files: what Pillow reads from them is what was drawn, whatever packed them."""

from __future__ import annotations

import zlib
from importlib.util import find_spec
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from cogs.pictures import png as packing
from cogs.pictures.png import png

WAYS = [packing.with_zlib, *([packing.with_isal] if find_spec("isal") else [])]


def drawn() -> Image.Image:
    """A picture with a palette, all its bytes different from row to row."""
    rng = Random(1)
    image = Image.frombytes("P", (37, 11), rng.randbytes(37 * 11))
    image.putpalette(rng.randbytes(3 * 256))
    return image


@pytest.mark.parametrize("way", WAYS)
def test_a_picture_is_read_as_it_was_drawn(way: packing.Packing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "packed", way)
    image = drawn()
    read = Image.open(BytesIO(png(image)))
    read.verify()  # its checksums
    read = Image.open(BytesIO(png(image)))
    assert (read.format, read.mode, read.size) == ("PNG", "P", image.size)
    assert read.tobytes() == image.tobytes()
    assert read.convert("RGB").tobytes() == image.convert("RGB").tobytes()


@pytest.mark.parametrize("way", WAYS)
def test_what_is_packed_unpacks_the_same(way: packing.Packing) -> None:
    for data in (b"", bytes(range(256)) * 100, Random(1).randbytes(2 * packing.LARGE)):
        assert zlib.decompress(way(data)) == data


def test_a_large_picture_takes_its_time() -> None:
    isal = pytest.importorskip("isal.isal_zlib", reason="there is no isal for this machine")
    data = b"".join(bytes([byte % 7]) * 5 for byte in Random(1).randbytes(200_000))
    assert len(isal.compress(data, packing.FASTEST)) > packing.LARGE
    assert packing.with_isal(data) == packing.with_zlib(data)
