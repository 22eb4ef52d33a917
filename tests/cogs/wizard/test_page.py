"""Wizard in the page: a whole match with every seat played there, on the real bot."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.page.page_driver import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, play_again, play_out, read_result


async def test_a_match_is_played_from_the_lobby_to_the_record(desktop: PageDriver) -> None:
    await desktop.seat_people("/wizard new rounds:2 autoplay:off", "Ada", "Bela", "Emil")
    await desktop.go_to_games("Emil")
    await expect(desktop.newest_saying("I cannot send you direct messages")).to_be_visible()
    await desktop.play_as("Ada")
    moves = await play_out(desktop, RandomPlayer(desktop, 1), TypedMove("wizard play", "card", " a card: "))
    assert 6 + 9 <= moves <= 6 + 9 + 2  # bids, cards, and sometimes a named trump
    record = await read_result(desktop, "Ada", picture="score sheet of 2 rounds")
    assert len(re.findall(r"(?m)^\d+ [A-C] (?:bid|play|trump) \w+$", record)) == moves
    await play_again(desktop, "Ada", "Bela", text="Two more needed")
