"""The example position at the top of the rules of Glimpse.

It shows a guess about a card that may be the glimpsed one.
"""

from __future__ import annotations

from cogs.screens.example_position import ExamplePosition

EXAMPLE_POSITION = ExamplePosition(
    names=("Ada", "Bela", "Chidi"),
    seed="00000000000000000000000000000000",
    moves="A lay 10, B guess wizard, C guess fool, B lay 7, A guess wizard, C guess wizard, C lay 6",
    seat="B",
    caption="Bela was shown the fool 6 in Chidi's hand. Is it the card that Chidi has laid?",
)
