"""Durable storage in one SQLite file."""

from storage.shared.errors import StorageError
from storage.sqlite.backup_files import copy, megabytes, restore, vacuum
from storage.sqlite.database import Database
from storage.sqlite.matches import MatchStore
from storage.sqlite.read_only_copy import Snapshot, beside, running
from storage.sqlite.surfaces import SurfaceStore

__all__ = [
    "Database",
    "MatchStore",
    "Snapshot",
    "StorageError",
    "SurfaceStore",
    "beside",
    "copy",
    "megabytes",
    "restore",
    "running",
    "vacuum",
]
