"""Reads surfaces and mentions; the statements that write them alone."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from engines.store.match_store import Status
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import Mention, Surface
from storage.shared.partition_queries import match_partition_condition, partition_condition
from storage.shared.stores.statements import LIVE_STATUSES, SharedStore
from storage.shared.tables import MENTIONS, SURFACES, put_sql, quote_columns

PUT_SURFACE = put_sql(SURFACES)
EDIT_COLUMNS = (*SURFACES.key, "digest", "shown", "done", "channel", "message")
PUT_EDIT = """
UPDATE surfaces SET digest = $4, shown = $5, done = $6
WHERE match = $1 AND kind = $2 AND seat = $3 AND channel = $7 AND message = $8 AND shown <= $5
"""
# If the message was replaced, or shows something newer, it must be checked.
PUT_REPLY = """
UPDATE surfaces SET shown = CASE WHEN shown > $4 THEN shown ELSE $4 END, digest = CASE
    WHEN channel = $5 AND message = $6 AND nonce = '' AND shown <= $4 THEN $7 ELSE '' END
WHERE match = $1 AND kind = $2 AND seat = $3
"""
DOUBT_SURFACE = "UPDATE surfaces SET lost = '', digest = '' WHERE match = $1 AND kind = $2 AND seat = $3"
DROP_SURFACE = "DELETE FROM surfaces WHERE match = $1 AND kind = $2 AND seat = $3"
PUT_MENTION = put_sql(MENTIONS)
DROP_MENTION = "DELETE FROM mentions WHERE match = $1 AND seat = $2 AND decision = $3"
surface_values = attrgetter(*SURFACES.columns)
edit_values = attrgetter(*EDIT_COLUMNS)
reply_values = attrgetter(*SURFACES.key, "shown", "channel", "message", "digest")
mention_values = attrgetter(*MENTIONS.columns)

_SURFACES = f"SELECT {quote_columns(SURFACES.columns)} FROM surfaces WHERE match = $1 ORDER BY kind, seat"
_MENTIONS = f"SELECT {quote_columns(MENTIONS.columns)} FROM mentions WHERE match = $1 ORDER BY seat, decision"
_GIVEN_UP = f"""
SELECT match FROM matches WHERE (status IN ({LIVE_STATUSES}) OR status = '{Status.OVER}' AND created >= $1)
    AND EXISTS (SELECT 1 FROM surfaces WHERE surfaces.match = matches.match AND lost <> '')
"""


class SurfaceReader(SharedStore):
    """The part of the surface store that reads surfaces."""

    async def surfaces_of(self, match: str) -> list[Surface]:
        """Return the surfaces of a match."""
        found = [Surface(*row) for row in await self._fetch("surfaces", _SURFACES, match)]
        return [replace(surface, done=bool(surface.done)) for surface in found]

    async def mentions(self, match: str) -> list[Mention]:
        """Return the mentions of a match."""
        return [Mention(*row) for row in await self._fetch("mentions", _MENTIONS, match)]

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the matches of these servers that may have stale surfaces."""
        condition = match_partition_condition(partition, "behind.match")
        sql = f"SELECT match FROM behind WHERE TRUE{condition} ORDER BY match"
        return [match for (match,) in await self._fetch("stale matches", sql)]

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return matches with a surface that was given up: live ones, or finished ones opened since then."""
        sql = f"{_GIVEN_UP}{partition_condition(partition)} ORDER BY match"
        return [match for (match,) in await self._fetch("surfaces", sql, since)]


def unfinished_match(surface: Surface) -> str:
    """Return the match of a surface that is left half done; '' if it is not."""
    return surface.match if surface.nonce or surface.old or not surface.digest else ""
