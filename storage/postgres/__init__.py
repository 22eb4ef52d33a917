"""Durable storage in a PostgreSQL database. Needs asyncpg, an optional extra."""

from storage.postgres.database import Database
from storage.postgres.leases import Leases
from storage.postgres.matches import MatchStore
from storage.postgres.surfaces import SurfaceStore
from storage.postgres.together import Together

__all__ = ["Database", "Leases", "MatchStore", "SurfaceStore", "Together"]
