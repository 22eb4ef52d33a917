"""What introduces Jester's Court to newcomers: a few words, and the example position at the top of its rules."""

from __future__ import annotations

from cogs.court.drawing.spec import CourtLobby, CourtSign
from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture

INTRO = Intro(
    "Race your Mage to all four edges; knock rivals back.",
    {2: 15, 3: 35, 4: 190},
    "medium",
    Picture(CourtSign(), "court.png", "Jester's Court: a crowned king and two Mages on a board of brown squares."),
    CourtLobby,
)

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela", "Chidi"),
    seed="00000000000000000000000000000013",
    moves=(
        "C place K11, B place L12, A place L11, A move 10S, A menhir I5, B move 7S, B push 4H C, C move 4S, "
        "C push 10D A, A move 9D, A place L12, A strike AH, B move 2C, B heal AD, C move 9D, C push 6D B, "
        "A move 5H, A attack KC, B move 6H, B push 8D C, C place K11"
    ),
    seat="C",
    caption="Chidi's turn: which number card is best?",
)
"""It shows turn 9, Phase One, with claimed banners, wounds, and a Menhir on the board."""
