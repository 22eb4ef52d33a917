"""What introduces Wizard to newcomers: a few words, and the example position at the top of its rules."""

from __future__ import annotations

from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture
from cogs.wizard.drawing.spec import WizardLobby, WizardSign

INTRO = Intro(
    "Bid your tricks, then take exactly that many.",
    {3: 95, 4: 70, 5: 55, 6: 45},
    "easy",
    Picture(WizardSign(), "wizard.png", "Wizard: a bearded wizard with a starry pointed hat, on dark blue cloth."),
    WizardLobby,
    advice="start here",
)

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela", "Chidi"),
    seed="000000000000000000000000000005fe",
    moves=(
        "C bid 1, A bid 1, B bid 0, C play 4C, A play wizard, B play QD, A bid 1, B bid 2, C bid 1, A play QD, "
        "B play AD, C play 8D, B play wizard, C play QS, A play 4C, B bid 1, C bid 2, A bid 2, B play 3H, "
        "C play 6H"
    ),
    seat="A",
    caption="Hearts were led: Ada plays the queen or the Wizard.",
)
"""It shows round 3, the third card of a trick: one card follows suit, one is always legal, and one is illegal."""
