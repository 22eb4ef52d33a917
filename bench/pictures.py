"""Pictures in the shared palette against the plain way: the same layouts from RGB sprites with soft edges."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from io import BytesIO
from time import process_time
from typing import NamedTuple

from PIL import Image

from bench.figures import Figure
from cogs.games import FRONTS
from cogs.pictures.canvas import Drawer
from cogs.pictures.pen import Art, written
from cogs.pictures.spec import Spec
from cogs.pictures.studio import Studio
from cogs.pictures.theme import FADE, FELT_DARK, PIXELS, Colour
from cogs.wizard.spec import CardFace, HandPicture, Laid, Plate, Trick, TrickTable

REPEATS = 15
STUDIO = Studio(front.layouts for front in FRONTS.values())


def _plate(seat: int) -> Plate:
    return Plate(
        numbers=(("2", "bid"), (str(seat % 3), "took")),
        foot=f"{30 * seat} (+20)",
        cards=3,
        dealer=seat == 0,
        turn="to play" if seat == 5 else "",
    )


HAND = HandPicture(
    tuple(
        CardFace(key, raised=key[-1] in "rd", dimmed=key[-1] == "S", trump=key[-1] == "H")
        for key in ("wizard", "wizard", "AS", "KS", "10S", "QH", "7H", "JC", "3D", "jester")
    )
)
TABLE = TrickTable(
    title=("Round 8", "of 10"),
    plates=tuple(_plate(seat) for seat in range(6)),
    trick=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("10H", "wizard", "QH", "9C", "jester"))), 1),
    last=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("4S", "8S", "KS", "AD", "2S", "jester"))), 2, True),
    turned="7H",
    trump="H",
    trump_words=("trump",),
)


class Cost(NamedTuple):
    """What one picture takes: seconds of the processor, bytes."""

    time: float
    size: int


class PlainSurface:
    """The reference: RGB throughout, every sprite drawn once and pasted with a soft mask, saved as Pillow would."""

    def __init__(self, ground: Drawer, height: int) -> None:
        self.image = _drawn(ground, height).image.copy()

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """A sprite with soft edges."""
        art = _faded(draw, *arguments) if dimmed else _drawn(draw, *arguments)
        self.image.paste(art.image, (round(x * PIXELS), round(y * PIXELS)), art.mask)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words with soft edges."""
        cover = _written(text, size)
        left = x * PIXELS - {"l": 0, "m": cover.width / 2, "r": cover.width}[anchor]
        self.image.paste(ink, (round(left), round(y * PIXELS - cover.height / 2)), cover)

    def png(self) -> bytes:
        """The picture as a file."""
        out = BytesIO()
        self.image.save(out, "PNG")
        return out.getvalue()


def measure() -> list[Figure]:
    """Ratios of the palette way to the plain way; under 1 is better. Both are warmed up and take turns."""
    ratios = []
    for name, spec in (("hand of ten", HAND), ("table of six", TABLE)):
        plain, ours = compare(spec)
        ratios.append(Figure(f"{name}: time", ours.time / plain.time, f"{_ms(ours)} to {_ms(plain)} ms", most=1 / 3))
        ratios.append(Figure(f"{name}: bytes", ours.size / plain.size, f"{ours.size} to {plain.size}", most=1 / 2))
    return ratios


def compare(spec: Spec, turns: int = REPEATS) -> tuple[Cost, Cost]:
    """The plain way's cost and ours, each the best of some turns taken alternately."""
    plain, ours = len(_plain(spec)), len(STUDIO.render(spec))
    times = [(_timed(_plain, spec), _timed(STUDIO.render, spec)) for _ in range(turns)]
    return Cost(min(one for one, _ in times), plain), Cost(min(other for _, other in times), ours)


def _plain(spec: Spec) -> bytes:
    return STUDIO.lay(spec, PlainSurface).png()


def _timed(way: Callable[[Spec], bytes], spec: Spec) -> float:
    start = process_time()
    way(spec)
    return process_time() - start


def _ms(cost: Cost) -> str:
    return f"{cost.time * 1000:.1f}"


@cache
def _drawn(draw: Drawer, *arguments: Hashable) -> Art:
    return draw(*arguments)


@cache
def _faded(draw: Drawer, *arguments: Hashable) -> Art:
    art = _drawn(draw, *arguments)
    return Art(Image.blend(art.image, Image.new("RGB", art.image.size, FELT_DARK), FADE), art.mask)


_written = cache(written)
