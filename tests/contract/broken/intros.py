"""Helpers of games whose intro breaks the law of intros."""

from __future__ import annotations

from dataclasses import replace

from cogs.screens.intro import Intro
from engines.wizard import WIZARD
from tests.engines.wizard.helper import WizardHelper
from tests.fronts import GAME_UIS

INTRO = GAME_UIS[WIZARD.key].intro


class _Introduced(WizardHelper):  # Wizard with another intro
    given: Intro

    @property
    def intro(self) -> Intro:
        return self.given


class Silent(_Introduced):  # nobody reads what it is like
    given = replace(INTRO, like="")


class Rambling(_Introduced):  # two lines of a telephone are too few for it
    given = replace(INTRO, like=f"{'Bid your tricks, then take exactly that many. ' * 2}Or else you lose points.")


class TooLongForDiscord(_Introduced):  # a telephone has room for it, but not Discord's list of commands
    given = replace(INTRO, like="Bid your tricks, then take exactly that many: no more, no fewer.")


class Timeless(_Introduced):  # nobody knows how long it takes with six players
    given = replace(INTRO, minutes={3: 95, 4: 70, 5: 55})


class Exact(_Introduced):  # it claims to know minutes exactly
    given = replace(INTRO, minutes={3: 93, 4: 67, 5: 53, 6: 45})


class Vague(_Introduced):  # it uses a word of its own for how hard it is
    given = replace(INTRO, learning="not too bad", start_here=False)  # type: ignore[arg-type]


class Overwhelming(_Introduced):  # it sends newcomers to what is hard
    given = replace(INTRO, learning="demanding")


class Endless(_Introduced):  # its facts need more than a line
    given = replace(INTRO, minutes={3: 100_000, 4: 5_000, 5: 10_000, 6: 100_000_000}, learning="easy")
