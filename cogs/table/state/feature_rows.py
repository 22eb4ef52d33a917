"""Loads the rows of features for a page: once per redraw, and from the cache if a hand shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cogs.screens.screen import Screens
from cogs.table.pages.feature_pages import Additions, FeaturePages, PersonFacts
from cogs.table.pages.page import Block, Press, Row
from cogs.table.state.surface_store import SurfaceCache
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.reactions import LATE_REACTIONS
from engines.store.rows import NO_ROWS, Rows, RowTable


class FeatureRows:
    """The pages of all features, with their rows. Rows of one person are handed to that person's pages alone."""

    def __init__(
        self, features: Sequence[FeaturePages], screens: Screens, matches: Matches, surfaces: SurfaceCache
    ) -> None:
        self._screens = screens
        self._features = features
        self._on_hands = [each for each in features if any(table.seen == "hand" for table in each.tables)]
        self._matches = matches
        self._surfaces = surfaces

    async def additions(self, snapshot: MatchSnapshot, reader: int = 0) -> Additions:
        """Return what features add to the pages of a match that this person reads; 0 stands for everybody."""
        wanted, public = snapshot.compute_once("features", lambda: self._features_for(snapshot))
        if not public:
            return Additions(await self._parts(wanted, snapshot, reader, NO_ROWS), reader)
        loaded = await self._matches.editor.load_match_rows(snapshot.info.id, [*public, LATE_REACTIONS])
        late = {row.feature for row in loaded.of(LATE_REACTIONS)}
        return Additions(
            await self._parts(wanted, snapshot, reader, loaded), reader, any(each.name in late for each in wanted)
        )

    async def on_hand(self, snapshot: MatchSnapshot, user: int) -> tuple[tuple[str, ...], tuple[Row, ...]]:
        """Return the lines and the rows of controls that features add to a person's hand."""
        wanted = [each for each in self._on_hands if each.needs_rows(snapshot)]
        own = Additions(await self._parts(wanted, snapshot, user, Rows()), user)
        screen = self._screens[snapshot.info.game]
        line = own.best_at(FeaturePages.hand_line, snapshot, screen)
        return () if line is None else (line,), own.at(FeaturePages.hand_rows, snapshot, screen)

    async def game_presses(self, game: str, user: int) -> tuple[Press, ...]:
        """Return what features add to the list of the games and to the first page of a game's rules."""
        found: list[Press] = []
        for pages in self._features:
            if "game_presses" in pages.filled_places:
                found += pages.game_presses(game, await self._rows_about(pages, "user", user))
        return tuple(found)

    def setting_blocks(self, facts: PersonFacts) -> tuple[Block, ...]:
        """Return what features add to a person's settings."""
        return tuple([block for each in self._features for block in each.setting_blocks(facts)])

    async def server_blocks(self, guild: int) -> tuple[Block, ...]:
        """Return what features add to the settings of a server."""
        found: list[Block] = []
        for pages in self._features:
            found += pages.server_blocks(await self._rows_about(pages, "guild", guild))
        return tuple(found)

    async def _rows_about(self, pages: FeaturePages, column: str, number: int) -> Rows:
        """Return a feature's rows about a person or a server: those of tables whose key begins with that column."""
        about = [table for table in pages.tables if table.columns[0] == column]
        return Rows(tuple([(each, tuple(await self._matches.editor.load_rows(each, number))) for each in about]))

    def _features_for(self, snapshot: MatchSnapshot) -> tuple[list[FeaturePages], list[RowTable[Any]]]:
        """Return the features that pages of this match need, and their tables that everybody sees."""
        wanted = [each for each in self._features if each.filled_places and each.needs_rows(snapshot)]
        return wanted, [table for pages in wanted for table in pages.tables if table.seen == "table"]

    async def _parts(
        self, wanted: Sequence[FeaturePages], snapshot: MatchSnapshot, reader: int, public: Rows
    ) -> tuple[tuple[FeaturePages, Rows], ...]:
        loaded = {table.name: (table, rows) for table, rows in public}
        parts = []
        for pages in wanted:
            found = []
            for table in pages.tables:
                if table.seen == "hand":
                    rows = await self._surfaces.rows(table, snapshot.info.id) if reader else ()
                    found.append((table, tuple([row for row in rows if row.user == reader])))
                elif table.name in loaded:
                    found.append(loaded[table.name])
            parts.append((pages, Rows(tuple(found)) if found else NO_ROWS))
        return tuple(parts)
