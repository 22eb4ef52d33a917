"""The match and decision that the current task works on, for log lines."""

from __future__ import annotations

from contextvars import ContextVar

NO_CONTEXT = ("", -1)

_log_context: ContextVar[tuple[str, int]] = ContextVar("about", default=NO_CONTEXT)


def set_log_context(match: str, decision: int | None = None) -> None:
    """Set the match and decision for this task and the tasks it starts."""
    _log_context.set((match, -1 if decision is None else decision))


def current_log_context() -> tuple[str, int]:
    """The current task's match ("" if none) and decision number (-1 if none)."""
    return _log_context.get()
