"""Moves all that is kept to PostgreSQL, or back to a file, and says how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import storage
from engines import GAMES
from engines.hosting.inspection import damage, readable
from engines.store.match_store import Damaged
from motley.shutdown_signal import told_to_end
from storage import StorageError
from storage.shared.tables import Whole

Say = Callable[[str], None]

NEITHER = "Name where all is with --from, or where it is to go with --to; the other is the database of the settings."
BROKEN_OFF = "Broken off. Nothing was changed in {source}, and nothing is in {target}."
DIFFERS = "Match {match} cannot be replayed in {target}: {why}. Nothing of it is kept; {source} is as it was."


def move(source: Path | str, target: Path | str, now: float, say: Say) -> bool:
    """Copy everything from where it is to where nothing is yet: one is a file, the other PostgreSQL's address."""
    return asyncio.run(_move(source, target, int(now), say))


async def _move(source: Path | str, target: Path | str, at: int, say: Say) -> bool:
    ending = told_to_end()
    moving = asyncio.create_task(storage.move(source, target, at=at, look=partial(_replay, say), say=say))
    told = asyncio.create_task(ending.wait())
    await asyncio.wait((moving, told), return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    moving.cancel()
    await asyncio.wait((moving, told))
    here, there = _name(source), _name(target)
    if moving.cancelled():
        say(BROKEN_OFF.format(source=here, target=there))
        return False
    moving.result()
    say(f"All that {here} keeps is in {there} now; counts and digests of every table are the same.")
    say(f"Have MOTLEY_DATABASE name {there}, and start the bot. Keep {here} until you are sure; no bot may run on it.")
    return True


async def _replay(say: Say, source: Whole, target: Whole) -> None:
    """Replay every match that goes on. One that was damaged before still is: the bot sets it aside."""
    live = await target.live()
    damaged = 0
    for match in live:
        if why := await _damage(match, target):
            if not await _damage(match, source):
                raise StorageError(DIFFERS.format(match=match, source=source.name, target=target.name, why=why))
            say(f"Match {match} is damaged, as it was before: {why}. It is set aside when the bot starts.")
            damaged += 1
        await asyncio.sleep(0)  # whoever ends this is heard
    say(f"Matches that go on: {len(live)}, of which {len(live) - damaged} replay to where they stand.")


async def _damage(match: str, where: Whole) -> str:
    """What is wrong with a match there; nothing of one that only a newer version can read."""
    try:
        info, saved = await where.match(match)
    except Damaged as why:
        return str(why)
    game = readable(info, GAMES) if info else None
    return damage(game, info, saved) if game and info else ""


def _name(where: Path | str) -> str:
    return str(where) if isinstance(where, Path) else "the PostgreSQL database"
