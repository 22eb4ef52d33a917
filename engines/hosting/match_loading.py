"""Loads a match from its store: replays it, checks it against its checkpoint, and migrates it to new rules."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.hosting.match import Match, MatchEvent, MatchHistory, NewerMatch, RequestRefused, UndoneMoves
from engines.hosting.records.replaying import BadRow, replay_rows
from engines.hosting.timing.due_times import deadlines_after, due_rules_after
from engines.hosting.timing.time_banks import settle_banks
from engines.kit.contract import AnyGame
from engines.store.match_store import (
    LIVE,
    Change,
    DamagedMatch,
    MatchInfo,
    MatchStorage,
    Move,
    SavedMatch,
    Status,
    StoreFailure,
)

log = logging.getLogger(__name__)
MAX_UNDOS = 8  # undos that are kept in memory, for the news
TRIES = 5  # attempts when other processes change the match during loading
STARTED_STATUSES = frozenset({Status.RUNNING, Status.PAUSED, Status.OVER})


class MatchLoader:
    """Loads matches for `Matches`, which caches them."""

    def __init__(self, store: MatchStorage, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self._store = store
        self._games = games
        self._clock = clock

    async def load(self, match: str) -> Match:
        """Load the match. A damaged one is set aside. Raises RequestRefused if there is none, and NewerMatch."""
        for _ in range(TRIES):
            current = await self._load_once(match)
            revision, clicks = await self._store.recent_clicks(match)
            if revision <= current.info.revision:  # otherwise somebody changed it between the two reads
                break
        current.clicks.extend(clicks)
        return current

    async def _load_once(self, match: str) -> Match:
        info = await self._store.load_info(match)
        if info is None:
            raise RequestRefused("There is no such match any more.")
        game = self._games.get(info.game)
        if game is None or is_newer(info, game):
            raise NewerMatch(info)
        if info.status is Status.ASIDE:
            return _match_without_state(game, info)
        try:
            saved = await self._store.load(match)
            info = saved.info if saved else info  # read in the same transaction as its moves
            current = rebuild_match(game, info, saved)
        except DamagedMatch as damage:
            return await self._set_aside(game, info, str(damage))
        except StoreFailure:
            raise
        except Exception as error:  # noqa: BLE001  # a boundary: games cannot foresee every damaged record
            return await self._set_aside(game, info, f"reading it fails ({describe_error_location(error)})")
        return await self._migrate_rules(current) if info.rules < game.version and info.status in LIVE else current

    async def _set_aside(self, game: AnyGame, info: MatchInfo, reason: str) -> Match:
        """Set a damaged match aside and log it. A closed match keeps its status."""
        if info.status not in LIVE | {Status.OVER}:
            return _match_without_state(game, info)
        log.error("Match %s is set aside: %s", info.id, reason)
        aside = replace(info, status=Status.ASIDE, reason=reason)
        if info.status in LIVE:
            aside = replace(aside, revision=info.revision + 1, changed=self._clock())
            try:
                await self._store.set_aside(aside)
            except StoreFailure:
                log.error("Could not save that match %s was set aside; it is loaded again on the next request", info.id)
        return _match_without_state(game, aside)

    async def _migrate_rules(self, current: Match) -> Match:
        """Migrate a match to the current rules. If it has started, its migrated checkpoint becomes its new base."""
        text = None if current.state is None else current.game.checkpoint_adapter.dump_json(current.state).decode()
        info = current.next_info(self._clock(), rules=current.game.version)
        change = Change(info, "carry over", checkpoint=text, base=text)
        change = settle_banks(current.game, current.info, current.deadlines, change, current.state)
        change = replace(change, due_rules=due_rules_after(current.game, change, current.state))
        await self._store.commit(change)
        current.info, current.deadlines = change.info, deadlines_after(current.deadlines, change)
        return current


def is_newer(info: MatchInfo, game: AnyGame) -> bool:
    """Whether only a newer version of the bot can read or write a match of that game."""
    return info.is_newer or info.rules > game.version


def rebuild_match(game: AnyGame, info: MatchInfo, saved: SavedMatch | None, *, has_checkpoint: bool = True) -> Match:
    """Rebuild a match by replaying its record, and compare it with its checkpoint. Raises DamagedMatch.

    A match of older rules is replayed under those rules, and its state is then migrated. An earlier moment of a match
    has no checkpoint.
    """
    if info.damage:
        raise DamagedMatch(info.damage)
    options = _parse_options(game, info)
    _check_header(game, info, options, saved)
    if saved is None:
        return Match(game, info, options)
    rules = game if info.rules == game.version else game.past_versions.get(info.rules)
    if rules is None:
        raise DamagedMatch(f"its rules version {info.rules} is not known")
    history = _replay_moves(rules, saved, has_checkpoint=has_checkpoint)
    _check_end(rules, info, history.state)
    if rules is not game:
        carried = game.migrate(rules.checkpoint_adapter.dump_python(history.state, mode="json"), info.rules)
        history = MatchHistory(game.checkpoint_adapter.validate_python(carried))
    current = Match(game, info, options, deadlines={due.seat: due for due in saved.deadlines})
    current.lapse = saved.lapse
    current.set_history(history)
    for row in saved.moves:
        current.add_move(row)
    return current


def _parse_options(game: AnyGame, info: MatchInfo) -> Any:
    try:
        return game.options_adapter.validate_json(info.options)
    except ValueError:
        raise DamagedMatch("its options cannot be read") from None


def _match_without_state(game: AnyGame, info: MatchInfo) -> Match:
    """Return a match that nobody can continue. Unreadable options are replaced by the defaults."""
    try:
        return Match(game, info, _parse_options(game, info))
    except DamagedMatch:
        return Match(game, info, game.options())


def _check_header(game: AnyGame, info: MatchInfo, options: Any, saved: SavedMatch | None) -> None:
    """Check that the header is consistent, as far as the game needs it. Raises DamagedMatch."""
    if info.status in STARTED_STATUSES and saved is None:
        raise DamagedMatch("its state is missing")
    if info.status is Status.LOBBY and (saved is not None or info.moves):
        raise DamagedMatch("it is a lobby, but its game has started")
    if info.status in LIVE and info.host not in [seat.user for seat in info.seats]:
        raise DamagedMatch("its host has no seat")
    if len(info.seats) > game.seats[-1] or (saved is not None and len(info.seats) < game.seats_with(options)[0]):
        raise DamagedMatch(f"{len(info.seats)} seats do not fit this game")


def _check_end(rules: AnyGame, info: MatchInfo, state: Any) -> None:
    """Check that the match is over exactly if its game is. Raises DamagedMatch."""
    if info.status in STARTED_STATUSES and (info.status is Status.OVER) != (rules.outcome(state) is not None):
        raise DamagedMatch(f"it is {info.status}, but its game is not")


def describe_error_location(error: Exception) -> str:
    """Describe the type and the location of an error, without any values."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, line {frame.lineno}"


def _replay_moves(rules: AnyGame, saved: SavedMatch, *, has_checkpoint: bool) -> MatchHistory:
    """Replay the moves to the last state, and compare it with the checkpoint."""
    try:
        base = rules.checkpoint_adapter.validate_json(saved.base)
        checkpoint = rules.checkpoint_adapter.validate_json(saved.checkpoint) if has_checkpoint else None
    except ValueError:
        raise DamagedMatch("its checkpoint cannot be read") from None
    if saved.base_moves + len(saved.moves) != saved.info.moves:
        raise DamagedMatch(f"{len(saved.moves)} moves after {saved.base_moves}, but {saved.info.moves} were counted")
    try:
        history = replay_history(rules, base, saved.moves)
    except BadRow as bad:
        raise DamagedMatch(f"its move {bad.number} is not legal") from None
    if has_checkpoint and history.state != checkpoint:
        raise DamagedMatch(f"its {saved.info.moves} moves do not lead to its checkpoint")
    return history


def replay_history(game: AnyGame, base: Any, moves: Sequence[Move]) -> MatchHistory:
    """Replay moves and undos from a base, which changes. Raises BadRow."""
    first = moves[0].number if moves else 1
    rows = replay_rows(game, base, [(move.seat, move.notation) for move in moves], first)
    events = dict(enumerate(rows.events, first))
    match_events = [MatchEvent(number, event) for number in rows.in_force for event in events[number]]
    undone = frozenset(rows.undos).union(*rows.undos.values())
    latest = [*rows.undos.items()][-MAX_UNDOS:]
    taken = [UndoneMoves(row, moves[row - first].seat, numbers, events[numbers[0]]) for row, numbers in latest]
    return MatchHistory(rows.state, match_events, undone, tuple(taken))
