"""The example position at the top of the rules of Jokers.

It shows the first turn, after a trade that completed a full hand.
"""

from __future__ import annotations

from cogs.screens.example_position import ExamplePosition

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela"),
    seed="0000000000000000000000000000c6e0",
    moves="A trade 2C QH",
    seat="A",
    caption="A full hand: a run of five and a set with a joker.",
)
