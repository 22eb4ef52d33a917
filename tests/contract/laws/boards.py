"""The laws of text boards: `str(view)` shows all that its seat sees, in the words of the notation, and can be read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, replace
from random import Random
from typing import Any

from engines.kit.seats import letter
from engines.kit.text_board import WIDTH
from tests.contract.helper import Helper, Start
from tests.contract.walk import positions, readers

ROW = re.compile(r"^([> ]) ([A-F])\b", re.MULTILINE)
HAND = re.compile(r"^hand: (.*(?:\n    .*)*)", re.MULTILINE)
NO_WORDS = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|\w\(\w+=|[\[{]|\b[Ss]eats? \d")
"""What an unfinished board would hold: values as Python writes them, and seats by their numbers."""
COUNTERS = frozenset({"number", "numbers"})
"""Fields of a view that count decisions, for those who answer them; nobody looks at them."""


def boards_can_be_read(helper: Helper, start: Start) -> None:
    """Narrow lines: whose view it is, a row a seat with a mark where the match waits for it, the seat's own hand."""
    game = helper.game
    for state in positions(helper, start, share=0.3):
        due = {letter(seat) for seat, decision in game.decisions(state).items() if decision.due}
        for seat in readers(start):
            view = game.view(state, seat)
            board = str(view)
            assert str(replace(view)) == board, "two boards of one view"
            for line in board.split("\n"):
                assert line == line.rstrip(), f"not a line: “{line}”"
                assert 0 < len(line) <= WIDTH, f"not a line: “{line}”"
            assert not (found := NO_WORDS.search(board)), f"no words: {found}"
            rows = ROW.findall(board)
            assert [who for _, who in rows] == [letter(other) for other in range(start.seats)], "not a row a seat"
            assert {who for mark, who in rows if mark == ">"} == due, "the marks are wrong"
            whose = "a spectator" if seat is None else letter(seat)
            assert board.partition("\n")[0].endswith(f", seen by {whose}"), "whose view is it?"
            _shows_the_hand(helper, view, board)


def _shows_the_hand(helper: Helper, view: Any, board: str) -> None:
    """The board ends with the hand of a seat, each thing by its name in the notation; a spectator has none."""
    shown = HAND.findall(board)
    assert len(shown) == (view.seat is not None), "not one hand"
    held = Counter(helper.held(view))
    assert not held - Counter(re.split(r"[\s,()]+", "".join(shown))), f"not all of {list(held)} in “{shown}”"


def boards_tell_moments_apart(helper: Helper, start: Start) -> None:
    """What a seat sees differently looks different: at the moments of a match, and after other moves than were made."""
    game, rng = helper.game, Random(start.seed)
    seen: dict[str, Any] = {}
    for state in positions(helper, start, share=0.3):
        worlds = [state]
        for actor in game.decisions(state):
            moves = game.moves(state, actor)
            for move in rng.sample(moves, min(3, len(moves))):
                worlds.append(game.copy(state))
                game.play(worlds[-1], actor, move)
        for seat in rng.sample(readers(start), 2):
            for world in worlds:
                view = _uncounted(game.view(world, seat))
                other = seen.setdefault(str(view), view)
                assert other == view, f"they look the same, but differ in {_differences(view, other)}"


def _uncounted(view: Any) -> Any:
    return replace(view, **{field.name: () for field in fields(view) if field.name in COUNTERS})


def _differences(view: Any, other: Any) -> list[str]:
    return [field.name for field in fields(view) if getattr(view, field.name) != getattr(other, field.name)]
