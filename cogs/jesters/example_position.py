"""The example position at the top of the rules of Jesters.

It shows an attempt in round 1: there is no pair yet, but one Jest card makes one.
"""

from __future__ import annotations

from cogs.screens.example_position import ExamplePosition

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela", "Chidi"),
    seed="000000000000000000000000000000a4",
    moves=(
        "A learn 6 blue, B learn 13 purple purple, C learn 11 purple, A learn 41, B learn 26, C learn 39, "
        "A perform 14 2 green purple"
    ),
    seat="A",
    caption="Ada needs a pair: ±1 makes the purple 4 a 5.",
)
