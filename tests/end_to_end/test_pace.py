"""Whoever is due next sees it at once; the others' hands follow in their own time, and nothing is sent twice."""

from __future__ import annotations

from cogs.table.surfaces.hand_pacing import QUIET_SECONDS
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_table,
    leave_match,
    load_snapshot,
    make_move,
    play_on,
    play_out,
    seat_and_start,
    stale_seats,
)
from tests.end_to_end.world import SimulatedServer, message_text


async def start_paced(w: SimulatedServer, rounds: int) -> str:
    """A match whose hands take their time, and are all right."""
    match = await seat_and_start(w, rounds=rounds)
    w.is_paced = True
    await w.env.advance_time(QUIET_SECONDS)
    assert await stale_seats(w, match) == set()
    return match


async def test_the_one_who_is_due_next_sees_it_at_once_and_the_rest_soon(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=3)
    for _ in range(5):
        mover = await make_move(inn, match)
        late = await stale_seats(inn, match)
        assert late <= {seat for seat, name in enumerate(THREE) if name not in (mover, await due_name_now(inn, match))}
        await inn.env.advance_time(QUIET_SECONDS)
        assert await stale_seats(inn, match) == set()


async def test_several_moves_are_one_edit_for_who_is_not_due(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=3)
    await play_on(inn, match, "bid", 1)
    await inn.env.advance_time(QUIET_SECONDS)
    movers, before = [], len(inn.sent_requests())
    for _ in range(3):
        movers.append(await make_move(inn, match))
        await inn.env.advance_time(0.5)
    await inn.env.advance_time(QUIET_SECONDS)
    for name in THREE:
        path = f"/channels/{inn[name].user.dm_channel.id}/messages/"
        edits = [each for method, each in inn.sent_requests(before) if method == "PATCH" and each.startswith(path)]
        assert len(edits) <= 2, (name, movers)  # as the one who was due, and once with the rest
    assert await stale_seats(inn, match) == set()


async def test_what_was_to_follow_is_shown_after_a_restart(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=3)
    await make_move(inn, match)
    assert await stale_seats(inn, match)
    await inn.restart()
    await inn.env.advance_time(QUIET_SECONDS)
    assert await stale_seats(inn, match) == set()


async def test_a_pause_and_the_end_of_one_are_shown_to_all_at_once(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=3)
    await make_move(inn, match)
    await inn.env.advance_time(QUIET_SECONDS)
    await leave_match(inn, match, "Chidi")
    for name in ("Ada", "Bela"):
        assert "aused" in message_text(find_hand(inn, name, match))
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    waited_for = await due_name_now(inn, match)
    if waited_for in THREE:
        assert "aused" not in message_text(find_hand(inn, waited_for, match))
    await inn.env.advance_time(QUIET_SECONDS)
    assert await stale_seats(inn, match) == set()


async def test_a_match_that_is_over_is_so_on_every_hand_and_is_let_go(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=1)
    await play_out(inn, match)
    await inn.env.advance_time(QUIET_SECONDS)
    for name in THREE:
        assert "win" in message_text(find_hand(inn, name, match))
    assert not inn.bot.reconciler.surface_sync.page_cache._moments
    assert not inn.bot.reconciler._pace._stale_hands


async def test_who_leads_again_is_not_sent_what_the_answer_showed(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=5)
    again = 0
    while again < 2:
        before = len(inn.sent_requests())
        mover = await make_move(inn, match)
        if await due_name_now(inn, match) == mover:
            again += 1
            path = f"/channels/{inn[mover].user.dm_channel.id}/messages"
            assert [each for _, each in inn.sent_requests(before) if each.startswith(path)] == []
        await inn.env.advance_time(QUIET_SECONDS)


async def test_a_hand_that_moved_by_command_is_redrawn_at_once(inn: SimulatedServer) -> None:
    match = await start_paced(inn, rounds=3)
    now = await load_snapshot(inn, match)
    (seat,) = now.due_seats()
    await inn[THREE[seat]].slash(inn.table, "wizard bid", tricks=0, match=match)
    assert (await load_snapshot(inn, match)).info.moves == now.info.moves + 1
    assert seat not in await stale_seats(inn, match)
