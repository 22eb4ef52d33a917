"""Moves all that is kept to PostgreSQL, or back to a file, and says how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import storage
from engines import GAMES
from engines.hosting.inspection import find_damage, readable_game
from engines.store.match_store import DamagedMatch
from motley.shutdown_signal import shutdown_signal
from storage import StorageError
from storage.shared.tables import BulkSource

Say = Callable[[str], None]

NO_DIRECTION = (
    "Name where all is with --from, or where it is to go with --to; the other is the database of the settings."
)
INTERRUPTED = "Broken off. Nothing was changed in {source}, and nothing is in {target}."
MATCH_DIFFERS = "Match {match} cannot be replayed in {target}: {why}. Nothing of it is kept; {source} is as it was."


def move(source: Path | str, target: Path | str, now: float, say: Say) -> bool:
    """Copy everything from where it is to where nothing is yet: one is a file, the other PostgreSQL's address."""
    return asyncio.run(_move_until_shutdown(source, target, int(now), say))


async def _move_until_shutdown(source: Path | str, target: Path | str, at: int, say: Say) -> bool:
    shutdown = shutdown_signal()
    moving = asyncio.create_task(storage.move(source, target, at=at, inspect=partial(_replay_matches, say), say=say))
    shutdown_wait = asyncio.create_task(shutdown.wait())
    await asyncio.wait((moving, shutdown_wait), return_when=asyncio.FIRST_COMPLETED)
    shutdown_wait.cancel()
    moving.cancel()
    await asyncio.wait((moving, shutdown_wait))
    here, there = _location_name(source), _location_name(target)
    if moving.cancelled():
        say(INTERRUPTED.format(source=here, target=there))
        return False
    moving.result()
    say(f"All that {here} keeps is in {there} now; counts and digests of every table are the same.")
    say(f"Have MOTLEY_DATABASE name {there}, and start the bot. Keep {here} until you are sure; no bot may run on it.")
    return True


async def _replay_matches(say: Say, source: BulkSource, target: BulkSource) -> None:
    """Replay every match that goes on. One that was damaged before still is: the bot sets it aside."""
    live = await target.live_matches()
    damaged = 0
    for match in live:
        if why := await _match_damage(match, target):
            if not await _match_damage(match, source):
                raise StorageError(MATCH_DIFFERS.format(match=match, source=source.name, target=target.name, why=why))
            say(f"Match {match} is damaged, as it was before: {why}. It is set aside when the bot starts.")
            damaged += 1
        await asyncio.sleep(0)  # whoever ends this is heard
    say(f"Matches that go on: {len(live)}, of which {len(live) - damaged} replay to where they stand.")


async def _match_damage(match: str, source: BulkSource) -> str:
    """What is wrong with a match there; nothing of one that only a newer version can read."""
    try:
        info, saved = await source.load_match(match)
    except DamagedMatch as why:
        return str(why)
    game = readable_game(info, GAMES) if info else None
    return find_damage(game, info, saved) if game and info else ""


def _location_name(location: Path | str) -> str:
    return str(location) if isinstance(location, Path) else "the PostgreSQL database"
