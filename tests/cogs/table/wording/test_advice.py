"""Advice says each thing once: the move, its reason, and what its card does if neither says that."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.jesters.game_ui import GAME_UI
from cogs.jesters.screen import JestersScreen
from cogs.screens.screen import Context
from cogs.table.wording.advice import advice_lines
from engines.jesters import JESTERS
from engines.jesters.components import catalogue
from engines.jesters.model import Keep
from tests.cogs.jesters.states import whole_match
from tests.contexts import make_context

VIEW = JESTERS.view(whole_match(3)[0], 0)
CONTEXT = make_context(("Ada", "Bela", "Chidi"), None)
GIFTS = [gift.id for gift in catalogue.all_components().gifts]


class OtherReason(JestersScreen):
    """Its reasons say what a Gift does, and its labels do not."""

    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        return "Keep it"

    def move_reason(self, view: Any, move: Any, context: Context) -> str:
        card = self.special_card_in(move, view)
        return f"It {card.effect}." if card else ""


@pytest.mark.parametrize("number", GIFTS)
def test_a_hint_to_keep_a_gift_says_once_what_it_does(number: int) -> None:
    lines = advice_lines(GAME_UI.screen, VIEW, Keep(number), CONTEXT)
    card = GAME_UI.screen.special_card_in(Keep(number), VIEW)
    assert card is not None
    assert "\n".join(lines).count(card.effect) == 1, lines
    assert len(lines) == 2, "a move and a reason"


def test_an_effect_that_the_reason_says_is_no_small_print() -> None:
    lines = advice_lines(OtherReason(), VIEW, Keep(GIFTS[0]), CONTEXT)
    assert len(lines) == 2, lines
