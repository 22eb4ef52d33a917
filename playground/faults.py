"""Faults on demand: broken, slow and overfull servers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from playground.world import Json

RETRY_AFTER: Final = 0.3


@dataclass(slots=True)
class Faults:
    """What is wrong just now. Counts go down with every request they hit."""

    errors_left: int = 0
    error_status: int = 503
    error_path: str = ""
    slow_ms: int = 0
    rate_limited_left: int = 0
    on_use: Callable[[], None] = field(default=lambda: None)

    def break_down(self, count: int, status: int, path: str) -> None:
        """The next `count` requests whose path matches are answered with `status`."""
        re.compile(path)
        self.errors_left, self.error_status, self.error_path = count, status, path

    def clear(self) -> None:
        """All is well again."""
        self.errors_left = self.slow_ms = self.rate_limited_left = 0

    def broken_status(self, path: str) -> int | None:
        """The status this request fails with, if it does; uses up one failure."""
        if self.errors_left <= 0 or not re.search(self.error_path, path):
            return None
        self.errors_left -= 1
        self.on_use()
        return self.error_status

    def rate_limited(self) -> bool:
        """Whether this request is refused for coming too fast; uses up one."""
        if self.rate_limited_left <= 0:
            return False
        self.rate_limited_left -= 1
        self.on_use()
        return True

    def page_object(self) -> Json:
        """The faults in force, as the page gets them; what is not in force is left out."""
        made: Json = {}
        if self.errors_left:
            made["server_errors"] = {
                "count": self.errors_left,
                "status": self.error_status,
                "path": self.error_path,
            }
        if self.slow_ms:
            made["slow"] = {"ms": self.slow_ms}
        if self.rate_limited_left:
            made["rate_limit"] = {"count": self.rate_limited_left}
        return made
