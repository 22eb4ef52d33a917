"""Durable storage in one SQLite file."""

from storage.shared.errors import StorageError
from storage.sqlite.backup_files import copy_database, format_megabytes, restore_backup, vacuum_database
from storage.sqlite.database import Database
from storage.sqlite.matches import MatchStore
from storage.sqlite.owner_file import open_owner_file
from storage.sqlite.read_only_copy import ReadOnlyCopy, is_in_use, read_only_copy
from storage.sqlite.surfaces import SurfaceStore

__all__ = [
    "Database",
    "MatchStore",
    "ReadOnlyCopy",
    "StorageError",
    "SurfaceStore",
    "copy_database",
    "format_megabytes",
    "is_in_use",
    "open_owner_file",
    "read_only_copy",
    "restore_backup",
    "vacuum_database",
]
