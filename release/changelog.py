"""Reads CHANGELOG.md, and turns its Unreleased part into a version's section."""

from __future__ import annotations

import re
from datetime import date

UNRELEASED = "## Unreleased"
SECTION_PATTERN = re.compile(r"^## (?P<title>.*)$", re.MULTILINE)


class NotReady(Exception):
    """A release is not possible; the message says why and what to do."""


def split_sections(text: str) -> dict[str, str]:
    """Return the text under each title, in order."""
    parts = SECTION_PATTERN.split(text)[1:]
    return {title.strip(): body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def release_notes(text: str, version: str) -> tuple[str, date]:
    """Return the text and date of that version's release. Raises NotReady."""
    found = {title: body for title, body in split_sections(text).items() if title.partition(" ")[0] == version}
    if len(found) != 1:
        count = f"{len(found)} sections" if found else "no section"
        raise NotReady(f"CHANGELOG.md has {count} for {version}. `make release TO={version}` creates one.")
    ((title, body),) = found.items()
    dated = re.fullmatch(rf"{re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)", title)
    if not dated or not body:
        raise NotReady(f"CHANGELOG.md's “{title}” is not a version with a date and some text.")
    return body, date.fromisoformat(dated[1])


def unreleased_text(text: str) -> str:
    """Return the text under Unreleased. Raises NotReady if there is no such section."""
    try:
        return split_sections(text)["Unreleased"]
    except KeyError:
        raise NotReady(f"CHANGELOG.md has no “{UNRELEASED}”.") from None


def close_section(text: str, version: str, day: date) -> str:
    """Return the changelog with Unreleased turned into that version. Raises NotReady."""
    if not unreleased_text(text):
        raise NotReady("CHANGELOG.md has nothing under Unreleased to release.")
    if any(title.partition(" ")[0] == version for title in split_sections(text)):
        raise NotReady(f"CHANGELOG.md already has {version}. Set another version in pyproject.toml.")
    return text.replace(UNRELEASED, f"{UNRELEASED}\n\n## {version} ({day})", 1)
