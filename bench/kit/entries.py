"""What a game's row plays, and how fast it must be: `tests/engines/<key>/bench.toml`, where the game has one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engines.kit.contract import AnyGame

ENGINE_TESTS = Path(__file__).resolve().parents[1] / "tests" / "engines"


class Entry(BaseModel):
    """The match that is played at random, and what it must reach (None: anything).

    `floor` is the least share of OpenSpiel's speed; `cost` the most clicks of the plain bot that a move may cost with
    all its taps, `move` those from the tap that makes it; `draw` the most moves of hearts that it may take to draw a
    state behind a view, once that is prepared; `picture` the most of the plain way's bytes that a picture may have.

    Without `seats` as many play as can. The options are those of which the file says nothing else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: int | None = None
    options: dict[str, object] = Field(default_factory=dict)
    floor: float | None = None
    cost: float | None = None
    move: float | None = None
    draw: float | None = None
    picture: float = 1 / 3


def load_entry(game: AnyGame, tests: Path = ENGINE_TESTS) -> Entry:
    """The game's entry. One without a file is measured all the same."""
    file = tests / game.key / "bench.toml"
    return Entry.model_validate(tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {})


def setup_of(game: AnyGame, entry: Entry) -> tuple[int, Any]:
    """How many play, and with which options. Raises ValueError, with a sentence."""
    seats = game.seats[-1] if entry.seats is None else entry.seats
    return seats, game.validate_setup(seats, game.options_adapter.validate_python(entry.options))
