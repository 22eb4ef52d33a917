"""Laws of pictures: they can be drawn, are small, know nobody's name, and their alt texts say what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from random import Random

from PIL import Image

from cogs.pictures.theme import PIXELS, WIDTH
from cogs.screens.screen import Picture
from tests.contract.helper import Helper, Start
from tests.contract.shown import SHORT, hand, looks, screens, steps, ways
from tests.fronts import STUDIO

BYTES = 64 * 1024
SOME = 12
NAMES = re.compile(rf"\b({'|'.join(SHORT)})\b")
ALT = 1024


def pictures_are_drawn(helper: Helper, start: Start) -> None:
    """Some pictures of a match, of each kind one, as they are sent: palette PNGs, as wide as a telephone, not large."""
    kinds = {type(picture.spec): picture.spec for _, picture in pictures(helper, start)}
    specs = list(dict.fromkeys(picture.spec for _, picture in pictures(helper, start)))
    some = Random(start.seed).sample(specs, min(SOME, len(specs)))
    for spec in dict.fromkeys([*kinds.values(), *some]):
        png = STUDIO.render(spec)
        image = Image.open(BytesIO(png))
        assert (image.format, image.mode) == ("PNG", "P"), f"not a palette PNG: {spec}"
        assert image.width == WIDTH * PIXELS, f"{image.width} pixels wide: {spec}"
        assert len(png) < BYTES, f"{len(png)} bytes: {spec}"


def pictures_tell_no_names(helper: Helper, start: Start) -> None:
    """No name stands in a picture or its alt text; and its file is called the same all through the match."""
    files: dict[str, str] = {}
    for what, picture in pictures(helper, start):
        assert not NAMES.search(f"{picture}"), f"a name in {picture}"
        assert files.setdefault(what, picture.name) == picture.name, f"the file's name tells: {picture.name}"


def alt_texts_tell_pictures_apart(helper: Helper, start: Start) -> None:
    """Pictures that differ have different alt texts, over all matches: so each says all by which they differ."""
    shown = {(what, picture.alt): picture.spec for each in helper.starts() for what, picture in pictures(helper, each)}
    for what, picture in pictures(helper, start):
        assert 0 < len(picture.alt) <= ALT
        other = shown[what, picture.alt]
        assert picture.spec == other, f"“{picture.alt}” is {picture.spec} and {other}"


@lru_cache(maxsize=64)
def pictures(helper: Helper, start: Start) -> tuple[tuple[str, Picture], ...]:
    """The pictures of a match, each with what it is: table, hand or result."""
    return tuple(dict.fromkeys(_pictures(helper, start)))


def _pictures(helper: Helper, start: Start) -> Iterator[tuple[str, Picture]]:
    """In the match and in another world at every moment, where hands differ and nothing else does."""
    rng = Random(f"{start.seed} pictures")
    for look in looks(helper, start):
        for what, _, drawn in screens(helper, look):
            chosen = [step.picture for _, left in ways(drawn.controls) for step in steps(left)]
            yield from ((what, picture) for picture in (drawn.picture, *chosen) if picture)
        other = helper.scramble(look.state, None, rng)
        for seat in range(start.seats):
            drawn = hand(helper, replace(look, state=other), seat)
            yield from (("hand", picture) for picture in (drawn.picture,) if picture)
