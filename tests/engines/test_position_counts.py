"""How many ways there are to make so many moves from a position; tests/contract/test_perft.py counts from starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engines.court import COURT
from engines.jest import JEST
from engines.jokers import JOKERS
from engines.kit.contract import AnyGame
from tests.engines.court import positions as court_positions
from tests.engines.jest import positions as jest_positions
from tests.engines.jokers import positions as jokers_positions

PARSERS: dict[str, Callable[[str], Any]] = {
    "court": court_positions.parse_position,
    "jest": jest_positions.parse_position,
    "jokers": jokers_positions.parse_position,
}
JOKERS_HANDS = f"hand: {jokers_positions.PLAIN} | other: {jokers_positions.PLAIN2} | safety: AD 2C / 3C 4H"
COUNTS: list[tuple[AnyGame, str, list[int]]] = [
    (COURT, "   K L\n9 A B\nhands: 2C 3C AS KS QS menhir / 4H 5H 6H 7H 8H 9H", [2, 2 * (484 - 4 - 2 + 9)]),
    (COURT, "   K L\n9 A B\nhands: 2C 3C AS KS QS 8D / 4H 5H 6H 7H 8H 9H", [3, 30, 180]),
    (COURT, "   K L M N\n9 A B C D\nhands: JC AS AC AD KS QS / / /\nhealth: 5 6 6 6", [4, 75]),
    (JEST, "AS 2H / 3D 4C / 2S joker", [6, 36, 216, 1200]),  # everybody may choose, and choose again
    (JEST, "AS 2H / 3D 4C / 2S joker / 3S 4D", [8, 64, 512]),
    (JEST, "AS|2H / 3D|4C / 2S|joker", [4, 16, 32, 192]),
    (JEST, "AS|2H / 3D|4C / 2S|joker / 3S|4D", [6, 36, 120, 240, 1920]),
    (JOKERS, JOKERS_HANDS, [256]),
    (JOKERS, f"{JOKERS_HANDS} | draw: 2 | pile: 4C 4D", [39, 216, 6101]),
    (JOKERS, f"{JOKERS_HANDS} | draw: 0 | pile: 4C 4D", [3, 197]),
    (
        JOKERS,
        f"hand: {jokers_positions.FULL} | other: {jokers_positions.PLAIN2} | safety: AD 2C / 3C 4H | draw: 1",
        [12, 52, 1894],
    ),
]


def count_positions(game: AnyGame, state: Any, depth: int) -> int:
    if not depth:
        return 1
    count = 0
    for seat in game.decisions(state):
        for move in game.moves(state, seat):
            after = game.copy(state)
            game.play(after, seat, move)
            count += count_positions(game, after, depth - 1)
    return count


@pytest.mark.parametrize(("game", "text", "counts"), COUNTS)
def test_positions_are_counted(game: AnyGame, text: str, counts: list[int]) -> None:
    start = PARSERS[game.key](text)
    assert [count_positions(game, start, depth) for depth in range(1, len(counts) + 1)] == counts
