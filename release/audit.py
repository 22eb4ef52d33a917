"""Whether a weakness is known of anything that the bot is made of: asked of pip-audit, and of its database by it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

UNREACHABLE = "The dependencies were not audited: pip-audit's database cannot be reached from here."
PATIENCE = 300  # seconds


def audit(requirements: Path) -> tuple[list[str], bool]:
    """What is to be said, and whether all is well; where nothing can be found out that is said, and is no failure."""
    command = [sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--format", "json"]
    command += ["--progress-spinner", "off", "--requirement", str(requirements)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return [UNREACHABLE], True
    return verdict(done.stdout)


def verdict(said: str) -> tuple[list[str], bool]:
    """The same, from what pip-audit says."""
    try:
        found = json.loads(said)["dependencies"]
    except (ValueError, KeyError):
        return [UNREACHABLE], True
    asked = [each for each in found if "skip_reason" not in each]
    left = [each["name"] for each in found if "skip_reason" in each]
    if not asked:
        return [UNREACHABLE], True
    weak = [_weakness(each, known) for each in asked for known in each["vulns"]]
    lines = [f"{len(asked)} dependencies were audited, {len(weak) or 'no'} known weaknesses.", *weak]
    if left:
        lines.append(f"The database does not know {', '.join(left)}: not audited.")
    return lines, not weak


def _weakness(package: Any, known: Any) -> str:
    mended = ", ".join(known["fix_versions"])
    return f"- {package['name']} {package['version']}: {known['id']}, " + (
        f"mended in {mended}" if mended else "not mended yet"
    )
