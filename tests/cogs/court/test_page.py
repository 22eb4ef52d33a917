"""Jester's Court in the page: a short match with every seat played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.page_driver import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, play_again, play_out, read_result

DISCARD = TypedMove("court move", "move", "Hinder the others")


async def test_a_match_is_played_from_the_lobby_to_the_record(desktop: PageDriver) -> None:
    await desktop.seat_people("/court new turns:5", "Ada", "Bela", "Emil")
    player = RandomPlayer(desktop, 1)
    await play_out(desktop, player, DISCARD)
    assert player.used >= {"m", "n"}  # moves, and cards that lead to them
    record = await read_result(desktop, "Ada", picture="Turn 5 of 5")
    assert len(re.findall(r"(?m)^\d+ [A-C] (?:place|move|skip) ?", record)) >= 3 + 5
    await play_again(desktop, "Ada", "Bela", text="One more needed")
