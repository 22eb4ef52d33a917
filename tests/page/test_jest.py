"""Jest in the page: whole matches, every seat played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.inn import Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result

OFFER = Typed("jest offer", "card", "Offer: ")


async def test_a_match_of_three_is_played_from_the_lobby_to_the_record(inn: Inn) -> None:
    await inn.seat("/jest new", "Ada", "Bela", "Emil")
    await inn.be("Ada")
    moves = await play_out(inn, Player(inn, 1), OFFER)
    record = await read_result(inn, "Ada", said="the end.", picture="worked out")
    assert len(re.findall(r"(?m)^\d+ [1-3] (?:offer|take) .+$", record)) >= moves
    await play_again(inn, "Ada", "Bela", said="1 of 3–4 players")
