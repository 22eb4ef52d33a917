"""Wizard in the page: a whole match, every seat played there, on the real bot; large bids and hands."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.page.inn import MOVES, Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result, shown

DEAL = "0123456789abcdef0123456789abcdef"


async def test_a_match_is_played_from_the_lobby_to_the_record(inn: Inn) -> None:
    await inn.seat("/wizard new rounds:2", "Ada", "Bela", "Emil")
    await inn.to_games("Emil")
    await expect(inn.saying("I cannot send you direct messages")).to_be_visible()
    await inn.be("Ada")
    moves = await play_out(inn, Player(inn, 1), Typed("wizard play", "card", " a card: "))
    assert 6 + 9 <= moves <= 6 + 9 + 2  # bids, cards, and a trump named here and there
    record = await read_result(inn, "Ada", said="Round 2 of 2, the end.", picture="score sheet of 2 rounds")
    assert len(re.findall(r"(?m)^\d+ [A-C] (?:bid|play|trump) \w+$", record)) == moves
    await play_again(inn, "Ada", "Bela", said="1 of 3–6 players")


async def test_large_bids_and_large_hands_are_chosen_from_a_list(inn: Inn) -> None:
    await inn.seat("/wizard new rounds:13", "Ada", "Bela", "Chidi")
    await inn.ahead(DEAL, lambda look: look.view(None).round == 13 and look.view(None).phase == "bid")
    for turn in range(3):
        table, (name,) = shown(inn), inn.due()
        await inn.to_hand(name)
        await inn.newest(MOVES).wait_for()
        if turn:
            await inn.move(which=turn)
        else:
            await inn.make(inn.newest(MOVES).locator('[data-custom-id^="s:"]'), option=13)
        await inn.turned(table)
        assert f"{name}**: bid {turn or 13}" in shown(inn).text
    for turn in range(3):
        table, (name,) = shown(inn), inn.due()
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
