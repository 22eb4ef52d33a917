"""Plays the seats at which the computer sits: from their views alone, at a pace that people can follow."""

from __future__ import annotations

import logging
import secrets
from asyncio import sleep
from collections.abc import Sequence
from contextlib import suppress

from cogs.table.faults import unexpected
from cogs.table.kept import Displays
from cogs.table.tasks import Tasks, growing
from engines.game import AnyGame, IllegalMove
from engines.match import Look, Refused
from engines.matches import Matches
from engines.store import StoreFailure
from players import Level, anything, levels, player

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
PAUSE = 2.0  # seconds before every move, so that people can follow, and none tells that it was forced
SECRET = "secret"  # the note of what no choice can be foreseen without
INSTEAD: Level = "normal"  # who plays for somebody who has gone


def offered(game: AnyGame) -> tuple[Level, ...]:
    """The levels at which a computer may sit down, from the weakest: those that choose at once."""
    return tuple(level for level in levels(game) if player(game, level).budget is None)


class Computers:
    """A task for each match that waits for a computer; it ends when that waits for people, or is over.

    Nothing of it is kept: whenever a match has changed, and after a restart, it is looked at anew.
    """

    def __init__(self, matches: Matches, shown: Displays, tasks: Tasks) -> None:
        self._matches = matches
        self._shown = shown
        self._tasks = tasks
        self._secret = ""

    def wake(self, match: str) -> None:
        """A match has changed: play on, if it waits for a computer. Returns at once."""
        self._tasks.start(f"computers {match}", self._play, match)

    async def _play(self, match: str) -> None:
        pauses = growing(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            try:
                look = await self._matches.look(match)
                seat = waiting(look)
                if seat is None:
                    return
                await sleep(PAUSE)
                await self._move(look, seat)
                pauses = growing(FIRST_PAUSE, LONGEST_PAUSE)
            except Refused as why:
                log.info("No computer plays in match %s: %s", match, why)
                return
            except StoreFailure:
                await sleep(next(pauses))

    async def _move(self, look: Look, seat: int) -> None:
        """Make one move, unless the match has changed meanwhile: then it is to be looked at anew."""
        match, decision = look.info.id, look.decisions()[seat].number
        notation = choice(look, seat, f"{await self._key()} {match} {seat} {decision}")
        with suppress(Refused):  # somebody took the seat, the match was paused, or the decision is past (Stale)
            await self._matches.play_for(match, seat, decision, notation)

    async def _key(self) -> str:
        """The secret of this installation: from the match's own chance nobody learns what a computer chooses."""
        if not self._secret:
            kept = await self._shown.note(SECRET)
            if kept is None:
                kept = secrets.token_hex(16)
                await self._shown.put_note(SECRET, kept)
            self._secret = kept
        return self._secret


def waiting(look: Look) -> int | None:
    """The first seat of a computer that the match waits for, if any."""
    return next((seat for seat in look.due() if look.info.seats[seat].level), None)


def choice(look: Look, seat: int, seed: str) -> str:
    """The notation of what the computer of a seat chooses. Where its player fails, which is logged, any legal move."""
    moves = look.moves(seat)
    move = _chosen(look, seat, moves, seed)
    return look.game.write(anything(moves, seed) if move is None else move)


def _chosen(look: Look, seat: int, moves: Sequence[object], seed: str) -> object | None:
    """A legal move; None where the player finds none."""
    level = look.info.seats[seat].level
    known = levels(look.game)
    there = next((each for each in known if each == level), known[-1])
    try:
        move: object = player(look.game, there).decide(look.view(seat), moves, seed)
        look.game.check(look.state, seat, move)
    except IllegalMove as why:
        log.error("Match %s: a computer of level %s chose an illegal move (rule %s)", look.info.id, level, why.rule)
    except Exception as error:  # noqa: BLE001  # a boundary: a match goes on whatever a player stumbles over
        unexpected(error)
    else:
        return move
    return None
