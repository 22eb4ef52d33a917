"""What people do at a table of Jest."""

from __future__ import annotations

from collections.abc import Sequence

from tests.end_to_end.players import THREE, hand, join, look, move, open_lobby, start
from tests.end_to_end.world import Chooser, Message, World, move_buttons


async def open_jest(w: World, host: str = "Ada") -> str:
    """`/jest new`; the match's id."""
    return await open_lobby(w, host, game="jest")


async def seat_jest(w: World, names: Sequence[str] = THREE) -> str:
    """A match of Jest that has begun; its id."""
    match = await open_jest(w, names[0])
    await join(w, match, *names[1:])
    await start(w, match, names[0])
    return match


def hands(w: World, match: str, names: Sequence[str] = THREE) -> dict[str, Message]:
    """The hands in people's direct messages, by name."""
    return {name: hand(w, name, match) for name in names}


async def offer(w: World, match: str, name: str, which: int = 0) -> str:
    """Choose the first or the second card to lie face down; the card's name."""
    message = hand(w, name, match)
    button = move_buttons(message)[which]
    await w.press(name, message, button)
    return button.rsplit(" ", 1)[1]


async def play_to(w: World, match: str, phase: str, round_: int, choose: Chooser) -> None:
    """Play until that phase of that round."""
    while ((now := await look(w, match)).state.round, now.state.phase) != (round_, phase):
        await move(w, match, choose)
