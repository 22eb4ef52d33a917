"""What work is given to do its statements with: one of asyncpg's connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from asyncpg import Connection, Record
    from asyncpg.pool import PoolConnectionProxy

    Raw: TypeAlias = Connection[Record] | PoolConnectionProxy[Record]
else:
    Raw = Any

Work: TypeAlias = Callable[[Raw], Awaitable[T]]
