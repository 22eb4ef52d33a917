"""News in sentences: who did what, in the order it happened, on two lines at most."""

from __future__ import annotations

import pytest

from cogs.screens.control_widths import NARRATION_WIDTH, count_lines
from cogs.table.wording.sentences import join_clauses, join_newest

TIMEOUT = "Ana's time ran out, so the computer moved for them."
NAMES = ("Ana", "Ana 🤖", "Bo", "Cy")


@pytest.mark.parametrize(
    ("clauses", "sentences"),
    [
        (["Ana plays 5♣", "Ana takes the trick"], ["Ana plays 5♣ and takes the trick."]),
        (["Ana plays 5♣", "Ana 🤖 plays 6♣"], ["Ana plays 5♣ and Ana 🤖 6♣."]),
        (["Ana plays 5♣", "Bo plays 6♣", "Cy plays 7♣"], ["Ana plays 5♣, Bo 6♣ and Cy 7♣."]),
        (["Ana plays 5♣", "Bo plays 6♣", "Bo takes the trick"], ["Ana plays 5♣.", "Bo plays 6♣ and takes the trick."]),
        (["Ana has chosen", "Bo has chosen", "Cy has chosen"], ["Ana, Bo and Cy have chosen."]),
        (["Ana has chosen", "Bo has guessed"], ["Ana has chosen.", "Bo has guessed."]),
        (["Ana takes 5♣", "Bo takes 6♣"], ["Ana takes 5♣.", "Bo takes 6♣."]),
        (["Ana turns a 4 into a 5", "Ana turns a 1 into a 2"], ["Ana turns a 4 into a 5 and a 1 into a 2."]),
        (["Ana trades 5♣ and 6♣", "Ana turns up 7♣"], ["Ana trades 5♣ and 6♣, and turns up 7♣."]),
        (["Ana plays a Wizard", "Bo plays 6♣"], ["Ana plays a Wizard and Bo 6♣."]),
        (["Ana names no trump", "Bo plays 6♣"], ["Ana names no trump.", "Bo plays 6♣."]),
        (["Ana plays without a trump", "Bo plays 6♣"], ["Ana plays without a trump.", "Bo plays 6♣."]),
        (
            ["Ana plays 3♦, but the Mage cannot move", "Bo plays 4♦, but the Mage cannot move"],
            ["Ana plays 3♦, but the Mage cannot move.", "Bo plays 4♦, but the Mage cannot move."],
        ),
        (
            ["Ana plays 3♦, but the Mage cannot move", "Ana discards 4♦"],
            ["Ana plays 3♦, but the Mage cannot move, and discards 4♦."],
        ),
        (["Ana draws", *["Ana keeps"] * 4], ["Ana draws, keeps, keeps and keeps.", "Ana keeps."]),
        (["You draw 5♣", "You draw 6♣"], ["You draw 5♣ and draw 6♣."]),
        (["Ana shows 5♣ and Bo 6♣.", "Ana takes 6♣"], ["Ana shows 5♣ and Bo 6♣.", "Ana takes 6♣."]),
        (["nobody takes the trick", "round 2 is dealt"], ["Nobody takes the trick.", "Round 2 is dealt."]),
        (["ana plays 5♣"], ["Ana plays 5♣."]),
        ([TIMEOUT, "Ana bids 1"], [TIMEOUT, "Ana bids 1."]),
        ([], []),
    ],
)
def test_what_one_does_and_what_several_do_alike_is_one_sentence(clauses: list[str], sentences: list[str]) -> None:
    assert join_clauses(clauses, NAMES) == sentences


def test_a_name_that_begins_small_stays_so() -> None:
    assert join_clauses(["bo plays 5♣", "bo takes the trick"], ("bo",)) == ["bo plays 5♣ and takes the trick."]


@pytest.mark.parametrize("clauses", [["x" * 30] * 9, ["y" * 300, "z"], ["x" * 300]])
def test_news_are_the_newest_that_two_lines_hold(clauses: list[str]) -> None:
    line = join_newest(clauses)
    assert 0 < len(line) <= NARRATION_WIDTH + 3
    assert line.endswith((f"{clauses[-1]}.".capitalize(), "…"))


def test_news_of_people_with_broad_names_are_cut_to_two_lines() -> None:
    name = "AWWWWWWW"
    line = join_newest([f"{name} {action}" for action in ("turns up 4♦", "keeps 4♦", "discards A♦")])
    assert line == f"{name} keeps 4♦. {name} discards A♦."
    assert count_lines(line) == 2
    line = join_newest([f"{name} {action}" for action in ("turns up 4♦", "keeps 4♦", "discards A♦")], (name,))
    assert line == f"{name} turns up 4♦, keeps 4♦ and discards A♦."
