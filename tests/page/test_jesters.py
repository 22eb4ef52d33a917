"""Jesters in the page: the last round of a match, every seat played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.inn import Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result

LEARN = Typed("jesters learn", "card", "Your turn: learn", certain=False)
DEAL = f"{4:032x}"  # far from failing out


async def test_a_match_is_played_to_the_record(inn: Inn) -> None:
    await inn.seat("/jesters new", "Ada", "Emil")
    await inn.ahead(DEAL, lambda look: look.info.moves == 60)
    player = Player(inn, 1)
    moves = await play_out(inn, player, LEARN, started=True)
    record = await read_result(inn, "Ada", said=", the end.", picture="final scoring")
    assert len(re.findall(r"(?m)^\d+ [12] \w+", record)) >= 60 + moves
    await play_again(inn, "Ada", said="1 of 2–")
