"""What `python -m motley` does, each a function that says sentences and tells whether all is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import storage
from engines import GAMES
from engines.hosting.inspection import find_damage, readable_game, record_text
from engines.hosting.match_loading import rebuild_match
from engines.kit.contract import AnyGame
from engines.store.match_store import DamagedMatch, MatchInfo, SavedMatch, Status
from motley.scheduled_backups import backup_name
from storage import ReadOnlyCopy, StorageError, format_megabytes
from storage.sqlite.file.errors import OLDER_LAYOUT
from storage.sqlite.file.files import write_atomically

Say = Callable[[str], None]

SECRETS_WARNING = "Records of matches that go on tell every hand: keep them to yourself until the matches are over."


def backup(database: Path, target: Path | None, now: float, say: Say) -> bool:
    """Make a backup: in that file, or under the present time in `backups` beside the database."""
    target = target or database.parent / "backups" / backup_name(now)
    storage.copy_database(database, target)
    say(f"Backup: {target} ({format_megabytes(target.stat().st_size)}).")
    return True


def restore(database: Path, source: Path, now: float, say: Say) -> bool:
    """Put a backup in the database's place."""
    found: list[bool] = []
    kept = storage.restore_backup(
        source, database, int(now), lambda snapshot: found.append(_check_matches(snapshot, say))
    )
    say(f"Restored: {database}, from {source}.")
    if not all(found):
        say("What is damaged in it is set aside when the bot starts; the rest goes on.")
    if kept:
        say(f"What was there before is kept as {kept}. Delete it when you are sure that you need it no more.")
    return True


def check(database: Path, say: Say) -> bool:
    """Read every match, and replay it against its checkpoint."""
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
    """Give room that is no longer used back to the disk."""
    before, after = storage.vacuum_database(database)
    say(f"{database}: {format_megabytes(before)} before, {format_megabytes(after)} now.")
    return True


def export(database: Path, folder: Path, everything: bool, say: Say) -> bool:
    """Write the records of matches into a folder, a file each: of finished ones, or of all that were begun."""
    wrote = failed = 0
    with storage.read_only_copy(database) as copy:
        if copy.is_older():
            raise StorageError(OLDER_LAYOUT.format(path=copy.path))
        for match in copy.match_ids():
            info = copy.load_info(match)
            if info is None or not (everything or info.status is Status.OVER):
                continue
            try:
                saved = _load_saved(copy, info)
                if saved is None:
                    continue
                text = _record_text(info, saved)
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
    """Tell which matches are damaged, and how many there are."""
    counted: Counter[str] = Counter()
    for match in copy.match_ids():
        info = copy.load_info(match)
        if info is None:
            continue
        game = readable_game(info, GAMES)
        if game is None:
            say(f"{_match_label(info)} is of a newer version of Motley, and cannot be checked by this one.")
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
    """What is wrong with a match; of one that an admin has ended, nothing is any more."""
    if info.status is Status.RESET:
        return ""
    try:
        return find_damage(game, info, _load_saved(copy, info))
    except DamagedMatch as why:
        return str(why)


def _load_saved(copy: ReadOnlyCopy, info: MatchInfo) -> SavedMatch | None:
    """A match's game state. Raises Damaged, for what SQLite cannot read, too."""
    try:
        return copy.load_saved(info.id)
    except StorageError:
        raise DamagedMatch("SQLite cannot read it") from None


def _record_text(info: MatchInfo, saved: SavedMatch) -> str:
    """A match's record. Raises Damaged where there is none."""
    game = readable_game(info, GAMES)
    if game is None:
        raise DamagedMatch("it is of a newer version of Motley")
    if why := find_damage(game, info, saved):
        raise DamagedMatch(why)
    if not info.id.isalnum():
        raise DamagedMatch("its id is damaged")
    text = record_text(rebuild_match(game, info, saved).take_snapshot(), saved)
    if not text:
        raise DamagedMatch("it was begun under older rules, which changed on the way")
    return text


def _match_label(info: MatchInfo) -> str:
    return f"Match {info.id} ({info.game}, {info.status})"
