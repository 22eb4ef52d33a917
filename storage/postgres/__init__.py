"""Durable storage in a PostgreSQL database. Needs asyncpg, an optional extra."""

from storage.postgres.database import Database
from storage.postgres.leases import Leases
from storage.postgres.matches import MatchStore
from storage.postgres.process_group import PostgresGroup
from storage.postgres.surfaces import SurfaceStore

__all__ = ["Database", "Leases", "MatchStore", "PostgresGroup", "SurfaceStore"]
