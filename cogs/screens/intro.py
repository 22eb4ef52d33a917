"""A game's introduction for newcomers: what it is like, how long it takes, and how hard it is to learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cogs.pictures.spec import LobbyPicture
from cogs.screens.picture import Picture

Learning = Literal["easy", "medium", "demanding"]
HOURS = 120  # minutes; longer matches are given in hours


def length_text(minutes: int) -> str:
    """Return a length: `25 min`, `3 h`."""
    return f"{minutes / 60:.0f} h" if minutes >= HOURS else f"{minutes} min"


@dataclass(frozen=True, slots=True)
class Intro:
    """A game in one line, supplied by its package. The contract test for intros checks that it fits."""

    like: str
    """What players do and what they aim for: a short sentence."""
    minutes: Mapping[int, int]
    """Minutes of a match by the number of players, measured with `python -m bench.players.match_length`."""
    learning: Learning
    """How hard it is to learn."""
    picture: Picture
    """The game's sign (`cogs/pictures/game_sign.py`), which stands beside the line."""
    lobby: type[LobbyPicture]
    """Its own kind of the picture of a lobby (`cogs/pictures/lobby_picture.py`)."""
    advice: Literal["", "start here", "for two"] = ""
    """What newcomers are told: where to start, and with which game if they are two."""

    @property
    def players(self) -> str:
        """The number of players: `2`, `3–6`."""
        fewest, most = min(self.minutes), max(self.minutes)
        return f"{fewest}–{most}" if fewest < most else f"{most}"

    @property
    def length(self) -> str:
        """The length of a match: `5 min`, `20–40 min`, `15 min–3 h`."""
        low, high = min(self.minutes.values()), max(self.minutes.values())
        if high >= HOURS:
            return f"{low} min–{length_text(high)}"
        return f"{low} min" if low == high else f"{low}–{high} min"

    @property
    def description(self) -> str:
        """The description of the command that opens a table."""
        text = f"{self.like} {self.facts}."
        return f"{text} {self.advice.capitalize()}!" if self.advice else text

    @property
    def facts(self) -> str:
        """How many play, how long and how hard: `3–6 players · 45–95 min · easy`."""
        return f"{self.players} players · {self.length} · {self.learning}"
