"""Moves a whole database to PostgreSQL, or back to a file, and reports the result."""

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
    "Name the database to copy with --from, or the new one with --to; the other is the database in the settings."
)
INTERRUPTED = "Cancelled. Nothing was changed in {source}, and {target} is still empty."
MATCH_DIFFERS = "Match {match} cannot be replayed in {target}: {why}. The copy was discarded; {source} is unchanged."


def move(source: Path | str, target: Path | str, now: float, say: Say) -> bool:
    """Copy everything to an empty database: one is a file, the other a PostgreSQL address."""
    return asyncio.run(_move_until_shutdown(source, target, int(now), say))


async def _move_until_shutdown(source: Path | str, target: Path | str, at: int, say: Say) -> bool:
    shutdown = shutdown_signal()
    moving = asyncio.create_task(storage.move(source, target, at=at, inspect=partial(_replay_matches, say), say=say))
    shutdown_wait = asyncio.create_task(shutdown.wait())
    await asyncio.wait((moving, shutdown_wait), return_when=asyncio.FIRST_COMPLETED)
    shutdown_wait.cancel()
    moving.cancel()
    await asyncio.wait((moving, shutdown_wait))
    source_name, target_name = _location_name(source), _location_name(target)
    if moving.cancelled():
        say(INTERRUPTED.format(source=source_name, target=target_name))
        return False
    moving.result()
    say(
        f"Everything in {source_name} has been copied to {target_name}; counts and digests of every table are the same."
    )
    say(
        f"Set MOTLEY_DATABASE to {target_name} and start the bot. "
        f"Keep {source_name} until you are sure, but run no bot on it."
    )
    return True


async def _replay_matches(say: Say, source: BulkSource, target: BulkSource) -> None:
    """Replay every live match. If one was damaged before, it still is, and the bot sets it aside."""
    live = await target.live_matches()
    damaged = 0
    for match in live:
        if why := await _match_damage(match, target):
            if not await _match_damage(match, source):
                raise StorageError(MATCH_DIFFERS.format(match=match, source=source.name, target=target.name, why=why))
            say(f"Match {match} is damaged, as it was before: {why}. The bot will set it aside when it starts.")
            damaged += 1
        await asyncio.sleep(0)  # lets a cancellation through
    say(f"Live matches: {len(live)}. Replayed without damage: {len(live) - damaged}.")


async def _match_damage(match: str, source: BulkSource) -> str:
    """Return what is wrong with a match; '' if only a newer version can read it."""
    try:
        info, saved = await source.load_match(match)
    except DamagedMatch as why:
        return str(why)
    game = readable_game(info, GAMES) if info else None
    return find_damage(game, info, saved) if game and info else ""


def _location_name(location: Path | str) -> str:
    return str(location) if isinstance(location, Path) else "the PostgreSQL database"
