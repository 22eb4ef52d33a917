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

from storage import StorageError, copy_database
from storage.sqlite.file.files import PARTIAL_SUFFIX, remove_database

DEFAULT_HOURS, DEFAULT_KEPT = 24, 7  # where the plan does not say
STAMP_FORMAT = "%Y-%m-%dT%H-%M-%SZ"
NAME_PATTERN = re.compile(r"motley-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.db")
FIRST_DELAY = 60  # seconds after the start, while messages are brought up to date
MAX_BACKUP_SECONDS = 24 * 60 * 60  # seconds that one may take
RETRY_SECONDS = 60 * 60  # seconds until a backup that failed is tried again
PLAN_HINT = "is not understood: FOLDER, or FOLDER, HOURS, KEPT, such as “data/backups, 24, 7”"
NO_PLAN = (
    "MOTLEY_BACKUPS copies a file, and the database is PostgreSQL's. Leave it empty, and have pg_dump make the "
    "backups: docs/operating.md tells how."
)

log = logging.getLogger(__name__)
sleep = asyncio.sleep


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """Backups into a folder every so many hours, of which the newest so many are kept."""

    folder: Path
    hours: int = DEFAULT_HOURS
    keep_count: int = DEFAULT_KEPT

    @classmethod
    def parse(cls, text: str) -> BackupPlan | None:
        """The plan that a setting names; None where it is empty. Raises ValueError for what is none."""
        if not text.strip():
            return None
        folder, *numbers = (part.strip() for part in text.split(","))
        if not folder or len(numbers) not in (0, 2) or not all(re.fullmatch("[1-9][0-9]{0,4}", n) for n in numbers):
            raise ValueError(PLAN_HINT)
        return cls(Path(folder), *map(int, numbers))

    def next_due(self) -> float:
        """The Unix second at which the next one is due, by the name of the newest; 0 where there is none."""
        return self.last_backup_time() + self.hours * 3600 if self.last_backup_time() else 0

    def last_backup_time(self) -> float:
        """The Unix second at which the newest one was made, by its name; 0 where there is none."""
        made = self.list_backups()
        return _backup_time(made[-1]) if made else 0

    def list_backups(self) -> list[Path]:
        """The backups in the folder, the oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if NAME_PATTERN.fullmatch(path.name))

    def make_backup(self, database: Path, now: float) -> Path:
        """Make one, and take the oldest away, as many as there are too many. Raises StorageError and OSError."""
        made = self.folder / backup_name(now)
        copy_database(database, made)
        try:
            for old in self.list_backups()[: -self.keep_count]:
                old.unlink(missing_ok=True)
            for left in self._abandoned_files(now):
                remove_database(left)
        except OSError as error:  # the new one is there all the same
            log.warning("Old backups in %s could not be taken away: %s.", self.folder, error.strerror)
        return made

    def _abandoned_files(self, now: float) -> list[Path]:
        """What is left of those that were never done, as the bot was killed. Of a day, somebody may be at it."""
        found = {
            path: NAME_PATTERN.match(path.name) for path in self.folder.iterdir() if f".db{PARTIAL_SUFFIX}" in path.name
        }
        return [path for path, name in found.items() if name and _parse_stamp(name[1]) < now - MAX_BACKUP_SECONDS]


def backup_name(now: float) -> str:
    """The name of a backup that is made at that Unix second."""
    return f"motley-{time.strftime(STAMP_FORMAT, time.gmtime(now))}.db"


async def run_backups(plan: BackupPlan, database: Path, clock: Callable[[], float]) -> None:
    """Make backups as planned, in a thread of its own, until cancelled.

    One that was due while the bot was stopped is made soon after its start.
    """
    await sleep(FIRST_DELAY)
    while True:
        try:
            if (wait := plan.next_due() - clock()) > 0:
                await sleep(wait)
            made = await asyncio.to_thread(plan.make_backup, database, clock())
        except (StorageError, OSError) as error:
            said = str(error) if isinstance(error, StorageError) else f"{plan.folder}: {error.strerror}."
            log.error("No backup was made. %s Trying again in an hour.", said)
            await sleep(RETRY_SECONDS)
        else:
            log.info("Backup: %s", made)


def _backup_time(path: Path) -> float:
    found = NAME_PATTERN.fullmatch(path.name)
    assert found
    return _parse_stamp(found[1])


def _parse_stamp(stamp: str) -> float:
    return timegm(time.strptime(stamp, STAMP_FORMAT))
