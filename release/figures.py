"""The documents with measured figures. Each section with a table says on which version it was measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DOCUMENTS = ("docs/performance.md", "docs/reliability.md", "docs/players.md")
_MEASURED_PATTERN = re.compile(r"measured\s+on\s+version\s+(\d+)\.(\d+)\.\d+", re.IGNORECASE)
_FIGURE_ROW_PATTERN = re.compile(r"^\|.*\d.*\|$", re.MULTILINE)
_HEADING_PATTERN = re.compile(r"^## \[?(\d+)\.(\d+)\.\d+", re.MULTILINE)


def undated_sections(root: Path) -> list[str]:
    """Return the sections whose tables have figures but that name no version, as `document: heading`."""
    return [
        f"{document}: {heading}"
        for document, heading, text in _sections(root)
        if _FIGURE_ROW_PATTERN.search(text) and not _MEASURED_PATTERN.search(text)
    ]


def outdated_sections(root: Path, version: str) -> list[str]:
    """Return the sections with a figure that is older than the last minor version before this one."""
    oldest = _last_minor_version(root, version)
    return [
        f"{document}: {heading}"
        for document, heading, text in _sections(root)
        if any((int(major), int(minor)) < oldest for major, minor in _MEASURED_PATTERN.findall(text))
    ]


def _last_minor_version(root: Path, version: str) -> tuple[int, int]:
    """Return the newest minor version in the changelog before that of `version`; its own if there is none."""
    major, minor, _ = version.split(".")
    own = (int(major), int(minor))
    known = _HEADING_PATTERN.findall((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return max((each for each in ((int(one), int(two)) for one, two in known) if each < own), default=own)


def _sections(root: Path) -> Iterator[tuple[str, str, str]]:
    """Yield each section of the documents: the document, the heading and the text."""
    for document in DOCUMENTS:
        for section in re.split(r"^## ", (root / document).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            heading, _, text = section.partition("\n")
            yield document, heading, text
