"""What work is given to do its statements with: one of asyncpg's connections, and how it is let go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import asyncpg

from storage.postgres.connection.errors import FORESEEN

T = TypeVar("T")

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Own: TypeAlias = asyncpg.Connection[asyncpg.Record]
    Raw: TypeAlias = Own | PoolConnectionProxy[asyncpg.Record]
else:
    Own = asyncpg.Connection
    Raw = Any

Work: TypeAlias = Callable[[Raw], Awaitable[T]]


class Connection(Own):
    """One that may break while it is let go: the pool closes those that it gives up in tasks that nobody asks."""

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  # asyncpg's
        """Let it go within so many seconds: in good order where that can be, else asyncpg drops it."""
        with suppress(*FORESEEN):
            await super().close(timeout=timeout)
