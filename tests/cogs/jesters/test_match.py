"""Jesters at a table: what to perform and with which dice is chosen in steps."""

from __future__ import annotations

from random import Random

from cogs.table.pages import custom_ids
from engines.jesters import JESTERS
from engines.jesters.model import Learn, Move, State
from tests.cogs.hands import hand_lists, play_until
from tests.end_to_end.players import find_hand, load_snapshot, seat_and_start
from tests.end_to_end.simulated_server import Message, SimulatedServer, message_text, reply_text
from tests.playing import values_of


async def seat_with_dice(w: SimulatedServer) -> tuple[str, str]:
    """Start a match of two, and return it with the player on turn, who has three dice."""
    match = await seat_and_start(w, ("Ada", "Bela"), game="jesters")

    def learn(state: State, seat: int, rng: Random) -> Move:
        return rng.choice([move for move in JESTERS.moves(state, seat) if isinstance(move, Learn)])

    def holds(state: State) -> bool:
        return sum(state.dice[state.turn]) >= 3 and bool(state.hands[state.turn])

    return match, await play_until(w, match, holds, learn, 6)


async def choose_step(w: SimulatedServer, match: str, name: str, key: str) -> Message:
    message = find_hand(w, name, match)
    (custom_id,) = [custom_id for custom_id, values in hand_lists(message, "f").items() if key in values]
    await w.choose_options(name, message, custom_id, key)
    return find_hand(w, name, match)


async def open_step(w: SimulatedServer, match: str, name: str, label: str) -> Message:
    await w.press_button(name, find_hand(w, name, match), label)
    return find_hand(w, name, match)


async def pick_die(w: SimulatedServer, match: str, name: str, die: str) -> Message:
    message = find_hand(w, name, match)
    ((custom_id, values),) = hand_lists(message, "p").items()
    await w.choose_options(name, message, custom_id, *values_of(values, [die]))
    return find_hand(w, name, match)


async def test_performing_goes_by_steps_and_nothing_is_rolled_before_it_is_confirmed(server: SimulatedServer) -> None:
    match, name = await seat_with_dice(server)
    before = await load_snapshot(server, match)
    plain = message_text(find_hand(server, name, match))
    performances = message_text(await open_step(server, match, name, "Perform"))
    assert "**Perform what? You roll all 3 dice.**" in performances
    message = await choose_step(server, match, name, f"p/{before.state.board[0]}")
    assert "**Roll which dice?**" in message_text(message)
    assert "ithout changes" in message_text(message)
    ((value, *_),) = hand_lists(message, "p").values()
    die = custom_ids.pick_token(value)
    message = await pick_die(server, match, name, die)
    assert f"Roll: {die}" in message_text(message)
    assert await load_snapshot(server, match) == before
    await server.press_button(name, message, "Back")
    assert message_text(await open_step(server, match, name, "Back")) == performances
    assert message_text(await open_step(server, match, name, "Back")) == plain
    await open_step(server, match, name, "Perform")
    await choose_step(server, match, name, "p/f")
    await server.press_button(name, await pick_die(server, match, name, die), "Roll")
    now = await load_snapshot(server, match)
    assert (now.state.phase, len(now.state.faces)) == ("attempt", 1)


async def test_malformed_steps_and_dice_change_nothing(server: SimulatedServer) -> None:
    match, name = await seat_with_dice(server)
    before = (await load_snapshot(server, match)).info
    number = next(iter(hand_lists(await open_step(server, match, name, "Perform"), "f"))).split(":")[2]
    for values in ([], [""], ["x"], ["f/f"], ["p/x"], ["p/f/f"], ["f"] * 9, ["🂡"], ["perform 1 red"]):
        for rest in ("f", "p:perform 1", "p:perform favorite"):
            custom_id = f"{rest[0]}:{match}:{number}:{rest[2:] or 0}"
            answer = await server.forge_click(name, find_hand(server, name, match), custom_id, values)
            assert len(reply_text(answer)) > 10
            assert (await load_snapshot(server, match)).info == before
