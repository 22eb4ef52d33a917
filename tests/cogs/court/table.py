"""Helpers for a table of Jester's Court: choices in steps, and interesting positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from cogs.court.drawing.spec import part_of
from engines.court import COURT, board, deck
from engines.court.model import Attack, MatchEnded, Move, SetMenhir, State, Step, Strike
from engines.kit.contract import Event
from tests.end_to_end.players import due_name, find_hand, join_lobby, load_snapshot, name_of, open_lobby, start_match
from tests.end_to_end.world import Message, SimulatedServer, control_ids

FOUR = ("Ada", "Bela", "Chidi", "Dora")
Moment = Callable[[State, int, Move, Sequence[Event]], bool]


async def open_court(w: SimulatedServer, host: str = "Ada", **options: Any) -> str:
    """Open a match with `/court new`, and return its id."""
    return await open_lobby(w, host, game="court", **options)


async def seat_court(w: SimulatedServer, seats: int, **options: Any) -> str:
    """Start a match with Ada as its host, and return its id."""
    match = await open_court(w, **options)
    await join_lobby(w, match, *FOUR[1:seats])
    await start_match(w, match)
    return match


def step_buttons(message: Message) -> dict[str, str]:
    """Return the paths of all buttons that open a step, with their custom ids."""
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in control_ids(message) if custom_id[:2] == "n:"}


def offered_moves(message: Message) -> dict[str, str]:
    """Return the moves of a hand's buttons, with their custom ids."""
    found = [custom_id for custom_id in control_ids(message) if custom_id[:2] in ("m:", "c:")]
    return {custom_id.split(":", 3)[3]: custom_id for custom_id in found}


async def press_step(w: SimulatedServer, match: str, name: str, path: str) -> Message:
    """Choose a card, or a part of the board for the Menhir, and return the hand with the next choices."""
    message = find_hand(w, name, match)
    await w.press_button(name, message, step_buttons(message)[path])
    return find_hand(w, name, match)


async def make_move(w: SimulatedServer, match: str, move: str) -> str:
    """Make the move with the hand in the player's direct messages, step by step, and return the player."""
    now = await load_snapshot(w, match)
    (seat,) = now.due_seats()
    name = name_of(w, now.info.seats[seat].user)
    message = find_hand(w, name, match)
    for path in step_path_of(move):
        message = await press_step(w, match, name, path)
    await w.press_button(name, message, offered_moves(message)[move])
    if offered_moves(message)[move].startswith("c:"):
        await w.press_button(name, w.newest_in_inbox(name), f"m{offered_moves(message)[move][1:]}")
    return name


def step_path_of(move: str) -> list[str]:
    """Return the steps to a move of Phase Two."""
    verb, *words = move.split()
    if verb in ("place", "give", "move", "skip"):
        return []
    if verb == "menhir":
        return ["menhir", f"menhir/{board.square_name(part_of(board.parse_square(words[0])))}"]
    return [words[0]]


async def play_moves(w: SimulatedServer, match: str, moves: Sequence[str]) -> None:
    """Make these moves at once, and draw the messages after the last one."""
    keeper = w.bot.reconciler
    w.bot.matches.on_changed = lambda match: None
    for move in moves:
        now = await load_snapshot(w, match)
        (seat,) = now.due_seats()
        await w.bot.matches.play_move(match, now.info.seats[seat].user, None, move)
    w.bot.matches.on_changed = keeper.wake
    await w["Ada"].slash(w.thread, "court status", match=match)


async def play_to_moment(
    w: SimulatedServer, match: str, moment: Moment, choose: Callable[[State, int, Random], Move], most: int
) -> str:
    """Play until just before such a move, and return it."""
    *before, move = moves_to_moment((await load_snapshot(w, match)).state, moment, choose, most)
    await play_moves(w, match, before)
    return move


def moves_to_moment(begin: State, moment: Moment, choose: Callable[[State, int, Random], Move], most: int) -> list[str]:
    """Return at most this many moves that lead to a matching move, which is the last one."""
    for seed in range(1000):
        rng, state, moves = Random(seed), COURT.copy(begin), list[str]()
        while (decisions := COURT.decisions(state)) and len(moves) < most:
            (seat,) = decisions
            move, before = choose(state, seat, rng), COURT.copy(state)
            events = COURT.play(state, seat, move)
            moves.append(COURT.format_move(move))
            if moment(before, seat, move, events):
                return moves
    raise AssertionError("that never happens")


async def play_to_phase_two(w: SimulatedServer, match: str, *cards: str) -> str:
    """Play until a player in Phase Two holds cards of these kinds (`menhir`, `4`, `K` …), and return the player."""

    def there(before: Any, seat: int, move: Any, events: Any) -> bool:
        held = [deck.card_name(card) for card in before.hands[seat]]
        names = [name if name == "menhir" else name[:-1] for name in held]
        ready = before.phase == "hinder" and not before.owed and not set(before.mages) <= set(board.START_SQUARES)
        return ready and all(card in names for card in cards)

    await play_to_moment(w, match, there, choose_lively, 100)
    name = await due_name(w, match)
    assert name is not None
    return name


async def held_cards(w: SimulatedServer, match: str) -> list[str]:
    """Return the cards of the player who has to decide."""
    now = await load_snapshot(w, match)
    return [deck.card_name(card) for card in now.view(now.due_seats()[0]).hand]


def ends_match(before: State, seat: int, move: Move, events: Sequence[Event]) -> bool:
    """Return whether the move ended the match."""
    return any(isinstance(event, MatchEnded) for event in events)


def choose_lively(state: State, seat: int, rng: Random) -> Move:
    """Mostly move own Mages over edges; in Phase Two, do anything but discard."""
    moves = COURT.moves(state, seat)
    own = [move for move in moves if isinstance(move, Step) and board.mage_path(state, seat, move.card).crosses]
    stones = [move for move in moves if isinstance(move, SetMenhir)]
    if stones and rng.random() < 0.8:
        return rng.choice(stones)
    return rng.choice(
        own or [move for move in moves if not COURT.format_move(move).startswith("discard")] or list(moves)
    )


def choose_harsh(state: State, seat: int, rng: Random) -> Move:
    """In Phase Two, cause damage if possible."""
    moves = COURT.moves(state, seat)
    harm = [move for move in moves if isinstance(move, Strike | Attack)]
    return rng.choice(harm or moves)
