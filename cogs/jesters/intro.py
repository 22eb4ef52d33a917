"""What introduces Jesters to newcomers: a few words, and the example position at the top of its rules."""

from __future__ import annotations

from cogs.jesters.drawing.spec import JestersLobby, JestersSign
from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture

INTRO = Intro(
    "Gather dice, attempt Performances, earn Fame.",
    {2: 20, 3: 30, 4: 40},
    "demanding",
    Picture(JestersSign(), "jesters.png", "Jesters: a jester above a red, a blue and a green die, on violet cloth."),
    JestersLobby,
)

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
"""It shows an attempt in round 1: there is no pair yet, but one Jest card makes one."""
