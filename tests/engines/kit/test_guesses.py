"""What may be guessed for a question."""

from __future__ import annotations

import pytest

from engines.features.guesses.questions import NOBODY, GuessQuestion, right_seats

SINGLE, SEVERAL = GuessQuestion(1, (0, 1, NOBODY)), GuessQuestion(1, (0, 1, 2, NOBODY), several=True)


@pytest.mark.parametrize(
    ("chosen", "single", "several"),
    [
        ({0}, True, True),
        ({NOBODY}, True, True),
        ({0, 1}, False, True),
        ({0, 1, 2}, False, True),
        ({0, NOBODY}, False, False),
        ({3}, False, False),
        (set[int](), False, False),
    ],
)
def test_one_choice_or_several_seats(chosen: set[int], single: bool, several: bool) -> None:
    assert (SINGLE.accepts(frozenset(chosen)), SEVERAL.accepts(frozenset(chosen))) == (single, several)


def test_nobody_is_right_if_no_seat_is() -> None:
    assert right_seats([]) == {NOBODY}
    assert right_seats([2, 0]) == {0, 2}
