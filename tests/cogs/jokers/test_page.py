"""Jokers in the page: a whole match with both seats played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.page_driver import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, play_again, play_out, read_result

TRADE = TypedMove("jokers trade", "cards", "Trade")


async def test_a_match_is_played_from_the_lobby_to_the_record(desktop: PageDriver) -> None:
    await desktop.seat_people("/jokers new rounds:1", "Ada", "Emil")
    player = RandomPlayer(desktop, 1)
    moves = await play_out(desktop, player, TRADE)
    assert player.used >= {"s", "o", "m"}
    record = await read_result(desktop, "Ada", picture="score sheet of 1 round")
    assert len(re.findall(r"(?m)^\d+ [AB] .+$", record)) == moves
    await play_again(desktop, "Ada", text="One more needed")
