"""Whole matches of Wizard from the lobby to the final score."""

from __future__ import annotations

from tests.end_to_end.players import (
    find_lobby,
    join_lobby,
    load_snapshot,
    open_lobby,
)
from tests.end_to_end.world import NAMES, SimulatedServer, reply_text


async def test_a_seventh_person_finds_no_place(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, *NAMES[1:6])
    answer = await inn.press_button("Greta", await find_lobby(inn, match), "Join")
    assert "All 6 seats are taken" in reply_text(answer)
    assert len((await load_snapshot(inn, match)).info.seats) == 6
