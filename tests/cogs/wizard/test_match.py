"""Whole matches of Wizard, from the lobby to the final score."""

from __future__ import annotations

import pytest

from engines.store import Status
from tests.end_to_end.players import (
    at_random,
    hand,
    join,
    lobby,
    look,
    open_lobby,
    play_out,
    seat_and_start,
    start,
    table,
)
from tests.end_to_end.world import NAMES, World, labels, move_buttons, told, words


@pytest.mark.painted
async def test_three_people_play_from_lobby_to_final_score(inn: World) -> None:
    match = await open_lobby(inn, "Ada", rounds=2)
    await join(inn, match, "Bela", "Chidi")
    assert "3 of 3–6 players" in words(await lobby(inn, match))
    await start(inn, match)
    assert "Show my hand" in labels(await table(inn, match))

    moves = await play_out(inn, match, at_random(1))

    end = await look(inn, match)
    assert end.info.status is Status.OVER
    assert moves == end.info.moves >= 2 * 3 + 3 + 6  # the bids and the cards; a trump may be named besides
    final = await table(inn, match)
    outcome = end.outcome()
    assert outcome is not None
    for seat, name in enumerate(("Ada", "Bela", "Chidi")):
        points = str(outcome.points[seat]).replace("-", "−")
        assert f"{name}: {points} point" in words(final)
    assert labels(final) == ["Play again"]
    assert final["attachments"][0]["filename"].endswith(".png")
    assert all(move_buttons(hand(inn, name, match)) == [] for name in ("Ada", "Bela", "Chidi"))
    assert "the match is over" in words(await lobby(inn, match))


async def test_six_people_play_from_lobby_to_final_score(inn: World) -> None:
    match = await seat_and_start(inn, NAMES[:6], rounds=2)
    await play_out(inn, match, at_random(2))
    assert (await look(inn, match)).info.status is Status.OVER
    final = words(await table(inn, match))
    assert all(name in final for name in NAMES[:6])


async def test_a_seventh_person_finds_no_place(inn: World) -> None:
    match = await open_lobby(inn)
    await join(inn, match, *NAMES[1:6])
    answer = await inn.press("Greta", await lobby(inn, match), "Join")
    assert "All 6 places are taken" in told(answer)
    assert len((await look(inn, match)).info.seats) == 6
