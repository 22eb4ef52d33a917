"""Durable storage: in one SQLite file, or in a PostgreSQL database. No other folder writes SQL."""

from storage.copy_between_stores import move
from storage.open_store import OwnerHandle, StoreHandle, open_owner_storage, open_store
from storage.shared.errors import DatabaseAway, InvalidLocation
from storage.shared.location import is_address, parse_location, parse_path
from storage.sqlite import (
    Database,
    MatchStore,
    ReadOnlyCopy,
    StorageError,
    SurfaceStore,
    copy_database,
    format_megabytes,
    is_in_use,
    read_only_copy,
    restore_backup,
    vacuum_database,
)

__all__ = [
    "Database",
    "DatabaseAway",
    "InvalidLocation",
    "MatchStore",
    "OwnerHandle",
    "ReadOnlyCopy",
    "StorageError",
    "StoreHandle",
    "SurfaceStore",
    "copy_database",
    "format_megabytes",
    "is_address",
    "is_in_use",
    "move",
    "open_owner_storage",
    "open_store",
    "parse_location",
    "parse_path",
    "read_only_copy",
    "restore_backup",
    "vacuum_database",
]
