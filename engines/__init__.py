"""The games, and a running match. Nothing here knows of Discord, SQL or the wall clock.

Whoever uses the games as a library needs no other names than these, and those of a game's own package. `GAMES` has
every game by its key. A `Game` is asked about a state and changes it by `play` alone; all randomness comes from a
`Chance`; what cannot be done is an `IllegalMove` with a sentence. `record` writes, reads and replays whole matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.court import COURT
from engines.hosting import record
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
"""Every game there is, by key: the only list of them."""
