"""Checks the bot's dependencies for known vulnerabilities with pip-audit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

UNREACHABLE_TEXT = "The dependencies were not audited: pip-audit's database is not reachable from here."
TIMEOUT_SECONDS = 300  # seconds


def audit_requirements(requirements: Path) -> tuple[list[str], bool]:
    """Return a report, and whether all is well; an unreachable database is reported but is no failure."""
    command = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--format", "json"]
    command += ["--progress-spinner", "off", "--requirement", str(requirements)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return [UNREACHABLE_TEXT], True
    return parse_audit(done.stdout)


def parse_audit(output: str) -> tuple[list[str], bool]:
    """Return the same from pip-audit's output."""
    try:
        found = json.loads(output)["dependencies"]
    except (ValueError, KeyError):
        return [UNREACHABLE_TEXT], True
    audited = [each for each in found if "skip_reason" not in each]
    left = [each["name"] for each in found if "skip_reason" in each]
    if not audited:
        return [UNREACHABLE_TEXT], True
    weak = [_weakness_line(each, known) for each in audited for known in each["vulns"]]
    lines = [f"{len(audited)} dependencies were audited, {len(weak) or 'no'} known weaknesses.", *weak]
    if left:
        lines.append(f"The database has no entry for {', '.join(left)}: not audited.")
    return lines, not weak


def _weakness_line(package: Any, known: Any) -> str:
    mended = ", ".join(known["fix_versions"])
    return f"- {package['name']} {package['version']}: {known['id']}, " + (
        f"fixed in {mended}" if mended else "not fixed yet"
    )
