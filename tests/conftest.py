"""For all tests: what CI forbids, marks and order; the fixtures of the whole bot and of the page, for any game."""

from __future__ import annotations

pytest_plugins = (
    "tests.ci",
    "tests.marks",
    "tests.disk",
    "tests.postgres",
    "tests.end_to_end.fixtures",
    "tests.page.fixtures",
)
