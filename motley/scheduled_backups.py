"""Backups by a plan: where, every how many hours, and how many are kept. Their names say when they were made."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from calendar import timegm
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from storage import StorageError, copy
from storage.sqlite.file.files import PART, remove

HOURS, KEPT = 24, 7  # where the plan does not say
STAMP = "%Y-%m-%dT%H-%M-%SZ"
NAME = re.compile(r"motley-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.db")
FIRST = 60  # seconds after the start, while messages are brought up to date
LONGEST = 24 * 60 * 60  # seconds that one may take
AGAIN = 60 * 60  # seconds until a backup that failed is tried again
WRONG = "is not understood: FOLDER, or FOLDER, HOURS, KEPT, such as “data/backups, 24, 7”"
NO_PLAN = (
    "MOTLEY_BACKUPS copies a file, and the database is PostgreSQL's. Leave it empty, and have pg_dump make the "
    "backups: docs/operating.md tells how."
)

log = logging.getLogger(__name__)
sleep = asyncio.sleep


@dataclass(frozen=True, slots=True)
class Plan:
    """Backups into a folder every so many hours, of which the newest so many are kept."""

    folder: Path
    hours: int = HOURS
    kept: int = KEPT

    @classmethod
    def read(cls, text: str) -> Plan | None:
        """The plan that a setting names; None where it is empty. Raises ValueError for what is none."""
        if not text.strip():
            return None
        folder, *numbers = (part.strip() for part in text.split(","))
        if not folder or len(numbers) not in (0, 2) or not all(re.fullmatch("[1-9][0-9]{0,4}", n) for n in numbers):
            raise ValueError(WRONG)
        return cls(Path(folder), *map(int, numbers))

    def due(self) -> float:
        """The Unix second at which the next one is due, by the name of the newest; 0 where there is none."""
        return self.last() + self.hours * 3600 if self.last() else 0

    def last(self) -> float:
        """The Unix second at which the newest one was made, by its name; 0 where there is none."""
        made = self.made()
        return _time_of(made[-1]) if made else 0

    def made(self) -> list[Path]:
        """The backups in the folder, the oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if NAME.fullmatch(path.name))

    def make(self, database: Path, now: float) -> Path:
        """Make one, and take the oldest away, as many as there are too many. Raises StorageError and OSError."""
        made = self.folder / name_at(now)
        copy(database, made)
        try:
            for old in self.made()[: -self.kept]:
                old.unlink(missing_ok=True)
            for left in self._broken_off(now):
                remove(left)
        except OSError as error:  # the new one is there all the same
            log.warning("Old backups in %s could not be taken away: %s.", self.folder, error.strerror)
        return made

    def _broken_off(self, now: float) -> list[Path]:
        """What is left of those that were never done, as the bot was killed. Of a day, somebody may be at it."""
        found = {path: NAME.match(path.name) for path in self.folder.iterdir() if f".db{PART}" in path.name}
        return [path for path, name in found.items() if name and _time(name[1]) < now - LONGEST]


def name_at(now: float) -> str:
    """The name of a backup that is made at that Unix second."""
    return f"motley-{time.strftime(STAMP, time.gmtime(now))}.db"


async def keep_backups(plan: Plan, database: Path, clock: Callable[[], float]) -> None:
    """Make backups as planned, in a thread of its own, until cancelled.

    One that was due while the bot was stopped is made soon after its start.
    """
    await sleep(FIRST)
    while True:
        try:
            if (wait := plan.due() - clock()) > 0:
                await sleep(wait)
            made = await asyncio.to_thread(plan.make, database, clock())
        except (StorageError, OSError) as error:
            said = str(error) if isinstance(error, StorageError) else f"{plan.folder}: {error.strerror}."
            log.error("No backup was made. %s Trying again in an hour.", said)
            await sleep(AGAIN)
        else:
            log.info("Backup: %s", made)


def _time_of(path: Path) -> float:
    found = NAME.fullmatch(path.name)
    assert found
    return _time(found[1])


def _time(stamp: str) -> float:
    return timegm(time.strptime(stamp, STAMP))
