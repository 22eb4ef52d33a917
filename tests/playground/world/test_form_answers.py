"""What is submitted in a form fits the form that was opened."""

from __future__ import annotations

from typing import Any

import pytest

from playground.world.form_answers import check_answers

LONG = {"type": 4, "custom_id": "long", "style": 2, "required": False, "min_length": 2, "max_length": 5}
NEEDED = {"type": 4, "custom_id": "needed", "style": 1}
PICK = {"type": 3, "custom_id": "pick", "options": []}
MODAL = {
    "custom_id": "form",
    "components": [*({"type": 18, "label": "A label", "component": each} for each in (LONG, NEEDED, PICK))],
}


def check(custom_id: str = "form", **values: Any) -> str | None:
    given = {"long": "", "needed": "a", "pick": None, **values}
    parts = [{"type": 18, "component": {"type": 4, "custom_id": name, "value": given[name]}} for name in given]
    return check_answers(MODAL, custom_id, parts)


@pytest.mark.parametrize("values", [{}, {"long": "ab"}, {"long": "a\nb\nc"}, {"needed": "x" * 4000}])
def test_an_answer_that_fits_is_accepted(values: dict[str, str]) -> None:
    assert check(**values) is None


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"long": "a"}, "2 to 5"),
        ({"long": "abcdef"}, "2 to 5"),
        ({"needed": ""}, "required"),
        ({"needed": "x" * 4001}, "4000"),
        ({"long": None}, "must be a text"),
        ({"other": "a"}, "not the fields"),
        ({"custom_id": "another"}, "another form"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_with_a_sentence(values: dict[str, Any], sentence: str) -> None:
    assert sentence in str(check(**values))


def test_a_field_that_is_left_out_is_refused() -> None:
    assert "not the fields" in str(check_answers(MODAL, "form", []))
