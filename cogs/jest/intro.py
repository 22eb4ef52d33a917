"""What introduces Jest to newcomers: a few words, and the example position at the top of its rules."""

from __future__ import annotations

from cogs.jest.drawing.spec import JestLobby, JestSign
from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture

INTRO = Intro(
    "Bluff and swap cards to build the best secret pile.",
    {3: 5, 4: 5},
    "medium",
    Picture(JestSign(), "jest.png", "Jest: a smiling jester, whose cap has three horns with bells, on green cloth."),
    JestLobby,
)

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela", "Chidi"),
    seed="00000000000000000000000000000007",
    moves=(
        "A offer joker, B offer 3H, C offer AS, B take A up, A take B up, C take C up, A offer 2S, B offer 2H, "
        "C offer 3H"
    ),
    seat="C",
    caption="Chidi takes an ace, the Joker, or an unseen card.",
)
"""It shows round 2: the first player takes from one of two complete offers."""
