"""Pages are drawn off the event loop, so that working out chances holds nobody up."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from engines.store import Status
from tests.end_to_end.players import join, look, name_of, open_lobby, start, surface, table
from tests.end_to_end.world import NAMES, World
from tests.fronts import SCREENS
from tests.games import GAMES

DRAWS = ("hand", "table", "result", "sheet")


class Watched:
    """A screen that notes what it draws, and whether the event loop waits for it."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self.drawn: set[str] = set()
        self.on_the_loop: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in DRAWS:
            self.drawn.add(name)
            if _loop_runs_here():
                self.on_the_loop.add(name)
        return getattr(self._screen, name)


def _loop_runs_here() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("game", GAMES)
async def test_nothing_of_a_game_is_drawn_on_the_event_loop(
    inn: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Watched(SCREENS[game])
    monkeypatch.setitem(inn.bot.keeper.showing.screens, game, screen)
    seats, rng = GAMES[game].seats[0], random.Random(5)
    match = await open_lobby(inn, game=game)
    await join(inn, match, *NAMES[1:seats])
    await start(inn, match)
    for button in ("Score sheet", "Show my hand"):
        await inn.press(NAMES[1], await table(inn, match), button)
    for number in range(60):
        now = await look(inn, match)
        if now.info.status is not Status.RUNNING:
            break
        seat = now.due()[0]
        name = name_of(inn, now.info.seats[seat].user)
        notation = now.game.write(rng.choice(now.moves(seat)))
        decision = now.decisions()[seat].number
        if number % 6:
            await inn.bot.matches.play(match, now.info.seats[seat].user, decision, notation)
        else:
            await inn.forge(name, await surface(inn, match, "hand", seat), f"m:{match}:{decision}:{notation}")
    await inn.env.settle()
    for command in ("hand", "status"):
        await inn[NAMES[0]].slash(inn.table, f"{game} {command}", match=match)
    await inn.restart()
    assert screen.drawn >= {"hand", "table", "sheet"}
    assert screen.on_the_loop == set()
