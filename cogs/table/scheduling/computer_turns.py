"""Plays the computers' seats, from their own views only, and other moves that need no click, at a pace to follow."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal

from cogs.table.channels.table_services import TableServices
from cogs.table.state.server_lease import check_lease
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.background_tasks import exponential_backoff
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.log_context import set_log_context
from engines.hosting.feature import Feature
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.timing.due_times import own_number
from engines.hosting.timing.running_time import time_runs
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.characters import character_of
from engines.store.match_store import MatchInfo, NotLeaseHolder, StoreFailure
from engines.store.partition import Partition
from engines.store.rows import DropRow
from players import Level, Player, available_levels, make_player, random_move
from players.pauses import pause_before
from worker_pool.pool import JobFailed, WorkerPool

log = logging.getLogger(__name__)
MOVE_PAUSE = 2.0  # seconds before a person's forced move, and between looks whether a late search has ended
LONGEST_FEATURE_PAUSE = 6.0  # seconds before a move that a feature makes at most; at least MOVE_PAUSE
SECRET_NOTE = "secret"  # the note with the installation's secret
SUBSTITUTE_LEVEL: Level = "normal"  # the computer that plays for a player who left or is away


@dataclass(frozen=True, slots=True)
class NextMove:
    """A move that a computer is going to make, or a person's: a forced one, or one that a feature makes."""

    seat: int
    decision: int
    notation: str
    kind: Literal["computer", "forced", "feature"] = "computer"


class ComputerPlayers:
    """Runs a task for each match that waits for a move that needs no click, until it waits for people.

    After each pause, all these moves are made one after the other, and people see the result at once. They are chosen
    during the pause. Choices are not stored: they are made again after any change and after a restart. A move
    that a feature makes has a pause of its own, and is made like a click of its player.

    Timing reveals nothing about a computer's hand: the pause follows from what spectators see of the first decision,
    and every move waits for the end of a pause, a longer search for that of several. A computer that searches always
    uses the worker pool, even if it has only one legal move. Timing does not tell such a move from a click either,
    because those pauses differ in length.
    """

    def __init__(
        self,
        services: TableServices,
        worker_pool: WorkerPool,
        reconciler: Reconciler,
    ) -> None:
        self._services = services
        self._worker_pool = worker_pool
        self._reconciler = reconciler
        self._secret = ""
        self._moving_matches: set[str] = set()
        self._feature_moves = FeatureMoves(services, reconciler.wake)
        self._woken: set[str] = set()  # matches that may have changed since their task last looked

    def wake(self, match: str) -> None:
        """Continue a match that may have changed, if a move can be made without a click. Returns at once."""
        if self._services.tasks.is_running(f"computers {match}"):
            self._woken.add(match)
            return
        if self._services.matches.cache.needs_people(match) and not self._feature_moves.may_move(match):
            return
        self._services.tasks.start_loop(self._services.clock, f"computers {match}", self._play_match, match)

    async def find_waiting(self, partition: Partition) -> set[str]:
        """Return the matches of these servers in which a move may be made without a click."""
        computing = await self._services.matches.lookup.matches_awaiting_computers(partition)
        return {*computing, *await self._feature_moves.find_matches(partition)}

    def is_moving(self, match: str) -> bool:
        """Return whether computers are moving in a match now. Its messages are then updated after the last move."""
        return match in self._moving_matches

    async def choose_notation(self, snapshot: MatchSnapshot, seat: int, level: str) -> str:
        """Return the notation of the move that a computer of the given level chooses for a seat.

        If the search fails, return the policy's move; if that fails too, any legal move. Failures are logged.
        """
        seed = await self._choice_seed(snapshot, seat)
        player, moves = _player_at(snapshot.game, level), snapshot.moves(seat)
        if player.budget is None:
            return _legal_notation(
                snapshot,
                seat,
                lambda: snapshot.game.format_move(player.choose_with_seed(snapshot.view(seat), moves, seed)),
                moves,
                seed,
            )
        try:
            found = await self._worker_pool.choose_move(
                snapshot.info.id, snapshot.game, snapshot.view(seat), player.level, seed
            )
        except JobFailed as why:
            log.warning("Match %s: a computer plays without a search: %s", snapshot.info.id, why)
        else:
            return _legal_notation(snapshot, seat, lambda: found, moves, seed)
        return _legal_notation(
            snapshot,
            seat,
            lambda: snapshot.game.format_move(player.policy_move(snapshot.view(seat), moves, seed)),
            moves,
            seed,
        )

    async def _play_match(self, match: str) -> None:
        set_log_context(match)
        pauses = exponential_backoff()
        while True:
            self._woken.discard(match)
            try:
                snapshot = await self._services.matches.cache.get_snapshot(match)
                with self._services.lease.acting_for(snapshot.info.place.guild):
                    ready = await self._feature_moves.find_due(snapshot)
                    if awaited_seat(snapshot, ready) is not None:
                        await self._take_turn(snapshot, ready)
                    elif match not in self._woken:  # nothing has changed in the meantime
                        return
                pauses = exponential_backoff()
            except NotLeaseHolder:
                return
            except RequestRefused as why:
                log.info("Match %s: computers stopped playing: %s", match, why)
                return
            except StoreFailure:
                await self._services.clock.sleep(next(pauses))

    async def choose_paced(self, snapshot: MatchSnapshot, seat: int, level: str) -> str:
        """Return the same as `choose_notation`: at once if the computer does not search, else after whole pauses."""
        if _player_at(snapshot.game, level).budget is None:
            return await self.choose_notation(snapshot, seat, level)
        choosing = asyncio.create_task(self.choose_notation(snapshot, seat, level), name=f"think {snapshot.info.id}")
        try:
            while True:
                await self._services.clock.sleep(MOVE_PAUSE)
                if choosing.done():
                    return await choosing
        finally:
            choosing.cancel()

    async def _take_turn(self, snapshot: MatchSnapshot, ready: Mapping[int, str]) -> None:
        """Choose the moves during one or more pauses, then make them. `ready` are those that features make."""
        pause = await self.next_pause(snapshot, ready)
        choosing = asyncio.create_task(self._choose_moves(snapshot, ready), name=f"think {snapshot.info.id}")
        try:
            while True:
                await self._services.clock.sleep(pause)
                check_lease()
                now = await self._services.matches.cache.get_snapshot(snapshot.info.id)
                if _awaited_decision(now, ready) != _awaited_decision(snapshot, ready):
                    return
                if ready and await self._feature_moves.find_due(now, fresh=True) != ready:  # changed or withdrawn
                    return
                if choosing.done():
                    break
            await self._make_moves(now, _still_valid(await choosing, snapshot, now))
        finally:
            choosing.cancel()

    async def _choose_moves(self, snapshot: MatchSnapshot, ready: Mapping[int, str]) -> list[NextMove]:
        """Return the computers' next moves and forced ones, until people must choose, or a seat must move again after
        another one. Return a move that a feature makes alone.

        While people can still change sealed choices, return only moves that are due already: what follows depends on
        these choices, and everybody would see that moves were dropped because of a change.
        """
        first = awaited_seat(snapshot, ready)
        if first is not None and first in ready:
            return [NextMove(first, snapshot.decisions()[first].number, ready[first], "feature")]
        chosen: list[NextMove] = []
        due, has_sealed = snapshot.due_seats(), _has_sealed_choice(snapshot)
        while (seat := awaited_seat(snapshot)) is not None:
            is_repeated = seat in [each.seat for each in chosen]
            if (is_repeated and seat != chosen[-1].seat) or (has_sealed and (is_repeated or seat not in due)):
                break
            chosen.append(await self._choose_move(snapshot, seat))
            snapshot = _snapshot_after(snapshot, chosen[-1])
            await asyncio.sleep(0)  # let other tasks run
        return chosen

    async def _choose_move(self, snapshot: MatchSnapshot, seat: int) -> NextMove:
        decision = snapshot.decisions()[seat].number
        if seat in snapshot.forced_seats():
            (move,) = snapshot.moves(seat)
            return NextMove(seat, decision, snapshot.game.format_move(move), "forced")
        level = snapshot.info.seats[seat].level
        return NextMove(seat, decision, await self.choose_notation(snapshot, seat, level))

    async def _make_moves(self, snapshot: MatchSnapshot, chosen: Sequence[NextMove]) -> None:
        """Make the chosen moves. Stop if somebody else moves in between, because they are then outdated."""
        match = snapshot.info.id
        self._moving_matches.add(match)
        try:
            for number, each in enumerate(chosen, snapshot.info.moves + 1):
                check_lease()
                info = await self._make_move(snapshot, each)
                if info.moves != number:
                    break
        except (RequestRefused, IllegalMove):  # somebody took the seat, the match was paused, or the decision is past
            pass
        finally:
            self._moving_matches.discard(match)
            self._reconciler.wake(match)

    async def _make_move(self, snapshot: MatchSnapshot, move: NextMove) -> MatchInfo:
        info, seat = snapshot.info, move.seat
        match move.kind:
            case "forced":
                return await self._services.matches.moves.play_forced_move(info.id, seat, move.decision)
            case "feature":
                user = info.seats[seat].user
                return await self._services.matches.moves.play_move(
                    info.id, user, move.decision, move.notation, is_automatic=True
                )
            case "computer":
                return await self._services.matches.moves.play_computer_move(
                    info.id, seat, move.decision, move.notation
                )

    async def next_pause(self, snapshot: MatchSnapshot, ready: Collection[int] = ()) -> float:
        """Return the seconds before the next moves that need no click. They are the same after a restart."""
        seat = awaited_seat(snapshot, ready)
        if seat is not None and seat in ready:
            return await self._feature_pause(snapshot)
        if seat is None or not snapshot.info.seats[seat].level:
            return MOVE_PAUSE
        character = character_of(snapshot.info.seats[seat])
        number = snapshot.movers.count(seat)  # the number of its decision may count what only the seat knows
        seed = f"pause {await self._installation_secret()} {snapshot.info.id} {seat} {number}"
        try:
            return pause_before(
                snapshot.game,
                snapshot.view(None),
                seat,
                seed,
                1.0 if character is None else character.pace,
            )
        except Exception as error:  # noqa: BLE001  # a boundary: a match continues even if sampling fails
            report_unexpected(error)
            return MOVE_PAUSE

    async def _choice_seed(self, snapshot: MatchSnapshot, seat: int) -> str:
        """Return the seed of a computer's choice: the same after a restart and after an undo."""
        number = own_number(snapshot.info, seat, snapshot.decisions()[seat].number)
        return f"{await self._installation_secret()} {snapshot.info.id} {seat} {number}"

    async def _feature_pause(self, snapshot: MatchSnapshot) -> float:
        """Return the seconds before a move of a feature. Nobody can foretell them; a restart does not change them."""
        seed = f"{await self._installation_secret()} {snapshot.info.id} {snapshot.info.moves}"
        share = int.from_bytes(blake2b(seed.encode(), digest_size=2).digest()) / 65536
        return MOVE_PAUSE + share * (LONGEST_FEATURE_PAUSE - MOVE_PAUSE)

    async def _installation_secret(self) -> str:
        """Return this installation's secret. It keeps a computer's choices unpredictable from the match's own seed."""
        if not self._secret:
            secret = await self._services.surfaces.store.read_note(SECRET_NOTE)
            if secret is None:
                secret = secrets.token_hex(16)
                await self._services.surfaces.store.put_note(SECRET_NOTE, secret)
            self._secret = secret
        return self._secret


def substitute_level(game: AnyGame) -> str:
    """Return the level that replaces a player who left or is away, or "" if the game has no such computer."""
    return SUBSTITUTE_LEVEL if SUBSTITUTE_LEVEL in available_levels(game) else ""


def awaited_seat(snapshot: MatchSnapshot, ready: Collection[int] = ()) -> int | None:
    """Return the first seat that the match waits for and that needs no click: a computer's, or one with a forced move.

    `ready` are seats for which a feature has a move. Nothing moves by itself while players have something to settle.
    """
    if not time_runs(snapshot.info):
        return None
    able = snapshot.forced_seats().union(ready)
    return next((seat for seat in snapshot.due_seats() if snapshot.info.seats[seat].level or seat in able), None)


def _has_sealed_choice(snapshot: MatchSnapshot) -> bool:
    """Whether a person can still change a choice that nobody else sees."""
    return any(not each.due and not snapshot.info.seats[seat].level for seat, each in snapshot.decisions().items())


def _awaited_decision(snapshot: MatchSnapshot, ready: Collection[int]) -> tuple[int, int] | None:
    """Return the `awaited_seat` and the number of its decision."""
    seat = awaited_seat(snapshot, ready)
    return None if seat is None else (seat, snapshot.decisions()[seat].number)


def _still_valid(chosen: Sequence[NextMove], snapshot: MatchSnapshot, current: MatchSnapshot) -> Sequence[NextMove]:
    """Return the chosen moves that are still valid: all, or those whose decisions are open if somebody moved since."""
    if current.info.moves == snapshot.info.moves:
        return chosen
    return [
        each
        for each in chosen
        if each.seat in current.due_seats() and current.decisions()[each.seat].number == each.decision
    ]


def _snapshot_after(snapshot: MatchSnapshot, move: NextMove) -> MatchSnapshot:
    state = snapshot.game.copy(snapshot.state)
    snapshot.game.play(state, move.seat, snapshot.game.parse_move(move.notation))
    return replace(snapshot, state=state)


def _player_at(game: AnyGame, level: str) -> Player:
    """Return the computer player of a level. If the game no longer has it, return the strongest."""
    known = available_levels(game)
    return make_player(game, next((each for each in known if each == level), known[-1]))


def _legal_notation(
    snapshot: MatchSnapshot, seat: int, choose: Callable[[], str], moves: Sequence[object], seed: str
) -> str:
    """Return the chosen move. If it is illegal or choosing fails, log that and return any legal move."""
    try:
        notation = choose()
        snapshot.game.check(snapshot.state, seat, snapshot.game.parse_move(notation))
    except IllegalMove as why:
        log.error("Match %s: a computer chose an illegal move (rule %s)", snapshot.info.id, why.rule)
    except Exception as error:  # noqa: BLE001  # a boundary: a match continues even if its computer player fails
        report_unexpected(error)
    else:
        return notation
    return snapshot.game.format_move(random_move(moves, seed))


class FeatureMoves:
    """The moves that follow from rows of features. Only hands show these rows; nothing else depends on them."""

    def __init__(self, services: TableServices, wake: Callable[..., None]) -> None:
        self._services = services
        features = services.matches.editor.features
        self._features = [
            (each, [table for table in each.tables if table.seen == "hand"])
            for each in features
            if type(each).due_moves is not Feature.due_moves
        ]
        self._wake = wake  # redraws a match, and the hands of some seats at once

    def may_move(self, match: str) -> bool:
        """Whether a feature may make a move in a match, as far as that is known without reading it."""
        game = self._services.matches.cache.started_game(match)
        return game is not None and any(
            each.can_move(game) and self._services.surfaces.may_have_rows(match, tables)
            for each, tables in self._features
        )

    async def find_matches(self, partition: Partition) -> set[str]:
        """Return the matches of these servers in which a feature may make a move."""
        found = [table for _, tables in self._features for table in tables]
        return {
            match
            for table in found
            for match in await self._services.surfaces.store.matches_with_rows(table, partition)
        }

    async def find_due(self, snapshot: MatchSnapshot, *, fresh: bool = False) -> Mapping[int, str]:
        """Return the moves that are due, as notations by seat, and make the writes that go with them.

        If `fresh`, no row is overlooked that another process has just changed. A feature that fails, or names a move
        that cannot be made now, is logged; the other moves are made.
        """
        match, due = snapshot.info.id, dict[int, str]()
        for feature, tables in self._features:
            rows = await self._services.surfaces.hand_rows(match, tables, fresh=fresh)
            try:
                found = feature.due_moves(snapshot, rows)
            except Exception as error:  # noqa: BLE001  # a boundary: computers and other features move on
                report_unexpected(error)
                continue
            for write in found.writes:
                await self._services.surfaces.write_row(match, write)
                seat = None if isinstance(write, DropRow) else snapshot.info.seat_of(write.row.user)
                self._wake(match, *(() if seat is None else (seat,)))
            due |= {seat: move for seat, move in found.moves.items() if _can_make(snapshot, feature, seat, move)}
        return due


def _can_make(snapshot: MatchSnapshot, feature: Feature, seat: int, notation: str) -> bool:
    """Whether a seat is due and may make this move now. If not, log which feature named it."""
    try:
        if seat in snapshot.due_seats():
            snapshot.game.check(snapshot.state, seat, snapshot.game.parse_move(notation))
            return True
    except IllegalMove:
        pass
    log.error("Match %s: the feature %s names a move that seat %d cannot make", snapshot.info.id, feature.name, seat)
    return False
