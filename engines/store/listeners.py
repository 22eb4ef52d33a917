"""Lists of functions that follow an event. A listener adds itself when it is made, so that nobody can forget it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Listeners(list[Callable[P, object]], Generic[P]):
    """Functions that are called together, in the order in which they were added. There may be none."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener."""
        for listener in self:
            listener(*args, **kwargs)
