"""For the tests of the engines: hypothesis tries the same examples every time, however slow the machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("motley", deadline=None, derandomize=True)
settings.load_profile("motley")
