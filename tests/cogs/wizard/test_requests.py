"""The number of requests for a move of Wizard."""

from __future__ import annotations

from tests.engines.wizard.helper import WizardHelper
from tests.plain.request_counts import requests_per_move


async def test_with_six_a_move_is_an_answer_a_table_and_a_hand() -> None:
    at_once, _ = await requests_per_move(WizardHelper(), 6)
    assert at_once <= 3.0
