"""What tests of the whole bot do with hands: find controls, and play to a position while nobody looks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.end_to_end.players import due_name_now, load_snapshot
from tests.end_to_end.simulated_server import SELECT, Message, SimulatedServer, control_ids, walk_components


def offered_moves(message: Message) -> dict[str, str]:
    return {each.split(":", 3)[3]: each for each in control_ids(message) if each[:2] in ("m:", "c:")}


def hand_lists(message: Message, kind: str) -> dict[str, list[str]]:
    """Return the values of every list of this kind (`f` for steps, `p` for picks), by its custom id."""
    lists = [each for each in walk_components(message["components"]) if each["type"] == SELECT]
    found = [each for each in lists if each["custom_id"].startswith(f"{kind}:")]
    return {each["custom_id"]: [option["value"] for option in each["options"]] for each in found}


Holds = Callable[[Any], bool]
Choose = Callable[[Any, int, Random], Any]


async def play_until(w: SimulatedServer, match: str, holds: Holds, choose: Choose, most: int = 100) -> str:
    """Play at most this many moves until the condition holds of the state, and return the player on turn."""
    now = await load_snapshot(w, match)
    for seed in range(1000):
        rng, state, moves = Random(seed), now.game.copy(now.state), list[tuple[int, str]]()
        while len(moves) < most and (due := list(now.game.decisions(state))) and not (moves and holds(state)):
            move = choose(state, due[0], rng)
            moves.append((due[0], now.game.format_move(move)))
            now.game.play(state, due[0], move)
        if now.game.decisions(state) and holds(state):
            break
    matches, callbacks = w.bot.matches, [*w.bot.matches.editor.on_changed]
    matches.editor.on_changed.clear()
    for seat, notation in moves:
        await matches.moves.play_move(match, now.info.seats[seat].user, None, notation)
    matches.editor.on_changed[:] = callbacks
    await w["Greta"].slash(w.thread, f"{now.info.game} status", match=match)  # draws the messages
    return await due_name_now(w, match)
