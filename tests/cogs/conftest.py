"""Fixtures of the games' screens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cogs.screen_bench import ScreenBench
from tests.contexts import make_lettered_context


@pytest.fixture(scope="module")
def letters() -> Iterator[None]:
    """Words also name seats by their letters, so that any names can be told apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScreenBench, "context_for", staticmethod(make_lettered_context))
        yield
