"""Pictures in the shared palette against the plain way: the same layouts from RGB sprites with soft edges.

What is drawn is the table and a hand of every game, from the middle of a random match.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from io import BytesIO
from time import process_time
from typing import NamedTuple

from PIL import Image

from bench.entries import Entry, entry_of, set_up
from bench.figures import Figure
from bench.measure import halfway
from cogs.front import Front
from cogs.games import FRONTS
from cogs.pictures.canvas import Drawer
from cogs.pictures.pen import Art, written
from cogs.pictures.spec import Spec
from cogs.pictures.studio import Studio
from cogs.pictures.theme import FADE, FELT_DARK, PIXELS, Colour
from cogs.screens.screen import Context

REPEATS = 15
MOST_TIME, MOST_BYTES = 1 / 4, 3 / 5  # of what the plain way takes
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")


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
    studio = Studio(front.layouts for front in FRONTS.values())
    for front in FRONTS.values():
        for name, spec in pictures(front, entry_of(front.game)).items():
            plain, ours = compare(spec, studio)
            row, times = f"{front.game.title}, {name}", f"{_ms(ours)} to {_ms(plain)} ms"
            ratios.append(Figure(f"{row}: time", ours.time / plain.time, times, MOST_TIME))
            ratios.append(Figure(f"{row}: bytes", ours.size / plain.size, f"{ours.size} to {plain.size}", MOST_BYTES))
    return ratios


def pictures(front: Front, entry: Entry) -> dict[str, Spec]:
    """The table and the hand that is due, in the middle of a random match."""
    game = front.game
    seats, options = set_up(game, entry)
    state, seat = halfway(game, entry)
    context = Context(NAMES[:seats], options, plates=NAMES[:seats], short=NAMES[:seats])
    table = front.screen.table(game.view(state, None), context)
    hand = front.screen.hand(game.view(state, seat), game.decisions(state)[seat], game.moves(state, seat), context)
    screens = {"table": table, "hand": hand}
    return {name: screen.picture.spec for name, screen in screens.items() if screen.picture}


def compare(spec: Spec, studio: Studio, turns: int = REPEATS) -> tuple[Cost, Cost]:
    """The plain way's cost and ours, each the best of some turns taken alternately."""
    plain, ours = len(_plain(spec, studio)), len(studio.render(spec))
    times = [(_timed(_plain, spec, studio), _timed(_ours, spec, studio)) for _ in range(turns)]
    return Cost(min(one for one, _ in times), plain), Cost(min(other for _, other in times), ours)


def _plain(spec: Spec, studio: Studio) -> bytes:
    return studio.lay(spec, PlainSurface).png()


def _ours(spec: Spec, studio: Studio) -> bytes:
    return studio.render(spec)


def _timed(way: Callable[[Spec, Studio], bytes], spec: Spec, studio: Studio) -> float:
    start = process_time()
    way(spec, studio)
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
