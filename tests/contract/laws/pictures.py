"""Laws of pictures: drawn, small, read on a telephone, with short names of people and with whole alt texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from random import Random
from typing import NamedTuple
from unittest.mock import patch

from PIL import Image

from cogs.pictures import table_pieces
from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.pen import CAPITAL_HEIGHT, DrawFunction, Pen
from cogs.pictures.raster.theme import CLOTHS, MIN_TYPE_SIZE, OVERSAMPLING, PIXELS_PER_UNIT, WIDTH, Colour
from cogs.pictures.raster.typeface import ELLIPSIS, MAX_PLATE_NAME, has_all_signs, plate_names
from cogs.pictures.spec import ResultBanner, Spec
from cogs.screens.screen import Picture
from cogs.table.wording.player_names import markdown_name
from engines.hosting.match import MatchSnapshot
from tests.cogs.pictures.recording_surface import MIN_CONTRAST, RecordingSurface, contrast_ratio, record_picture
from tests.contract import shown
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import LONG_NAMES, drawn_screens, match_snapshots, screen_context, step_lines, step_paths
from tests.game_uis import GAME_UIS, STUDIO

MAX_BYTES = 64 * 1024
SOME_PICTURES, MANY_PICTURES = 12, 100
WIDE = ("WWWWWWWW", "MMMMMMMM", "WMWMWMWM", "MW" * 16, "WW MM WW MM", "Mwmmwwmm Wwwwmm")  # as wide as letters go
MAX_ALT = 1024
MIN_MARGIN = table_pieces.RIM_HEIGHT + 3  # layout units between words and the edge of the picture
DESCENDER = 0.2  # of g, j, p, q and y, as a share of the type size


def pictures_are_drawn(helper: GameHelper, start: MatchStart) -> None:
    """Some pictures of a match, of each kind one, as they are sent: palette PNGs, as wide as a telephone, not large."""
    for spec in _some_specs(helper, start, SOME_PICTURES):
        png = STUDIO.render(spec)
        image = Image.open(BytesIO(png))
        assert (image.format, image.mode) == ("PNG", "P"), f"not a palette PNG: {spec}"
        assert image.width == WIDTH * PIXELS_PER_UNIT, f"{image.width} pixels wide: {spec}"
        assert len(png) < MAX_BYTES, f"{len(png)} bytes: {spec}"


def pictures_are_whole(helper: GameHelper, start: MatchStart) -> None:
    """What is made of strips, some of them laid for other pictures, is what is laid at once."""
    for spec in _some_specs(helper, start, SOME_PICTURES):
        image = Image.open(BytesIO(helper.studio.render(spec)))
        assert image.tobytes() == helper.studio.lay_out(spec, Canvas).image.tobytes(), f"its strips are not it: {spec}"


def pictures_are_read_on_a_telephone(helper: GameHelper, start: MatchStart) -> None:
    """Nothing in a picture is told by type of less than eleven pixels if its whole width is 350 of them."""
    for spec in _some_specs(helper, start, MANY_PICTURES):
        small = helper.studio.lay_out(spec, SmallTypeReader).small
        assert not small, f"written too small: {sorted(small)} in {spec}"


def words_in_pictures_have_contrast(helper: GameHelper, start: MatchStart) -> None:
    """Everything written on a picture stands out from its ground, on the cloth of that picture."""
    for spec in _some_specs(helper, start, MANY_PICTURES):
        drawing = helper.studio.lay_out(spec, SmallTypeReader)
        cloth = CLOTHS[drawing.cloth]
        for ground, ink in drawing.inks:
            ratio = contrast_ratio(cloth.get(ground, ground), cloth.get(ink, ink))
            assert ratio >= MIN_CONTRAST, f"{ink} on {ground}, {drawing.cloth} cloth: {ratio:.1f} in {spec}"


def words_stay_off_the_frame(helper: GameHelper, start: MatchStart) -> None:
    """Nothing is written on the wood around a table, nor on the edge of a sheet."""
    for spec in _some_specs(helper, start, MANY_PICTURES):
        drawing, height = record_picture(spec, helper.studio)
        for x, y, text, size in drawing.written:
            above = CAPITAL_HEIGHT / 2 * size
            below = above + (DESCENDER * size if set(text) & set("gjpqy") else 0)
            ends = (x, WIDTH - x - drawing.widths[x, y, text], y - above, height - y - below)
            assert min(ends) >= MIN_MARGIN, f"{text} is written on the frame of {spec}"


def results_have_a_banner(helper: GameHelper, start: MatchStart) -> None:
    """The picture of a result shows the winners above all, and the alt text begins with what the banner says."""
    for snapshot in match_snapshots(helper, start):
        if (outcome := snapshot.outcome()) is None:
            continue
        picture = helper.screen.result(snapshot.view(None), outcome, screen_context(helper, snapshot)).picture
        banner = getattr(picture and picture.spec, "banner", None)
        assert isinstance(banner, ResultBanner), f"no banner in {picture}"
        assert banner.winners == outcome.winners, f"{outcome.winners} won: {banner}"
        assert picture is not None
        assert picture.alt.startswith(f"{banner.title}. {banner.how}."), (
            f"the alt text says other things: {picture.alt}"
        )
        drawing = helper.studio.lay_out(picture.spec, lambda *_: RecordingSurface())
        assert drawing.places_of("title_letter"), f"the banner is not drawn: {picture.spec}"


class SmallTypeReader:
    """No surface: it gathers what is written, what of it too small, in which colours, and the seats with a face."""

    def __init__(self, ground: DrawFunction, height: int, cloth: str = "green") -> None:
        self.texts, self.small, self.seats = set[str](), set[tuple[str, int]](), set[Hashable]()
        self.cloth, self.inks = cloth, set[tuple[Colour, Colour]]()  # grounds and inks
        self._look_at(ground, height)

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        self._look_at(draw, *arguments)
        if draw is table_pieces.computer_token:
            self.seats.add(arguments[0])

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
        self.texts.add(text)
        if text.strip():
            self.inks.add((ground, ink))
        if size < MIN_TYPE_SIZE and text.strip():
            self.small.add((text, size))

    def _look_at(self, draw: DrawFunction, *arguments: Hashable) -> None:
        """What is written large as well is not too small: on a card the rank in a corner."""
        found = _written(draw, *arguments)
        large = {each.text for each in found if each.size >= MIN_TYPE_SIZE}
        self.texts |= {each.text for each in found}
        self.small |= {(each.text, each.size) for each in found if each.size < MIN_TYPE_SIZE and each.text not in large}
        self.inks |= {(each.ground, each.ink) for each in found}


class DrawnText(NamedTuple):
    """A text in a drawing, its type size in layout units, its ink, and the colour behind it."""

    text: str
    size: int
    ink: Colour
    ground: Colour


@cache
def _written(draw: DrawFunction, *arguments: Hashable) -> list[DrawnText]:
    """What a drawer writes."""
    found: list[DrawnText] = []

    def text(pen: Pen, x: float, y: float, text: str, height: float, fill: Colour, *_: object, **__: object) -> None:
        size = round(height * pen.pixel_scale / (CAPITAL_HEIGHT * PIXELS_PER_UNIT * OVERSAMPLING))
        area = (x - height / 2, y - height / 2, x + height / 2, y + height / 2)
        behind_image = pen.image.crop(tuple(round(edge * pen.pixel_scale) for edge in area))  # type: ignore[arg-type]
        behind = behind_image.getcolors(behind_image.width * behind_image.height) or []  # it clears room for so many
        found.append(DrawnText(text, size, fill, max(behind)[1]))  # type: ignore[arg-type]

    with patch.object(Pen, "text", text):
        draw(*arguments)
    return found


def pictures_name_people_as_plates_do(helper: GameHelper, start: MatchStart) -> None:
    """By a name that can be drawn, without markdown, or by a letter; a file keeps its name all through the match."""
    files: dict[str, str] = {}
    others = {one for name in LONG_NAMES for one in (name, markdown_name(name))} - set(plate_names(LONG_NAMES))
    for kind, picture in match_pictures(helper, start, LONG_NAMES):
        texts = "\n".join((*_texts_in(picture.spec), picture.name, picture.alt))
        assert not any(name in texts for name in others), f"a name in {texts}"
        assert files.setdefault(kind, picture.name) == picture.name, f"the file's name tells: {picture.name}"


def pictures_are_written_in_our_typeface(helper: GameHelper, start: MatchStart) -> None:
    """It has every character that a picture is told to write, for any players, and that its layout adds."""
    drawn = [picture for _, picture in match_pictures(helper, start, LONG_NAMES)]
    drawn += _sheet_pictures(helper, match_snapshots(helper, start))
    drawn.append(GAME_UIS[helper.game.key].example_position.picture(helper.game, helper.screen))
    specs = list(dict.fromkeys(picture.spec for picture in drawn))
    specs_by_text = {text: spec for spec in specs for text in _texts_in(spec)}
    some = [
        *{type(spec): spec for spec in specs}.values(),
        *Random(start.seed).sample(specs, min(MANY_PICTURES, len(specs))),
    ]
    specs_by_text |= {text: spec for spec in some for text in helper.studio.lay_out(spec, SmallTypeReader).texts}
    for text, spec in specs_by_text.items():
        assert has_all_signs(text), f"not in our typeface: {text} in {spec}"


def names_stay_on_their_plates(helper: GameHelper, start: MatchStart) -> None:
    """However wide names are, what is written fits its plate and overlaps nothing. Alt texts have the names whole.

    In pictures a name is whole or ends with an ellipsis, on plates after the beginning that distinguishes it.
    """
    names = WIDE[: start.seats]
    drawn = [picture for _, picture in match_pictures(helper, start, WIDE)]
    drawn = Random(start.seed).sample(drawn, min(SOME_PICTURES, len(drawn)))
    drawn += _sheet_pictures(helper, match_snapshots(helper, start, WIDE)[-1:])
    for picture in drawn:
        drawing = helper.studio.lay_out(picture.spec, lambda *_: RecordingSurface())
        assert not (out := [*drawing.overflowing_texts()]), (
            f"beyond its plate, or over other words: {out} in {picture.spec}"
        )
        for x, y, text, _ in drawing.written:
            cut_names = [name for name in names if len(text) > 1 and name.startswith(text.rstrip(ELLIPSIS))]
            assert not cut_names or text in cut_names or text.endswith(ELLIPSIS), f"cut without an ellipsis: {text}"
            is_on_plate = any(
                px <= x < px + wide and py <= y < py + high for px, py, wide, high in drawing.plate_grounds()
            )
            assert not (cut_names and is_on_plate) or len(text.rstrip(ELLIPSIS)) >= MAX_PLATE_NAME, f"cut early: {text}"
        assert all(name in picture.alt for name in names), f"a name is cut in {picture.alt}"


def _sheet_pictures(helper: GameHelper, snapshots: Sequence[MatchSnapshot]) -> list[Picture]:
    """The pictures of score sheets, if there are any."""
    sheets = (helper.screen.sheet(snapshot.view(None), screen_context(helper, snapshot)) for snapshot in snapshots)
    return [sheet.picture for sheet in sheets if sheet.picture]


def _texts_in(thing: object) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, tuple | frozenset):
        for part in thing:
            yield from _texts_in(part)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from _texts_in(getattr(thing, field.name))


def alt_texts_tell_pictures_apart(helper: GameHelper, start: MatchStart) -> None:
    """Pictures that differ have different alt texts, over all matches: so each says all by which they differ."""
    specs = {
        (kind, picture.alt): picture.spec for each in helper.starts() for kind, picture in match_pictures(helper, each)
    }
    for kind, picture in match_pictures(helper, start):
        assert 0 < len(picture.alt) <= MAX_ALT
        other = specs[kind, picture.alt]
        assert picture.spec == other, f"“{picture.alt}” is {picture.spec} and {other}"


def pictures_mark_the_seats_of_computers(helper: GameHelper, start: MatchStart) -> None:
    """At the table and in hands the sign of a seat has a face where the computer plays, and the alt text says so."""
    rng = Random(f"{start.seed} computers")
    running = [snapshot for snapshot in match_snapshots(helper, start) if snapshot.outcome() is None]
    for snapshot in rng.sample(running, min(SOME_PICTURES, len(running))):
        seat = rng.randrange(start.seats)
        seats = tuple(replace(one, level="normal") if i == seat else one for i, one in enumerate(snapshot.info.seats))
        for played, faces in (
            (snapshot, set[Hashable]()),
            (replace(snapshot, info=replace(snapshot.info, seats=seats)), {seat}),
        ):
            for kind, _, drawn in drawn_screens(helper, played):
                assert drawn.picture is not None
                found = helper.studio.lay_out(drawn.picture.spec, SmallTypeReader).seats
                assert found == faces, f"faces at {found}, computers at {faces}: {kind} {drawn.picture.spec}"
                assert drawn.picture.alt.count("(computer)") == len(faces), f"{kind}: {drawn.picture.alt}"


def _some_specs(helper: GameHelper, start: MatchStart, most: int) -> Iterable[Spec]:
    """What some pictures of a match show, of each kind one at least."""
    kinds = {type(picture.spec): picture.spec for _, picture in match_pictures(helper, start)}
    specs = list(dict.fromkeys(picture.spec for _, picture in match_pictures(helper, start)))
    return dict.fromkeys([*kinds.values(), *Random(start.seed).sample(specs, min(most, len(specs)))])


@lru_cache(maxsize=64)
def match_pictures(
    helper: GameHelper, start: MatchStart, names: Sequence[str] = shown.SHORT_NAMES
) -> tuple[tuple[str, Picture], ...]:
    """The pictures of a match, each with what it is: table, hand or result."""
    return tuple(dict.fromkeys(_iterate_pictures(helper, start, names)))


def _iterate_pictures(helper: GameHelper, start: MatchStart, names: Sequence[str]) -> Iterator[tuple[str, Picture]]:
    """In the match and in another world at every moment, where hands differ and nothing else does."""
    rng = Random(f"{start.seed} pictures")
    for snapshot in match_snapshots(helper, start, names):
        for kind, _, drawn in drawn_screens(helper, snapshot):
            chosen = [step.picture for _, left in step_paths(drawn.controls) for step in step_lines(left)]
            yield from ((kind, picture) for picture in (drawn.picture, *chosen) if picture)
        other = helper.scramble_hidden(snapshot.state, None, rng)
        for seat in range(start.seats):
            drawn = shown.hand_screen(helper, replace(snapshot, state=other), seat)
            yield from (("hand", picture) for picture in (drawn.picture,) if picture)
