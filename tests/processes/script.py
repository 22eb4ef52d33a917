"""One match of Wizard that people play by clicks on their newest hands."""

from __future__ import annotations

import random
from dataclasses import dataclass

from playground.page.client import Player, SeenMessage, TurnedDown, Visitor

NAMES = ("Ada", "Bela", "Chidi", "Dora")


@dataclass
class Script:
    """Four people, each of whom clicks on whatever their hand offers."""

    visitor: Visitor
    chance: random.Random

    async def open(self, rounds: int) -> None:
        """From the command to the start."""
        host, *others = [self.visitor.player(name) for name in NAMES]
        opened = await host.command("wizard new", "games", rounds=rounds)
        for player in others:
            await player.click(opened.shown, "Join")
        await host.click(opened.shown, "Start")

    async def step(self) -> bool:
        """One click of somebody who can move; False where nobody can (any more, or just now)."""
        offers = [(p, hand, i) for p in map(self.visitor.player, NAMES) if (hand := hand_of(p)) for i in offered(hand)]
        if not offers:
            return False
        player, hand, (custom_id, value) = self.chance.choice(offers)
        try:
            await (player.select(hand, custom_id, value) if value else player.click(hand, custom_id))
        except TurnedDown:
            return False  # the message was redrawn in between
        return True


def hand_of(player: Player) -> SeenMessage | None:
    """The newest hand in somebody's direct messages."""
    try:
        return player.newest("dm", lambda message: bool(message.data.get("components")))
    except KeyError:
        return None


def offered(hand: SeenMessage) -> list[tuple[str, str]]:
    """The moves on a hand: custom_id, and for a select's lines their value."""
    found = [(button.custom_id, "") for button in hand.buttons if button.custom_id.startswith("m:")]
    for select in hand.selects:
        if select.custom_id.startswith("s:"):
            found += [(select.custom_id, value) for value in select.values]
    return found
