"""A match read from its store: replayed and compared with its checkpoint, carried over to new rules, or set aside."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from engines.game import AnyGame, IllegalMove
from engines.match import Match, Refused, Told
from engines.store import LIVE, Change, Saved, Status, Store

log = logging.getLogger(__name__)


class Damaged(Exception):
    """A record that does not lead to its checkpoint; the message is for the log, without anything hidden."""


class Loading:
    """Reads matches for `Matches`, which alone keeps them."""

    def __init__(self, store: Store, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self._store = store
        self._games = games
        self._clock = clock

    async def load(self, match: str) -> Match:
        """The match as it was kept. Raises Refused where there is none."""
        info = await self._store.info(match)
        game = self._games.get(info.game) if info else None
        if info is None or game is None:
            raise Refused("There is no such match any more.")
        saved = await self._store.load(match)
        options = game.settings.validate_json(info.options)
        if saved is None or info.status is Status.ASIDE:
            return Match(game, info, options)
        try:
            held = resume(game, saved)
        except Damaged as damage:
            return await self._set_aside(Match(game, info, options), str(damage))
        return held if info.rules == game.version else await self._carry_over(held)

    async def _set_aside(self, held: Match, why: str) -> Match:
        """Keep a damaged match out of play, and say so."""
        log.error("Match %s is set aside: %s", held.info.id, why)
        if held.info.status in LIVE:
            change = Change(held.after(self._clock(), status=Status.ASIDE, reason=why), "set aside")
            await self._store.commit(change)
            held.info = change.info
        return held

    async def _carry_over(self, held: Match) -> Match:
        """Make the checkpoint of a match of older rules, carried over to today's, its new base."""
        text = held.game.checkpoints.dump_json(held.state).decode()
        info = held.after(self._clock(), rules=held.game.version)
        await self._store.commit(Change(info, "carry over", checkpoint=text, base=text))
        held.info = info
        return held


def resume(game: AnyGame, saved: Saved) -> Match:
    """Rebuild a match by replaying its record, and compare that with its checkpoint. Raises Damaged.

    A match of older rules replays under those, and its checkpoint is then carried over to today's.
    """
    rules = game if saved.info.rules == game.version else game.past.get(saved.info.rules)
    if rules is None:
        raise Damaged(f"its rules version {saved.info.rules} is not known")
    state, told = _replay(rules, saved)
    if rules is not game:
        carried = game.migrate(rules.checkpoints.dump_python(state, mode="json"), saved.info.rules)
        state, told = game.checkpoints.validate_python(carried), []
    movers = [row.seat for row in saved.moves]
    return Match(game, saved.info, game.settings.validate_json(saved.info.options), state, told, movers)


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
