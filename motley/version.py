"""Which version of Motley this is; `pyproject.toml` alone says it."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def version(project: Path = PROJECT) -> str:
    """Such as `1.2.3`."""
    with project.open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
