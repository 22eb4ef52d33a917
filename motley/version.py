"""The version of Motley, as written in `pyproject.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def version(project: Path = PROJECT) -> str:
    """Return the version, such as `1.2.3`."""
    with project.open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
