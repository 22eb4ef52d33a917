"""What introduces Jokers to newcomers: a few words, and the example position at the top of its rules."""

from __future__ import annotations

from cogs.jokers.drawing.spec import JokersLobby, JokersSign
from cogs.screens.example_position import ExamplePosition
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture

INTRO = Intro(
    "A rummy duel: trade until all eight cards fit.",
    {2: 30},
    "easy",
    Picture(JokersSign(), "jokers.png", "Jokers: a grinning joker with a face of two halves, on dark red cloth."),
    JokersLobby,
    advice="for two",
)

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela"),
    seed="0000000000000000000000000000c6e0",
    moves="A trade 2C QH",
    seat="A",
    caption="A full hand: a run of five and a set with a joker.",
)
"""It shows the first turn, after a trade that completed a full hand."""
