"""What people do at a table of Jesters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from cogs.table.pages import custom_ids
from engines.hosting.match import Look
from engines.jesters import JESTERS
from engines.jesters.components import catalogue
from engines.jesters.model import FAVORITE, Finish, Learn, Move, Paint, Perform, Reroll, Roll, State, UseGift
from engines.jesters.requirements import prospects
from engines.store.match_store import Status
from tests.end_to_end.players import due, hand, join, look, open_lobby, start, table
from tests.end_to_end.world import SELECT, Message, World, controls, selects, told, walk
from tests.engines.jesters.positions import completing
from tests.playing import values_of, way_to

NAMES = ("Ada", "Bela", "Chidi", "Dora")
Player = Callable[[State, Random], Move]


async def open_jesters(w: World, host: str = "Ada") -> str:
    """`/jesters new`; the match's id."""
    return await open_lobby(w, host, game="jesters")


async def seat_jesters(w: World, seats: int = 3) -> str:
    """A match of Jesters that has begun; its id."""
    match = await open_jesters(w)
    await join(w, match, *NAMES[1:seats])
    await start(w, match)
    return match


# What a hand offers


def steps(message: Message) -> dict[str, list[str]]:
    """The values of every list of steps, by its custom_id."""
    found = (c for c in walk(message["components"]) if c["type"] == SELECT and c["custom_id"].startswith("f:"))
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


def picks(message: Message) -> dict[str, list[str]]:
    """The values of every list of which several are picked, by its custom_id."""
    found = (c for c in walk(message["components"]) if c["type"] == SELECT and c["custom_id"].startswith("p:"))
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


def pressed(message: Message) -> dict[str, str]:
    """The moves of a hand's buttons, each with its custom_id."""
    found = [custom_id for custom_id in controls(message) if custom_id[:2] in ("m:", "c:")]
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in found}


async def in_words(w: World, match: str, name: str = "Greta") -> str:
    """All that the table says in words, or somebody's hand."""
    message = await table(w, match) if name == "Greta" else hand(w, name, match)
    said = told(await w.forge(name, message, f"t:{match}:words"))
    return said.replace("\N{NO-BREAK SPACE}", " ")


async def step(w: World, match: str, name: str, *keys: str) -> Message:
    """Choose that step; the hand with what it leaves to choose."""
    message = hand(w, name, match)
    value = "/".join(keys)
    (custom_id,) = [custom_id for custom_id, values in steps(message).items() if value in values]
    await w.choose(name, message, custom_id, value)
    return hand(w, name, match)


async def pick(w: World, match: str, name: str, *dice: str) -> Message:
    """Pick dice to perform with; the hand with what was picked."""
    message = hand(w, name, match)
    (custom_id,) = picks(message)
    await w.choose(name, message, custom_id, *values_of(picks(message)[custom_id], dice))
    return hand(w, name, match)


async def make(w: World, match: str, move: str) -> str:
    """Whoever's turn it is makes that move by the hand in their direct messages; who that was."""
    name, now = await due(w, match), await look(w, match)
    assert name is not None
    way = way_to(now, now.state.turn, move)
    for depth in range(len(way.keys)):
        await step(w, match, name, *way.keys[: depth + 1])
    message = hand(w, name, match)
    if way.picks is not None:
        await pick(w, match, name, *way.tokens)
        await w.press(name, hand(w, name, match), "Roll")
    elif move in pressed(message):
        await w.press(name, message, pressed(message)[move])
        if pressed(message)[move].startswith("c:"):
            await w.press(name, w.hand_of(name), f"m{pressed(message)[move][1:]}")
    else:
        lists = {**selects(message), **steps(message)}
        custom_id, values = next((c, v) for c, v in lists.items() if move in v or custom_ids.now(move) in v)
        await w.choose(name, message, custom_id, move if move in values else custom_ids.now(move))
    return name


def dice_of(move: str) -> list[str]:
    """The dice of `perform 7 2 red blue`, one by one."""
    found = JESTERS.read(move)
    assert isinstance(found, Perform)
    names = zip(("red", "blue", "green", "purple"), found.dice, strict=True)
    return [name for name, number in names for _ in range(number)]


# Players


def eager(state: State, rng: Random) -> Move:
    """Learns, performs the Favorite first and easy Performances then, and uses all that helps."""
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    match state.phase:
        case "turn":
            return _turn(state, 4, rng)
        case "attempt":
            ways = completing(view, moves)
            if prospects.met(view) or not ways:
                others = [move for move in moves if not isinstance(move, Finish)]
                return Finish() if prospects.met(view) or not others else rng.choice(others)
            return ways[0]
        case "mark" if isinstance(moves[-1], Roll | Paint) and rng.random() < 0.6:
            return moves[-1]
    return rng.choice(moves)


def clumsy(state: State, rng: Random) -> Move:
    """Performs with a single die as soon as there is one, and gives up at once."""
    if state.phase == "turn":
        return _turn(state, 1, rng, most=1)
    return Finish() if state.phase == "attempt" else rng.choice(JESTERS.moves(state, state.turn))


def _turn(state: State, dice: int, rng: Random, most: int = 20) -> Move:
    """Learn, until there are so many dice; then perform with as many of them as allowed."""
    moves, owned = JESTERS.moves(state, state.turn), state.dice[state.turn]
    learns = [move for move in moves if isinstance(move, Learn)]
    if sum(owned) >= dice or (any(owned) and not learns):
        targets = sorted(state.board, key=lambda number: catalogue.performance(number).fame)
        target = targets[0] if state.turn in state.done else FAVORITE
        order = [colour for colour in range(4) for _ in range(owned[colour])][:most]
        return Perform(target, tuple(order.count(colour) for colour in range(4)))
    return rng.choice(learns) if learns else moves[-1]


async def play_on(w: World, match: str, until: Callable[[Look], bool], player: Player = eager, seed: int = 1) -> Look:
    """Play until then; the match must not end before."""
    rng = Random(seed)
    while not until(now := await look(w, match)):
        assert now.info.status is Status.RUNNING, "the match ended before that"
        await make(w, match, JESTERS.write(player(now.state, rng)))
    return now


def in_phase(phase: str) -> Callable[[Look], bool]:
    """Whether the match waits for that kind of decision."""
    return lambda now: now.state.phase == phase


def use_cards(state: State, rng: Random) -> Move:
    """As `eager`, but first every card is spent on a reroll, and every Gift used that asks for marks."""
    moves = JESTERS.moves(state, state.turn)
    marking = [move for move in moves if isinstance(move, UseGift) and move.die is None and move.colour is None]
    return rng.choice(marking) if state.phase == "attempt" and marking else reroll(state, rng)


def reroll(state: State, rng: Random) -> Move:
    """As `eager`, but first every card is spent on a reroll."""
    moves = JESTERS.moves(state, state.turn)
    if state.phase == "attempt" and (rerolls := [move for move in moves if isinstance(move, Reroll)]):
        return rng.choice(rerolls)
    return eager(state, rng)


# What nobody else may learn


def everybody(seats: int) -> Sequence[str]:
    """Those at the table."""
    return NAMES[:seats]
