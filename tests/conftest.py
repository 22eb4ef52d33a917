"""For all tests: what CI forbids; the fixtures of the whole bot and of the page, for the tests of any game."""

from __future__ import annotations

pytest_plugins = ("tests.ci", "tests.end_to_end.fixtures", "tests.page.fixtures")
