"""Jesters in the page: a whole match with every seat played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.page_driver import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, play_again, play_out, read_result

LEARN = TypedMove("jesters learn", "card", "Learn dice")
DEAL = f"{4:032x}"  # a fixed deal, because a random match may be short


async def test_a_match_is_played_to_the_record(desk: PageDriver) -> None:
    await desk.seat_people("/jesters new", "Ada", "Emil")
    await desk.skip_ahead(DEAL, lambda look: True)  # no move is made ahead
    player = RandomPlayer(desk, 1)
    moves = await play_out(desk, player, LEARN, started=True)
    assert player.used >= {"m", "f"}  # buttons, and choices in steps
    record = await read_result(desk, "Ada", picture="final scoring")
    assert len(re.findall(r"(?m)^\d+ [AB] \w+", record)) == moves
    await play_again(desk, "Ada", said="1 player; 1 more")
