"""What introduces Glimpse to newcomers: a few words, and the example position at the top of its rules."""

from __future__ import annotations

from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture
from tests.example.cogs.glimpse.drawing.spec import GlimpseLobby, GlimpseSign

INTRO = Intro(
    "Lay a card face down and let the others guess.",
    {3: 5, 4: 5},
    "easy",
    Picture(GlimpseSign(), "glimpse.png", "Glimpse: the back of a card, and a wizard with the number 12."),
    GlimpseLobby,
)

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela", "Chidi"),
    seed="00000000000000000000000000000000",
    moves="A lay 10, B guess wizard, C guess fool, B lay 7, A guess wizard, C guess wizard, C lay 6",
    seat="B",
    caption="Bela was shown the fool 6 in Chidi's hand. Is it the card that Chidi has laid?",
)
"""It shows a guess about a card that may be the glimpsed one."""
