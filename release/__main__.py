"""`python -m release`: the steps of a release.

`close` turns Unreleased into a section of the changelog, `make` builds the release, `notes` prints its text, and
`audit` lists known vulnerabilities. Exit code 0 means that all is well, 1 that a step failed or a vulnerability is
known.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from motley.version import version
from release.audit import audit_requirements
from release.changelog import NotReady, close_section, release_notes
from release.making import make_release, prepare_release

ROOT = Path(__file__).resolve().parents[1]
NEXT_TEXT = "{tag} was created locally. `git push origin {tag}` publishes it; its files are in {folder}."


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line; return its exit code."""
    asked = _make_parser().parse_args(arguments)
    try:
        return _run_command(asked, root)
    except NotReady as why:
        sys.stderr.write(f"{why}\n")
        return 1


def _run_command(asked: Namespace, root: Path) -> int:
    this, changelog = version(root / "pyproject.toml"), root / "CHANGELOG.md"
    match asked.command:
        case "audit":
            lines, well = audit_requirements(root / "requirements" / "postgres.txt")
            print(*lines, sep="\n")
            return 0 if well else 1
        case "close":
            text = close_section(changelog.read_text(encoding="utf-8"), this, asked.date)
            changelog.write_text(text, encoding="utf-8")
            print(f"CHANGELOG.md: Unreleased is now {this} ({asked.date}). Commit the change.")
        case "notes":
            print(release_notes(changelog.read_text(encoding="utf-8"), this)[0])
        case _:
            release = prepare_release(root, this)
            files = make_release(release, root / "dist")
            print(release.notes, *(f"dist/{path.name}" for path in files), sep="\n")
            print(NEXT_TEXT.format(tag=release.tag, folder="dist"))
    return 0


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser("python -m release", description="Make a release of the version in pyproject.toml.")
    kinds = parser.add_subparsers(dest="command", required=True)
    kinds.add_parser("make", help="check the tree, build the release's files in `dist`, and create its tag")
    close = kinds.add_parser("close", help="turn Unreleased in CHANGELOG.md into the version's section")
    close.add_argument("date", type=date.fromisoformat, nargs="?", default=datetime.now(UTC).date(), help="2026-01-31")
    kinds.add_parser("notes", help="print the text of the release")
    kinds.add_parser("audit", help="check the bot's dependencies for known vulnerabilities")
    return parser


if __name__ == "__main__":
    sys.exit(main())
