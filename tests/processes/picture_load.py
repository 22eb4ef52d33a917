"""Draws many pictures at once, all for the first time, in a bot that has no Discord, in a process of its own.

A line goes out: how many were drawn, and the megabytes of memory that the process has before and after.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import bot
from cogs.screens.screen import Picture
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.transport.discord_views import page_files
from engines import GAMES
from engines.hosting.match import MatchSnapshot
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Place, Seat, Status
from motley.settings import Settings
from tests.game_uis import SCREENS, STUDIO

EVERY_NTH = 25  # moves


def resident_megabytes() -> int:
    """The memory of this process that is not swapped out."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) // 1024


def pages_of_match(game: AnyGame) -> Iterator[Page]:
    """Hands and tables of a random match with as many people as may be."""
    rng, count = random.Random(1), game.seats[-1]
    state = game.start(count, game.options(), Chance("5eed" * 8))
    seats = tuple(Seat(10 + i, f"Player {i}") for i in range(count))
    info = MatchInfo("abcd2345", game.key, game.version, "{}", Status.RUNNING, 10, Place(1, 2, 3), seats)
    for number in range(400):
        decisions = game.decisions(state)
        if not decisions:
            return
        if number % EVERY_NTH == 0:
            setting = match_pages.PageContext(SCREENS[game.key])
            snapshot = MatchSnapshot(info, game, game.options(), game.copy(state))
            yield from (match_pages.hand_page(snapshot, seat, setting) for seat in range(count))
            yield match_pages.table_page(snapshot, setting)
        seat = min(decisions)
        game.play(state, seat, rng.choice(game.moves(state, seat)))


async def draw_at_once(settings: Settings) -> None:
    """In place of what the bot does once it is set up: have many pictures drawn, as by as many clicks at once."""
    found = [page for game in GAMES.values() for page in pages_of_match(game) if isinstance(page.picture, Picture)]
    chosen = random.Random(7).sample(found, int(sys.argv[1]))
    before = resident_megabytes()
    drawn = await asyncio.gather(*(page_files(page, STUDIO) for page in chosen))
    await asyncio.sleep(0.2)
    print(json.dumps({"drawn": len(drawn), "before": before, "after": resident_megabytes()}))


if __name__ == "__main__":
    os.environ["DISCORD_TOKEN"] = "none"
    bot.run_bot = draw_at_once
    sys.exit(bot.main())
