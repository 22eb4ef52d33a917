"""No control is longer than a telephone shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cogs.jesters import words as jesters_words
from cogs.screens.control_widths import DESCRIPTION, LABEL, OPTION, PLACEHOLDER
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Pick, Picks, Screen, Select, Step, Steps
from cogs.screens.words import named
from cogs.wizard.screen import WizardScreen
from engines.jesters.components import catalogue
from engines.kit.contract import Decision
from engines.wizard.model import Options
from tests.contract.helper import Start
from tests.contract.laws.pages import a_telephone_shows_whole_controls
from tests.engines.wizard.helper import WizardHelper
from tests.fronts import RULES
from tests.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_the_rules_fit_in_their_list(game: str) -> None:
    assert not [title for title, _ in RULES[game].parts if len(title) > OPTION]


def test_all_components_of_jesters_fit_in_a_line() -> None:
    known = catalogue.components()
    faces = [jesters_words.face_words(card.id) for card in known.jest_cards]
    said = [f"{face} (10th)" if faces.count(face) > 1 else face for face in faces]
    said += [f"Gift {gift.id}: {jesters_words.gift(gift.id)}" for gift in known.gifts]
    said += [task.name for task in (*known.performances, *known.favorites)]
    assert not [text for text in said if len(text) > OPTION]


LABEL_TOO_LONG = (Buttons((Button("x" * (LABEL + 1), "bid 0"),)),)
FURTHER = Steps("Further", (Step("On", "on", LABEL_TOO_LONG),))
TOO_LONG: dict[str, tuple[Control, ...]] = {
    "label": LABEL_TOO_LONG,
    "option": (Select("Bid", (Option("x" * (OPTION + 1), "bid 0"),)),),
    "description": (Select("Bid", (Option("Nothing", "bid 0", "x" * (DESCRIPTION + 1)),)),),
    "placeholder": (Select("x" * (PLACEHOLDER + 1), (Option("Nothing", "bid 0"),)),),
    "placeholder of several lists": (Select("x" * PLACEHOLDER, tuple(Option(str(i), f"bid {i}") for i in range(26))),),
    "step": (Steps("Bid", (Step("x" * (OPTION + 1), "on", ()),)),),
    "after two steps": (Steps("Bid", (Step("Go", "go", (FURTHER,)),)),),
    "picks": (Picks("Bid", "bid", (Pick("x" * (OPTION + 1), "0"),), 1),),
    "order of picks": (Picks("Bid", "bid", (Pick("x" * OPTION, "0"), Pick("y", "1")), 2),),
    "done": (Picks("Bid", "bid", (Pick("x", "0"),), 1, done="x" * (LABEL + 1)),),
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
        a_telephone_shows_whole_controls(helper, Start(3, Options(rounds=1), "5" * 32))


def test_names_are_cut_in_one_place_and_inside_what_holds_their_direction() -> None:
    context = Context(("Maximiliana\\_von\\_Hohenfels", "\u2068שלום עולם\u2069"), None, plates=("Maximili", "B"))
    assert named(context, 0) == "Maximiliana_von_Hohenfels"
    assert named(context, 0, 10) == "Maximilia…"
    assert named(context, 1) == "B \u2068שלום עולם\u2069"
    assert named(context, 1, 8) == "B \u2068שלו…\u2069"
