"""Durable storage: in one SQLite file, or in a PostgreSQL database. No other folder writes SQL."""

from storage.copy_between_stores import move
from storage.open_store import Opened, is_address, opened
from storage.sqlite import (
    Database,
    MatchStore,
    Snapshot,
    StorageError,
    SurfaceStore,
    beside,
    copy,
    megabytes,
    restore,
    running,
    vacuum,
)

__all__ = [
    "Database",
    "MatchStore",
    "Opened",
    "Snapshot",
    "StorageError",
    "SurfaceStore",
    "beside",
    "copy",
    "is_address",
    "megabytes",
    "move",
    "opened",
    "restore",
    "running",
    "vacuum",
]
