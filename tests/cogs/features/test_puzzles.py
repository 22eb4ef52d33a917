"""The puzzles of every game: real decisions under today's rules, with a move that is clearly the best."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.features.puzzles import game_puzzles
from cogs.features.puzzles.game_puzzles import GamePuzzles
from cogs.table.pages.page import Page, Text
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.wording.narration import screen_context
from cogs.table.wording.player_names import escape_markdown
from engines import GAMES
from engines.features.puzzles.puzzle_file import parse_puzzle
from engines.hosting.records import record
from engines.kit.errors import IllegalMove
from players import MoveValue, ValueUnit, compare_on_view, is_equal
from players.advice import hint_budget
from players.levels import player_model_of
from tests.contract.laws.pages import page_problems
from tests.features.exercises import PUZZLES
from tests.game_uis import GAME_UIS

EACH = [
    pytest.param(puzzles, number, id=f"{key}-{number}")
    for key, puzzles in PUZZLES.items()
    for number in range(1, len(puzzles.puzzles) + 1)
]
UNIT = ValueUnit("point more", "points more", 10)


def page_text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


def test_every_game_has_at_least_five() -> None:
    assert [key for key in GAMES if len(PUZZLES[key].puzzles) < 5] == []
    assert len(PUZZLES["wizard"].puzzles) >= 10


@pytest.mark.parametrize("key", PUZZLES)
def test_none_is_there_twice(key: str) -> None:
    puzzles = PUZZLES[key].puzzles
    assert puzzles
    assert len({each.record.seed for each in puzzles}) == len(puzzles)


@pytest.mark.parametrize(("puzzles", "number"), EACH)
def test_its_record_is_a_whole_match_under_todays_rules(puzzles: GamePuzzles, number: int) -> None:
    puzzle, game = puzzles.puzzles[number - 1], puzzles.game
    assert puzzle.record.rules == game.version
    assert puzzle.record.result == game.outcome(record.replay(puzzle.record, {game.key: game}).state)
    snapshot = puzzles.snapshot(number)
    assert len(snapshot.moves(puzzle.seat)) in range(2, 26)


@pytest.mark.parametrize(("puzzles", "number"), EACH)
def test_its_pages_are_taken_by_discord_and_one_move_is_the_best(puzzles: GamePuzzles, number: int) -> None:
    game, model = puzzles.game, player_model_of(puzzles.game)
    assert page_problems(game_puzzles.puzzle_page(puzzles, number, DEFAULT_READER)) == []
    assert page_problems(game_puzzles.working_page(puzzles, number)) == []
    values = compare_on_view(game, puzzles.view(number), f"test {number}", hint_budget(model).simulations)
    assert {value.move for value in values} == set(puzzles.snapshot(number).moves(puzzles.puzzles[number - 1].seat))
    assert [is_equal(value) for value in values].count(True) < len(values)
    page = game_puzzles.answer_page(puzzles, number, values[-1].move, values, model.unit, 100)
    assert page_problems(page) == []
    assert page_text(page).count("\n- ") == len(values)
    check_answer(puzzles, number, values[0].move, page_text(page))


def check_answer(puzzles: GamePuzzles, number: int, best: Any, text: str) -> None:
    """Check that an answer begins with the best move and one reason; the worth of all moves follows."""
    view, context = puzzles.view(number), screen_context(puzzles.snapshot(number))
    heading, first, *others = text.split("\n")
    assert heading.startswith("-# ")
    assert first.startswith(f"**{escape_markdown(puzzles.screen.choice_label(view, best, context))}**. ")
    reason = puzzles.screen.move_reason(view, best, context)
    assert [each for each in others if not each.startswith(("- ", "-# "))] == ([reason] if reason else [])


def test_an_answer_says_what_is_best_what_is_equal_and_what_is_worse() -> None:
    puzzles, number = PUZZLES["wizard"], 10
    moves = [puzzles.game.parse_move(f"bid {tricks}") for tricks in (1, 0, 2)]
    assert set(moves) <= set(puzzles.snapshot(number).moves(puzzles.puzzles[number - 1].seat))
    values = [MoveValue(moves[0], 0.0, 0.0), MoveValue(moves[1], 0.15, 0.1), MoveValue(moves[2], 1.25, 0.1)]
    verdicts = ("Right, no other move is better.", "Your choice is just as good: ", "This is better than your choice.")
    for chosen, verdict in zip(moves, verdicts, strict=True):
        text = page_text(game_puzzles.answer_page(puzzles, number, chosen, values, UNIT, 64))
        assert f"**Bid 1**. {verdict}" in text
        assert text.count("(your choice)") == 1
    assert "- Bid 1: the best\n- Bid 0: equal (−1.5 ± 1.0)\n- **Bid 2** (your choice): −12.5 ± 1.0" in text
    assert "the same 64 possible deals" in text


def test_a_refusal_in_a_puzzle_stands_above_it() -> None:
    puzzles = PUZZLES["wizard"]
    page = game_puzzles.refused_page(puzzles, 1, DEFAULT_READER, IllegalMove("W7", "You must follow."))
    assert "You must follow." in page_text(page)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("decision: ", "deciding: ", "the header “decision” is missing"),
        ("decision: ", "decision: 9", "there is no move 9"),
        ("motley-record: 1", "motley-record: 7", "does not have version 1"),
    ],
)
def test_a_faulty_puzzle_is_refused(old: str, new: str, sentence: str) -> None:
    text = (GAME_UIS["wizard"].docs_folder / "puzzles" / "wizard" / "01.txt").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=sentence):
        parse_puzzle(text.replace(old, new, 1))
