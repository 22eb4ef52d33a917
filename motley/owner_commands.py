"""The commands of `python -m motley`: each prints sentences and returns whether all is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import storage
from engines import GAMES
from engines.hosting.inspection import find_damage, readable_game, record_text
from engines.hosting.match_loading import rebuild_match
from engines.kit.contract import AnyGame
from engines.store.match_store import DamagedMatch, MatchInfo, SavedDeal, SavedMatch, Status
from motley.scheduled_backups import backup_name
from storage import ReadOnlyCopy, StorageError, format_megabytes
from storage.sqlite.file.errors import OLDER_LAYOUT
from storage.sqlite.file.files import write_atomically

Say = Callable[[str], None]
T = TypeVar("T")

SECRETS_WARNING = "Records of running matches reveal every hand. Keep them to yourself until the matches are over."


def backup(database: Path, target: Path | None, now: float, say: Say) -> bool:
    """Make a backup in that file, or in `backups` beside the database under the present time."""
    target = target or database.parent / "backups" / backup_name(now)
    storage.copy_database(database, target)
    say(f"Backup: {target} ({format_megabytes(target.stat().st_size)}).")
    return True


def restore(database: Path, source: Path, now: float, say: Say) -> bool:
    """Replace the database with a backup."""
    found: list[bool] = []
    previous = storage.restore_backup(
        source, database, int(now), lambda snapshot: found.append(_check_matches(snapshot, say))
    )
    say(f"Restored: {database}, from {source}.")
    if not all(found):
        say("The bot will set damaged matches aside when it starts; all other matches continue.")
    if previous:
        say(f"The previous database was kept as {previous}. Delete it when you no longer need it.")
    return True


def check(database: Path, say: Say) -> bool:
    """Read every match and replay it against its checkpoint."""
    with storage.read_only_copy(database) as copy:
        findings = copy.integrity_findings()
        for finding in findings:
            say(f"{copy.path}: {finding}.")
        if findings:
            say("The file is damaged. Restore a backup of it.")
        elif copy.is_older():
            raise StorageError(OLDER_LAYOUT.format(path=copy.path))
        return _check_matches(copy, say) and not findings


def vacuum(database: Path, say: Say) -> bool:
    """Give unused space back to the disk."""
    before, after = storage.vacuum_database(database)
    say(f"{database}: {format_megabytes(before)} before, {format_megabytes(after)} now.")
    return True


def export(database: Path, folder: Path, everything: bool, say: Say) -> bool:
    """Write match records into a folder, one file each: of finished matches, or of all started ones."""
    wrote = failed = 0
    with storage.read_only_copy(database) as copy:
        if copy.is_older():
            raise StorageError(OLDER_LAYOUT.format(path=copy.path))
        for match in copy.match_ids():
            info = copy.load_info(match)
            if info is None or not (everything or info.status is Status.OVER):
                continue
            try:
                saved = _load(copy.load_saved, info)
                if saved is None:
                    continue
                text = _record_text(info, saved, _load(copy.load_deal, info))
            except DamagedMatch as why:
                say(f"{_match_label(info)} has no record: {why}.")
                failed += 1
                continue
            with write_atomically(folder / f"{info.game}-{info.id}.txt") as file:
                file.write_text(text, encoding="utf-8")
            wrote += 1
    say(f"{folder}: {wrote} {'record' if wrote == 1 else 'records'}.")
    if everything:
        say(SECRETS_WARNING)
    return not failed


def _check_matches(copy: ReadOnlyCopy, say: Say) -> bool:
    """Report which matches are damaged, and how many matches there are."""
    counted: Counter[str] = Counter()
    for match in copy.match_ids():
        info = copy.load_info(match)
        if info is None:
            continue
        game = readable_game(info, GAMES)
        if game is None:
            say(f"{_match_label(info)} was written by a newer version of Motley and cannot be checked by this one.")
            counted["newer"] += 1
        elif why := _damage_text(copy, info, game):
            say(f"{_match_label(info)} is damaged: {why}.")
            counted["damaged"] += 1
        else:
            counted[info.status] += 1
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counted.items()))
    say(f"{counted.total()} {'match' if counted.total() == 1 else 'matches'}{f': {kinds}' if kinds else ''}.")
    return not counted["damaged"] + counted["newer"]


def _damage_text(copy: ReadOnlyCopy, info: MatchInfo, game: AnyGame) -> str:
    """Return what is wrong with a match; '' if it is sound or an admin has ended it."""
    if info.status is Status.RESET:
        return ""
    try:
        return find_damage(game, info, _load(copy.load_saved, info))
    except DamagedMatch as why:
        return str(why)


def _load(load: Callable[[str], T], info: MatchInfo) -> T:
    """Load a part of a match. Raises DamagedMatch, also if SQLite cannot read it."""
    try:
        return load(info.id)
    except StorageError:
        raise DamagedMatch("SQLite cannot read it") from None


def _record_text(info: MatchInfo, saved: SavedMatch, sealed: SavedDeal | None) -> str:
    """Return a match's record. Raises DamagedMatch if there is none."""
    game = readable_game(info, GAMES)
    if game is None:
        raise DamagedMatch("it was written by a newer version of Motley")
    if why := find_damage(game, info, saved):
        raise DamagedMatch(why)
    if not info.id.isalnum():
        raise DamagedMatch("its id is damaged")
    text = record_text(rebuild_match(game, info, saved).take_snapshot(), saved, sealed)
    if not text:
        raise DamagedMatch("it was started under older rules and changed to newer ones midway")
    return text


def _match_label(info: MatchInfo) -> str:
    return f"Match {info.id} ({info.game}, {info.status})"
