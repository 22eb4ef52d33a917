"""`python -m motley`: commands for the owner: backup, restore, check, vacuum, export, move; block, unblock and say;
my-data and forget; and emoji, for Discord.

Exit code 0 means that all is well, 1 that something failed or is damaged, and 2 that the command line or a setting is
invalid.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from engines.store.match_store import StoreFailure
from motley import database_move, owner_commands, owner_requests, personal_data
from motley.settings import DataSettings, DiscordSettings, SettingsError, load_settings, wrap_location
from storage import InvalidLocation, StorageError

_POSTGRES_HAS = "The database is in PostgreSQL, which has its own tools for that: "
POSTGRES_ADVICE = {
    "backup": _POSTGRES_HAS + "pg_dump makes a backup, even while the bot runs. See docs/operating.md.",
    "restore": _POSTGRES_HAS + "pg_restore puts a backup into an empty database while the bot is stopped. See "
    "docs/operating.md.",
    "check": _POSTGRES_HAS + "pg_amcheck looks for damage. The bot itself replays every live match after its "
    "start; it sets a damaged match aside and logs its id.",
    "vacuum": _POSTGRES_HAS + "it frees space by itself (autovacuum), and vacuumdb does so at once.",
    "export": "Match records cannot be exported from PostgreSQL yet. You can read the data with psql.",
}


BESIDE_THE_BOT: Mapping[str, Callable[..., Coroutine[Any, Any, bool]]] = {
    **dict.fromkeys(("block", "unblock", "say"), owner_requests.run_command),
    **dict.fromkeys(("my-data", "forget"), personal_data.run_command),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    options = build_parser().parse_args(arguments)
    try:
        if run_command := BESIDE_THE_BOT.get(options.command):
            location = _reveal_location(options.database or load_settings(DataSettings).database)
            return _run_reporting_errors(lambda: asyncio.run(run_command(options, location, time.time(), print)))
        if options.command == "emoji":
            return _sync_emoji(options, load_settings(DiscordSettings))
        database = options.database or load_settings(DataSettings).database
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.command == "check" and options.file:
        database = options.file  # a backup file, whatever the database is
    if options.command == "move":
        return _move_database(options, database)
    if isinstance(database, SecretStr):
        sys.stderr.write(f"{POSTGRES_ADVICE[options.command]}\n")
        return 1
    return _run_reporting_errors(lambda: _run_command(options, database))


def _sync_emoji(options: Namespace, settings: DiscordSettings) -> int:
    # the other commands need neither discord.py nor drawings
    from cogs.table.transport.discord_internals import unexpected_parts, use_api
    from motley.emoji_upload import sync_emoji

    if unexpected := unexpected_parts():
        sys.stderr.write(unexpected)
        return 2
    logging.getLogger("discord").setLevel(logging.ERROR)  # what it says about pauses and voices helps nobody here
    if settings.api:
        use_api(settings.api)
    token = settings.token.get_secret_value()
    return 0 if asyncio.run(sync_emoji(token, print, is_dry_run=options.dry_run)) else 1


def _move_database(options: Namespace, database: Path | SecretStr) -> int:
    if not (options.source or options.target):
        sys.stderr.write(f"{database_move.NO_DIRECTION}\n")
        return 2
    source, target = (_reveal_location(location or database) for location in (options.source, options.target))
    return _run_reporting_errors(lambda: database_move.move(source, target, time.time(), print))


def _run_reporting_errors(work: Callable[[], bool]) -> int:
    """Run a command; if it fails, print why."""
    try:
        return 0 if work() else 1
    except InvalidLocation as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (StorageError, StoreFailure) as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""  # None for an error on an open file
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
    try:
        return wrap_location(text)
    except ValueError as error:
        raise ArgumentTypeError(f"the database {error}") from None  # the text itself may contain a password


def build_parser() -> ArgumentParser:
    """Build the parser of the command line."""
    parser = ArgumentParser(
        "python -m motley", description="Look after Motley's database and emoji, even while the bot runs."
    )
    parser.add_argument(
        "--database",
        type=_parse_location,
        metavar="FILE",
        help="the database; by default the one in the settings",
    )
    kinds = parser.add_subparsers(dest="command", required=True)
    backup = kinds.add_parser("backup", help="make a backup")
    backup.add_argument(
        "file", type=Path, nargs="?", help="a new file; by default one in `backups` beside the database"
    )
    restore = kinds.add_parser("restore", help="replace the database with a backup; the bot must not be running")
    restore.add_argument("file", type=Path, help="the backup")
    check = kinds.add_parser("check", help="replay every match and report damage")
    check.add_argument("file", type=Path, nargs="?", help="a backup to check; by default the database")
    kinds.add_parser("vacuum", help="give unused space back to the disk")
    export = kinds.add_parser("export", help="write the readable records of finished matches")
    export.add_argument("folder", type=Path, help="the folder to write to, one file per match")
    export.add_argument("--all", action="store_true", help="also matches that are running or were ended early")
    move = kinds.add_parser(
        "move", help="move everything to PostgreSQL, or back to a file; the bot must not be running"
    )
    move.add_argument(
        "--from",
        dest="source",
        type=_parse_location,
        metavar="FILE",
        help="the database to copy; by default the one in the settings",
    )
    move.add_argument(
        "--to",
        dest="target",
        type=_parse_location,
        metavar="FILE",
        help="the empty database to fill; by default the one in the settings",
    )
    owner_requests.add_parsers(kinds)
    personal_data.add_parsers(kinds)
    emoji = kinds.add_parser("emoji", help="upload the cards and suits as the application's emoji; needs the token")
    emoji.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    return parser


if __name__ == "__main__":
    sys.exit(main())
