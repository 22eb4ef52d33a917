"""Jest in the page: whole matches with every seat played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.page_driver import PageDriver
from tests.page.playing import RandomPlayer, TypedMove, play_again, play_out, read_result

OFFER = TypedMove("jest offer", "card", "Which card do you lay face down")


async def test_a_match_is_played_from_the_lobby_to_the_record(desktop: PageDriver) -> None:
    seats = 4
    await desktop.seat_people("/jest new", "Ada", "Bela", "Emil", "Chidi")
    await play_out(desktop, RandomPlayer(desktop, seats - 1), OFFER)
    record = await read_result(desktop, "Ada", picture="The value of every Jest")
    moves = re.findall(r"(?m)^\d+ [A-D] (offer|take) .+$", record)
    assert moves.count("take") == 3 * seats
    assert moves.count("offer") >= moves.count("take")  # some are changed
    await play_again(desktop, "Ada", "Bela", text="Two more needed")
