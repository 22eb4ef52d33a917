"""No control is longer than a telephone shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cogs.jesters import words as jesters_words
from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION, MAX_PLACEHOLDER
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Pick, Picks, Screen, Select, Step, Steps
from cogs.screens.words import seat_button_label
from cogs.wizard.screen import WizardScreen
from engines.jesters.components import catalogue
from engines.kit.contract import Decision
from engines.wizard.model import Options
from tests.contract.helper import MatchStart
from tests.contract.laws.pages import a_telephone_shows_whole_controls
from tests.engines.wizard.helper import WizardHelper
from tests.fronts import RULES
from tests.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_the_rules_fit_in_their_list(game: str) -> None:
    assert not [title for title, _ in RULES[game].parts if len(title) > MAX_OPTION]


def test_all_components_of_jesters_fit_in_a_line() -> None:
    known = catalogue.all_components()
    faces = [jesters_words.jest_card_text(card.id) for card in known.jest_cards]
    said = [f"{face} (10th)" if faces.count(face) > 1 else face for face in faces]
    said += [f"Gift {gift.id}: {jesters_words.gift_text(gift.id)}" for gift in known.gifts]
    said += [task.name for task in (*known.performances, *known.favorites)]
    assert not [text for text in said if len(text) > MAX_OPTION]


LABEL_TOO_LONG = (Buttons((Button("x" * (MAX_LABEL + 1), "bid 0"),)),)
FURTHER = Steps("Further", (Step("On", "on", LABEL_TOO_LONG),))
TOO_LONG: dict[str, tuple[Control, ...]] = {
    "label": LABEL_TOO_LONG,
    "option": (Select("Bid", (Option("x" * (MAX_OPTION + 1), "bid 0"),)),),
    "description": (Select("Bid", (Option("Nothing", "bid 0", "x" * (MAX_DESCRIPTION + 1)),)),),
    "placeholder": (Select("x" * (MAX_PLACEHOLDER + 1), (Option("Nothing", "bid 0"),)),),
    "placeholder of several lists": (
        Select("x" * MAX_PLACEHOLDER, tuple(Option(str(i), f"bid {i}") for i in range(26))),
    ),
    "step": (Steps("Bid", (Step("x" * (MAX_OPTION + 1), "on", ()),)),),
    "after two steps": (Steps("Bid", (Step("Go", "go", (FURTHER,)),)),),
    "picks": (Picks("Bid", "bid", (Pick("x" * (MAX_OPTION + 1), "0"),), 1),),
    "order of picks": (Picks("Bid", "bid", (Pick("x" * MAX_OPTION, "0"), Pick("y", "1")), 2),),
    "done": (Picks("Bid", "bid", (Pick("x", "0"),), 1, confirm_label="x" * (MAX_LABEL + 1)),),
    "cut in words": (Select("Bid", (Option("Nothing at a…", "bid 0"),)),),
    "buttons alike": (Buttons((Button("Bid", "bid 0"), Button("Bid", "bid 1"))),),
}


@pytest.mark.parametrize("what", TOO_LONG)
def test_a_screen_whose_controls_are_cut_breaks_the_law(what: str) -> None:
    class Verbose(WizardScreen):
        """Whoever bids is told too much."""

        def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
            drawn = super().hand(view, decision, moves, context)
            return replace(drawn, controls=TOO_LONG[what]) if decision else drawn

    helper = WizardHelper()
    helper.screen = Verbose()
    with pytest.raises(AssertionError, match=r"characters|cut|alike"):
        a_telephone_shows_whole_controls(helper, MatchStart(3, Options(rounds=1), "5" * 32))


def test_names_are_cut_in_one_place_and_inside_what_holds_their_direction() -> None:
    context = Context(("Maximiliana\\_von\\_Hohenfels", "\u2068שלום עולם\u2069"), None, plate_names=("Maximili", "B"))
    assert seat_button_label(context, 0) == "Maximiliana_von_Hohenfels"
    assert seat_button_label(context, 0, 10) == "Maximilia…"
    assert seat_button_label(context, 1) == "B \u2068שלום עולם\u2069"
    assert seat_button_label(context, 1, 8) == "B \u2068שלו…\u2069"
