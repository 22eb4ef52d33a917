"""Durable storage in one SQLite file."""

from storage.errors import StorageError
from storage.sqlite.beside import Snapshot, beside, running
from storage.sqlite.copies import copy, megabytes, restore, vacuum
from storage.sqlite.database import Database
from storage.sqlite.matches import MatchStore
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
