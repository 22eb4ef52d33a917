"""The GIF writer: what Pillow reads of a file is what was drawn, and only differences are stored."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageDraw

from cogs.pictures.raster.gif import CLEAR_INDEX, MIN_MILLISECONDS, GifWriter
from cogs.pictures.raster.palette import palette_bytes, palette_colours
from cogs.pictures.raster.theme import CLOTHS

SIZE = (90, 60)


def plain_image(index: int) -> Image.Image:
    return Image.new("L", SIZE, index)


def random_images(seed: int, count: int) -> list[Image.Image]:
    """Images of which each has a few more ovals than the one before."""
    rng, image, found = Random(seed), plain_image(0), []
    for _ in range(count):
        image = image.copy()
        for _ in range(rng.randrange(4)):
            box = sorted(rng.choices(range(SIZE[0]), k=2)), sorted(rng.choices(range(SIZE[1]), k=2))
            index = rng.randrange(len(palette_colours()))
            ImageDraw.Draw(image).ellipse((box[0][0], box[1][0], box[0][1], box[1][1]), fill=index)
        found.append(image)
    return found


def coloured(image: Image.Image, cloth: str) -> Image.Image:
    """The image as it should look on that cloth."""
    copy = Image.frombytes("P", image.size, image.tobytes())
    copy.putpalette(palette_bytes(cloth))
    return copy.convert("RGB")


def write(images: list[Image.Image], milliseconds: int = 700, cloth: str = "green") -> bytes:
    writer = GifWriter(SIZE, cloth)
    for image in images:
        writer.add_frame(image, milliseconds)
    return writer.finish()


def read(content: bytes) -> tuple[list[Image.Image], list[int]]:
    """The frames as they look, and how long each is shown."""
    file, frames, delays = Image.open(BytesIO(content)), list[Image.Image](), list[int]()
    assert (file.format, file.info["loop"]) == ("GIF", 0)
    for number in range(getattr(file, "n_frames", 1)):
        file.seek(number)
        frames.append(file.convert("RGB"))
        delays.append(file.info["duration"])
    return frames, delays


@pytest.mark.parametrize("cloth", CLOTHS)
@pytest.mark.parametrize("seed", range(4))
def test_every_frame_is_read_as_it_was_drawn(seed: int, cloth: str) -> None:
    images = random_images(seed, 12)
    different = [image for i, image in enumerate(images) if i == 0 or image.tobytes() != images[i - 1].tobytes()]
    frames, delays = read(write(images, cloth=cloth))
    assert [frame.tobytes() for frame in frames] == [coloured(image, cloth).tobytes() for image in different]
    assert sum(delays) == 700 * len(images)


def test_an_equal_frame_extends_the_one_before() -> None:
    writer = GifWriter(SIZE, "green")
    for index, milliseconds in ((1, 700), (1, 700), (2, 100), (2, 3000), (1, 5)):
        writer.add_frame(plain_image(index), milliseconds)
    assert writer.frame_count == 3
    assert read(writer.finish())[1] == [1400, 3100, MIN_MILLISECONDS]


def test_indices_of_one_colour_are_one_colour() -> None:
    doubled = palette_colours()
    first = next(i for i, colour in enumerate(doubled) if doubled.count(colour) == 2)
    last = max(i for i, colour in enumerate(doubled) if colour == doubled[first])
    assert len(read(write([plain_image(first), plain_image(last)]))[0]) == 1


def test_only_what_differs_is_stored() -> None:
    noise = Image.frombytes("L", SIZE, bytes(Random(1).choices(range(100), k=SIZE[0] * SIZE[1])))
    changed = noise.copy()
    changed.putpixel((3, 4), 120)
    changed.putpixel((80, 50), 121)
    alone, both, near = write([noise]), write([noise, changed]), write([noise, noise.copy()])
    assert len(near) == len(alone)
    assert len(both) - len(alone) < len(alone) / 5, "the whole picture is stored again"


def test_an_index_is_left_for_what_stays() -> None:
    assert len(palette_colours()) <= CLEAR_INDEX
