"""What a click costs: no reading, one pass for what must be shown and one for the rest, and every page drawn once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from cogs.table.actions.table_actions import Desk
from cogs.table.pages import page_drawing
from cogs.table.state import read_through_cache
from cogs.table.surfaces import redraw_pass, surface_sync
from engines.store.match_store import Status
from storage import Database, MatchStore
from tests.contract.helpers import STEPS
from tests.end_to_end.players import behind, join, look, name_of, open_lobby, play_out, seat_and_start, start, surface
from tests.end_to_end.world import NAMES, World
from tests.games import GAMES
from tests.playing import first_tap

MOVES = 8


class Counted:
    """A screen that counts what it draws."""

    def __init__(self, screen: Any, counts: Counter[str]) -> None:
        self._screen = screen
        self._counts = counts

    def __getattr__(self, name: str) -> Any:
        self._counts[name] += 1
        return getattr(self._screen, name)


def count(w: World, game: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """From now on, how often something is read, gone through and drawn."""
    counts: Counter[str] = Counter()
    monkeypatch.setitem(w.bot.keeper.showing.screens, game, Counted(w.bot.keeper.showing.screens[game], counts))
    read, write = Database.read, Database.write
    must, rest = redraw_pass.Redraw.now, redraw_pass.Redraw.later

    async def counted_read(database: Database, work: Any, *, what: str) -> Any:
        counts[f"read {what}"] += 1
        return await read(database, work, what=what)

    async def counted_write(database: Database, work: Any, *, what: str, **options: Any) -> Any:
        counts[f"write {what}"] += 1
        return await write(database, work, what=what, **options)

    async def counted_must(self: redraw_pass.Redraw, match: str) -> list[Exception]:
        counts["must"] += 1
        return await must(self, match)

    async def counted_rest(self: redraw_pass.Redraw, match: str, seats: Collection[int]) -> list[Exception]:
        counts["rest"] += 1
        return await rest(self, match, seats)

    monkeypatch.setattr(Database, "read", counted_read)
    monkeypatch.setattr(Database, "write", counted_write)
    monkeypatch.setattr(redraw_pass.Redraw, "now", counted_must)
    monkeypatch.setattr(redraw_pass.Redraw, "later", counted_rest)
    return counts


async def settled(w: World, match: str, wanted: set[int]) -> bool:
    """Whether just these are behind, soon and for a while."""
    for _ in range(200):
        await asyncio.sleep(0.01)
        if await behind(w, match) == wanted:
            await asyncio.sleep(0.1)
            return await behind(w, match) == wanted
    return False


async def play_counted(w: World, game: str, counts: Counter[str]) -> None:
    """Some moves of a match, each by a click on the hand, and what each of them may cost."""
    seats, rng = min(3, max(GAMES[game].seats)), random.Random(7)
    match = await open_lobby(w, game=game)
    await join(w, match, *NAMES[1:seats])
    await start(w, match)
    for number in range(MOVES):
        now = await look(w, match)
        seat = rng.choice(now.due())
        notation, decision = now.game.write(rng.choice(now.moves(seat))), now.decisions()[seat].number
        message, user = await surface(w, match, "hand", seat), now.info.seats[seat].user
        await w.env.settle()
        new = game not in (await w.bot.keeper.preferences(user)).met
        counts.clear()
        await w.forge(name_of(w, user), message, f"m:{match}:{decision}:{notation}")
        await w.env.settle()
        if new and game in (await w.bot.keeper.preferences(user)).met:
            assert counts.pop("read matches") == 1, "once a game: which other hands of theirs offered its rules"
        now = await look(w, match)
        assert now.info.moves == number + 1
        if now.info.status is not Status.RUNNING:
            return
        assert not {what for what in counts if what.startswith("read")}, counts
        assert counts["must"] == 1 >= counts["rest"], counts  # where all are due next, nothing is left for later
        assert counts["hand"] == seats, counts
        assert counts["table"] == 1, counts
        assert await behind(w, match) == set()


@pytest.mark.parametrize("game", GAMES)
async def test_a_click_reads_nothing_and_draws_every_page_once(
    inn: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_counted(inn, game, count(inn, game, monkeypatch))


async def tap_counted(w: World, game: str, counts: Counter[str]) -> None:
    """The first taps on the way to moves that take several, and what each of them may cost."""
    seats, rng, tapped = min(GAMES[game].seats), random.Random(7), 0
    match = await open_lobby(w, game=game)
    await join(w, match, *NAMES[1:seats])
    await start(w, match)
    for _ in range(3 * MOVES):
        now = await look(w, match)
        if now.info.status is not Status.RUNNING:
            break
        seat = rng.choice(now.due())
        message, name = await surface(w, match, "hand", seat), name_of(w, now.info.seats[seat].user)
        for move in rng.sample(now.moves(seat), min(MOVES, len(now.moves(seat)))):
            tap = first_tap(now, seat, now.game.write(move))
            if tap is None:
                continue
            await w.env.settle()
            counts.clear()
            await w.forge(name, message, *tap)
            await w.env.settle()
            tapped += 1
            assert not {what for what in counts if what.startswith(("read", "write"))}, counts
            assert not counts["hand"], counts
        made = now.game.write(rng.choice(now.moves(seat)))
        await w.forge(name, message, f"m:{match}:{now.decisions()[seat].number}:{made}")
    assert tapped


@pytest.mark.parametrize("game", STEPS)
async def test_a_tap_on_the_way_to_a_move_reads_and_writes_nothing_and_works_no_hand_out_anew(
    inn: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tap_counted(inn, game, count(inn, game, monkeypatch))


def forgetting_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    get = read_through_cache.Kept.get

    async def anew(self: read_through_cache.Kept[Any, Any], key: Any) -> Any:
        self.forget(key)
        return await get(self, key)

    monkeypatch.setattr(read_through_cache.Kept, "get", anew)


def forgetting_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_drawing.Drawings, "_moment", lambda self, look: page_drawing.Moment(replace(look)))


def looking_again_after_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    held = surface_sync.Showing.held

    @asynccontextmanager
    async def again(self: surface_sync.Showing, match: str, *what: Any) -> AsyncIterator[None]:
        async with held(self, match, *what):
            yield
        await asyncio.sleep(0.01)
        self._loop.wake(match)

    monkeypatch.setattr(surface_sync.Showing, "held", again)


@pytest.mark.parametrize(
    "broken",
    [
        forgetting_what_is_shown,
        forgetting_what_is_drawn,
        looking_again_after_every_answer,
    ],
)
async def test_a_click_that_costs_more_is_seen(
    inn: World, broken: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch)
    with pytest.raises(AssertionError, match="Counter"):
        await play_counted(inn, "wizard", count(inn, "wizard", monkeypatch))


def asking_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchStore, "shared", True)


def waking_the_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    active = Desk.active

    async def woken(self: Desk, *args: Any) -> None:
        await active(self, *args)
        self.due_changed()

    monkeypatch.setattr(Desk, "active", woken)


@pytest.mark.parametrize("broken", [asking_the_store, waking_the_alarm, forgetting_what_is_drawn])
async def test_a_tap_that_costs_more_is_seen(
    inn: World, broken: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = next(iter(STEPS))
    broken(monkeypatch)
    with pytest.raises(AssertionError, match="Counter"):
        await tap_counted(inn, game, count(inn, game, monkeypatch))


async def test_what_was_left_to_answers_is_shown_after_them(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    keeper, before = inn.bot.keeper, await look(inn, match)
    mover, other = before.due()[0], next(seat for seat in range(3) if seat not in before.due())
    async with keeper.showing.held(match, "hand", other):
        async with keeper.showing.held(match, "hand", mover):
            notation = before.game.write(before.moves(mover)[0])
            now = await inn.bot.matches.play(match, before.info.seats[mover].user, None, notation)
            assert await settled(inn, match, {mover, other})
        assert await settled(inn, match, {other})
    assert await settled(inn, match, set())
    assert (await look(inn, match)).info == now


async def test_an_answer_that_fails_leaves_its_message_to_the_keeper(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    before = await inn.bot.keeper.surface(match, "hand", 0)
    assert before is not None

    async def fail() -> None:
        async with inn.bot.keeper.showing.held(match, "hand", 0):
            await inn.bot.keeper.note(replace(before, digest="what it would have shown"))
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    assert await settled(inn, match, set())


async def test_a_match_that_is_over_is_kept_no_longer(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_out(inn, match)
    await inn.env.settle()
    keeper = inn.bot.keeper
    kept = [
        inn.bot.shown._matches._cells,
        keeper.showing.drawings._moments,
        keeper.showing._held,
        keeper.showing._passed,
        keeper.showing.snapshots.kept,
    ]
    assert not any(kept)
    assert not keeper._behind | keeper.redraw._owed | keeper._failed | keeper._failed_later
    assert not keeper.showing._offering | keeper._pace._behind
