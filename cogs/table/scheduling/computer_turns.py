"""Plays the seats at which the computer sits: from their views alone, at a pace that people can follow."""

from __future__ import annotations

import asyncio
import logging
import secrets
from asyncio import sleep
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cogs.table.state.server_lease import ServerLease, check_lease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.log_context import set_log_context
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import NotLeaseHolder, StoreFailure
from players import Level, Player, available_levels, make_player, random_move
from worker_pool.pool import JobFailed, WorkerPool

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
MOVE_PAUSE = (
    2.0  # seconds before computers move, so that people can follow; where searching takes longer, whole such steps
)
SECRET_NOTE = "secret"  # the note of what no choice can be foreseen without
SUBSTITUTE_LEVEL: Level = "normal"  # who plays for somebody who has gone


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """What a computer is going to do."""

    seat: int
    decision: int
    notation: str


class ComputerPlayers:
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
        surfaces: SurfaceCache,
        tasks: BackgroundTasks,
        worker_pool: WorkerPool,
        on_moved: Callable[[str], None],
        lease: ServerLease | None = None,
    ) -> None:
        self._lease = lease or ServerLease()
        self._matches = matches
        self._surfaces = surfaces
        self._tasks = tasks
        self._worker_pool = worker_pool
        self._on_moved = on_moved
        self._secret = ""
        self._moving_matches: set[str] = set()

    def wake(self, match: str) -> None:
        """A match has changed: play on, if it waits for a computer. Returns at once."""
        if self._matches.has_no_computers(match) and not self._tasks.is_running(f"computers {match}"):
            return
        self._tasks.start(f"computers {match}", self._play_match, match)

    def is_moving(self, match: str) -> bool:
        """Whether computers are just now making moves there: what comes of all of them is then shown at once."""
        return match in self._moving_matches

    async def choose_notation(self, snapshot: MatchSnapshot, seat: int, level: str) -> str:
        """The notation of what the computer of a level chooses at a seat, whoever sits there.

        Where its player fails, which is logged, what the policy says; where that fails, too, any legal move.
        """
        seed = f"{await self._installation_secret()} {snapshot.info.id} {seat} {snapshot.decisions()[seat].number}"
        who, moves = _player_at(snapshot.game, level), snapshot.moves(seat)
        if who.budget is None:
            return _legal_notation(
                snapshot,
                seat,
                lambda: snapshot.game.format_move(who.choose_with_seed(snapshot.view(seat), moves, seed)),
                moves,
                seed,
            )
        try:
            found = await self._worker_pool.choose_move(snapshot.game, snapshot.view(seat), who.level, seed)
        except JobFailed as why:
            log.warning("Match %s: a computer plays without thinking: %s", snapshot.info.id, why)
        else:
            return _legal_notation(snapshot, seat, lambda: found, moves, seed)
        return _legal_notation(
            snapshot,
            seat,
            lambda: snapshot.game.format_move(who.policy_move(snapshot.view(seat), moves, seed)),
            moves,
            seed,
        )

    async def _play_match(self, match: str) -> None:
        set_log_context(match)
        pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            try:
                snapshot = await self._matches.get_snapshot(match)
                if awaited_computer(snapshot) is None:
                    return
                with self._lease.acting_for(snapshot.info.place.guild):
                    await self._take_turn(snapshot)
                pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
            except NotLeaseHolder:
                return
            except RequestRefused as why:
                log.info("No computer plays in match %s: %s", match, why)
                return
            except StoreFailure:
                await sleep(next(pauses))

    async def choose_paced(self, snapshot: MatchSnapshot, seat: int, level: str) -> str:
        """The same, at once for a player that does not search, else after whole pauses."""
        if _player_at(snapshot.game, level).budget is None:
            return await self.choose_notation(snapshot, seat, level)
        choosing = asyncio.create_task(self.choose_notation(snapshot, seat, level), name=f"think {snapshot.info.id}")
        try:
            while True:
                await sleep(MOVE_PAUSE)
                if choosing.done():
                    return await choosing
        finally:
            choosing.cancel()

    async def _take_turn(self, snapshot: MatchSnapshot) -> None:
        """Move after the pause, in which it is worked out how, or after as many as that takes."""
        planning = asyncio.create_task(self._plan_moves(snapshot), name=f"think {snapshot.info.id}")
        try:
            while True:
                await sleep(MOVE_PAUSE)
                check_lease()
                now = await self._matches.get_snapshot(snapshot.info.id)
                if _awaited_decision(now) != _awaited_decision(snapshot):
                    return
                if planning.done():
                    break
            await self._make_moves(now, _still_valid(await planning, snapshot, now))
        finally:
            planning.cancel()

    async def _plan_moves(self, snapshot: MatchSnapshot) -> list[PlannedMove]:
        """What computers do until people are to move, or until one of them is to move again after another has."""
        plan: list[PlannedMove] = []
        while (seat := awaited_computer(snapshot)) is not None:
            if seat in [each.seat for each in plan] and seat != plan[-1].seat:
                break
            decision = snapshot.decisions()[seat].number
            plan.append(
                PlannedMove(seat, decision, await self.choose_notation(snapshot, seat, snapshot.info.seats[seat].level))
            )
            snapshot = _snapshot_after(snapshot, plan[-1])
            await asyncio.sleep(0)  # others are served meanwhile
        return plan

    async def _make_moves(self, snapshot: MatchSnapshot, plan: Sequence[PlannedMove]) -> None:
        """Make these moves, as long as nobody else makes one between: then it is to be looked at anew."""
        match = snapshot.info.id
        self._moving_matches.add(match)
        try:
            for number, each in enumerate(plan, snapshot.info.moves + 1):
                check_lease()
                info = await self._matches.play_computer_move(match, each.seat, each.decision, each.notation)
                if info.moves != number:
                    break
        except (
            RequestRefused,
            IllegalMove,
        ):  # somebody took the seat, the match was paused, or the decision is past (Stale)
            pass
        finally:
            self._moving_matches.discard(match)
            self._on_moved(match)

    async def _installation_secret(self) -> str:
        """The secret of this installation: from the match's own chance nobody learns what a computer chooses."""
        if not self._secret:
            kept = await self._surfaces.read_note(SECRET_NOTE)
            if kept is None:
                kept = secrets.token_hex(16)
                await self._surfaces.put_note(SECRET_NOTE, kept)
            self._secret = kept
        return self._secret


def awaited_computer(snapshot: MatchSnapshot) -> int | None:
    """The first seat of a computer that the match waits for, if any."""
    return next((seat for seat in snapshot.due_seats() if snapshot.info.seats[seat].level), None)


def _awaited_decision(snapshot: MatchSnapshot) -> tuple[int, int] | None:
    """That seat, and the number of its decision."""
    seat = awaited_computer(snapshot)
    return None if seat is None else (seat, snapshot.decisions()[seat].number)


def _still_valid(plan: Sequence[PlannedMove], snapshot: MatchSnapshot, current: MatchSnapshot) -> Sequence[PlannedMove]:
    """What of a plan for that moment can be done now: where somebody has moved beside, the decisions that are open."""
    if current.info.moves == snapshot.info.moves:
        return plan
    return [
        each
        for each in plan
        if each.seat in current.due_seats() and current.decisions()[each.seat].number == each.decision
    ]


def _snapshot_after(snapshot: MatchSnapshot, planned: PlannedMove) -> MatchSnapshot:
    """The match as it will be after that move."""
    state = snapshot.game.copy(snapshot.state)
    snapshot.game.play(state, planned.seat, snapshot.game.parse_move(planned.notation))
    return replace(snapshot, state=state)


def _player_at(game: AnyGame, level: str) -> Player:
    """Who plays at that level; at the highest there is, where the game has it no more."""
    known = available_levels(game)
    return make_player(game, next((each for each in known if each == level), known[-1]))


def _legal_notation(
    snapshot: MatchSnapshot, seat: int, choose: Callable[[], str], moves: Sequence[object], seed: str
) -> str:
    """What is chosen, where it is legal. Where it is not, or the player fails, which is logged, any legal move."""
    try:
        notation = choose()
        snapshot.game.check(snapshot.state, seat, snapshot.game.parse_move(notation))
    except IllegalMove as why:
        log.error("Match %s: a computer chose an illegal move (rule %s)", snapshot.info.id, why.rule)
    except Exception as error:  # noqa: BLE001  # a boundary: a match goes on whatever a player stumbles over
        report_unexpected(error)
    else:
        return notation
    return snapshot.game.format_move(random_move(moves, seed))
