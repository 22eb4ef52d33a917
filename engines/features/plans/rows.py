"""What is stored about planned moves."""

from __future__ import annotations

from dataclasses import dataclass

from engines.store.rows import RowTable


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move that a player marked for their next decision. It is made when their turn comes if its condition holds.

    `decision` is the number of that decision, `situation` what the plan depends on whatever its condition. `dropped` is
    the reason why it will not be made, which its player is told; conditions and reasons are words of the game. `moves`
    is the number of moves and undos of the match when it was marked; −1 if an older version stored it.
    """

    match: str
    user: int
    decision: int
    notation: str
    condition: str
    situation: str
    dropped: str = ""
    moves: int = -1


PLANNED_MOVES = RowTable("planned_moves", PlannedMove, key=2, seen="hand")
