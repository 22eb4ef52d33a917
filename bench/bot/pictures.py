"""Pictures in the shared palette against the plain way: the same layouts from RGB sprites with soft edges.

What is drawn is every kind of picture of every game, from the middle and the end of a random match. Warm, both ways
have drawn what they compose before; cold, each picture is the first thing that a new process draws: the plain way draws
all from outlines with Pillow's own means, ours finds most of it in the stock. What Pillow imports is not counted.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from io import BytesIO
from math import ceil
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

from PIL import Image, ImageDraw

from bench.bot.clicks import ROOT
from bench.kit.entries import Entry, entry_of, set_up
from bench.kit.figures import Figure
from bench.kit.measure import ended, halfway
from cogs.games import FRONTS
from cogs.pictures.raster import sprite_cache
from cogs.pictures.raster.pen import Art, Drawer, font, grown
from cogs.pictures.raster.strips import forget
from cogs.pictures.raster.theme import FADE, FELT_DARK, PIXELS, Colour
from cogs.pictures.spec import Spec
from cogs.pictures.studio import Studio
from cogs.screens.screen import Context, Control, Picture, Steps
from cogs.table.game_ui import Front

REPEATS = 15
MOST_TIME, MOST_COLD = 1 / 4, 1 / 3  # of what the plain way takes
PROCESSES = 3  # for each cold picture, by turns
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


def measure() -> Iterator[Figure]:
    """Ratios of the palette way to the plain way; under 1 is better. Both take turns."""
    studio = Studio(front.layouts for front in FRONTS.values())
    for front in FRONTS.values():
        entry = entry_of(front.game)
        for name, spec in pictures(front, entry).items():
            plain, ours = compare(spec, studio)
            row = f"{front.game.title}, {name}"
            yield Figure(f"{row}: time", ours.time / plain.time, _told(ours, plain), MOST_TIME)
            yield Figure(f"{row}: bytes", ours.size / plain.size, f"{ours.size} to {plain.size}", entry.picture)
            plain, ours = _first(front.game.key, name)
            yield Figure(f"{row}: time, cold", ours.time / plain.time, _told(ours, plain), MOST_COLD)


def pictures(front: Front, entry: Entry) -> dict[str, Spec]:
    """The table and the hand that is due in the middle of a random match, and whatever else is drawn there; its end."""
    game, screen = front.game, front.screen
    seats, options = set_up(game, entry)
    state, seat = halfway(game, entry)
    context = Context(NAMES[:seats], options, plates=NAMES[:seats], short=NAMES[:seats])
    view, due = game.view(state, seat), game.decisions(state)[seat]
    hand = screen.hand(view, due, game.moves(state, seat), context)
    over = ended(game, state)
    screens = {
        "table": screen.table(game.view(state, None), context),
        "hand": hand,
        "sheet": screen.sheet(view, context),
        "result": screen.result(game.view(over, None), outcome, context) if (outcome := game.outcome(over)) else hand,
    }
    drawn = {name: each.picture for name, each in screens.items()}
    drawn |= {"step": next(_steps(hand.controls), None), "first rules": front.primer.picture(game, screen)}
    return {name: picture.spec for name, picture in drawn.items() if picture}


def _steps(controls: Sequence[Control]) -> Iterator[Picture]:
    """The pictures that choosing first brings."""
    for steps in controls:
        for step in steps.steps if isinstance(steps, Steps) else ():
            if step.picture:
                yield step.picture
            yield from _steps(step.controls)


def compare(spec: Spec, studio: Studio, turns: int = REPEATS) -> tuple[Cost, Cost]:
    """The plain way's cost and ours, each the best of some turns taken alternately."""
    plain, ours = len(_plain(spec, studio)), len(studio.render(spec))
    times = [(_timed(_plain, spec, studio), _timed(_ours, spec, studio)) for _ in range(turns)]
    return Cost(min(one for one, _ in times), plain), Cost(min(other for _, other in times), ours)


def _plain(spec: Spec, studio: Studio) -> bytes:
    return studio.lay(spec, PlainSurface).png()


def _ours(spec: Spec, studio: Studio) -> bytes:
    forget()  # else its strips would be those of the turn before
    return studio.render(spec)


def _timed(way: Callable[[Spec, Studio], bytes], spec: Spec, studio: Studio) -> float:
    start = process_time()
    way(spec, studio)
    return process_time() - start


def _told(ours: Cost, plain: Cost) -> str:
    return f"{ours.time * 1000:.1f} to {plain.time * 1000:.1f} ms"


def _first(key: str, name: str) -> tuple[Cost, Cost]:
    """What the picture costs both ways as the first of a process, each the best of some."""
    plain, ours = zip(*([_cold(way, key, name) for way in WAYS] for _ in range(PROCESSES)), strict=True)
    return min(plain), min(ours)


def _cold(way: str, key: str, name: str) -> Cost:
    """What the picture costs in a process that has drawn none."""
    command = [sys.executable, "-m", "bench.bot.pictures", way, key, name]
    seconds, size = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return Cost(float(seconds), int(size))


def first(way: str, key: str, name: str) -> Cost:
    """What a picture costs that way, drawn now."""
    front = FRONTS[key]
    spec, studio = pictures(front, entry_of(front.game))[name], Studio([front.layouts])
    Image.preinit()  # what Pillow imports to save a file is no part of drawing
    with nullcontext() if way == "ours" else patch.object(sprite_cache, "found", return_value=None):
        start = process_time()
        image = WAYS[way](spec, studio)
        return Cost(process_time() - start, len(image))


@cache
def _drawn(draw: Drawer, *arguments: Hashable) -> Art:
    art = draw(*arguments)
    return Art(grown(art.image, art.size), art.mask and grown(art.mask, art.size))


@cache
def _written(text: str, size: int) -> Image.Image:
    """Words as coverage, the middle of their capitals at half the height; `size` in layout units."""
    face = font(round(size * PIXELS))
    left, _, right, _ = face.getbbox(text)
    _, top, _, low = face.getbbox("H")
    pad = round(size * PIXELS / 2.4)
    cover = Image.new("L", (max(1, ceil(right - left)), round(low - top) + 2 * pad), 0)
    ImageDraw.Draw(cover).text((-left, pad - top), text, fill=255, font=face)
    return cover


@cache
def _faded(draw: Drawer, *arguments: Hashable) -> Art:
    art = _drawn(draw, *arguments)
    return Art(Image.blend(art.image, Image.new("RGB", art.image.size, FELT_DARK), FADE), art.mask)


WAYS: dict[str, Callable[[Spec, Studio], bytes]] = {"plain": _plain, "ours": _ours}


if __name__ == "__main__":
    print(*first(*sys.argv[1:]))
