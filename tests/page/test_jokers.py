"""Jokers in the page: a whole match, both seats played there, on the real bot."""

from __future__ import annotations

import re

from tests.page.inn import Inn
from tests.page.playing import Player, Typed, play_again, play_out, read_result

TRADE = Typed("jokers trade", "cards", "Your turn: trade")


async def test_a_match_is_played_from_the_lobby_to_the_record(inn: Inn) -> None:
    await inn.seat("/jokers new rounds:1", "Ada", "Emil")
    await inn.be("Ada")
    player = Player(inn, 1)
    moves = await play_out(inn, player, TRADE)
    record = await read_result(inn, "Ada", said="Round 1 of 1, the end.", picture="score sheet of 1 round")
    assert len(re.findall(r"(?m)^\d+ [12] .+$", record)) == moves
    await play_again(inn, "Ada", said="1 of 2 players")
