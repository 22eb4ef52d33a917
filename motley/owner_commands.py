"""What `python -m motley` does, each a function that says sentences and tells whether all is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import storage
from engines import GAMES
from engines.hosting.inspection import damage, readable, written
from engines.hosting.match_loading import resume
from engines.kit.contract import AnyGame
from engines.store.match_store import Damaged, Info, Saved, Status
from motley.scheduled_backups import name_at
from storage import Snapshot, StorageError, megabytes
from storage.sqlite.file.errors import OLDER
from storage.sqlite.file.files import appearing

Say = Callable[[str], None]

SECRETS = "Records of matches that go on tell every hand: keep them to yourself until the matches are over."


def backup(database: Path, target: Path | None, now: float, say: Say) -> bool:
    """Make a backup: in that file, or under the present time in `backups` beside the database."""
    target = target or database.parent / "backups" / name_at(now)
    storage.copy(database, target)
    say(f"Backup: {target} ({megabytes(target.stat().st_size)}).")
    return True


def restore(database: Path, source: Path, now: float, say: Say) -> bool:
    """Put a backup in the database's place."""
    found: list[bool] = []
    kept = storage.restore(source, database, int(now), lambda snapshot: found.append(_check(snapshot, say)))
    say(f"Restored: {database}, from {source}.")
    if not all(found):
        say("What is damaged in it is set aside when the bot starts; the rest goes on.")
    if kept:
        say(f"What was there before is kept as {kept}. Delete it when you are sure that you need it no more.")
    return True


def check(database: Path, say: Say) -> bool:
    """Read every match, and replay it against its checkpoint."""
    with storage.beside(database) as snapshot:
        findings = snapshot.findings()
        for finding in findings:
            say(f"{snapshot.path}: {finding}.")
        if findings:
            say("The file is damaged. Restore a backup of it.")
        elif snapshot.older():
            raise StorageError(OLDER.format(path=snapshot.path))
        return _check(snapshot, say) and not findings


def vacuum(database: Path, say: Say) -> bool:
    """Give room that is no longer used back to the disk."""
    before, after = storage.vacuum(database)
    say(f"{database}: {megabytes(before)} before, {megabytes(after)} now.")
    return True


def export(database: Path, folder: Path, everything: bool, say: Say) -> bool:
    """Write the records of matches into a folder, a file each: of finished ones, or of all that were begun."""
    wrote = failed = 0
    with storage.beside(database) as snapshot:
        if snapshot.older():
            raise StorageError(OLDER.format(path=snapshot.path))
        for match in snapshot.matches():
            info = snapshot.info(match)
            if info is None or not (everything or info.status is Status.OVER):
                continue
            try:
                saved = _saved(snapshot, info)
                if saved is None:
                    continue
                text = _record(info, saved)
            except Damaged as why:
                say(f"{_named(info)} has no record: {why}.")
                failed += 1
                continue
            with appearing(folder / f"{info.game}-{info.id}.txt") as file:
                file.write_text(text, encoding="utf-8")
            wrote += 1
    say(f"{folder}: {wrote} {'record' if wrote == 1 else 'records'}.")
    if everything:
        say(SECRETS)
    return not failed


def _check(snapshot: Snapshot, say: Say) -> bool:
    """Tell which matches are damaged, and how many there are."""
    counted: Counter[str] = Counter()
    for match in snapshot.matches():
        info = snapshot.info(match)
        if info is None:
            continue
        game = readable(info, GAMES)
        if game is None:
            say(f"{_named(info)} is of a newer version of Motley, and cannot be checked by this one.")
            counted["newer"] += 1
        elif why := _why(snapshot, info, game):
            say(f"{_named(info)} is damaged: {why}.")
            counted["damaged"] += 1
        else:
            counted[info.status] += 1
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counted.items()))
    say(f"{counted.total()} {'match' if counted.total() == 1 else 'matches'}{f': {kinds}' if kinds else ''}.")
    return not counted["damaged"] + counted["newer"]


def _why(snapshot: Snapshot, info: Info, game: AnyGame) -> str:
    """What is wrong with a match; of one that an admin has ended, nothing is any more."""
    if info.status is Status.RESET:
        return ""
    try:
        return damage(game, info, _saved(snapshot, info))
    except Damaged as why:
        return str(why)


def _saved(snapshot: Snapshot, info: Info) -> Saved | None:
    """A match's game state. Raises Damaged, for what SQLite cannot read, too."""
    try:
        return snapshot.saved(info.id)
    except StorageError:
        raise Damaged("SQLite cannot read it") from None


def _record(info: Info, saved: Saved) -> str:
    """A match's record. Raises Damaged where there is none."""
    game = readable(info, GAMES)
    if game is None:
        raise Damaged("it is of a newer version of Motley")
    if why := damage(game, info, saved):
        raise Damaged(why)
    if not info.id.isalnum():
        raise Damaged("its id is damaged")
    text = written(resume(game, info, saved).look(), saved)
    if not text:
        raise Damaged("it was begun under older rules, which changed on the way")
    return text


def _named(info: Info) -> str:
    return f"Match {info.id} ({info.game}, {info.status})"
