"""`python -m release`: the steps of a release.

`begin` sets the version, keeps its databases and closes the changelog, `make` builds, checks and tags the release,
`notes` prints its text, and `audit` lists known vulnerabilities. Exit code 0 means that all is well, 1 that a step
failed or a vulnerability is known.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from motley.version import version
from release.audit import audit_requirements
from release.changelog import NotReady, release_notes
from release.making import is_made, make_release, prepare_release, require_sums
from release.preparing import begin_release

ROOT = Path(__file__).resolve().parents[1]
NEXT_TEXT = "{tag} was created locally. `git push origin HEAD {tag}` publishes it; its files are in {folder}."
MADE_TEXT = "{tag} was already made. Nothing was changed."


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line; return its exit code."""
    arguments_ = _make_parser().parse_args(arguments)
    try:
        return _run_command(arguments_, root)
    except NotReady as why:
        sys.stderr.write(f"{why}\n")
        return 1


def _run_command(arguments: Namespace, root: Path) -> int:
    this, changelog = version(root / "pyproject.toml"), root / "CHANGELOG.md"
    match arguments.command:
        case "audit":
            lines, well = audit_requirements(root / "requirements" / "postgres.txt")
            print(*lines, sep="\n")
            return 0 if well else 1
        case "begin":
            changed = begin_release(root, arguments.version, arguments.date)
            print(f"Version {arguments.version} was {'begun and committed' if changed else 'already begun'}.")
        case "notes":
            print(release_notes(changelog.read_text(encoding="utf-8"), this)[0])
        case _:
            release = prepare_release(root, this)
            if is_made(release):
                if (root / "dist").exists():
                    require_sums(root / "dist")
                print(MADE_TEXT.format(tag=release.tag))
                return 0
            files = make_release(release, root / "dist")
            print(release.notes, *(f"dist/{path.name}" for path in files), sep="\n")
            print(NEXT_TEXT.format(tag=release.tag, folder="dist"))
    return 0


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser("python -m release", description="Make a release of the version in pyproject.toml.")
    kinds = parser.add_subparsers(dest="command", required=True)
    begin = kinds.add_parser("begin", help="set the version, keep its databases, close the changelog, and commit that")
    begin.add_argument("version", help="1.2.3")
    begin.add_argument("date", type=date.fromisoformat, nargs="?", default=datetime.now(UTC).date(), help="2026-01-31")
    kinds.add_parser("make", help="build the release's files in `dist`, check them, and create its tag")
    kinds.add_parser("notes", help="print the text of the release")
    kinds.add_parser("audit", help="check the bot's dependencies for known vulnerabilities")
    return parser


if __name__ == "__main__":
    sys.exit(main())
