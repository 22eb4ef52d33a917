"""The laws of text boards: `str(view)` shows all that its seat sees, in the words of the notation, and can be read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, replace
from random import Random
from typing import Any

from engines.kit.seats import letter
from engines.kit.text_board import WIDTH
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import all_readers, random_positions

ROW_PATTERN = re.compile(r"^([> ]) ([A-F])\b", re.MULTILINE)
HAND_PATTERN = re.compile(r"^hand: (.*(?:\n    .*)*)", re.MULTILINE)
NO_WORDS_PATTERN = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|\w\(\w+=|[\[{]|\b[Ss]eats? \d")
"""What an unfinished board would hold: values as Python writes them, and seats by their numbers."""
COUNTER_FIELDS = frozenset({"number", "numbers"})
"""Fields of a view that count decisions, for those who answer them; nobody looks at them."""


def boards_can_be_read(helper: GameHelper, start: MatchStart) -> None:
    """Narrow lines: whose view it is, a row a seat with a mark where the match waits for it, the seat's own hand."""
    game = helper.game
    for state in random_positions(helper, start, share=0.3):
        due = {letter(seat) for seat, decision in game.decisions(state).items() if decision.due}
        for seat in all_readers(start):
            view = game.view(state, seat)
            board = str(view)
            assert str(replace(view)) == board, "two boards of one view"
            for line in board.split("\n"):
                assert line == line.rstrip(), f"not a line: “{line}”"
                assert 0 < len(line) <= WIDTH, f"not a line: “{line}”"
            assert not (found := NO_WORDS_PATTERN.search(board)), f"no words: {found}"
            rows = ROW_PATTERN.findall(board)
            assert [row_letter for _, row_letter in rows] == [letter(other) for other in range(start.seats)], (
                "not a row a seat"
            )
            assert {row_letter for mark, row_letter in rows if mark == ">"} == due, "the marks are wrong"
            whose = "a spectator" if seat is None else letter(seat)
            assert board.partition("\n")[0].endswith(f", seen by {whose}"), "whose view is it?"
            _check_hand_shown(helper, view, board)


def _check_hand_shown(helper: GameHelper, view: Any, board: str) -> None:
    """The board ends with the hand of a seat, each thing by its name in the notation; a spectator has none."""
    hands = HAND_PATTERN.findall(board)
    assert len(hands) == (view.seat is not None), "not one hand"
    names = Counter(helper.hand_names(view))
    assert not names - Counter(re.split(r"[\s,()]+", "".join(hands))), f"not all of {list(names)} in “{hands}”"


def boards_tell_moments_apart(helper: GameHelper, start: MatchStart) -> None:
    """What a seat sees differently looks different: at the moments of a match, and after other moves than were made."""
    game, rng = helper.game, Random(start.seed)
    views: dict[str, Any] = {}
    for state in random_positions(helper, start, share=0.3):
        worlds = [state]
        for actor in game.decisions(state):
            moves = game.moves(state, actor)
            for move in rng.sample(moves, min(3, len(moves))):
                worlds.append(game.copy(state))
                game.play(worlds[-1], actor, move)
        for seat in rng.sample(all_readers(start), 2):
            for world in worlds:
                view = _without_counters(game.view(world, seat))
                other = views.setdefault(str(view), view)
                assert other == view, f"they look the same, but differ in {_differing_fields(view, other)}"


def _without_counters(view: Any) -> Any:
    return replace(view, **{field.name: () for field in fields(view) if field.name in COUNTER_FIELDS})


def _differing_fields(view: Any, other: Any) -> list[str]:
    return [field.name for field in fields(view) if getattr(view, field.name) != getattr(other, field.name)]
