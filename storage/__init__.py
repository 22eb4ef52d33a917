"""Durable storage in one SQLite file. No other folder writes SQL."""

from storage.beside import Snapshot, beside, running
from storage.copies import copy, megabytes, restore, vacuum
from storage.database import Database
from storage.errors import StorageError
from storage.matches import MatchStore
from storage.surfaces import SurfaceStore

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
