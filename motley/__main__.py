"""`python -m motley` looks after the database, also while the bot runs: backup, restore, check, vacuum, export.

It ends with 0 where all is well, with 1 where something could not be done or is damaged, and with 2 where what was
asked or a setting is not understood.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from motley import commands
from settings import Data, wrong
from storage import StorageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; its exit code."""
    asked = parser().parse_args(arguments)
    try:
        database = asked.database or Data().database
    except ValidationError as error:
        sys.stderr.write(f"{wrong(error)}\n")
        return 2
    try:
        return 0 if _done(asked, database) else 1
    except StorageError as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}.\n")
    return 1


def _done(asked: Namespace, database: Path) -> bool:
    match asked.command:
        case "backup":
            return commands.backup(database, asked.file, time.time(), print)
        case "restore":
            return commands.restore(database, asked.file, time.time(), print)
        case "vacuum":
            return commands.vacuum(database, print)
        case "export":
            return commands.export(database, asked.folder, asked.all, print)
        case _:
            return commands.check(asked.file or database, print)


def parser() -> ArgumentParser:
    """What can be asked for on the command line."""
    parser = ArgumentParser("python -m motley", description="Look after Motley's database, also while the bot runs.")
    parser.add_argument(
        "--database", type=Path, metavar="FILE", help="the database; by default the one that the settings name"
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
    return parser


if __name__ == "__main__":
    sys.exit(main())
