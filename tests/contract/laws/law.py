"""What a law is, and what several of them ask."""

from __future__ import annotations

from collections.abc import Callable

from engines.kit.errors import IllegalMove
from tests.contract.helper import GameHelper, MatchStart

Law = Callable[[GameHelper, MatchStart], None]
"""It takes a helper and a start, and raises AssertionError if it is broken."""


def refusal_of(action: Callable[[], object]) -> IllegalMove | None:
    """What is said against the action, which is a sentence; None if it is allowed."""
    try:
        action()
    except IllegalMove as refused:
        refusal = refused
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise AssertionError("an error where a sentence was due") from error
    else:
        return None
    assert refusal.reason.endswith((".", "!", "?")), f"no sentence: {refusal.reason}"
    return refusal
