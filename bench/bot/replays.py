"""Watches a finished match again while others play: how long a step takes from the click to its picture."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from time import perf_counter

from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame
from engines.store.match_store import Place, Seat, Status
from playground.world import ids
from playground.world.world import Message
from storage import Database, MatchStore

STEP_SECONDS = 0.3  # seconds from step to step
NEXT_PATTERN = re.compile(r'"(replays:\w+:at:n\d\w+)"')  # the custom_id of the button to the next moment
CHOSEN_AT = 1_700_000_000


async def store_finished_match(path: Path, game: AnyGame) -> str:
    """Play a match of the most people at random, straight into the file; return its id."""
    rng, people = Random(game.key), [Seat(number, f"Player {number}") for number in range(1, game.seats[-1] + 1)]
    async with Database.open(path, clock=lambda: CHOSEN_AT) as database:
        matches = Matches(MatchStore(database), GAMES, lambda: CHOSEN_AT, features=FEATURES)
        place = Place(ids.GUILD, ids.GAMES_CHANNEL)
        match = (await matches.lobbies.open_lobby(game, game.options(), place, people[0])).id
        for seat in people[1:]:
            await matches.lobbies.join(match, seat.user, seat.name)
        await matches.lobbies.start_match(match, people[0].user)
        while (now := await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
            seat_number = rng.choice(now.due_seats())
            notation = game.format_move(rng.choice(now.moves(seat_number)))
            await matches.moves.play_move(match, now.info.seats[seat_number].user, None, notation)
    return match


async def time_steps(opened: Message, click: Callable[[Message, str], Awaitable[None]], until: float) -> list[float]:
    """Step on and on through a match that is open in a message; return the seconds of each step."""
    times: list[float] = []
    while perf_counter() < until and (found := NEXT_PATTERN.search(json.dumps(opened.data["components"]))):
        clicked = perf_counter()
        await click(opened, found[1])
        times.append(perf_counter() - clicked)
        await asyncio.sleep(STEP_SECONDS)
    return times
