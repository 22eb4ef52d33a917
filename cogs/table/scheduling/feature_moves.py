"""Finds the moves that features make for people, such as those that players marked before their turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cogs.table.channels.table_services import TableServices
from engines.hosting.feature import Feature
from engines.hosting.match import MatchSnapshot
from engines.store.partition import Partition
from engines.store.rows import DropRow


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

        If `fresh`, no row is overlooked that another process has just changed.
        """
        match, due = snapshot.info.id, dict[int, str]()
        for feature, tables in self._features:
            found = feature.due_moves(snapshot, await self._services.surfaces.hand_rows(match, tables, fresh=fresh))
            for write in found.writes:
                await self._services.surfaces.write_row(match, write)
                seat = None if isinstance(write, DropRow) else snapshot.info.seat_of(write.row.user)
                self._wake(match, *(() if seat is None else (seat,)))
            due |= found.moves
        return due
