"""One match of Wizard that people play by clicks on their newest hands."""

from __future__ import annotations

import random
from dataclasses import dataclass

from playground.page.client import Player, PlaygroundClient, RequestRejected, SeenMessage

NAMES = ("Ada", "Bela", "Chidi", "Dora")


@dataclass
class ScriptedMatch:
    """Four people, each of whom clicks on whatever their hand offers."""

    client: PlaygroundClient
    chance: random.Random

    async def open_match(self, rounds: int) -> None:
        """From the command to the start."""
        host, *others = [self.client.player(name) for name in NAMES]
        opened = await host.run_command("wizard new", "games", rounds=rounds)
        for player in others:
            await player.click(opened.reply, "Join")
        await host.click(opened.reply, "Start")

    async def click_once(self) -> bool:
        """One click of somebody who can move; False where nobody can (any more, or just now)."""
        offers = [
            (p, hand, i)
            for p in map(self.client.player, NAMES)
            if (hand := newest_hand(p))
            for i in offered_moves(hand)
        ]
        if not offers:
            return False
        player, hand, (custom_id, value) = self.chance.choice(offers)
        try:
            await (player.select(hand, custom_id, value) if value else player.click(hand, custom_id))
        except RequestRejected:
            return False  # the message was redrawn in between
        return True


def newest_hand(player: Player) -> SeenMessage | None:
    """The newest hand in somebody's direct messages."""
    try:
        return player.newest_message("dm", lambda message: bool(message.data.get("components")))
    except KeyError:
        return None


def offered_moves(hand: SeenMessage) -> list[tuple[str, str]]:
    """The moves on a hand: custom_id, and for a select's lines their value."""
    found = [(button.custom_id, "") for button in hand.buttons if button.custom_id.startswith("m:")]
    for select in hand.selects:
        if select.custom_id.startswith("s:"):
            found += [(select.custom_id, value) for value in select.values]
    return found
