"""What a click costs: no reading, one pass for what must be shown and one for the rest, and every page drawn once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cogs.table import drawing, keeper, kept
from cogs.table.page import Page
from engines import GAMES
from engines.store import Status
from storage import Database
from tests.end_to_end.players import join, look, name_of, open_lobby, start, surface
from tests.end_to_end.world import NAMES, World

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
    monkeypatch.setitem(w.bot.keeper.screens, game, Counted(w.bot.keeper.screens[game], counts))
    read, must, rest = Database.read, keeper.Keeper._show_what_must_be, keeper.Keeper._show_the_rest

    async def counted_read(database: Database, work: Any, *, what: str) -> Any:
        counts[f"read {what}"] += 1
        return await read(database, work, what=what)

    async def counted_must(self: keeper.Keeper, match: str) -> list[Exception]:
        counts["must"] += 1
        return await must(self, match)

    async def counted_rest(self: keeper.Keeper, match: str) -> list[Exception]:
        counts["rest"] += 1
        return await rest(self, match)

    monkeypatch.setattr(Database, "read", counted_read)
    monkeypatch.setattr(keeper.Keeper, "_show_what_must_be", counted_must)
    monkeypatch.setattr(keeper.Keeper, "_show_the_rest", counted_rest)
    return counts


async def all_is_shown(w: World, match: str) -> bool:
    """Whether table and hands show how the match stands."""
    now, keeper = await look(w, match), w.bot.keeper
    setting = await keeper.setting(now)
    wanted: dict[tuple[str, int], Page] = {("table", -1): await keeper.drawings.table(now, setting)}
    wanted |= {("hand", seat): await keeper.drawings.hand(now, seat, setting) for seat in range(len(now.info.seats))}
    kept: dict[tuple[str, int], str] = {(each.kind, each.seat): each.digest for each in await w.bot.shown.of(match)}
    return all(kept[key] == page.digest for key, page in wanted.items())


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
        message = await surface(w, match, "hand", seat)
        await w.env.settle()
        counts.clear()
        await w.forge(name_of(w, now.info.seats[seat].user), message, f"m:{match}:{decision}:{notation}")
        await w.env.settle()
        now = await look(w, match)
        assert now.info.moves == number + 1
        if now.info.status is not Status.RUNNING:
            return
        assert not {what for what in counts if what.startswith("read")}, counts
        assert counts["must"] == counts["rest"] == 1, counts
        assert seats <= counts["hand"] <= seats + 1, counts
        assert counts["table"] == 1, counts
        assert await all_is_shown(w, match)


@pytest.mark.parametrize("game", GAMES)
async def test_a_click_reads_nothing_and_draws_every_page_once(
    inn: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_counted(inn, game, count(inn, game, monkeypatch))


def forgetting_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    get = kept.Kept.get

    async def anew(self: kept.Kept[Any, Any], key: Any) -> Any:
        self.forget(key)
        return await get(self, key)

    monkeypatch.setattr(kept.Kept, "get", anew)


def forgetting_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing.Drawings, "_moment", lambda self, info: drawing.Moment(info))


def looking_again_after_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    held = keeper.Keeper.held

    @asynccontextmanager
    async def again(self: keeper.Keeper, match: str, *what: Any) -> AsyncIterator[None]:
        async with held(self, match, *what):
            yield
        await asyncio.sleep(0.01)
        self.wake(match)

    monkeypatch.setattr(keeper.Keeper, "held", again)


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
