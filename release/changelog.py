"""CHANGELOG.md: what is not released yet becomes a version's section, which is what its release says."""

from __future__ import annotations

import re
from datetime import date

UNRELEASED = "## Unreleased"
SECTION_PATTERN = re.compile(r"^## (?P<title>.*)$", re.MULTILINE)


class NotReady(Exception):
    """A release cannot be made; the message says why, and what to do."""


def split_sections(text: str) -> dict[str, str]:
    """What stands under each title, in order."""
    parts = SECTION_PATTERN.split(text)[1:]
    return {title.strip(): body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def release_notes(text: str, version: str) -> tuple[str, date]:
    """What the release of that version says, and its date. Raises NotReady."""
    found = {title: body for title, body in split_sections(text).items() if title.partition(" ")[0] == version}
    if len(found) != 1:
        raise NotReady(
            f"CHANGELOG.md has {len(found) or 'no'} sections of {version}. `python -m release close` makes it."
        )
    ((title, body),) = found.items()
    dated = re.fullmatch(rf"{re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)", title)
    if not dated or not body:
        raise NotReady(f"CHANGELOG.md's “{title}” is no version with a date and something said of it.")
    return body, date.fromisoformat(dated[1])


def unreleased_text(text: str) -> str:
    """What is not released yet. Raises NotReady where there is no place for it."""
    try:
        return split_sections(text)["Unreleased"]
    except KeyError:
        raise NotReady(f"CHANGELOG.md has no “{UNRELEASED}”.") from None


def close_section(text: str, version: str, day: date) -> str:
    """The changelog after what was not released yet has become that version. Raises NotReady."""
    if not unreleased_text(text):
        raise NotReady("CHANGELOG.md says nothing under Unreleased that could be released.")
    if any(title.partition(" ")[0] == version for title in split_sections(text)):
        raise NotReady(f"CHANGELOG.md has {version} already. Another version is set in pyproject.toml.")
    return text.replace(UNRELEASED, f"{UNRELEASED}\n\n## {version} ({day})", 1)
