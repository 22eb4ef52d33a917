"""The games, and a running match. Nothing here knows of Discord, SQL or the wall clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.court import COURT
from engines.jest import JEST
from engines.jesters import JESTERS
from engines.jokers import JOKERS
from engines.wizard import WIZARD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engines.game import AnyGame

GAMES: Mapping[str, AnyGame] = {game.key: game for game in (WIZARD, JEST, JOKERS, COURT, JESTERS)}
"""Every game there is, by key: the only list of them."""
