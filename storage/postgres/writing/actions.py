"""Anonymizes a person's actions in a match."""

from __future__ import annotations

from storage.postgres.connection.connection import RawConnection
from storage.postgres.writing.row_writes import forget_in_match

# A reason may name a player who has left; for a damaged match it does not.
_SCRUB_ACTIONS = (
    'UPDATE moves SET "user" = $3, click = 0 WHERE match = $1 AND "user" = $2',
    "UPDATE history SET by = $3, click = 0 WHERE match = $1 AND by = $2",
)
_SCRUB_REASONS = "UPDATE history SET reason = '' WHERE match = $1 AND action <> 'set aside'"
FORGETTING_DONE = 'DELETE FROM forgetting WHERE match = $1 AND "user" = $2'


async def scrub_actions(raw: RawConnection, match: str, user: int, nobody: int) -> None:
    """Assign a person's actions in a match to a number that belongs to nobody."""
    await forget_in_match(match, user, nobody, raw)
    for sql in _SCRUB_ACTIONS:
        await raw.execute(sql, match, user, nobody)
    await raw.execute(_SCRUB_REASONS, match)
    await raw.execute(FORGETTING_DONE, match, user)
