"""What a newcomer reads of a game before the first match: what it is like, how long it takes, and how hard it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Learning = Literal["easy", "medium", "demanding"]
LEARNING: tuple[Learning, ...] = get_args(Learning)
HOURS = 120  # minutes from which a match is counted in hours


@dataclass(frozen=True, slots=True)
class Intro:
    """A game in one line. Its package supplies it; the law of intros says what has to fit where."""

    like: str
    """What one does in it, and what for: a short sentence."""
    minutes: Mapping[int, int]
    """How long a match takes, by the number of players, as `python -m bench.players.match_length` measures it."""
    learning: Learning
    """How hard it is to learn."""
    start_here: bool = False
    """Whether newcomers are told to begin with it. Of the games for a number of players, one is."""

    @property
    def players(self) -> str:
        """How many play: `2`, `3–6`."""
        fewest, most = min(self.minutes), max(self.minutes)
        return f"{fewest}–{most}" if fewest < most else f"{most}"

    @property
    def length(self) -> str:
        """How long a match takes: `5 min`, `20–40 min`, `15 min–3 h`."""
        low, high = min(self.minutes.values()), max(self.minutes.values())
        if high >= HOURS:
            return f"{low} min–{high / 60:.0f} h"
        return f"{low} min" if low == high else f"{low}–{high} min"

    @property
    def description(self) -> str:
        """What Discord says of the command that opens a table."""
        said = f"{self.like} {self.players} players · {self.length} · {self.learning}."
        return f"{said} Start here!" if self.start_here else said

    def facts(self, command: str) -> str:
        """The same facts in a small line, with the command that opens a table."""
        return f"for {self.players} · {self.length} · {self.learning} · `/{command}`"
