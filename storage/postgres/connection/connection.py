"""What work is given to do its statements with: one of asyncpg's connections, and how it is let go."""

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
    """One that may break while it is let go: the pool closes those that it gives up in tasks that nobody asks."""

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  # asyncpg's
        """Let it go within so many seconds: in good order where that can be, else asyncpg drops it."""
        with suppress(*EXPECTED_ERRORS):
            await super().close(timeout=timeout)
