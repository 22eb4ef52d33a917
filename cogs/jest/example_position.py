"""The example position at the top of the rules of Jest.

It shows round 2: the first player takes from one of two complete offers.
"""

from __future__ import annotations

from cogs.screens.example_position import ExamplePosition

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
