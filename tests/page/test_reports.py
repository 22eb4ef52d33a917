"""“Report a problem” in the middle of a match of every game: what is shown is what reaches the owner's log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from cogs.system_clock import SystemClock
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from storage import Database, MatchStore
from tests.page.page_driver import MOVE_SELECTOR, PageDriver
from tests.storage.sqlite.openings import query

SEED = f"{7:032x}"
MOVES = 11  # after which something is hidden in every game
PEOPLE = ("Ada", "Bela", "Chidi")
WORDS = "The *picture* shows another card.\nI expected to win."
PHONE_HEIGHT = 640
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("game", GAMES)
async def test_a_report_is_written_shown_and_sent(phone: PageDriver, game: str, tmp_path: Path) -> None:
    log = phone.bot.log = tmp_path / "bot.log"
    await phone.seat_people(f"/{game} new", *PEOPLE[: GAMES[game].seats[-1]])
    await phone.press_button("Start")
    await phone.visitor.wait_until(phone.due_names, "the table")
    await phone.skip_ahead(SEED, lambda snapshot: snapshot.info.moves >= MOVES)
    await phone.go_to_hand(phone.due_names()[0])
    await phone.newest_holding(MOVE_SELECTOR).get_by_role("button", name="More", exact=True).click()
    await phone.press_button("Report a problem")
    form = phone.page.get_by_test_id("modal")
    await expect(form).to_contain_text("Nothing is sent before you press Send.")
    await form.locator("textarea").fill(WORDS)
    await phone.page.get_by_test_id("modal-submit").click()
    draft = phone.newest_saying("Nothing is sent yet")
    await expect(draft).to_contain_text("Only you can see this")
    box = await draft.bounding_box()
    assert box is not None
    assert box["height"] <= PHONE_HEIGHT
    report = await load_file(phone, draft)
    assert "Report " not in read_log(log)
    await draft.get_by_role("button", name="Send", exact=True).click()
    await expect(phone.newest_saying("I have sent your report")).to_be_visible()
    logged = read_log(log)
    assert logged.count("Report ") == 1
    assert f":\n{report}" in logged
    await phone.bot.stop()
    await check_report(report, phone.bot.database)


async def load_file(driver: PageDriver, message: Locator) -> str:
    async with driver.page.expect_download() as downloading:
        await message.locator('[data-testid^="file-"]').click()
    return (await (await downloading.value).path()).read_text()


def read_log(log: Path) -> str:
    return COLOUR.sub("", log.read_text())


async def check_report(text: str, database: Path) -> None:
    """It has what everybody sees, and nothing else of the match: no seed, no event for some, no line of a hand."""
    async with Database.open(database, clock=SystemClock().now) as file:
        matches = Matches(MatchStore(file), GAMES, SystemClock().now, features=FEATURES)
        (info,) = await matches.lookup.find()
        snapshot = await matches.cache.get_snapshot(info.id)
    lines = {*text.splitlines()}
    assert {f"> {line}" for line in WORDS.splitlines()} <= lines
    public = view_lines(snapshot, None)
    assert public <= lines
    hidden = set().union(*(view_lines(snapshot, seat) for seat in range(len(info.seats)))) - public
    assert len(hidden) > len(info.seats), "nothing is hidden at that moment"
    assert not hidden & lines
    private = [match_event.event for match_event in snapshot.events if match_event.event.to is not None]
    dumped = [snapshot.game.events_adapter.dump_json([each], exclude={"__all__": {"to"}}).decode() for each in private]
    assert not [each for each in dumped if each[1:-1] in text]
    ((secret,),) = query(database, "SELECT secret FROM deals")
    for each in (str(secret), snapshot.state.chance.seed, *PEOPLE):
        assert each not in text


def view_lines(snapshot: MatchSnapshot, seat: int | None) -> set[str]:
    return {line.rstrip() for line in str(snapshot.view(seat)).splitlines()}
