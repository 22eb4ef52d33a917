"""One person's match with computers, one of them on the level hard, which thinks in a process of its own."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from playground.page.client import Player
from tests.processes.script import newest_hand, offered_moves


async def open_alone(ada: Player) -> None:
    """Open a match of Wizard, seat the computers, and start."""
    opened = (await ada.run_command("wizard new", "games", rounds=1)).reply
    menu = (await ada.click(opened, "Add computer")).reply
    (hard,) = [button for button in menu.buttons if button.custom_id.endswith("computer-hard")]
    await ada.click(menu, hard.custom_id)
    await ada.click(ada.current_message(opened) or opened, "Start")


async def click_first(ada: Player) -> None:
    """Make the first move that the newest hand offers, if it offers one."""
    hand = newest_hand(ada)
    if hand:
        for custom_id, value in offered_moves(hand)[:1]:  # a button, or a line of a select (what is trump)
            await (ada.select(hand, custom_id, value) if value else ada.click(hand, custom_id))


async def play_until_all_have_moved(ada: Player, database: Path) -> None:
    """Play Ada's first move, and wait for those of the computers."""
    while set(moved_seats(database)) < {0, 1, 2}:
        if 0 not in moved_seats(database):
            await click_first(ada)
        await asyncio.sleep(0.1)


def moved_seats(database: Path) -> list[int]:
    """The seats that have moved, a seat for each move."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        return [seat for (seat,) in raw.execute("SELECT seat FROM moves ORDER BY match, number")]


def match_status(database: Path) -> str:
    """The status of the only match."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        ((found,),) = raw.execute("SELECT status FROM matches")
    return str(found)
