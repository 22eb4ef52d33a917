"""Writes sealed deals."""

from __future__ import annotations

from storage.postgres.connection.connection import RawConnection


async def insert_secret(raw: RawConnection, match: str, secret: str) -> None:
    """Store the secret of a new match."""
    await raw.execute("INSERT INTO deals (match, secret) VALUES ($1, $2)", match, secret)


async def write_cuts(raw: RawConnection, match: str, cuts: str) -> None:
    """Store the cuts with which a match starts."""
    await raw.execute("UPDATE deals SET cuts = $2 WHERE match = $1", match, cuts)
