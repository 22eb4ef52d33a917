"""What a game's row plays and its limits: `tests/engines/<key>/bench.toml`, if the game has one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engines.kit.contract import AnyGame

ENGINE_TESTS = Path(__file__).resolve().parents[2] / "tests" / "engines"


class Entry(BaseModel):
    """The random match to play and its limits (None: no limit).

    `floor` is the least share of OpenSpiel's speed. `cost` is the most clicks of the plain bot that a move may cost
    with all its taps, and `move` that of the last tap. `draw` is the most moves of hearts that sampling a state behind
    a prepared view may take. `before` has what each picture cost before the art direction: its bytes, and its time as a
    share of the plain way's.

    Without `seats`, as many play as possible. Keys that the file does not define are options of the game.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: int | None = None
    options: dict[str, object] = Field(default_factory=dict)
    floor: float | None = None
    cost: float | None = None
    move: float | None = None
    draw: float | None = None
    before: dict[str, tuple[int, float]] = Field(default_factory=dict)


def load_entry(game: AnyGame, tests: Path = ENGINE_TESTS) -> Entry:
    """Load the game's entry. A game without a file is measured as well."""
    file = tests / game.key / "bench.toml"
    return Entry.model_validate(tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {})


def setup_of(game: AnyGame, entry: Entry) -> tuple[int, Any]:
    """Return the number of players and the options. Raises ValueError with a sentence."""
    seats = game.seats[-1] if entry.seats is None else entry.seats
    return seats, game.validate_setup(seats, game.options_adapter.validate_python(entry.options))
