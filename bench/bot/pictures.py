"""Compares our palette pictures with the plain way: the same layouts from RGB sprites with soft edges.

It draws every kind of picture of every game, from the middle and the end of a random match. Warm, both ways have
composed the same sprites before. Cold, each picture is the first of a new process: the plain way draws everything from
outlines with Pillow, ours finds most of it in the sprite cache. Pillow's imports do not count.
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
from bench.kit.entries import Entry, load_entry, setup_of
from bench.kit.figures import Figure
from bench.kit.measure import halfway_state, play_to_end
from cogs.games import GAME_UIS
from cogs.pictures.raster import sprite_cache
from cogs.pictures.raster.pen import DrawFunction, Drawing, font, stretch_image
from cogs.pictures.raster.strips import clear_strips
from cogs.pictures.raster.theme import FADE_SHARE, FELT_DARK, PIXELS_PER_UNIT, Colour
from cogs.pictures.spec import Spec
from cogs.pictures.studio import Studio
from cogs.screens.screen import Context, Control, Picture, Steps
from cogs.table.game_ui import GameUI

REPEAT_COUNT = 25
MAX_TIME_RATIO, MAX_COLD_RATIO = 1 / 4, 1 / 3  # limits as a share of the plain way's time
MAX_SIZE_RATIO = 1 / 3  # of the plain way's bytes
MAX_GROWTH = 1.3  # of the bytes before the art direction
MAX_SLOWDOWN = 1.1  # of the share of time before the art direction; runs differ by a few percent
PROCESS_COUNT = 6  # for each cold picture, alternating; with three, chance pushed some over their limits
PERSON_NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")


class DrawCost(NamedTuple):
    """The cost of a picture: processor seconds and bytes."""

    time: float
    size: int


class PlainSurface:
    """The reference: RGB throughout, every sprite drawn once and pasted with a soft mask, saved by Pillow."""

    def __init__(self, ground: DrawFunction, height: int, cloth: str = "green") -> None:
        self.image = _grown_sprite(ground, height).image.copy()

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """Paste a sprite with soft edges."""
        art = _faded_sprite(draw, *arguments) if dimmed else _grown_sprite(draw, *arguments)
        self.image.paste(art.image, (round(x * PIXELS_PER_UNIT), round(y * PIXELS_PER_UNIT)), art.mask)

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
        """Draw text with soft edges."""
        cover = _text_mask(text, size)
        if stretch < 1:
            cover = cover.resize((round(cover.width * stretch), cover.height))
        left = x * PIXELS_PER_UNIT - {"l": 0, "m": cover.width / 2, "r": cover.width}[anchor]
        self.image.paste(ink, (round(left), round(y * PIXELS_PER_UNIT - cover.height / 2)), cover)

    def png(self) -> bytes:
        """Return the picture as a file."""
        out = BytesIO()
        self.image.save(out, "PNG")
        return out.getvalue()


def measure_pictures() -> Iterator[Figure]:
    """Measure the ratio of our cost to the plain way's; less than 1 is better. Both take turns."""
    studio = Studio(front.layouts for front in GAME_UIS.values())
    for front in GAME_UIS.values():
        entry = load_entry(front.game)
        for name, spec in match_pictures(front, entry).items():
            plain, motley = compare_costs(spec, studio)
            row = f"{front.game.title}, {name}"
            yield Figure(f"{row}: time", motley.time / plain.time, _format_times(motley, plain), MAX_TIME_RATIO)
            yield Figure(f"{row}: bytes", motley.size / plain.size, f"{motley.size} to {plain.size}", MAX_SIZE_RATIO)
            if before := entry.before.get(name):  # a new kind of picture has none
                yield from compare_with_before(row, before, plain, motley)
            plain, motley = _compare_first(front.game.key, name)
            yield Figure(f"{row}: time, cold", motley.time / plain.time, _format_times(motley, plain), MAX_COLD_RATIO)


def compare_with_before(row: str, before: tuple[int, float], plain: DrawCost, motley: DrawCost) -> Iterator[Figure]:
    """Compare a picture with what it cost before the art direction: bytes, and share of the plain way's time."""
    size, share = before
    yield Figure(f"{row}: bytes, to those before", motley.size / size, f"{motley.size} to {size}", MAX_GROWTH)
    now = motley.time / plain.time
    yield Figure(f"{row}: time, to that before", now / share, f"{now:.3f} to {share:.3f} of plain", MAX_SLOWDOWN)


def match_pictures(front: GameUI, entry: Entry) -> dict[str, Spec]:
    """Return the table and the due hand in the middle of a random match, other pictures there, and the end."""
    game, screen = front.game, front.screen
    seats, options = setup_of(game, entry)
    state, seat = halfway_state(game, entry)
    context = Context(PERSON_NAMES[:seats], options, plate_names=PERSON_NAMES[:seats], short_names=PERSON_NAMES[:seats])
    view, due = game.view(state, seat), game.decisions(state)[seat]
    hand = screen.hand(view, due, game.moves(state, seat), context)
    end = play_to_end(game, state)
    screens = {
        "table": screen.table(game.view(state, None), context),
        "hand": hand,
        "sheet": screen.sheet(view, context),
        "result": screen.result(game.view(end, None), outcome, context) if (outcome := game.outcome(end)) else hand,
    }
    drawn = {name: each.picture for name, each in screens.items()}
    drawn["step"] = next(_step_pictures(hand.controls), None)
    drawn["first rules"] = front.example_position.picture(game, screen)
    return {name: picture.spec for name, picture in drawn.items() if picture}


def _step_pictures(controls: Sequence[Control]) -> Iterator[Picture]:
    """Yield the pictures of unfinished move steps."""
    for steps in controls:
        for step in steps.steps if isinstance(steps, Steps) else ():
            if step.picture:
                yield step.picture
            yield from _step_pictures(step.controls)


def compare_costs(spec: Spec, studio: Studio, turns: int = REPEAT_COUNT) -> tuple[DrawCost, DrawCost]:
    """Return the plain way's cost and ours, each the best of several alternating turns."""
    plain, motley = len(_draw_plain(spec, studio)), len(studio.render(spec))
    times = [(_time_drawing(_draw_plain, spec, studio), _time_drawing(_draw_ours, spec, studio)) for _ in range(turns)]
    return DrawCost(min(one for one, _ in times), plain), DrawCost(min(other for _, other in times), motley)


def _draw_plain(spec: Spec, studio: Studio) -> bytes:
    return studio.lay_out(spec, PlainSurface).png()


def _draw_ours(spec: Spec, studio: Studio) -> bytes:
    clear_strips()  # otherwise it would reuse the strips of the turn before
    return studio.render(spec)


def _time_drawing(draw: Callable[[Spec, Studio], bytes], spec: Spec, studio: Studio) -> float:
    start = process_time()
    draw(spec, studio)
    return process_time() - start


def _format_times(motley: DrawCost, plain: DrawCost) -> str:
    return f"{motley.time * 1000:.1f} to {plain.time * 1000:.1f} ms"


def _compare_first(key: str, name: str) -> tuple[DrawCost, DrawCost]:
    """Return the cost of the picture both ways as the first of a process, each the best of several."""
    plain, motley = zip(
        *([_cold_cost(way, key, name) for way in DRAW_FUNCTIONS] for _ in range(PROCESS_COUNT)), strict=True
    )
    return min(plain), min(motley)


def _cold_cost(way: str, key: str, name: str) -> DrawCost:
    """Return the cost of the picture in a new process."""
    command = [sys.executable, "-m", "bench.bot.pictures", way, key, name]
    seconds, size = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return DrawCost(float(seconds), int(size))


def first_cost(way: str, key: str, name: str) -> DrawCost:
    """Return the cost of a picture drawn now, in one of the two ways."""
    front = GAME_UIS[key]
    spec, studio = match_pictures(front, load_entry(front.game))[name], Studio([front.layouts])
    Image.preinit()  # Pillow's imports for saving are not part of drawing
    with nullcontext() if way == "ours" else patch.object(sprite_cache, "load_cached", return_value=None):
        start = process_time()
        image = DRAW_FUNCTIONS[way](spec, studio)
        return DrawCost(process_time() - start, len(image))


@cache
def _grown_sprite(draw: DrawFunction, *arguments: Hashable) -> Drawing:
    art = draw(*arguments)
    return Drawing(stretch_image(art.image, art.size), art.mask and stretch_image(art.mask, art.size))


@cache
def _text_mask(text: str, size: int) -> Image.Image:
    """Return words as a mask, with the middle of their capitals at half the height; `size` in layout units."""
    face = font(round(size * PIXELS_PER_UNIT))
    left, _, right, _ = face.getbbox(text)
    _, top, _, low = face.getbbox("H")
    pad = round(size * PIXELS_PER_UNIT / 2.4)
    cover = Image.new("L", (max(1, ceil(right - left)), round(low - top) + 2 * pad), 0)
    ImageDraw.Draw(cover).text((-left, pad - top), text, fill=255, font=face)
    return cover


@cache
def _faded_sprite(draw: DrawFunction, *arguments: Hashable) -> Drawing:
    art = _grown_sprite(draw, *arguments)
    return Drawing(Image.blend(art.image, Image.new("RGB", art.image.size, FELT_DARK), FADE_SHARE), art.mask)


DRAW_FUNCTIONS: dict[str, Callable[[Spec, Studio], bytes]] = {"plain": _draw_plain, "ours": _draw_ours}


if __name__ == "__main__":
    print(*first_cost(*sys.argv[1:]))
