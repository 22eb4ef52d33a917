"""What a task is about: a match, and the decision that is answered there, for whoever reads the log."""

from __future__ import annotations

from contextvars import ContextVar

NOTHING = ("", -1)

_about: ContextVar[tuple[str, int]] = ContextVar("about", default=NOTHING)


def about(match: str, decision: int | None = None) -> None:
    """From now on this task, and what it starts, is about this match, and this decision in it."""
    _about.set((match, -1 if decision is None else decision))


def what() -> tuple[str, int]:
    """The match that this task is about ("": none), and the number of the decision (-1: none)."""
    return _about.get()
