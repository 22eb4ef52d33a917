"""What a click costs: no reading, one pass for what must be shown and one for the rest, and every page drawn once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from cogs.table.actions.context import ActionContext
from cogs.table.state import page_drawing, read_through_cache
from cogs.table.surfaces import redraw_pass, surface_sync
from engines.store.match_store import Status
from storage import Database, MatchStore
from tests.contract.helpers import STEP_HELPERS
from tests.end_to_end.simulated_server import NAMES, SimulatedServer
from tests.games import GAMES
from tests.playing import first_tap

MOVES = 8


class CountingScreen:
    def __init__(self, screen: Any, counts: Counter[str]) -> None:
        self._screen = screen
        self._counts = counts

    def __getattr__(self, name: str) -> Any:
        self._counts[name] += 1
        return getattr(self._screen, name)


def count_calls(w: SimulatedServer, game: str) -> Counter[str]:
    """From now on, how often something is read, gone through and drawn."""
    counts: Counter[str] = Counter()
    screens = w.bot.reconciler.surface_sync.screens
    w.patches.setitem(screens, game, CountingScreen(screens[game], counts))

    def count(owner: type, name: str, word: str) -> None:
        step = getattr(owner, name)

        async def counted(*args: Any, **options: Any) -> Any:
            counts[f"{word} {options['what']}" if "what" in options else word] += 1
            return await step(*args, **options)

        w.patch(owner, name, counted)

    count(Database, "read", "read")
    count(Database, "write", "write")
    count(redraw_pass.RedrawPass, "redraw_urgent", "must")
    count(redraw_pass.RedrawPass, "redraw_deferred", "rest")
    return counts


async def wait_stale_seats(w: SimulatedServer, match: str, wanted: set[int]) -> bool:
    """Whether just these are behind, soon and for a while."""
    for _ in range(200):
        await asyncio.sleep(0.01)
        if await w.stale_seats(match) == wanted:
            await asyncio.sleep(0.1)
            return await w.stale_seats(match) == wanted
    return False


async def play_counted(w: SimulatedServer, game: str, counts: Counter[str]) -> None:
    """Some moves of a match, each by a click on the hand, and what each of them may cost."""
    seats, rng = min(3, max(GAMES[game].seats)), random.Random(7)
    match = await w.open_lobby(game=game)
    await w.join_lobby(match, *NAMES[1:seats])
    await w.start_match(match)
    for number in range(MOVES):
        now = await w.load_snapshot(match)
        seat = rng.choice(now.due_seats())
        notation, decision = now.game.format_move(rng.choice(now.moves(seat))), now.decisions()[seat].number
        message, user = await w.find_surface(match, "hand", seat), now.info.seats[seat].user
        await w.env.settle()
        counts.clear()
        await w.forge_click(w.name_of(user), message, f"m:{match}:{decision}:{notation}")
        await w.env.settle()
        now = await w.load_snapshot(match)
        assert now.info.moves == number + 1
        if now.info.status is not Status.RUNNING:
            return
        assert not {what for what in counts if what.startswith("read")}, counts
        assert counts["must"] == 1 >= counts["rest"], counts  # where all are due next, nothing is left for later
        assert counts["hand"] == seats, counts
        assert counts["table"] == 1, counts
        assert await w.stale_seats(match) == set()


@pytest.mark.parametrize("game", GAMES)
async def test_a_click_reads_nothing_and_draws_every_page_once(server: SimulatedServer, game: str) -> None:
    await play_counted(server, game, count_calls(server, game))


async def tap_counted(w: SimulatedServer, game: str, counts: Counter[str]) -> None:
    """The first taps on the way to moves that take several, and what each of them may cost."""
    seats, rng, tapped = min(GAMES[game].seats), random.Random(7), 0
    match = await w.open_lobby(game=game)
    await w.join_lobby(match, *NAMES[1:seats])
    await w.start_match(match)
    for _ in range(3 * MOVES):
        now = await w.load_snapshot(match)
        if now.info.status is not Status.RUNNING:
            break
        seat = rng.choice(now.due_seats())
        message, name = await w.find_surface(match, "hand", seat), w.name_of(now.info.seats[seat].user)
        for move in rng.sample(now.moves(seat), min(MOVES, len(now.moves(seat)))):
            tap = first_tap(now, seat, now.game.format_move(move))
            if tap is None:
                continue
            await w.env.settle()
            counts.clear()
            await w.forge_click(name, message, *tap)
            await w.env.settle()
            tapped += 1
            assert not {what for what in counts if what.startswith(("read", "write"))}, counts
            assert not counts["hand"], counts
        notation = now.game.format_move(rng.choice(now.moves(seat)))
        await w.forge_click(name, message, f"m:{match}:{now.decisions()[seat].number}:{notation}")
    assert tapped


@pytest.mark.parametrize("game", STEP_HELPERS)
async def test_a_tap_on_the_way_to_a_move_reads_writes_and_works_out_nothing(
    server: SimulatedServer, game: str
) -> None:
    await tap_counted(server, game, count_calls(server, game))


def forget_shown(w: SimulatedServer) -> None:
    get = read_through_cache.ReadThroughCache.get

    async def read_again(self: read_through_cache.ReadThroughCache[Any, Any], key: Any) -> Any:
        self.forget(key)
        return await get(self, key)

    w.patch(read_through_cache.ReadThroughCache, "get", read_again)


def forget_drawn(w: SimulatedServer) -> None:
    w.patch(page_drawing.PageCache, "_moment_pages", lambda self, look: page_drawing.MomentPages(replace(look)))


def recheck_after_answers(w: SimulatedServer) -> None:
    hold_surface = surface_sync.SurfaceSync.hold_surface

    @asynccontextmanager
    async def again(self: surface_sync.SurfaceSync, match: str, *what: Any) -> AsyncIterator[None]:
        async with hold_surface(self, match, *what):
            yield
        await asyncio.sleep(0.01)
        self._loop.wake(match)

    w.patch(surface_sync.SurfaceSync, "hold_surface", again)


def ask_store(w: SimulatedServer) -> None:
    w.patch(MatchStore, "is_shared", True)


def wake_scheduler(w: SimulatedServer) -> None:
    active = ActionContext.note_activity

    async def woken(self: ActionContext, *args: Any) -> None:
        await active(self, *args)
        self.matches.editor.on_due(0)

    w.patch(ActionContext, "note_activity", woken)


@pytest.mark.parametrize("broken", [forget_shown, forget_drawn, recheck_after_answers, ask_store, wake_scheduler])
async def test_a_higher_cost_is_noticed(server: SimulatedServer, broken: Callable[[SimulatedServer], None]) -> None:
    broken(server)
    if broken not in (ask_store, wake_scheduler):
        with pytest.raises(AssertionError, match="Counter"):
            await play_counted(server, "wizard", count_calls(server, "wizard"))
    if broken not in (forget_shown, recheck_after_answers):
        game = next(iter(STEP_HELPERS))
        with pytest.raises(AssertionError, match="Counter"):
            await tap_counted(server, game, count_calls(server, game))


async def test_surfaces_that_were_left_to_answers_are_shown_after_them(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    reconciler, before = server.bot.reconciler, await server.load_snapshot(match)
    mover, other = before.due_seats()[0], next(seat for seat in range(3) if seat not in before.due_seats())
    async with reconciler.surface_sync.hold_surface(match, "hand", other):
        async with reconciler.surface_sync.hold_surface(match, "hand", mover):
            notation = before.game.format_move(before.moves(mover)[0])
            now = await server.bot.matches.moves.play_move(match, before.info.seats[mover].user, None, notation)
            assert await wait_stale_seats(server, match, {mover, other})
        assert await wait_stale_seats(server, match, {other})
    assert await wait_stale_seats(server, match, set())
    assert (await server.load_snapshot(match)).info == now


async def test_an_answer_that_fails_leaves_its_message_to_the_reconciler(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    before = await server.bot.surfaces.find_surface(match, "hand", 0)
    assert before is not None

    async def fail() -> None:
        async with server.bot.reconciler.surface_sync.hold_surface(match, "hand", 0):
            await server.bot.reconciler.note_surface(replace(before, digest="what it would have shown"))
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    assert await wait_stale_seats(server, match, set())
