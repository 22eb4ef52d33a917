"""Scheduled backups: into which folder, how often, and how many are kept. File names contain the time."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from calendar import timegm
from dataclasses import dataclass
from pathlib import Path

from engines.hosting.timing.due_times import FUTURE_SECONDS
from engines.store.clock import Clock
from storage import StorageError, copy_database, parse_path
from storage.sqlite.file.files import PARTIAL_SUFFIX, remove_database

DEFAULT_HOURS, DEFAULT_COUNT = 24, 7  # if the setting does not say
STAMP_FORMAT = "%Y-%m-%dT%H-%M-%SZ"
NAME_PATTERN = re.compile(r"motley-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.db")
FIRST_DELAY = 60  # seconds after the start, while messages are brought up to date
MAX_BACKUP_SECONDS = 24 * 60 * 60  # the longest time that one may take, in seconds
RETRY_SECONDS = 60 * 60  # seconds until a failed backup is retried
PLAN_HINT = "is not valid: write FOLDER, or FOLDER, HOURS, KEPT, such as “data/backups, 24, 7”"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """Backups into a folder at an interval in hours; only the newest are kept."""

    folder: Path
    hours: int = DEFAULT_HOURS
    keep_count: int = DEFAULT_COUNT

    @classmethod
    def parse(cls, text: str) -> BackupPlan | None:
        """Parse a setting; None if it is empty. Raises ValueError if it is invalid."""
        if not text.strip():
            return None
        folder, *numbers = (part.strip() for part in text.split(","))
        if not folder or len(numbers) not in (0, 2) or not all(re.fullmatch("[1-9][0-9]{0,4}", n) for n in numbers):
            raise ValueError(PLAN_HINT)
        if re.search(r"[\s:|]\d+[\s:|]+\d+$", folder):
            raise ValueError(PLAN_HINT)
        return cls(parse_path(folder), *map(int, numbers))

    def next_due(self, now: float) -> float:
        """Return the Unix second of the next backup, by the name of the newest one by `now`; 0 if there is none."""
        last = self.last_backup_time(now)
        return last + self.hours * 3600 if last else 0

    def last_backup_time(self, now: float) -> float:
        """Return the Unix second of the newest backup by `now`, by its name; 0 if there is none.

        One from the future was named by a wrong clock, so its time is not known.
        """
        times = map(_backup_time, self.list_backups())
        return max((made_at for made_at in times if made_at <= now + FUTURE_SECONDS), default=0)

    def list_backups(self) -> list[Path]:
        """Return the backups in the folder, oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if NAME_PATTERN.fullmatch(path.name))

    def make_backup(self, database: Path, now: float) -> Path:
        """Make a backup and delete the oldest ones beyond the limit. Raises StorageError and OSError."""
        backup = self.folder / backup_name(now)
        copy_database(database, backup)
        try:
            others = [each for each in self.list_backups() if each != backup]  # it may not have the newest name
            for old in others[: max(0, len(others) + 1 - self.keep_count)]:
                old.unlink(missing_ok=True)
            for left in self._abandoned_files(now):
                remove_database(left)
        except OSError as error:  # the new backup exists anyway
            log.warning("Old backups in %s could not be deleted: %s.", self.folder, error.strerror)
        return backup

    def _abandoned_files(self, now: float) -> list[Path]:
        """Return unfinished files of killed bots. Those less than a day old may still be in progress."""
        found = {
            path: NAME_PATTERN.match(path.name) for path in self.folder.iterdir() if f".db{PARTIAL_SUFFIX}" in path.name
        }
        return [path for path, name in found.items() if name and _parse_stamp(name[1]) < now - MAX_BACKUP_SECONDS]


def backup_name(now: float) -> str:
    """Return the name of a backup made at that Unix second."""
    return f"motley-{time.strftime(STAMP_FORMAT, time.gmtime(now))}.db"


async def run_backups(plan: BackupPlan, database: Path, clock: Clock) -> None:
    """Make backups as scheduled, in a separate thread, until cancelled.

    A backup that was due while the bot was stopped is made soon after its start.
    """
    await clock.sleep(FIRST_DELAY)
    while True:
        try:
            if (wait := plan.next_due(clock.now()) - clock.now()) > 0:
                await clock.sleep(wait)
            backup = await asyncio.to_thread(plan.make_backup, database, clock.now())
        except (StorageError, OSError) as error:
            text = str(error) if isinstance(error, StorageError) else f"{plan.folder}: {error.strerror}."
            log.error("No backup was made. %s Retrying in an hour.", text)
            await clock.sleep(RETRY_SECONDS)
        else:
            log.info("Backup: %s", backup)


def _backup_time(path: Path) -> float:
    found = NAME_PATTERN.fullmatch(path.name)
    assert found
    return _parse_stamp(found[1])


def _parse_stamp(stamp: str) -> float:
    return timegm(time.strptime(stamp, STAMP_FORMAT))
