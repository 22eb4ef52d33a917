"""A match read from its store: replayed and compared with its checkpoint, carried over to new rules, or set aside."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engines.hosting.due_times import awaited, clocks
from engines.hosting.match import BeingUpdated, Match, Refused, Told
from engines.kit.contract import AnyGame, IllegalMove
from engines.store.match_store import LIVE, Change, Damaged, Info, Saved, Status, Store, StoreFailure

log = logging.getLogger(__name__)
TRIES = 5  # in which a match is read that others change meanwhile
PLAYED = frozenset({Status.RUNNING, Status.PAUSED, Status.OVER})


class Loading:
    """Reads matches for `Matches`, which alone keeps them."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self._store = store
        self._games = games
        self._clock = clock

    async def load(self, match: str) -> Match:
        """The match as it was kept; a damaged one, set aside. Raises Refused where there is none, and BeingUpdated."""
        for _ in range(TRIES):
            held = await self._load(match)
            revision, clicks = await self._store.clicks(match)
            if revision <= held.info.revision:  # else somebody has changed it between
                break
        held.clicks.extend(clicks)
        return held

    async def _load(self, match: str) -> Match:
        info = await self._store.info(match)
        if info is None:
            raise Refused("There is no such match any more.")
        game = self._games.get(info.game)
        if game is None or is_newer(info, game):
            raise BeingUpdated(info)
        if info.status is Status.ASIDE:
            return _without_state(game, info)
        try:
            saved = await self._store.load(match)
            info = saved.info if saved else info  # as it was at the same moment as its moves
            held = resume(game, info, saved)
        except Damaged as damage:
            return await self._set_aside(game, info, str(damage))
        except StoreFailure:
            raise
        except Exception as error:  # noqa: BLE001  # a boundary: no game has to foresee what a damaged record holds
            return await self._set_aside(game, info, f"reading it fails ({where(error)})")
        return await self._carry_over(held) if info.rules < game.version and info.status in LIVE else held

    async def _set_aside(self, game: AnyGame, info: Info, why: str) -> Match:
        """Keep a damaged match out of play, and say so; one that is closed is that already."""
        if info.status not in LIVE | {Status.OVER}:
            return _without_state(game, info)
        log.error("Match %s is set aside: %s", info.id, why)
        aside = replace(info, status=Status.ASIDE, reason=why)
        if info.status in LIVE:
            aside = replace(aside, revision=info.revision + 1, changed=self._clock())
            try:
                await self._store.set_aside(aside)
            except StoreFailure:
                log.error("That match %s is set aside could not be kept: it is read again when asked for", info.id)
        return _without_state(game, aside)

    async def _carry_over(self, held: Match) -> Match:
        """Make today's rules those of a match of older ones, and its checkpoint, where it has begun, its new base."""
        text = None if held.state is None else held.game.checkpoints.dump_json(held.state).decode()
        info = held.after(self._clock(), rules=held.game.version)
        change = Change(info, "carry over", checkpoint=text, base=text)
        change = replace(change, awaited=awaited(held.game, change, held.state))
        await self._store.commit(change)
        held.info, held.clocks = info, clocks(held.clocks, change)
        return held


def is_newer(info: Info, game: AnyGame) -> bool:
    """Whether a match of that game can only be read, or written, by a newer version than this one."""
    return info.newer or info.rules > game.version


def resume(game: AnyGame, info: Info, saved: Saved | None) -> Match:
    """Rebuild a match by replaying its record, and compare that with its checkpoint. Raises Damaged.

    A match of older rules replays under those, and its state is then turned into one of today's.
    """
    if info.damage:
        raise Damaged(info.damage)
    options = _options(game, info)
    _check_header(game, info, saved)
    if saved is None:
        return Match(game, info, options)
    rules = game if info.rules == game.version else game.past.get(info.rules)
    if rules is None:
        raise Damaged(f"its rules version {info.rules} is not known")
    state, told = _replay(rules, saved)
    _check_end(rules, info, state)
    if rules is not game:
        carried = game.migrate(rules.checkpoints.dump_python(state, mode="json"), info.rules)
        state, told = game.checkpoints.validate_python(carried), []
    held = Match(game, info, options, state, told, clocks={due.seat: due for due in saved.clocks})
    for row in saved.moves:
        held.add(row)
    return held


def _options(game: AnyGame, info: Info) -> Any:
    try:
        return game.settings.validate_json(info.options)
    except ValueError:
        raise Damaged("its options cannot be read") from None


def _without_state(game: AnyGame, info: Info) -> Match:
    """A match that is not gone on with; options that cannot be read are those that one begins with."""
    try:
        return Match(game, info, _options(game, info))
    except Damaged:
        return Match(game, info, game.options())


def _check_header(game: AnyGame, info: Info, saved: Saved | None) -> None:
    """Whether what is said of the match can be; as far as it matters for going on."""
    if info.status in PLAYED and saved is None:
        raise Damaged("its state is missing")
    if info.status is Status.LOBBY and (saved is not None or info.moves):
        raise Damaged("it waits for its start, and has begun")
    if info.status in LIVE and info.host not in [seat.user for seat in info.seats]:
        raise Damaged("its host does not sit there")
    if len(info.seats) > game.seats[-1] or (saved is not None and len(info.seats) < game.seats[0]):
        raise Damaged(f"{len(info.seats)} seats are not for this game")


def _check_end(rules: AnyGame, info: Info, state: Any) -> None:
    """A match is over when its game is."""
    if info.status in PLAYED and (info.status is Status.OVER) != (rules.outcome(state) is not None):
        raise Damaged(f"it is {info.status}, which its game is not")


def where(error: Exception) -> str:
    """What was raised and where, without any value."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, line {frame.lineno}"


def _replay(rules: AnyGame, saved: Saved) -> tuple[Any, list[Told]]:
    """The state after the record's last move and the events on the way."""
    try:
        state = rules.checkpoints.validate_json(saved.base)
        kept = rules.checkpoints.validate_json(saved.checkpoint)
    except ValueError:
        raise Damaged("its checkpoint cannot be read") from None
    if saved.base_moves + len(saved.moves) != saved.info.moves:
        raise Damaged(f"{len(saved.moves)} moves after {saved.base_moves}, but {saved.info.moves} were counted")
    told: list[Told] = []
    for row in saved.moves:
        try:
            move = rules.read(row.notation)
            rules.check(state, row.seat, move)
        except IllegalMove:
            raise Damaged(f"its move {row.number} is not legal") from None
        told += [Told(row.number, event) for event in rules.play(state, row.seat, move)]
    if state != kept:
        raise Damaged(f"its {saved.info.moves} moves do not lead to its checkpoint")
    return state, told
