"""What limits clips: requests by the hour, and the bytes of the cache."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.features.clips.clip_frames import Clip
from cogs.features.clips.clip_pages import clip_page, parse_section
from cogs.features.clips.feature_ui import HOUR, MAX_PER_HOUR, ClipCache, HourlyLimit
from cogs.table.pages.page import Menu, Row
from engines.hosting.match import RequestRefused
from engines.store.match_store import MatchInfo, Place, Seat, Status

ADA, BELA = 5, 6
INFO = MatchInfo(
    "abcd2345", "wizard", 1, "{}", Status.OVER, ADA, Place(1, 2, 3), (Seat(ADA, "Ada"), Seat(BELA, "Bela"))
)


def clip(size: int = 10, sections: int = 3) -> Clip:
    return Clip(b"x" * size, str(size), "Wizard.", 5, tuple(f"Round {number}" for number in range(1, sections + 1)))


def test_each_person_has_their_own_hour() -> None:
    now = [1000]
    limit = HourlyLimit(lambda: now[0])
    for _ in range(MAX_PER_HOUR):
        limit.count(ADA, "Too many.")
        now[0] += 60
    with pytest.raises(RequestRefused, match="Too many"):
        limit.count(ADA, "Too many.")
    limit.count(BELA, "Too many.")
    now[0] = 1000 + HOUR  # the first request is an hour ago
    limit.count(ADA, "Too many.")
    with pytest.raises(RequestRefused):
        limit.count(ADA, "Too many.")


def test_nobody_is_remembered_for_more_than_an_hour() -> None:
    now = [0]
    limit = HourlyLimit(lambda: now[0])
    for user in range(1000):
        limit.count(user, "")
        now[0] += 10
    assert len(limit._times) <= HOUR / 10


def test_the_cache_holds_the_newest_clips_up_to_its_bytes() -> None:
    cache = ClipCache(most_bytes=100)
    for number in range(8):
        cache.add(INFO, number, clip(30))
        cache.find(INFO, 0)
    assert [number for number in range(8) if cache.find(INFO, number)] == [0, 6, 7]
    cache.add(INFO, 7, clip(80))
    assert cache.find(INFO, 6) is None
    cache.add(INFO, 1, clip(500))
    assert [number for number in range(8) if cache.find(INFO, number)] == []


def test_a_clip_with_other_names_is_another_clip() -> None:
    cache = ClipCache()
    cache.add(INFO, 0, clip())
    forgotten = replace(INFO, seats=(replace(INFO.seats[0], name="Somebody"), INFO.seats[1]))
    assert cache.find(INFO, 0) is not None
    assert cache.find(forgotten, 0) is None
    assert cache.find(INFO, 1) is None


@pytest.mark.parametrize("values", [[], ["1", "0"], *([text] for text in ("", "x", "-1", "٣", "²", "100", "1 "))])
def test_a_section_that_no_list_offers_is_refused(values: list[str]) -> None:
    with pytest.raises(RequestRefused):
        parse_section(values)


@pytest.mark.parametrize(("sections", "lines"), [(1, 0), (2, 3), (24, 25)])
def test_the_list_of_sections_fits(sections: int, lines: int) -> None:
    page = clip_page(INFO, "Wizard", clip(sections=sections), 0, can_post=True)
    menus = [block.items for block in page.blocks if isinstance(block, Row) and isinstance(block.items, Menu)]
    assert [len(menu.lines) for menu in menus] == ([lines] if lines else [])
    assert [[line.chosen for line in menu.lines].index(True) for menu in menus] == ([0] if lines else [])


def test_a_request_that_fails_does_not_count() -> None:
    limit = HourlyLimit(lambda: 1000)
    for _ in range(MAX_PER_HOUR + 1):
        with pytest.raises(RequestRefused, match="I could not post"), limit.counted(ADA, "Too many."):
            raise RequestRefused("I could not post there.")
    assert not limit._times
    for _ in range(MAX_PER_HOUR):
        with limit.counted(ADA, "Too many."):
            pass
    with pytest.raises(RequestRefused, match="Too many"), limit.counted(ADA, "Too many."):
        pass
