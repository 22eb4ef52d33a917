"""Helpers for a table of Jest."""

from __future__ import annotations

from tests.end_to_end.players import THREE, find_hand, seat_and_start
from tests.end_to_end.simulated_server import Message, SimulatedServer, move_buttons


async def seat_jest(w: SimulatedServer) -> str:
    return await seat_and_start(w, game="jest")


def hand_messages(w: SimulatedServer, match: str) -> dict[str, Message]:
    return {name: find_hand(w, name, match) for name in THREE}


async def make_offer(w: SimulatedServer, match: str, name: str, which: int = 0) -> str:
    """Lay the first or the second card face down, and return its name."""
    message = find_hand(w, name, match)
    button = move_buttons(message)[which]
    await w.press_button(name, message, button)
    return button.rsplit(" ", 1)[1]
