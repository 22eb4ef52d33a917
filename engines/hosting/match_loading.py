"""A match read from its store: replayed and compared with its checkpoint, carried over to new rules, or set aside."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engines.hosting.due_times import deadlines_after, due_rules_after
from engines.hosting.match import Match, MatchEvent, NewerMatch, RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import (
    LIVE,
    Change,
    DamagedMatch,
    MatchInfo,
    MatchStorage,
    SavedMatch,
    Status,
    StoreFailure,
)

log = logging.getLogger(__name__)
TRIES = 5  # in which a match is read that others change meanwhile
STARTED_STATUSES = frozenset({Status.RUNNING, Status.PAUSED, Status.OVER})


class MatchLoader:
    """Reads matches for `Matches`, which alone keeps them."""

    def __init__(self, store: MatchStorage, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self._store = store
        self._games = games
        self._clock = clock

    async def load(self, match: str) -> Match:
        """The match as it was kept; a damaged one, set aside. Raises Refused where there is none, and BeingUpdated."""
        for _ in range(TRIES):
            current = await self._load_once(match)
            revision, clicks = await self._store.recent_clicks(match)
            if revision <= current.info.revision:  # else somebody has changed it between
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
            info = saved.info if saved else info  # as it was at the same moment as its moves
            current = rebuild_match(game, info, saved)
        except DamagedMatch as damage:
            return await self._set_aside(game, info, str(damage))
        except StoreFailure:
            raise
        except Exception as error:  # noqa: BLE001  # a boundary: no game has to foresee what a damaged record holds
            return await self._set_aside(game, info, f"reading it fails ({describe_error_location(error)})")
        return await self._migrate_rules(current) if info.rules < game.version and info.status in LIVE else current

    async def _set_aside(self, game: AnyGame, info: MatchInfo, reason: str) -> Match:
        """Keep a damaged match out of play, and say so; one that is closed is that already."""
        if info.status not in LIVE | {Status.OVER}:
            return _match_without_state(game, info)
        log.error("Match %s is set aside: %s", info.id, reason)
        aside = replace(info, status=Status.ASIDE, reason=reason)
        if info.status in LIVE:
            aside = replace(aside, revision=info.revision + 1, changed=self._clock())
            try:
                await self._store.set_aside(aside)
            except StoreFailure:
                log.error("That match %s is set aside could not be kept: it is read again when asked for", info.id)
        return _match_without_state(game, aside)

    async def _migrate_rules(self, current: Match) -> Match:
        """Make today's rules those of a match of older ones, and its checkpoint, where it has begun, its new base."""
        text = None if current.state is None else current.game.checkpoint_adapter.dump_json(current.state).decode()
        info = current.next_info(self._clock(), rules=current.game.version)
        change = Change(info, "carry over", checkpoint=text, base=text)
        change = replace(change, due_rules=due_rules_after(current.game, change, current.state))
        await self._store.commit(change)
        current.info, current.deadlines = info, deadlines_after(current.deadlines, change)
        return current


def is_newer(info: MatchInfo, game: AnyGame) -> bool:
    """Whether a match of that game can only be read, or written, by a newer version than this one."""
    return info.is_newer or info.rules > game.version


def rebuild_match(game: AnyGame, info: MatchInfo, saved: SavedMatch | None) -> Match:
    """Rebuild a match by replaying its record, and compare that with its checkpoint. Raises Damaged.

    A match of older rules replays under those, and its state is then turned into one of today's.
    """
    if info.damage:
        raise DamagedMatch(info.damage)
    options = _parse_options(game, info)
    _check_header(game, info, saved)
    if saved is None:
        return Match(game, info, options)
    rules = game if info.rules == game.version else game.past_versions.get(info.rules)
    if rules is None:
        raise DamagedMatch(f"its rules version {info.rules} is not known")
    state, told = _replay_moves(rules, saved)
    _check_end(rules, info, state)
    if rules is not game:
        carried = game.migrate(rules.checkpoint_adapter.dump_python(state, mode="json"), info.rules)
        state, told = game.checkpoint_adapter.validate_python(carried), []
    current = Match(game, info, options, state, told, deadlines={due.seat: due for due in saved.deadlines})
    for row in saved.moves:
        current.add_move(row)
    return current


def _parse_options(game: AnyGame, info: MatchInfo) -> Any:
    try:
        return game.options_adapter.validate_json(info.options)
    except ValueError:
        raise DamagedMatch("its options cannot be read") from None


def _match_without_state(game: AnyGame, info: MatchInfo) -> Match:
    """A match that is not gone on with; options that cannot be read are those that one begins with."""
    try:
        return Match(game, info, _parse_options(game, info))
    except DamagedMatch:
        return Match(game, info, game.options())


def _check_header(game: AnyGame, info: MatchInfo, saved: SavedMatch | None) -> None:
    """Whether what is said of the match can be; as far as it matters for going on."""
    if info.status in STARTED_STATUSES and saved is None:
        raise DamagedMatch("its state is missing")
    if info.status is Status.LOBBY and (saved is not None or info.moves):
        raise DamagedMatch("it waits for its start, and has begun")
    if info.status in LIVE and info.host not in [seat.user for seat in info.seats]:
        raise DamagedMatch("its host does not sit there")
    if len(info.seats) > game.seats[-1] or (saved is not None and len(info.seats) < game.seats[0]):
        raise DamagedMatch(f"{len(info.seats)} seats are not for this game")


def _check_end(rules: AnyGame, info: MatchInfo, state: Any) -> None:
    """A match is over when its game is."""
    if info.status in STARTED_STATUSES and (info.status is Status.OVER) != (rules.outcome(state) is not None):
        raise DamagedMatch(f"it is {info.status}, which its game is not")


def describe_error_location(error: Exception) -> str:
    """What was raised and where, without any value."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, line {frame.lineno}"


def _replay_moves(rules: AnyGame, saved: SavedMatch) -> tuple[Any, list[MatchEvent]]:
    """The state after the record's last move and the events on the way."""
    try:
        state = rules.checkpoint_adapter.validate_json(saved.base)
        kept = rules.checkpoint_adapter.validate_json(saved.checkpoint)
    except ValueError:
        raise DamagedMatch("its checkpoint cannot be read") from None
    if saved.base_moves + len(saved.moves) != saved.info.moves:
        raise DamagedMatch(f"{len(saved.moves)} moves after {saved.base_moves}, but {saved.info.moves} were counted")
    told: list[MatchEvent] = []
    for row in saved.moves:
        try:
            move = rules.parse_move(row.notation)
            rules.check(state, row.seat, move)
        except IllegalMove:
            raise DamagedMatch(f"its move {row.number} is not legal") from None
        told += [MatchEvent(row.number, event) for event in rules.play(state, row.seat, move)]
    if state != kept:
        raise DamagedMatch(f"its {saved.info.moves} moves do not lead to its checkpoint")
    return state, told
