"""Jesters in the page: a whole match with every seat played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.page_driver import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, play_again, play_out, read_result

LEARN = TypedMove("jesters learn", "card", "Learn dice")
DEAL = f"{4:032x}"  # a fixed deal, because a random match may be short


async def test_a_match_is_played_to_the_record(desktop: PageDriver) -> None:
    await desktop.seat_people("/jesters new", "Ada", "Emil")
    await desktop.skip_ahead(DEAL, lambda snapshot: True)  # no move is made ahead
    player = RandomPlayer(desktop, 1)
    moves = await play_out(desktop, player, LEARN, started=True)
    assert player.used >= {"m", "f"}  # buttons, and choices in steps
    record = await read_result(desktop, "Ada", picture="final scoring")
    assert len(re.findall(r"(?m)^\d+ [AB] \w+", record)) == moves
    await play_again(desktop, "Ada", text="One more needed")
