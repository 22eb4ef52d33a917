"""Durable storage in one SQLite file. No other folder writes SQL."""

from storage.database import Database
from storage.errors import StorageError
from storage.matches import MatchStore
from storage.surfaces import SurfaceStore

__all__ = ["Database", "MatchStore", "StorageError", "SurfaceStore"]
