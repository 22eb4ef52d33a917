"""The laws of lobbies: an invitation that is read at a glance, with five buttons that never change places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import BytesIO

from PIL import Image

from cogs.features.registry import FEATURE_UIS
from cogs.pictures.raster.theme import CLOTHS, PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import LobbyPicture
from cogs.screens.picture import Picture
from cogs.table.pages import match_pages
from cogs.table.pages.feature_pages import Additions
from cogs.table.pages.page import Page, Row, Text
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import HAS_CUT_LAST, Seat, Status
from engines.store.rows import Rows
from tests.cogs.pictures.recording_surface import MIN_CONTRAST, RecordingSurface, contrast_ratio, record_picture
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.pages import label_problems, page_problems
from tests.contract.laws.pictures import MAX_BYTES, MIN_MARGIN, SmallTypeReader
from tests.contract.shown import LONG_NAMES, SHORT_NAMES, match_snapshots, page_buttons
from tests.game_uis import GAME_UIS

MAX_WORDS, MAX_BUTTONS = 55, 5
BUTTONS = ["Join", "Start", "Learn it", "Add computer", "More"]
DIGITS = re.compile("[0-9a-f]{9}|[0-9]{9}")  # more of a seal or a cut than its first eight
TIME = re.compile(r"<t:\d+:R>")
MINUTES_AGO = "two minutes ago"  # what a reader sees in its place


def lobbies_are_short_and_their_buttons_stay(helper: GameHelper, start: MatchStart) -> None:
    """Few words, always the same buttons in the same rows, and one of them highlighted: Start if it is possible."""
    rows = set()
    for snapshot, page in lobbies(helper, start):
        assert (count := count_words(page)) <= MAX_WORDS, f"{count} words: {page}"
        assert [press.label for press in page_buttons(page)] == BUTTONS, f"other buttons: {page}"
        assert not [press for press in page_buttons(page) if press.idle], f"a button is off: {page}"
        blue = [press.label for press in page_buttons(page) if press.style == "primary"]
        can_start = len(snapshot.info.seats) >= snapshot.game.seats_with(snapshot.options)[0]
        assert blue == ["Start" if can_start else "Join"], f"{blue} highlighted: {page}"
        rows.add(tuple(repr(block).count("Press(") for block in page.blocks if isinstance(block, Row)))
        problems = [*page_problems(page), *label_problems(page, whole=True)]
        assert not problems, f"{problems} in {page}"
    assert len(rows) == 1, f"buttons change places: {rows}"


def lobbies_show_no_digits_of_the_deal(helper: GameHelper, start: MatchStart) -> None:
    """Neither the seal nor a cut catches the eye."""
    for _, page in lobbies(helper, start):
        assert not (found := DIGITS.findall(TIME.sub("", repr(page)))), f"{found} in {page}"


def alt_texts_of_lobbies_say_everything(helper: GameHelper, start: MatchStart) -> None:
    """What the picture shows: the game, what it is like, how many play, how long, how hard, who sits, what is free."""
    intro, title = helper.screen.intro, helper.game.title.partition(",")[0]
    for snapshot, page in lobbies(helper, start):
        picture, seats = picture_of(page), snapshot.info.seats
        assert picture.alt.startswith(f"{title}: {intro.like} {intro.players} players, about "), f"{picture.alt}"
        assert f"{intro.learning} to learn" in picture.alt
        taken = [f"{plate.name} ({plate.lines[0].text})" for plate in spec_of(page).seats]
        assert len(taken) == len(seats)
        assert all(seat in picture.alt for seat in taken), f"a seat is not told: {picture.alt}"
        free = snapshot.game.seats[-1] - len(seats)
        assert (f"{free} free seat" in picture.alt) is (free > 0), f"{free} seats are free: {picture.alt}"
        assert (" needed" in picture.alt) is (spec_of(page).needed > 0), picture.alt


def pictures_of_lobbies_are_drawn_well(helper: GameHelper, start: MatchStart) -> None:
    """Like those of matches: small files, large type with contrast, nothing beyond its place, one plate for a seat."""
    for snapshot, page in lobbies(helper, start):
        spec = spec_of(page)
        png = helper.studio.render(spec)
        image = Image.open(BytesIO(png))
        assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH * PIXELS_PER_UNIT)
        assert len(png) < MAX_BYTES, f"{len(png)} bytes: {spec}"
        drawn = helper.studio.lay_out(spec, SmallTypeReader)
        assert not drawn.small, f"written too small: {sorted(drawn.small)} in {spec}"
        dyed = CLOTHS[drawn.cloth]
        weak = [pair for pair in drawn.inks if contrast_ratio(*(dyed.get(each, each) for each in pair)) < MIN_CONTRAST]
        assert not weak, f"{weak} on {drawn.cloth} cloth: {spec}"
        assert drawn.seats == {number for number, seat in enumerate(snapshot.info.seats) if seat.level}
        surface, height = record_picture(spec, helper.studio)
        assert not (out := [*surface.overflowing_texts()]), f"beyond its place, or over other words: {out} in {spec}"
        for x, y, text, size in surface.written:
            ends = (x, WIDTH - x - surface.widths[x, y, text], y - size / 2, height - y - size / 2)
            assert min(ends) >= MIN_MARGIN, f"{text} is written on the frame of {spec}"
        frames = surface.places_of("panel") + surface.places_of("dashed_frame")
        assert len(frames) == snapshot.game.seats[-1], f"{len(frames)} plates: {spec}"
        top = min(y for _, y, _, _ in frames)
        below = [text for _, y, text, size in surface.written if " " in text and text in spec.like and y + size > top]
        assert not below, f"the sentence runs into the seats: {spec}"


def lobbies_look_alike_but_for_their_figure(helper: GameHelper, start: MatchStart) -> None:
    """A game's picture has its own kind of spec and its own drawing, where those of the other games have theirs."""
    _, page = next(lobbies(helper, start))
    spec = spec_of(page)
    others = [game_ui.intro.lobby for key, game_ui in GAME_UIS.items() if key != helper.game.key]
    assert type(spec) not in (LobbyPicture, *others), f"the picture of another game: {spec}"
    drawn = helper.studio.lay_out(spec, lambda *_: RecordingSurface())
    names = {draw.__name__ for _, _, draw, _ in drawn.pasted}
    shared = {"flag_line", "lobby_title", "people_sign", "hourglass", "effort_sign", "panel", "seat_token"}
    own = names - shared - {"dashed_frame", "hollow_token", "computer_token"}
    assert len(own) == 1, f"{own} instead of one figure"
    assert shared <= names, f"{shared - names} is missing"


def lobbies(helper: GameHelper, start: MatchStart) -> Iterator[tuple[MatchSnapshot, Page]]:
    """Lobbies with every number of players, short and long names, with and without computers, and changed options.

    Each is also shown with somebody who cuts last and a seal that could not be posted.
    """
    yield from _lobbies(helper, start)


@lru_cache(8)
def _lobbies(helper: GameHelper, start: MatchStart) -> tuple[tuple[MatchSnapshot, Page], ...]:
    first = match_snapshots(helper, start)[0]
    context = match_pages.PageContext(
        helper.screen, features=Additions(tuple((feature, Rows()) for feature in FEATURE_UIS))
    )
    found = []
    for count in range(1, helper.game.seats[-1] + 1):
        for names, people, chosen in ((SHORT_NAMES, count, 0), (LONG_NAMES, 1 + (count - 1) // 2, 1_800_000_000)):
            seats = tuple(
                Seat(10 + i, names[i], cut=str(10**18 + i)) if i < people else Seat(0, names[i], level="normal")
                for i in range(count)
            )
            info = replace(first.info, status=Status.LOBBY, moves=0, seats=seats, seal="5e" * 32, chosen=chosen)
            snapshot = replace(first, info=info, state=None, events=(), movers=())
            found.append((snapshot, match_pages.lobby_page(snapshot, context)))
            seats = (replace(seats[0], last_cut=HAS_CUT_LAST), *seats[1:])
            snapshot = replace(snapshot, info=replace(info, seats=seats))
            found.append((snapshot, match_pages.lobby_page(snapshot, replace(context, is_seal_missing=True))))
    return tuple(found)


def picture_of(page: Page) -> Picture:
    assert page.picture is not None, f"no picture: {page}"
    return page.picture


def spec_of(page: Page) -> LobbyPicture:
    spec = picture_of(page).spec
    assert isinstance(spec, LobbyPicture)
    return spec


def count_words(page: Page) -> int:
    """How many words are read beside the picture, on buttons, too."""
    texts = [TIME.sub(MINUTES_AGO, block.text) for block in page.blocks if isinstance(block, Text)]
    labels = [press.label for press in page_buttons(page)]
    return sum(len(re.findall(r"\w[^\s]*", text)) for text in (*texts, *labels))
