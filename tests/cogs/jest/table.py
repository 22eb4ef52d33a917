"""Helpers for a table of Jest."""

from __future__ import annotations

from collections.abc import Sequence

from tests.end_to_end.players import THREE, find_hand, join_lobby, load_snapshot, make_move, open_lobby, start_match
from tests.end_to_end.world import Chooser, Message, SimulatedServer, move_buttons


async def open_jest(w: SimulatedServer, host: str = "Ada") -> str:
    """Open a match with `/jest new`, and return its id."""
    return await open_lobby(w, host, game="jest")


async def seat_jest(w: SimulatedServer, names: Sequence[str] = THREE) -> str:
    """Start a match of Jest, and return its id."""
    match = await open_jest(w, names[0])
    await join_lobby(w, match, *names[1:])
    await start_match(w, match, names[0])
    return match


def hand_messages(w: SimulatedServer, match: str, names: Sequence[str] = THREE) -> dict[str, Message]:
    """Return the hands in direct messages, by name."""
    return {name: find_hand(w, name, match) for name in names}


async def make_offer(w: SimulatedServer, match: str, name: str, which: int = 0) -> str:
    """Lay the first or the second card face down, and return its name."""
    message = find_hand(w, name, match)
    button = move_buttons(message)[which]
    await w.press_button(name, message, button)
    return button.rsplit(" ", 1)[1]


async def play_to_phase(w: SimulatedServer, match: str, phase: str, round_: int, choose: Chooser) -> None:
    """Play until this phase of this round."""
    while ((now := await load_snapshot(w, match)).state.round, now.state.phase) != (round_, phase):
        await make_move(w, match, choose)
