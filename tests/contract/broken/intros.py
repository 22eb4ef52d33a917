"""Helpers of games whose intro breaks the law of intros."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cogs.pictures.spec import ScoreSheet
from cogs.screens.intro import Intro
from engines.wizard import WIZARD
from tests.engines.wizard.helper import WizardHelper
from tests.game_uis import GAME_UIS

INTRO = GAME_UIS[WIZARD.key].intro


def _with_intro(**changes: Any) -> type[WizardHelper]:
    """Wizard with another intro."""

    class Introduced(WizardHelper):
        @property
        def intro(self) -> Intro:
            return replace(INTRO, **changes)

    return Introduced


LIKE = "Bid your tricks, then take exactly that many"
Silent = _with_intro(like="")  # nobody reads what it is like
Rambling = _with_intro(like=f"{LIKE}. {LIKE}. Or else you lose points.")  # two lines of a telephone are too few for it
TooLongForDiscord = _with_intro(like=f"{LIKE}: no more, no fewer.")  # a telephone has room, Discord's list has not
Timeless = _with_intro(minutes={3: 95, 4: 70, 5: 55})  # nobody knows how long it takes with six players
Exact = _with_intro(minutes={3: 93, 4: 67, 5: 53, 6: 45})  # it claims to know minutes exactly
Vague = _with_intro(learning="not too bad", advice="")  # it uses a word of its own for how hard it is
Overwhelming = _with_intro(learning="demanding")  # it sends newcomers to what is hard
Endless = _with_intro(minutes={3: 100_000, 4: 5_000, 5: 10_000, 6: 100_000_000}, learning="easy")  # more than a line

JEST_SIGN = GAME_UIS["jest"].intro.picture
Nameless = _with_intro(picture=replace(INTRO.picture, alt="A wizard."))  # whose game is it?
Stolen = _with_intro(picture=replace(INTRO.picture, spec=JEST_SIGN.spec))  # two games look alike
Oblong = _with_intro(picture=replace(INTRO.picture, spec=ScoreSheet((), ("1", "2"))))  # Discord would cut it
