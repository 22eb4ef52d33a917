"""Nothing that is hidden in a match reaches anybody else, in whatever form; nor the log."""

from __future__ import annotations

from typing import Any

import pytest

from engines.hosting.match import Refused
from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    at_random,
    due,
    leave,
    look,
    move,
    open_lobby,
    play_out,
    seat_and_start,
    table,
)
from tests.end_to_end.secrets import tells
from tests.end_to_end.world import Seen, World, everything, told

FOUR = ("Ada", "Bela", "Chidi", "Dora")


async def leaks(w: World, match: str, since: int) -> list[str]:
    """What has been given away by the messages that were seen from that one on, and by those for one person alone."""
    now = await look(w, match)
    return [leak for seen in (*w.seen[since:], *w.ephemerals()) for leak in _told_by(w, now, seen)]


def _told_by(w: World, now: Any, seen: Seen) -> list[str]:
    reader = now.info.seat_of(seen.by) if seen.by is not None else None
    text = "\n".join([everything(seen.message), *(each.decode(errors="replace") for each in w.bytes_of(seen.message))])
    return tells(now, text, reader)


async def test_the_record_is_there_at_the_end_and_never_before(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    while (await look(inn, match)).info.status is Status.RUNNING:
        for seen in inn.seen:
            assert not [each for each in seen.message["attachments"] if each["filename"].endswith(".txt")]
        with pytest.raises(Refused):
            await inn.bot.matches.record(match)
        await move(inn, match)
    final = await table(inn, match)
    (paper,) = [each for each in final["attachments"] if each["filename"].endswith(".txt")]
    assert paper["filename"] == f"wizard-{match}.txt"
    record = b"\n".join(inn.bytes_of(final)).decode(errors="replace")
    assert inn.seed is not None
    assert inn.seed in record  # so that anybody can check the deal
    assert "bid" in record


async def test_the_seed_of_a_running_match_is_nowhere(inn: World, caplog: pytest.LogCaptureFixture) -> None:
    assert inn.seed is not None
    match = await seat_and_start(inn, rounds=1)
    while (await look(inn, match)).info.status is Status.RUNNING:
        for command, options in (("admin show", {"match": match}), ("admin matches", {}), ("motley matches", {})):
            await inn["Ada"].slash(inn.table, command, **options)
        said = [everything(seen.message) for seen in (*inn.seen, *inn.ephemerals())]
        said += [each.decode(errors="replace") for seen in inn.seen for each in inn.bytes_of(seen.message)]
        assert not [text for text in (*said, caplog.text) if inn.seed in text]
        await move(inn, match)


@pytest.mark.parametrize("ending", ["reset", "vote"])
async def test_a_match_without_a_result_gives_no_record(inn: World, ending: str) -> None:
    match = await seat_and_start(inn, rounds=1)
    if ending == "reset":
        asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
        assert asked.response is not None
        await inn["Ada"].click(asked.response, label="Reset the match")
    else:
        for name in THREE[:2]:
            await inn[name].slash(inn.thread, "motley stop")
    for seen in inn.seen:
        assert not [each for each in seen.message["attachments"] if each["filename"].endswith(".txt")]
    assert await leaks(inn, match, 0) == []


async def test_autocomplete_offers_ones_own_cards_alone(inn: World) -> None:
    match = await seat_and_start(inn, rounds=3)
    while (await look(inn, match)).state.phase != "play":
        await move(inn, match)
    name = await due(inn, match)
    for other in (*THREE, "Greta"):
        offered = await inn[other].autocomplete(inn.thread, "wizard play", "card", "", match=match)
        assert bool(offered) is (other == name)


async def test_whoever_left_learns_nothing_more(inn: World) -> None:
    match = await seat_and_start(inn, FOUR, rounds=2)
    await leave(inn, match, "Bela")
    since = len(inn.seen)
    await inn.press("Greta", await table(inn, match), "Take the empty seat")
    await play_out(inn, match, at_random(5))
    assert [seen for seen in inn.seen[since:] if seen.by == inn["Bela"].id] == []


async def test_a_lobby_and_its_match_are_told_apart_from_another_one(inn: World) -> None:
    first = await seat_and_start(inn, rounds=1)
    second = await open_lobby(inn, "Dora")
    answer = told(await inn["Dora"].slash(inn.table, "wizard hand", match=first))
    assert "not sitting at this table" in answer
    assert second not in answer
