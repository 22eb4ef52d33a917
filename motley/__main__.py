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
from motley.settings import DataSettings, settings_error_message
from storage import StorageError, is_address

_POSTGRES_HAS = "The database is PostgreSQL's, which has its own programs for that: "
POSTGRES_ADVICE = {
    "backup": _POSTGRES_HAS + "pg_dump makes a backup, also while the bot runs. docs/operating.md tells how.",
    "restore": _POSTGRES_HAS + "pg_restore puts a backup into an empty database, while the bot does not run. "
    "docs/operating.md tells how.",
    "check": _POSTGRES_HAS + "pg_amcheck looks for damage. The bot itself replays every live match after its "
    "start; a damaged one is set aside, and the log names it.",
    "vacuum": _POSTGRES_HAS + "it gives room back by itself (autovacuum), and vacuumdb does so at once.",
    "export": "The records of matches on PostgreSQL cannot be exported yet. What is kept can be read with psql.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; its exit code."""
    options = build_parser().parse_args(arguments)
    try:
        database = options.database or DataSettings().database
    except ValidationError as error:
        sys.stderr.write(f"{settings_error_message(error)}\n")
        return 2
    if options.command == "check" and options.file:
        database = options.file  # a backup, whatever the database is
    if options.command == "move":
        return _move_database(options, database)
    if isinstance(database, SecretStr):
        sys.stderr.write(f"{POSTGRES_ADVICE[options.command]}\n")
        return 1
    return _run_reporting_errors(lambda: _run_command(options, database))


def _move_database(options: Namespace, database: Path | SecretStr) -> int:
    if not (options.source or options.target):
        sys.stderr.write(f"{database_move.NO_DIRECTION}\n")
        return 2
    source, target = (_reveal_location(where or database) for where in (options.source, options.target))
    return _run_reporting_errors(lambda: database_move.move(source, target, time.time(), print))


def _run_reporting_errors(work: Callable[[], bool]) -> int:
    """Do it; where it cannot be done, say why."""
    try:
        return 0 if work() else 1
    except StorageError as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""  # none where what is open fails
        sys.stderr.write(f"{what}{error.strerror or type(error).__name__}.\n")
    return 1


def _run_command(options: Namespace, database: Path) -> bool:
    match options.command:
        case "backup":
            return owner_commands.backup(database, options.file, time.time(), print)
        case "restore":
            return owner_commands.restore(database, options.file, time.time(), print)
        case "vacuum":
            return owner_commands.vacuum(database, print)
        case "export":
            return owner_commands.export(database, options.folder, options.all, print)
        case _:
            return owner_commands.check(database, print)


def _reveal_location(location: Path | SecretStr) -> Path | str:
    return location.get_secret_value() if isinstance(location, SecretStr) else location


def _parse_location(text: str) -> Path | SecretStr:
    return SecretStr(text) if is_address(text) else Path(text)


def build_parser() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = ArgumentParser("python -m motley", description="Look after Motley's database, also while the bot runs.")
    parser.add_argument(
        "--database",
        type=_parse_location,
        metavar="FILE",
        help="the database; by default the one that the settings name",
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
        "--from", dest="source", type=_parse_location, metavar="FILE", help="where all is; by default the database"
    )
    move.add_argument(
        "--to",
        dest="target",
        type=_parse_location,
        metavar="FILE",
        help="where nothing is yet; by default the database",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
