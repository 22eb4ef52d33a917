"""Discord's limits on requests, as one table for the playground and for in-process tests.

`find_violations(request)` returns what Discord would refuse; nothing here uses a network.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    parts = split_request(request)
    return [
        Violation(limit, part.path + fault.path, fault.reason, fault.text)
        for limit in LIMITS
        for part in parts.get(limit.subject, ())
        if not limit.types or part.body.get("type") in limit.types
        for fault in limit.check(part)
    ]


def error_tree(violations: Iterable[Violation]) -> dict[str, Any]:
    """Return the violations in the nested form of Discord's "errors"."""
    tree: dict[str, Any] = {}
    for violation in violations:
        node = tree
        for step in violation.path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": violation.reason, "message": violation.text})
    return tree
