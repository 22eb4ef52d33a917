"""Whole matches in the page, every seat played there, on the real bot."""

from __future__ import annotations

import re

from playwright.async_api import expect

from playground.client import SeenMessage
from tests.page.inn import MOVES, Inn

DEAL = "0123456789abcdef0123456789abcdef"


def shown(inn: Inn) -> SeenMessage:
    """The table, which must be there."""
    table = inn.table()
    assert table is not None
    return table


async def to_moves(inn: Inn, name: str) -> None:
    """To where somebody plays: direct messages, or for Emil, whose are closed, the table."""
    if name == "Emil":
        await inn.to_table(name)
        await inn.show_hand()
    else:
        await inn.to_hand(name)
    await inn.newest(MOVES).wait_for()


async def by_suggestion(inn: Inn) -> None:
    """Play a card by `/wizard play` and the first card that it offers."""
    old = await (await inn.control()).get_attribute("data-custom-id")
    composer = inn.page.get_by_test_id("composer")
    await composer.fill("/wizard pl")
    await inn.page.get_by_test_id("command-wizard-play").click()
    await inn.page.get_by_test_id("choice-0").click()
    await expect(inn.page.get_by_test_id("command-option-card")).not_to_have_value("")
    await inn.page.get_by_test_id("command-send").click()
    await expect(composer).to_be_visible()
    await expect(inn.page.locator(f'[data-custom-id="{old}"]')).to_have_count(0)
    await expect(inn.page.get_by_test_id("ephemeral-note").last).to_be_visible()


async def over_a_restart(inn: Inn) -> None:
    """Restart the bot by the page's own switch, and use a button that was there before."""
    button = await inn.control()
    await inn.page.get_by_test_id("faults-toggle").click()
    await inn.page.get_by_test_id("fault-restart_bot").click()
    banner = inn.page.get_by_test_id("banner")
    await expect(banner).to_have_text(re.compile("restarting|offline"))
    await expect(banner).to_have_text("Motley is back.")
    await inn.page.get_by_test_id("faults-toggle").click()
    await inn.make(button)


async def over_a_reload(inn: Inn) -> None:
    """Load the page anew in the middle of a match: same person, same place, same hand."""
    before = await inn.newest(MOVES).inner_text()
    await inn.page.reload()
    await inn.ready()
    await expect(inn.newest(MOVES)).to_be_visible()
    assert await inn.newest(MOVES).inner_text() == before
    await inn.move()


async def watched(inn: Inn) -> None:
    """Somebody who does not play sees the table, and is told kindly that there is no hand to show."""
    await inn.to_table("Greta")
    await inn.loaded()
    await expect(inn.messages().filter(has_text="Your hand")).to_have_count(0)
    await inn.show_hand()
    told = inn.messages().filter(has=inn.page.get_by_test_id("ephemeral-note"))
    await expect(told).to_have_count(1)
    await expect(told).to_contain_text("You are not sitting at this table")
    await expect(told).to_contain_text("watch")


async def test_a_match_is_played_from_the_lobby_to_the_record(inn: Inn) -> None:
    await inn.seat("Ada", "Bela", "Emil", rounds=2)
    await inn.to_games("Emil")
    await expect(inn.saying("I cannot send you direct messages")).to_be_visible()
    await inn.be("Ada")
    await inn.press("Start")
    await inn.visitor.until(inn.due, "the table")
    done, moves = set(), 0
    while name := inn.due():
        table, playing = shown(inn), " a card: " in await _todo(inn, name)
        if moves == 4:
            await over_a_restart(inn)
        elif name == "Bela" and "reloaded" not in done and moves > 4:
            done.add("reloaded")
            await over_a_reload(inn)
        elif name == "Ada" and playing and "typed" not in done:
            done.add("typed")
            await by_suggestion(inn)
        else:
            await inn.move(which=moves % 3)
        await inn.turned(table)
        moves += 1
        if moves == 8:
            await watched(inn)
    assert done == {"reloaded", "typed"}
    assert 6 + 9 <= moves <= 6 + 9 + 2  # bids, cards, and a trump named here and there

    await inn.to_table("Ada")
    result = inn.messages().filter(has_text=re.compile(r"wins? with|share the win")).first
    await expect(result).to_contain_text("Round 2 of 2, the end.")
    assert any("score sheet of 2 rounds" in alt for alt in await inn.loaded())
    file = result.locator('[data-testid^="file-wizard-"]')
    async with inn.page.expect_download() as downloading:
        await file.click()
    record = (await (await downloading.value).path()).read_text()
    assert "seed: " in record
    assert len(re.findall(r"(?m)^\d+ [1-3] (?:bid|play|trump) \w+$", record)) == moves
    await inn.press("Play again")
    await inn.to_games("Ada")
    await expect(inn.newest('[data-custom-id$=":join"]')).to_contain_text("1 of 3–6 players")
    await expect(inn.page.get_by_test_id("people-chip-Bela")).to_have_attribute("data-calls", re.compile("[1-9]"))
    await expect(inn.page.locator(".chip[data-due]")).to_have_count(0)  # invited, but not to move


async def _todo(inn: Inn, name: str) -> str:
    """Go to a hand, look at its pictures, and read it."""
    await to_moves(inn, name)
    alts = await inn.loaded()
    assert alts
    assert all(len(alt) > 10 for alt in alts)
    return await inn.newest(MOVES).inner_text()


async def test_large_bids_and_large_hands_are_chosen_from_a_list(inn: Inn) -> None:
    await inn.seat("Ada", "Bela", "Chidi", rounds=13)
    await inn.ahead(DEAL, lambda look: look.view(None).round == 13 and look.view(None).phase == "bid")
    for turn in range(3):
        table, name = shown(inn), inn.due()
        await inn.to_hand(name)
        await inn.newest(MOVES).wait_for()
        if turn:
            await inn.move(which=turn)
        else:
            await inn.make(inn.newest(MOVES).locator('[data-custom-id^="s:"]'), option=13)
        await inn.turned(table)
        assert f"{name}**: bid {turn or 13}" in shown(inn).text
    for turn in range(3):
        table, name = shown(inn), inn.due()
        await inn.to_hand(name)
        select = inn.newest(MOVES).locator('[data-custom-id^="s:"]')
        if turn:
            await inn.move()
        else:
            await select.click()
            assert await inn.page.get_by_role("option").count() > 10
            await inn.page.keyboard.press("Escape")
            await inn.make(select, option=3)
        await inn.turned(table)
    assert "Trick 2 of 13" in shown(inn).text
