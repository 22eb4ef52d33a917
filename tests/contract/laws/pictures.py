"""Laws of pictures: drawn, small, read on a telephone, with short names of people and with whole alt texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from random import Random
from unittest.mock import patch

from PIL import Image

from cogs.pictures import table_pieces
from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.pen import CAPITALS, Drawer, Pen
from cogs.pictures.raster.theme import LEAST_TYPE, OVERSAMPLING, PIXELS, WIDTH, Colour
from cogs.pictures.raster.typeface import ELLIPSIS, covered, plate_names
from cogs.pictures.spec import Spec
from cogs.screens.screen import Picture
from cogs.table.wording.player_names import shown
from tests.cogs.pictures.heard import Heard
from tests.contract.helper import Helper, Start
from tests.contract.shown import LONG, SHORT, context, hand, looks, screens, steps, ways
from tests.fronts import FRONTS, STUDIO

BYTES = 64 * 1024
SOME, MANY = 12, 100
WIDE = ("WWWWWWWW", "MMMMMMMM", "WMWMWMWM", "MW" * 16, "WW MM WW MM", "Mwmmwwmm Wwwwmm")  # as wide as letters go
ALT = 1024


def pictures_are_drawn(helper: Helper, start: Start) -> None:
    """Some pictures of a match, of each kind one, as they are sent: palette PNGs, as wide as a telephone, not large."""
    for spec in _some(helper, start, SOME):
        png = STUDIO.render(spec)
        image = Image.open(BytesIO(png))
        assert (image.format, image.mode) == ("PNG", "P"), f"not a palette PNG: {spec}"
        assert image.width == WIDTH * PIXELS, f"{image.width} pixels wide: {spec}"
        assert len(png) < BYTES, f"{len(png)} bytes: {spec}"


def pictures_are_whole(helper: Helper, start: Start) -> None:
    """What is made of strips, some of them laid for other pictures, is what is laid at once."""
    for spec in _some(helper, start, SOME):
        image = Image.open(BytesIO(helper.studio.render(spec)))
        assert image.tobytes() == helper.studio.lay(spec, Canvas).image.tobytes(), f"its strips are not it: {spec}"


def pictures_are_read_on_a_telephone(helper: Helper, start: Start) -> None:
    """Nothing in a picture is told by type of less than eleven pixels where its whole width is 350 of them."""
    for spec in _some(helper, start, MANY):
        small = helper.studio.lay(spec, Reader).small
        assert not small, f"written too small: {sorted(small)} in {spec}"


class Reader:
    """A surface on which nothing is drawn: it gathers what is written too small there, and how small that is."""

    def __init__(self, ground: Drawer, height: int) -> None:
        self.small = set(small_in(ground, height))

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer writes."""
        self.small |= small_in(draw, *arguments)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """The words themselves."""
        if size < LEAST_TYPE and text.strip():
            self.small.add((text, size))


@cache
def small_in(draw: Drawer, *arguments: Hashable) -> frozenset[tuple[str, int]]:
    """What a drawer writes too small, but for what it writes large as well: on a card the rank in a corner."""
    found = _written(draw, *arguments)
    large = {said for said, size in found if size >= LEAST_TYPE}
    return frozenset((said, size) for said, size in found if size < LEAST_TYPE and said not in large)


def pictures_name_people_as_plates_do(helper: Helper, start: Start) -> None:
    """By a name that can be drawn, without markdown, or by a letter; a file keeps its name all through the match."""
    files: dict[str, str] = {}
    others = {one for name in LONG for one in (name, shown(name))} - set(plate_names(LONG))
    for what, picture in pictures(helper, start, LONG):
        told = "\n".join((*_said(picture.spec), picture.name, picture.alt))
        assert not any(name in told for name in others), f"a name in {told}"
        assert files.setdefault(what, picture.name) == picture.name, f"the file's name tells: {picture.name}"


def pictures_are_written_in_our_typeface(helper: Helper, start: Start) -> None:
    """It has every character that a picture is told to write, whoever plays, and that its layout adds."""
    sheets = [helper.screen.sheet(look.view(None), context(helper, look)) for look in looks(helper, start)]
    drawn = [picture for _, picture in pictures(helper, start, LONG)]
    drawn += [sheet.picture for sheet in sheets if sheet.picture]
    drawn.append(FRONTS[helper.game.key].primer.picture(helper.game, helper.screen))
    specs = list(dict.fromkeys(picture.spec for picture in drawn))
    told = {said: spec for spec in specs for said in _said(spec)}
    some = [*{type(spec): spec for spec in specs}.values(), *Random(start.seed).sample(specs, min(MANY, len(specs)))]
    told |= {said: spec for spec in some for said in helper.studio.lay(spec, Writing).said}
    for said, spec in told.items():
        assert covered(said), f"not in our typeface: {said} in {spec}"


class Writing:
    """A surface on which nothing is drawn: it gathers all that is written there."""

    def __init__(self, ground: Drawer, height: int) -> None:
        self.said = set(written(ground, height))

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer writes."""
        self.said |= written(draw, *arguments)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """The words themselves."""
        self.said.add(text)


@cache
def written(draw: Drawer, *arguments: Hashable) -> frozenset[str]:
    """What a drawer writes."""
    return frozenset(text for text, _ in _written(draw, *arguments))


def _written(draw: Drawer, *arguments: Hashable) -> list[tuple[str, int]]:
    """What a drawer writes, and in which size of type."""
    found: list[tuple[str, int]] = []

    def text(pen: Pen, x: float, y: float, text: str, height: float, *rest: object) -> None:
        found.append((text, round(height * pen.k / (CAPITALS * PIXELS * OVERSAMPLING))))

    with patch.object(Pen, "text", text):
        draw(*arguments)
    return found


def names_stay_on_their_plates(helper: Helper, start: Start) -> None:
    """However wide names are, what is written fits its plate and overlaps nothing. Alt texts have the names whole.

    In pictures a name is whole or ends with an ellipsis.
    """
    names = WIDE[: start.seats]
    drawn = [picture for _, picture in pictures(helper, start, WIDE)]
    sheets = [helper.screen.sheet(look.view(None), context(helper, look)) for look in looks(helper, start, WIDE)[-1:]]
    drawn = [*Random(start.seed).sample(drawn, min(SOME, len(drawn))), *(one.picture for one in sheets if one.picture)]
    for picture in drawn:
        heard = helper.studio.lay(picture.spec, lambda ground, height: Heard())
        assert not (out := [*heard.beyond()]), f"beyond its plate, or over other words: {out} in {picture.spec}"
        for _, _, text, _ in heard.said:
            begun = [name for name in names if len(text) > 1 and name.startswith(text.rstrip(ELLIPSIS))]
            assert not begun or text in begun or text.endswith(ELLIPSIS), f"cut without an ellipsis: {text}"
        assert all(name in picture.alt for name in names), f"a name is cut in {picture.alt}"


def _said(thing: object) -> Iterator[str]:
    """Every text in a description."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, tuple | frozenset):
        for part in thing:
            yield from _said(part)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from _said(getattr(thing, field.name))


def alt_texts_tell_pictures_apart(helper: Helper, start: Start) -> None:
    """Pictures that differ have different alt texts, over all matches: so each says all by which they differ."""
    shown = {(what, picture.alt): picture.spec for each in helper.starts() for what, picture in pictures(helper, each)}
    for what, picture in pictures(helper, start):
        assert 0 < len(picture.alt) <= ALT
        other = shown[what, picture.alt]
        assert picture.spec == other, f"“{picture.alt}” is {picture.spec} and {other}"


def pictures_mark_the_seats_of_computers(helper: Helper, start: Start) -> None:
    """At the table and in hands the sign of a seat has a face where the computer plays, and the alt text says so."""
    rng = Random(f"{start.seed} computers")
    running = [look for look in looks(helper, start) if look.outcome() is None]
    for look in rng.sample(running, min(SOME, len(running))):
        seat = rng.randrange(start.seats)
        seats = tuple(replace(one, level="normal") if i == seat else one for i, one in enumerate(look.info.seats))
        for played, faces in ((look, set[Hashable]()), (replace(look, info=replace(look.info, seats=seats)), {seat})):
            for what, _, drawn in screens(helper, played):
                assert drawn.picture is not None
                found = helper.studio.lay(drawn.picture.spec, Faces).seats
                assert found == faces, f"faces at {found}, computers at {faces}: {what} {drawn.picture.spec}"
                assert drawn.picture.alt.count("(computer)") == len(faces), f"{what}: {drawn.picture.alt}"


class Faces:
    """A surface on which nothing is drawn: it gathers the seats whose sign has a face."""

    def __init__(self, ground: Drawer, height: int) -> None:
        self.seats: set[Hashable] = set()

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """The sign of a seat, if it is one."""
        if draw is table_pieces.robot:
            self.seats.add(arguments[0])

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words are not looked at."""


def _some(helper: Helper, start: Start, most: int) -> Iterable[Spec]:
    """What some pictures of a match show, of each kind one at least."""
    kinds = {type(picture.spec): picture.spec for _, picture in pictures(helper, start)}
    specs = list(dict.fromkeys(picture.spec for _, picture in pictures(helper, start)))
    return dict.fromkeys([*kinds.values(), *Random(start.seed).sample(specs, min(most, len(specs)))])


@lru_cache(maxsize=64)
def pictures(helper: Helper, start: Start, names: Sequence[str] = SHORT) -> tuple[tuple[str, Picture], ...]:
    """The pictures of a match, each with what it is: table, hand or result."""
    return tuple(dict.fromkeys(_pictures(helper, start, names)))


def _pictures(helper: Helper, start: Start, names: Sequence[str]) -> Iterator[tuple[str, Picture]]:
    """In the match and in another world at every moment, where hands differ and nothing else does."""
    rng = Random(f"{start.seed} pictures")
    for look in looks(helper, start, names):
        for what, _, drawn in screens(helper, look):
            chosen = [step.picture for _, left in ways(drawn.controls) for step in steps(left)]
            yield from ((what, picture) for picture in (drawn.picture, *chosen) if picture)
        other = helper.scramble(look.state, None, rng)
        for seat in range(start.seats):
            drawn = hand(helper, replace(look, state=other), seat)
            yield from (("hand", picture) for picture in (drawn.picture,) if picture)
