"""`python -m release`: `close` makes the changelog's section, `make` the release, `notes` what it says; `audit` asks
what weaknesses are known.

It ends with 0 where all is well, and with 1 where something cannot be done, or a weakness is known.
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
NEXT_TEXT = "{tag} is made, here alone. `git push origin {tag}` publishes it; {folder} holds what belongs to it."


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Do what the command line says; its exit code."""
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
            print(f"CHANGELOG.md: what was not released yet is {this} ({asked.date}). Commit it.")
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
    kinds.add_parser("make", help="check the tree, make the release's files in `dist` and its tag")
    close = kinds.add_parser("close", help="make what is under Unreleased in CHANGELOG.md the version's section")
    close.add_argument("date", type=date.fromisoformat, nargs="?", default=datetime.now(UTC).date(), help="2026-01-31")
    kinds.add_parser("notes", help="what the release says")
    kinds.add_parser("audit", help="ask which weaknesses are known of what the bot is made of")
    return parser


if __name__ == "__main__":
    sys.exit(main())
