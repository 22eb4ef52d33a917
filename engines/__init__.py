"""The public names of the games library. Nothing here depends on Discord, SQL or the wall clock.

Users of the library need only these names and those of a game's own package. `GAMES` maps each key to its game. A
`Game` answers questions about a state and changes it only through `play`; all randomness comes from a `Chance`; an
impossible move raises `IllegalMove` with a sentence. `record` writes, reads and replays whole matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.court import COURT
from engines.hosting.records import record
from engines.jest import JEST
from engines.jesters import JESTERS
from engines.jokers import JOKERS
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame, Decision, Event, Game, Outcome
from engines.kit.errors import BadNotation, IllegalMove
from engines.kit.seats import letter, parse_seat
from engines.wizard import WIZARD

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "GAMES",
    "AnyGame",
    "BadNotation",
    "Chance",
    "Decision",
    "Event",
    "Game",
    "IllegalMove",
    "Outcome",
    "letter",
    "parse_seat",
    "record",
]

GAMES: Mapping[str, AnyGame] = {game.key: game for game in (WIZARD, JEST, JOKERS, COURT, JESTERS)}
"""All games by key. This is the only list of them."""
