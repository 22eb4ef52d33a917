"""Wizard in the page: a whole match, every seat played there, on the real bot; large bids and hands."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.page.inn import MOVES, Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result, shown

DEAL = "0123456789abcdef0123456789abcdef"


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: Inn) -> None:
    await desk.seat("/wizard new rounds:2", "Ada", "Bela", "Emil")
    await desk.to_games("Emil")
    await expect(desk.saying("I cannot send you direct messages")).to_be_visible()
    await desk.be("Ada")
    moves = await play_out(desk, Player(desk, 1), Typed("wizard play", "card", " a card: "))
    assert 6 + 9 <= moves <= 6 + 9 + 2  # bids, cards, and a trump named here and there
    record = await read_result(desk, "Ada", said="round 2: ", picture="score sheet of 2 rounds")
    assert len(re.findall(r"(?m)^\d+ [A-C] (?:bid|play|trump) \w+$", record)) == moves
    await play_again(desk, "Ada", "Bela", said="1 player; 2 more")


async def test_large_bids_and_large_hands_are_chosen_from_a_list(desk: Inn) -> None:
    await desk.seat("/wizard new rounds:15", "Ada", "Bela", "Chidi")
    await desk.ahead(DEAL, lambda look: look.view(None).round == 15 and look.view(None).phase == "bid")
    await desk.to_hand(desk.due()[0])
    await desk.press("⋯")
    await desk.press("Hint")
    await expect(desk.saying("Hint: bid ")).to_contain_text("“Bid ")
    await desk.press("Back to the hand")
    for turn in range(3):
        table, (name,) = shown(desk), desk.due()
        await desk.to_hand(name)
        await desk.newest(MOVES).wait_for()
        if turn:
            await desk.move(which=turn)
        else:
            await desk.make(desk.newest(MOVES).locator('[data-custom-id^="s:"]'), option=15)
        await desk.turned(table)
        assert re.search(f"{name}: (bid|took 0 of) {turn or 15}, ", " ".join(shown(desk).alt_texts))
    for turn in range(3):
        table, (name,) = shown(desk), desk.due()
        await desk.to_hand(name)
        select = desk.newest(MOVES).locator('[data-custom-id^="s:"]')
        if turn:
            await desk.move()
        else:
            await select.click()
            assert await desk.page.get_by_role("option").count() > 10
            await desk.page.keyboard.press("Escape")
            await desk.make(select, option=3)
        await desk.turned(table)
    assert "takes it" in shown(desk).text
