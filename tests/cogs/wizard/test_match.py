"""Whole matches of Wizard, from the lobby to the final score."""

from __future__ import annotations

from tests.end_to_end.players import (
    join,
    lobby,
    look,
    open_lobby,
)
from tests.end_to_end.world import NAMES, World, told


async def test_a_seventh_person_finds_no_place(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, *NAMES[1:6])
    answer = await inn.press("Greta", await lobby(inn, match), "Join")
    assert "All 6 places are taken" in told(answer)
    assert len((await look(inn, match)).info.seats) == 6
