"""The asyncpg connection that statements run on, and how it is closed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import asyncpg

from storage.postgres.connection.errors import EXPECTED_ERRORS

T = TypeVar("T")

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    _AsyncpgConnection: TypeAlias = asyncpg.Connection[asyncpg.Record]
    RawConnection: TypeAlias = _AsyncpgConnection | PoolConnectionProxy[asyncpg.Record]
else:
    _AsyncpgConnection = asyncpg.Connection
    RawConnection = Any

RawWork: TypeAlias = Callable[[RawConnection], Awaitable[T]]


class Connection(_AsyncpgConnection):
    """A connection that may break while it closes: the pool closes discarded ones in tasks that nobody awaits."""

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  # asyncpg's
        """Close within this many seconds: cleanly if possible, otherwise asyncpg drops the connection."""
        with suppress(*EXPECTED_ERRORS):
            await super().close(timeout=timeout)
