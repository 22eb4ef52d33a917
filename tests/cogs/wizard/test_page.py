"""Wizard in the page: a whole match with every seat played there, on the real bot, and large bids and hands."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.page.inn import MOVE_SELECTOR, PageDriver
from tests.page.playing import RandomPlayer, TypedMove, current_table, play_again, play_out, read_result

DEAL = "0123456789abcdef0123456789abcdef"


async def test_a_match_is_played_from_the_lobby_to_the_record(desk: PageDriver) -> None:
    await desk.seat_people("/wizard new rounds:2", "Ada", "Bela", "Emil")
    await desk.go_to_games("Emil")
    await expect(desk.newest_saying("I cannot send you direct messages")).to_be_visible()
    await desk.play_as("Ada")
    moves = await play_out(desk, RandomPlayer(desk, 1), TypedMove("wizard play", "card", " a card: "))
    assert 6 + 9 <= moves <= 6 + 9 + 2  # bids, cards, and sometimes a named trump
    record = await read_result(desk, "Ada", said="round 2: ", picture="score sheet of 2 rounds")
    assert len(re.findall(r"(?m)^\d+ [A-C] (?:bid|play|trump) \w+$", record)) == moves
    await play_again(desk, "Ada", "Bela", said="1 player; 2 more")


async def test_large_bids_and_large_hands_are_chosen_from_a_list(desk: PageDriver) -> None:
    await desk.seat_people("/wizard new rounds:15", "Ada", "Bela", "Chidi")
    await desk.skip_ahead(DEAL, lambda look: look.view(None).round == 15 and look.view(None).phase == "bid")
    await desk.go_to_hand(desk.due_names()[0])
    await desk.press_button("⋯")
    await desk.press_button("Hint")
    await expect(desk.newest_saying("Hint: bid ")).to_contain_text("“Bid ")
    await desk.press_button("Back to the hand")
    for turn in range(3):
        table, (name,) = current_table(desk), desk.due_names()
        await desk.go_to_hand(name)
        await desk.newest_holding(MOVE_SELECTOR).wait_for()
        if turn:
            await desk.make_any_move(which=turn)
        else:
            await desk.use_control(desk.newest_holding(MOVE_SELECTOR).locator('[data-custom-id^="s:"]'), option=15)
        await desk.wait_table_changed(table)
        assert re.search(f"{name}: (bid|took 0 of) {turn or 15}, ", " ".join(current_table(desk).alt_texts))
    for turn in range(3):
        table, (name,) = current_table(desk), desk.due_names()
        await desk.go_to_hand(name)
        select = desk.newest_holding(MOVE_SELECTOR).locator('[data-custom-id^="s:"]')
        if turn:
            await desk.make_any_move()
        else:
            await select.click()
            assert await desk.page.get_by_role("option").count() > 10
            await desk.page.keyboard.press("Escape")
            await desk.use_control(select, option=3)
        await desk.wait_table_changed(table)
    assert "takes it" in current_table(desk).text
