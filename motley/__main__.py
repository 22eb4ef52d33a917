"""`python -m motley` looks after the database, also while the bot runs: backup, restore, check, vacuum, export, move.

It ends with 0 where all is well, with 1 where something could not be done or is damaged, and with 2 where what was
asked or a setting is not understood.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import SecretStr, ValidationError

from motley import database_move, owner_commands
from motley.settings import Data, wrong
from storage import StorageError, is_address

_ITS = "The database is PostgreSQL's, which has its own programs for that: "
INSTEAD = {
    "backup": _ITS + "pg_dump makes a backup, also while the bot runs. docs/operating.md tells how.",
    "restore": _ITS + "pg_restore puts a backup into an empty database, while the bot does not run. "
    "docs/operating.md tells how.",
    "check": _ITS + "pg_amcheck looks for damage. The bot itself replays every live match after its "
    "start; a damaged one is set aside, and the log names it.",
    "vacuum": _ITS + "it gives room back by itself (autovacuum), and vacuumdb does so at once.",
    "export": "The records of matches on PostgreSQL cannot be exported yet. What is kept can be read with psql.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; its exit code."""
    asked = parser().parse_args(arguments)
    try:
        database = asked.database or Data().database
    except ValidationError as error:
        sys.stderr.write(f"{wrong(error)}\n")
        return 2
    if asked.command == "check" and asked.file:
        database = asked.file  # a backup, whatever the database is
    if asked.command == "move":
        return _moved(asked, database)
    if isinstance(database, SecretStr):
        sys.stderr.write(f"{INSTEAD[asked.command]}\n")
        return 1
    return _told(lambda: _done(asked, database))


def _moved(asked: Namespace, database: Path | SecretStr) -> int:
    if not (asked.source or asked.target):
        sys.stderr.write(f"{database_move.NEITHER}\n")
        return 2
    source, target = (_plain(where or database) for where in (asked.source, asked.target))
    return _told(lambda: database_move.move(source, target, time.time(), print))


def _told(work: Callable[[], bool]) -> int:
    """Do it; where it cannot be done, say why."""
    try:
        return 0 if work() else 1
    except StorageError as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""  # none where what is open fails
        sys.stderr.write(f"{what}{error.strerror or type(error).__name__}.\n")
    return 1


def _done(asked: Namespace, database: Path) -> bool:
    match asked.command:
        case "backup":
            return owner_commands.backup(database, asked.file, time.time(), print)
        case "restore":
            return owner_commands.restore(database, asked.file, time.time(), print)
        case "vacuum":
            return owner_commands.vacuum(database, print)
        case "export":
            return owner_commands.export(database, asked.folder, asked.all, print)
        case _:
            return owner_commands.check(database, print)


def _plain(where: Path | SecretStr) -> Path | str:
    return where.get_secret_value() if isinstance(where, SecretStr) else where


def _where(text: str) -> Path | SecretStr:
    return SecretStr(text) if is_address(text) else Path(text)


def parser() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = ArgumentParser("python -m motley", description="Look after Motley's database, also while the bot runs.")
    parser.add_argument(
        "--database", type=_where, metavar="FILE", help="the database; by default the one that the settings name"
    )
    kinds = parser.add_subparsers(dest="command", required=True)
    backup = kinds.add_parser("backup", help="make a backup")
    backup.add_argument(
        "file", type=Path, nargs="?", help="a new file; by default one in `backups` beside the database"
    )
    restore = kinds.add_parser("restore", help="put a backup in the database's place; the bot must not run")
    restore.add_argument("file", type=Path, help="the backup")
    check = kinds.add_parser("check", help="replay every match, and say what is damaged")
    check.add_argument("file", type=Path, nargs="?", help="a backup to check; by default the database")
    kinds.add_parser("vacuum", help="give room that is no longer used back to the disk")
    export = kinds.add_parser("export", help="write the readable records of finished matches")
    export.add_argument("folder", type=Path, help="where to, a file each")
    export.add_argument("--all", action="store_true", help="of matches that go on or were broken off, too")
    move = kinds.add_parser("move", help="move all to PostgreSQL, or back to a file; the bot must not run")
    move.add_argument(
        "--from", dest="source", type=_where, metavar="FILE", help="where all is; by default the database"
    )
    move.add_argument(
        "--to", dest="target", type=_where, metavar="FILE", help="where nothing is yet; by default the database"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
