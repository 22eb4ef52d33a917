"""Plays the seats at which the computer sits: from their views alone, at a pace that people can follow."""

from __future__ import annotations

import asyncio
import logging
import secrets
from asyncio import sleep
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cogs.table.state.server_lease import Held, still
from cogs.table.state.surface_store import Displays
from cogs.table.transport.background_tasks import Tasks, growing
from cogs.table.transport.error_reports import unexpected
from cogs.table.transport.log_context import about
from engines.hosting.match import Look, Refused
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame, IllegalMove
from engines.store.match_store import NotHeld, StoreFailure
from players import Level, Player, anything, levels, player
from worker_pool.pool import GaveUp, Thinkers

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
PAUSE = 2.0  # seconds before computers move, so that people can follow; where searching takes longer, whole such steps
SECRET = "secret"  # the note of what no choice can be foreseen without
INSTEAD: Level = "normal"  # who plays for somebody who has gone


@dataclass(frozen=True, slots=True)
class Planned:
    """What a computer is going to do."""

    seat: int
    decision: int
    notation: str


class Computers:
    """A task for each match that waits for a computer; it ends when that waits for people, or is over.

    After a pause all computers whose turn it is move, one after the other: people see all of it at once, then again
    after the next pause. What they choose is worked out meanwhile, from where the moves before it lead to. Nothing of
    it is kept: whenever a match has changed, and after a restart, it is looked at anew.

    No time tells what a computer holds. A move that is ready sooner waits for the end of the pause, and one that takes
    longer for the end of a further one; a player that searches is asked in the pool, behind whoever waits there, also
    where it has no choice.
    """

    def __init__(
        self,
        matches: Matches,
        shown: Displays,
        tasks: Tasks,
        thinkers: Thinkers,
        show: Callable[[str], None],
        held: Held | None = None,
    ) -> None:
        self._held = held or Held()
        self._matches = matches
        self._shown = shown
        self._tasks = tasks
        self._thinkers = thinkers
        self._show = show
        self._secret = ""
        self._moving: set[str] = set()

    def wake(self, match: str) -> None:
        """A match has changed: play on, if it waits for a computer. Returns at once."""
        if self._matches.without_computers(match) and not self._tasks.runs(f"computers {match}"):
            return
        self._tasks.start(f"computers {match}", self._play, match)

    def moving(self, match: str) -> bool:
        """Whether computers are just now making moves there: what comes of all of them is then shown at once."""
        return match in self._moving

    async def choose(self, look: Look, seat: int, level: str) -> str:
        """The notation of what the computer of a level chooses at a seat, whoever sits there.

        Where its player fails, which is logged, what the policy says; where that fails, too, any legal move.
        """
        seed = f"{await self._key()} {look.info.id} {seat} {look.decisions()[seat].number}"
        who, moves = _player(look.game, level), look.moves(seat)
        if who.budget is None:
            return _legal(look, seat, lambda: look.game.write(who.decide(look.view(seat), moves, seed)), moves, seed)
        try:
            found = await self._thinkers.choose(look.game, look.view(seat), who.level, seed)
        except GaveUp as why:
            log.warning("Match %s: a computer plays without thinking: %s", look.info.id, why)
        else:
            return _legal(look, seat, lambda: found, moves, seed)
        return _legal(look, seat, lambda: look.game.write(who.offhand(look.view(seat), moves, seed)), moves, seed)

    async def _play(self, match: str) -> None:
        about(match)
        pauses = growing(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            try:
                look = await self._matches.look(match)
                if waiting(look) is None:
                    return
                with self._held.acting(look.info.place.guild):
                    await self._turn(look)
                pauses = growing(FIRST_PAUSE, LONGEST_PAUSE)
            except NotHeld:
                return
            except Refused as why:
                log.info("No computer plays in match %s: %s", match, why)
                return
            except StoreFailure:
                await sleep(next(pauses))

    async def in_steps(self, look: Look, seat: int, level: str) -> str:
        """The same, at once for a player that does not search, else after whole pauses."""
        if _player(look.game, level).budget is None:
            return await self.choose(look, seat, level)
        choosing = asyncio.create_task(self.choose(look, seat, level), name=f"think {look.info.id}")
        try:
            while True:
                await sleep(PAUSE)
                if choosing.done():
                    return await choosing
        finally:
            choosing.cancel()

    async def _turn(self, look: Look) -> None:
        """Move after the pause, in which it is worked out how, or after as many as that takes."""
        planning = asyncio.create_task(self._plan(look), name=f"think {look.info.id}")
        try:
            while True:
                await sleep(PAUSE)
                still()
                now = await self._matches.look(look.info.id)
                if _first(now) != _first(look):
                    return
                if planning.done():
                    break
            await self._move(now, _still(await planning, look, now))
        finally:
            planning.cancel()

    async def _plan(self, look: Look) -> list[Planned]:
        """What computers do until people are to move, or until one of them is to move again after another has."""
        plan: list[Planned] = []
        while (seat := waiting(look)) is not None:
            if seat in [each.seat for each in plan] and seat != plan[-1].seat:
                break
            decision = look.decisions()[seat].number
            plan.append(Planned(seat, decision, await self.choose(look, seat, look.info.seats[seat].level)))
            look = _ahead(look, plan[-1])
            await asyncio.sleep(0)  # others are served meanwhile
        return plan

    async def _move(self, look: Look, plan: Sequence[Planned]) -> None:
        """Make these moves, as long as nobody else makes one between: then it is to be looked at anew."""
        match = look.info.id
        self._moving.add(match)
        try:
            for number, each in enumerate(plan, look.info.moves + 1):
                still()
                info = await self._matches.play_for(match, each.seat, each.decision, each.notation)
                if info.moves != number:
                    break
        except (Refused, IllegalMove):  # somebody took the seat, the match was paused, or the decision is past (Stale)
            pass
        finally:
            self._moving.discard(match)
            self._show(match)

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


def _first(look: Look) -> tuple[int, int] | None:
    """That seat, and the number of its decision."""
    seat = waiting(look)
    return None if seat is None else (seat, look.decisions()[seat].number)


def _still(plan: Sequence[Planned], look: Look, now: Look) -> Sequence[Planned]:
    """What of a plan for that moment can be done now: where somebody has moved beside, the decisions that are open."""
    if now.info.moves == look.info.moves:
        return plan
    return [each for each in plan if each.seat in now.due() and now.decisions()[each.seat].number == each.decision]


def _ahead(look: Look, planned: Planned) -> Look:
    """The match as it will be after that move."""
    state = look.game.copy(look.state)
    look.game.play(state, planned.seat, look.game.read(planned.notation))
    return replace(look, state=state)


def _player(game: AnyGame, level: str) -> Player:
    """Who plays at that level; at the highest there is, where the game has it no more."""
    known = levels(game)
    return player(game, next((each for each in known if each == level), known[-1]))


def _legal(look: Look, seat: int, choose: Callable[[], str], moves: Sequence[object], seed: str) -> str:
    """What is chosen, where it is legal. Where it is not, or the player fails, which is logged, any legal move."""
    try:
        notation = choose()
        look.game.check(look.state, seat, look.game.read(notation))
    except IllegalMove as why:
        log.error("Match %s: a computer chose an illegal move (rule %s)", look.info.id, why.rule)
    except Exception as error:  # noqa: BLE001  # a boundary: a match goes on whatever a player stumbles over
        unexpected(error)
    else:
        return notation
    return look.game.write(anything(moves, seed))
