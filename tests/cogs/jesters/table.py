"""Helpers for a table of Jesters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from cogs.table.pages import custom_ids
from engines.hosting.match import MatchSnapshot
from engines.jesters import JESTERS, prospects
from engines.jesters.components import catalogue
from engines.jesters.model import FAVORITE_TARGET, Finish, Learn, Move, Paint, Perform, Reroll, Roll, State, UseGift
from engines.store.match_store import Status
from tests.end_to_end.players import due_name, find_hand, find_table, join_lobby, load_snapshot, open_lobby, start_match
from tests.end_to_end.world import (
    SELECT,
    Message,
    SimulatedServer,
    control_ids,
    move_selects,
    reply_text,
    walk_components,
)
from tests.engines.jesters.positions import completing_moves
from tests.playing import hand_path_to, values_of

NAMES = ("Ada", "Bela", "Chidi", "Dora")
ChooseMove = Callable[[State, Random], Move]


async def open_jesters(w: SimulatedServer, host: str = "Ada") -> str:
    """Open a match with `/jesters new`, and return its id."""
    return await open_lobby(w, host, game="jesters")


async def seat_jesters(w: SimulatedServer, seats: int = 3) -> str:
    """Start a match of Jesters, and return its id."""
    match = await open_jesters(w)
    await join_lobby(w, match, *NAMES[1:seats])
    await start_match(w, match)
    return match


# What a hand offers


def step_lists(message: Message) -> dict[str, list[str]]:
    """Return the values of every list of steps, by its custom id."""
    found = (
        c for c in walk_components(message["components"]) if c["type"] == SELECT and c["custom_id"].startswith("f:")
    )
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


def pick_lists(message: Message) -> dict[str, list[str]]:
    """Return the values of every list with several picks, by its custom id."""
    found = (
        c for c in walk_components(message["components"]) if c["type"] == SELECT and c["custom_id"].startswith("p:")
    )
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


def move_buttons_of(message: Message) -> dict[str, str]:
    """Return the moves of a hand's buttons, with their custom ids."""
    found = [custom_id for custom_id in control_ids(message) if custom_id[:2] in ("m:", "c:")]
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in found}


async def words_shown(w: SimulatedServer, match: str, name: str = "Greta") -> str:
    """Return all words of the table, or of a hand."""
    message = await find_table(w, match) if name == "Greta" else find_hand(w, name, match)
    said = reply_text(await w.forge_click(name, message, f"t:{match}:words"))
    return said.replace("\N{NO-BREAK SPACE}", " ")


async def choose_step(w: SimulatedServer, match: str, name: str, *keys: str) -> Message:
    """Choose a step, and return the hand with the next choices."""
    message = find_hand(w, name, match)
    value = "/".join(keys)
    (custom_id,) = [custom_id for custom_id, values in step_lists(message).items() if value in values]
    await w.choose_options(name, message, custom_id, value)
    return find_hand(w, name, match)


async def pick_dice(w: SimulatedServer, match: str, name: str, *dice: str) -> Message:
    """Pick dice to perform with, and return the hand with the picks."""
    message = find_hand(w, name, match)
    (custom_id,) = pick_lists(message)
    await w.choose_options(name, message, custom_id, *values_of(pick_lists(message)[custom_id], dice))
    return find_hand(w, name, match)


async def make_move(w: SimulatedServer, match: str, move: str) -> str:
    """Make the move with the hand in the player's direct messages, and return the player."""
    name, now = await due_name(w, match), await load_snapshot(w, match)
    assert name is not None
    way = hand_path_to(now, now.state.turn, move)
    for depth in range(len(way.step_keys)):
        await choose_step(w, match, name, *way.step_keys[: depth + 1])
    message = find_hand(w, name, match)
    if way.picks is not None:
        await pick_dice(w, match, name, *way.tokens)
        await w.press_button(name, find_hand(w, name, match), "Roll")
    elif move in move_buttons_of(message):
        await w.press_button(name, message, move_buttons_of(message)[move])
        if move_buttons_of(message)[move].startswith("c:"):
            await w.press_button(name, w.newest_in_inbox(name), f"m{move_buttons_of(message)[move][1:]}")
    else:
        lists = {**move_selects(message), **step_lists(message)}
        custom_id, values = next(
            (c, v) for c, v in lists.items() if move in v or custom_ids.instant_move_value(move) in v
        )
        await w.choose_options(
            name, message, custom_id, move if move in values else custom_ids.instant_move_value(move)
        )
    return name


def dice_of_move(move: str) -> list[str]:
    """Return the dice of `perform 7 2 red blue`, one by one."""
    found = JESTERS.parse_move(move)
    assert isinstance(found, Perform)
    names = zip(("red", "blue", "green", "purple"), found.dice, strict=True)
    return [name for name, number in names for _ in range(number)]


# Players


def choose_eager(state: State, rng: Random) -> Move:
    """Learn, perform the Favorite first and then easy Performances, and use everything that helps."""
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    match state.phase:
        case "turn":
            return _choose_turn(state, 4, rng)
        case "attempt":
            ways = completing_moves(view, moves)
            if prospects.meets_requirement(view) or not ways:
                others = [move for move in moves if not isinstance(move, Finish)]
                return Finish() if prospects.meets_requirement(view) or not others else rng.choice(others)
            return ways[0]
        case "mark" if isinstance(moves[-1], Roll | Paint) and rng.random() < 0.6:
            return moves[-1]
    return rng.choice(moves)


def choose_clumsy(state: State, rng: Random) -> Move:
    """Perform with a single die as soon as there is one, and give up at once."""
    if state.phase == "turn":
        return _choose_turn(state, 1, rng, most=1)
    return Finish() if state.phase == "attempt" else rng.choice(JESTERS.moves(state, state.turn))


def _choose_turn(state: State, dice: int, rng: Random, most: int = 20) -> Move:
    """Learn until there are this many dice, then perform with as many as allowed."""
    moves, owned = JESTERS.moves(state, state.turn), state.dice[state.turn]
    learns = [move for move in moves if isinstance(move, Learn)]
    if sum(owned) >= dice or (any(owned) and not learns):
        targets = sorted(state.board, key=lambda number: catalogue.performance(number).fame)
        target = targets[0] if state.turn in state.done else FAVORITE_TARGET
        order = [colour for colour in range(4) for _ in range(owned[colour])][:most]
        return Perform(target, tuple(order.count(colour) for colour in range(4)))
    return rng.choice(learns) if learns else moves[-1]


async def play_until(
    w: SimulatedServer,
    match: str,
    until: Callable[[MatchSnapshot], bool],
    player: ChooseMove = choose_eager,
    seed: int = 1,
) -> MatchSnapshot:
    """Play until the condition holds. The match must not end before."""
    rng = Random(seed)
    while not until(now := await load_snapshot(w, match)):
        assert now.info.status is Status.RUNNING, "the match ended before that"
        await make_move(w, match, JESTERS.format_move(player(now.state, rng)))
    return now


def is_in_phase(phase: str) -> Callable[[MatchSnapshot], bool]:
    """Return whether the match waits for this kind of decision."""
    return lambda now: now.state.phase == phase


def choose_with_cards(state: State, rng: Random) -> Move:
    """Play like `eager`, but first spend every card on a reroll, and use every Gift that needs marks."""
    moves = JESTERS.moves(state, state.turn)
    marking = [move for move in moves if isinstance(move, UseGift) and move.die is None and move.colour is None]
    return rng.choice(marking) if state.phase == "attempt" and marking else choose_reroll(state, rng)


def choose_reroll(state: State, rng: Random) -> Move:
    """Play like `eager`, but first spend every card on a reroll."""
    moves = JESTERS.moves(state, state.turn)
    if state.phase == "attempt" and (rerolls := [move for move in moves if isinstance(move, Reroll)]):
        return rng.choice(rerolls)
    return choose_eager(state, rng)


# What nobody else may learn


def seat_names(seats: int) -> Sequence[str]:
    """Return the players at the table."""
    return NAMES[:seats]
