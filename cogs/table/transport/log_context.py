"""What a task is about: a match, and the decision that is answered there, for whoever reads the log."""

from __future__ import annotations

from contextvars import ContextVar

NO_CONTEXT = ("", -1)

_log_context: ContextVar[tuple[str, int]] = ContextVar("about", default=NO_CONTEXT)


def set_log_context(match: str, decision: int | None = None) -> None:
    """From now on this task, and what it starts, is about this match, and this decision in it."""
    _log_context.set((match, -1 if decision is None else decision))


def current_log_context() -> tuple[str, int]:
    """The match that this task is about ("": none), and the number of the decision (-1: none)."""
    return _log_context.get()
