"""Nothing that is hidden in a match reaches anybody else, in whatever form; nor the log."""

from __future__ import annotations

from typing import Any

import pytest

from engines.hosting.match import RequestRefused
from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    due_name,
    find_table,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    play_out,
    random_chooser,
    seat_and_start,
)
from tests.end_to_end.secrets import find_leaks
from tests.end_to_end.world import SeenMessage, SimulatedServer, client_text, reply_text

FOUR = ("Ada", "Bela", "Chidi", "Dora")


async def find_leaks_since(w: SimulatedServer, match: str, since: int) -> list[str]:
    """What has been given away by the messages that were seen from that one on, and by those for one person alone."""
    now = await load_snapshot(w, match)
    return [leak for seen in (*w.seen_messages[since:], *w.ephemeral_messages()) for leak in _leaks_in(w, now, seen)]


def _leaks_in(w: SimulatedServer, now: Any, seen: SeenMessage) -> list[str]:
    reader = now.info.seat_of(seen.viewer) if seen.viewer is not None else None
    text = "\n".join(
        [client_text(seen.message), *(each.decode(errors="replace") for each in w.file_bytes(seen.message))]
    )
    return find_leaks(now, text, reader)


async def test_the_record_is_there_at_the_end_and_never_before(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    while (await load_snapshot(inn, match)).info.status is Status.RUNNING:
        for seen in inn.seen_messages:
            assert not [each for each in seen.message["attachments"] if each["filename"].endswith(".txt")]
        with pytest.raises(RequestRefused):
            await inn.bot.matches.build_record(match)
        await make_move(inn, match)
    final = await find_table(inn, match)
    (paper,) = [each for each in final["attachments"] if each["filename"].endswith(".txt")]
    assert paper["filename"] == f"wizard-{match}.txt"
    record = b"\n".join(inn.file_bytes(final)).decode(errors="replace")
    assert inn.seed is not None
    assert inn.seed in record  # so that anybody can check the deal
    assert "bid" in record


async def test_the_seed_of_a_running_match_is_nowhere(inn: SimulatedServer, caplog: pytest.LogCaptureFixture) -> None:
    assert inn.seed is not None
    match = await seat_and_start(inn, rounds=1)
    while (await load_snapshot(inn, match)).info.status is Status.RUNNING:
        for command, options in (("admin show", {"match": match}), ("admin matches", {}), ("motley matches", {})):
            await inn["Ada"].slash(inn.table, command, **options)
        said = [client_text(seen.message) for seen in (*inn.seen_messages, *inn.ephemeral_messages())]
        said += [each.decode(errors="replace") for seen in inn.seen_messages for each in inn.file_bytes(seen.message)]
        assert not [text for text in (*said, caplog.text) if inn.seed in text]
        await make_move(inn, match)


@pytest.mark.parametrize("ending", ["reset", "vote"])
async def test_a_match_without_a_result_gives_no_record(inn: SimulatedServer, ending: str) -> None:
    match = await seat_and_start(inn, rounds=1)
    if ending == "reset":
        asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
        assert asked.response is not None
        await inn["Ada"].click(asked.response, label="Reset the match")
    else:
        for name in THREE[:2]:
            await inn[name].slash(inn.thread, "motley stop")
    for seen in inn.seen_messages:
        assert not [each for each in seen.message["attachments"] if each["filename"].endswith(".txt")]
    assert await find_leaks_since(inn, match, 0) == []


async def test_autocomplete_offers_ones_own_cards_alone(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    while (await load_snapshot(inn, match)).state.phase != "play":
        await make_move(inn, match)
    name = await due_name(inn, match)
    for other in (*THREE, "Greta"):
        offered = await inn[other].autocomplete(inn.thread, "wizard play", "card", "", match=match)
        assert bool(offered) is (other == name)


async def test_whoever_left_learns_nothing_more(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, FOUR, rounds=2)
    await leave_match(inn, match, "Bela")
    since = len(inn.seen_messages)
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    await play_out(inn, match, random_chooser(5))
    assert [seen for seen in inn.seen_messages[since:] if seen.viewer == inn["Bela"].id] == []


async def test_a_lobby_and_its_match_are_told_apart_from_another_one(inn: SimulatedServer) -> None:
    first = await seat_and_start(inn, rounds=1)
    second = await open_lobby(inn, "Dora")
    answer = reply_text(await inn["Dora"].slash(inn.table, "wizard hand", match=first))
    assert "not sitting at this table" in answer
    assert second not in answer
