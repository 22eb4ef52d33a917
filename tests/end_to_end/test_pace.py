"""The next player sees it at once; the others' hands follow in their own time, and nothing is sent twice."""

from __future__ import annotations

from cogs.table.surfaces.hand_pacing import QUIET_SECONDS
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer


async def start_paced(w: SimulatedServer, rounds: int) -> str:
    """A match whose hands take their time, and are all right."""
    match = await w.seat_and_start(rounds=rounds)
    w.hand_clock.is_paced = True
    await assert_right_soon(w, match)
    return match


async def assert_right_soon(w: SimulatedServer, match: str) -> None:
    """After the pause that hands may take all of them are right."""
    await w.env.advance_time(QUIET_SECONDS)
    assert await w.stale_seats(match) == set()


async def test_the_one_who_is_due_next_sees_it_at_once_and_the_rest_soon(server: SimulatedServer) -> None:
    match = await start_paced(server, rounds=3)
    (seat,) = (await server.load_snapshot(match)).due_seats()
    await server[THREE[seat]].slash(server.table, "wizard bid", tricks=0, match=match)
    assert await server.move_count(match) == 1
    assert seat not in await server.stale_seats(match)  # a hand that moved by command is redrawn at once
    await assert_right_soon(server, match)
    for _ in range(5):
        mover = await server.make_move(match)
        late = await server.stale_seats(match)
        assert late <= {
            seat for seat, name in enumerate(THREE) if name not in (mover, await server.due_name_now(match))
        }
        await assert_right_soon(server, match)
    await server.make_move(match)
    assert await server.stale_seats(match)
    await server.restart()
    await assert_right_soon(server, match)


async def test_several_moves_are_one_edit_for_who_is_not_due(server: SimulatedServer) -> None:
    match = await start_paced(server, rounds=3)
    await server.play_on(match, "bid", 1)
    await server.env.advance_time(QUIET_SECONDS)
    movers, before = [], len(server.sent_requests())
    for _ in range(3):
        movers.append(await server.make_move(match))
        await server.env.advance_time(0.5)
    await assert_right_soon(server, match)
    for name in THREE:
        path = f"/channels/{server[name].user.dm_channel.id}/messages/"
        edits = [each for method, each in server.sent_requests(before) if method == "PATCH" and each.startswith(path)]
        assert len(edits) <= 2, (name, movers)  # as the one who was due, and once with the rest


async def test_a_pause_and_the_end_of_one_are_shown_to_all_at_once(server: SimulatedServer) -> None:
    match = await start_paced(server, rounds=3)
    await server.make_move(match)
    await server.env.advance_time(QUIET_SECONDS)
    await server.leave_match(match, "Chidi")
    for name in ("Ada", "Bela"):
        assert "aused" in server.hand_text(name, match)
    await server.press_button("Greta", await server.find_table(match), "Take the empty seat")
    waited_for = await server.due_name_now(match)
    assert waited_for not in THREE or "aused" not in server.hand_text(waited_for, match)
    await assert_right_soon(server, match)


async def test_a_match_that_is_over_is_so_on_every_hand_and_is_let_go(server: SimulatedServer) -> None:
    match = await start_paced(server, rounds=1)
    await server.play_out(match)
    await server.env.advance_time(QUIET_SECONDS)
    for name in THREE:
        assert "win" in server.hand_text(name, match)
    reconciler, sync = server.bot.reconciler, server.bot.reconciler.surface_sync
    assert not server.bot.surfaces._matches._entries
    assert not any((sync.page_cache._moments, sync._answering, sync._skipped, sync.ephemeral_hands.hands))
    assert (
        not reconciler._stale_matches
        | reconciler.redraw_pass._urgent
        | reconciler._failed_urgent
        | reconciler._failed_deferred
    )
    assert not sync._offered_decisions | reconciler.hand_pacing._stale_hands


async def test_somebody_who_leads_again_is_not_sent_what_the_answer_showed(server: SimulatedServer) -> None:
    match = await start_paced(server, rounds=5)
    edit_count = 0
    while edit_count < 2:
        before = len(server.sent_requests())
        mover = await server.make_move(match)
        if await server.due_name_now(match) == mover:
            edit_count += 1
            path = f"/channels/{server[mover].user.dm_channel.id}/messages"
            assert [each for _, each in server.sent_requests(before) if each.startswith(path)] == []
        await server.env.advance_time(QUIET_SECONDS)
