"""Wizard's introduction for newcomers."""

from __future__ import annotations

from cogs.screens.intro import Intro
from cogs.screens.screen import Picture
from cogs.wizard.drawing.spec import WizardSign

INTRO = Intro(
    "Bid your tricks, then take exactly that many.",
    {3: 95, 4: 70, 5: 55, 6: 45},
    "easy",
    Picture(WizardSign(), "wizard.png", "Wizard: a bearded wizard with a starry pointed hat, on dark blue cloth."),
    start_here=True,
)
