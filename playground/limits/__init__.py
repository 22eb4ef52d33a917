"""Discord's limits on requests, as one table for the playground and for in-process tests.

`find_violations(request)` returns what Discord would refuse; nothing here uses a network.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from playground.limits import application_emoji, commands, components, messages, modals, selects
from playground.limits.base import (
    INVALID_FORM_CODE,
    Limit,
    LimitProblem,
    Request,
    RequestPart,
    SentFile,
    Subject,
    Violation,
)
from playground.limits.checks import is_int
from playground.limits.parts import split_request

__all__ = [
    "INVALID_FORM_CODE",
    "LIMITS",
    "Limit",
    "LimitProblem",
    "Request",
    "RequestPart",
    "SentFile",
    "Subject",
    "Violation",
]
__all__ += ["error_tree", "find_violations"]

LIMITS: Final = (
    *messages.ROWS,
    *components.ROWS,
    *selects.ROWS,
    *modals.ROWS,
    *commands.ROWS,
    *application_emoji.ROWS,
)


def find_violations(request: Request) -> list[Violation]:
    """Return every limit that the request breaks, in the order of the table."""
    found = [
        (row, Violation(LIMITS[row], part.path + fault.path, fault.reason, fault.text))
        for subject, parts in split_request(request).items()
        for part in parts
        for row in _rows_about(subject, part.body.get("type"))
        for fault in LIMITS[row].check(part)
    ]
    return [violation for _, violation in sorted(found, key=itemgetter(0))]


def _rows_about(subject: Subject, kind: Any) -> tuple[int, ...]:
    """Return the rows of the table that are about such a part."""
    return _rows_about_type(subject, kind if is_int(kind) else None)


@lru_cache(maxsize=1000)  # a bot may send any number
def _rows_about_type(subject: Subject, kind: int | None) -> tuple[int, ...]:
    rows = (row for row, limit in enumerate(LIMITS) if limit.subject is subject)
    return tuple(row for row in rows if not LIMITS[row].types or kind in LIMITS[row].types)


def error_tree(violations: Iterable[Violation]) -> dict[str, Any]:
    """Return the violations in the nested form of Discord's "errors"."""
    tree: dict[str, Any] = {}
    for violation in violations:
        node = tree
        for step in violation.path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": violation.reason, "message": violation.text})
    return tree
