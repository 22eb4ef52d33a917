"""Drawing pages in a thread: chances and long lists of choices may take a while to work out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def drawn(draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What that function draws, from values that nobody changes, while the event loop is free for others."""
    return await asyncio.to_thread(draw, *args, **kwargs)
