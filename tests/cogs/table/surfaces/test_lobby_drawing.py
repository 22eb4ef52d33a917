"""A lobby can be used at once, also if its picture is late or cannot be drawn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from cogs.pictures.studio import Studio
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.state.page_drawing import PageCache
from cogs.table.surfaces.lobby_drawing import PICTURE_SECONDS, LobbyDrawing
from tests.cogs.table.pages.test_lobby_pages import lobby_snapshot
from tests.contract.shown import page_text
from tests.game_uis import GAME_UIS, SCREENS
from tests.games import GAMES
from tests.manual_time import ManualTime

Draw = Callable[..., Awaitable[Page]]
SNAPSHOT = lobby_snapshot(GAMES["wizard"], 2)
CONTEXT = match_pages.PageContext(SCREENS["wizard"])


class StuckStudio(Studio):
    """A studio that draws nothing before it is let go."""

    def __init__(self) -> None:
        super().__init__(game_ui.layouts for game_ui in GAME_UIS.values())
        self.may_go = threading.Event()
        self.asked = threading.Event()

    def render(self, spec: Any) -> bytes:
        self.asked.set()
        assert self.may_go.wait(20)
        return super().render(spec)


class BrokenStudio(Studio):
    def render(self, spec: Any) -> bytes:
        raise OSError("There is no memory left.")


@pytest.fixture
def stuck() -> Iterator[StuckStudio]:
    studio = StuckStudio()
    yield studio
    studio.may_go.set()


DRAWN = (LobbyDrawing.lobby_page, LobbyDrawing.new_lobby_page)


@pytest.mark.parametrize("draw", DRAWN)
async def test_a_lobby_has_its_picture_drawn_off_the_loop(draw: Draw) -> None:
    studio = Studio(game_ui.layouts for game_ui in GAME_UIS.values())
    page = await draw(LobbyDrawing(ManualTime(), PageCache(studio), print), SNAPSHOT, CONTEXT)
    assert page == match_pages.lobby_page(SNAPSHOT, CONTEXT)
    assert page.picture is not None
    assert studio.cached_picture(page.picture.spec)


class Woken(list[str]):
    """The matches that were woken."""

    def __init__(self) -> None:
        super().__init__()
        self.some = asyncio.Event()

    def wake(self, match: str) -> None:
        self.append(match)
        self.some.set()


async def test_a_lobby_whose_picture_is_late_is_in_words_and_gets_it_when_it_is_there(stuck: StuckStudio) -> None:
    clock, woken = ManualTime(), Woken()
    lobbies = LobbyDrawing(clock, PageCache(stuck), woken.wake)
    waiting = asyncio.ensure_future(lobbies.new_lobby_page(SNAPSHOT, CONTEXT))
    await asyncio.to_thread(stuck.asked.wait, 20)
    assert not waiting.done()
    clock.advance_to(PICTURE_SECONDS)
    page = await waiting
    assert_in_words(page)
    assert woken == []
    stuck.may_go.set()
    await asyncio.wait_for(woken.some.wait(), 20)
    assert woken == [SNAPSHOT.info.id]
    assert (await lobbies.lobby_page(SNAPSHOT, CONTEXT)).picture is not None


async def test_a_lobby_that_is_shown_waits_for_its_picture_however_late(stuck: StuckStudio) -> None:
    clock, woken = ManualTime(), Woken()
    waiting = asyncio.ensure_future(LobbyDrawing(clock, PageCache(stuck), woken.wake).lobby_page(SNAPSHOT, CONTEXT))
    await asyncio.to_thread(stuck.asked.wait, 20)
    clock.advance_to(60 * PICTURE_SECONDS)
    await asyncio.wait((waiting,), timeout=0.05)
    assert not waiting.done()
    stuck.may_go.set()
    assert await waiting == match_pages.lobby_page(SNAPSHOT, CONTEXT)
    assert woken == []


async def test_a_drawing_whose_reply_was_cancelled_still_wakes_its_match(stuck: StuckStudio) -> None:
    woken = Woken()
    lobbies = LobbyDrawing(ManualTime(), PageCache(stuck), woken.wake)
    waiting = asyncio.ensure_future(lobbies.new_lobby_page(SNAPSHOT, CONTEXT))
    await asyncio.to_thread(stuck.asked.wait, 20)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    stuck.may_go.set()
    await asyncio.wait_for(woken.some.wait(), 5)
    assert woken == [SNAPSHOT.info.id]


@pytest.mark.parametrize("draw", DRAWN)
async def test_a_lobby_whose_picture_fails_is_in_words(draw: Draw, caplog: pytest.LogCaptureFixture) -> None:
    page = await draw(LobbyDrawing(ManualTime(), PageCache(BrokenStudio(())), print), SNAPSHOT, CONTEXT)
    assert_in_words(page)
    (record,) = caplog.records
    assert "OSError" in record.getMessage()


def assert_in_words(page: Page) -> None:
    assert page == match_pages.lobby_page(SNAPSHOT, CONTEXT, has_picture=False)
    assert page.picture is None
    assert "## Wizard" in page_text(page)
