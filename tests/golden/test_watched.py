"""Every record that was ever kept is watched again picture by picture; `MOTLEY_STARTS=all` draws every moment."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from cogs.features.replays.replay_pages import replay_page
from cogs.features.replays.replay_place import OPEN_HANDS, TABLE, ReplayPlace
from cogs.table.pages.page import Text
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.state.replayed_match import ReplayedMatch
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.records.record import parse_record
from engines.store.match_store import Status
from storage import Database, MatchStore
from tests.game_uis import SCREENS, STUDIO
from tests.games import GAMES
from tests.golden.records import record_folders, records_in
from tests.golden.test_golden import record_name
from tests.plain.plain_bot import NOW
from tests.record_replays import replay_record
from tests.releases.make import release_databases, unpack_database

ALL_MOMENTS = os.environ.get("MOTLEY_STARTS") == "all"
FEW_MOMENTS = 6  # of a record, besides its ends
FEW_VIEWS = 0.2  # the share of moments that are also drawn as each seat saw them, and with all hands open
RELEASES = release_databases()
RECORDS = [path for folder in record_folders() for path in records_in(folder)]


def check_pictures(match: ReplayedMatch, name: str) -> None:
    """Draw the table at the moments, and at some of them all other views."""
    rng, screen, moments = Random(name), SCREENS[match.info.game], range(match.last + 1)
    some = moments if ALL_MOMENTS else {0, match.last, *rng.sample(moments, min(FEW_MOMENTS, len(moments)))}
    for moment in sorted(some):
        views = [TABLE]
        if moment in (0, match.last) or rng.random() < FEW_VIEWS:
            views += (OPEN_HANDS, *map(str, range(len(match.info.seats))))
        for view in views:
            page = replay_page(match, ReplayPlace("abcd2345", moment, view), screen, DEFAULT_READER)
            (heading, *_) = page.blocks
            assert isinstance(heading, Text)
            assert f"move {moment} of {match.last}" in heading.text
            assert page.picture is not None, f"no picture of {view} at {moment}"
            assert STUDIO.cached_or_rendered(page.picture.spec)


@pytest.mark.parametrize("path", RECORDS, ids=record_name)
def test_every_golden_record_is_watched(path: Path) -> None:
    record = parse_record(path.read_text(encoding="utf-8"))
    match = replay_record(GAMES[record.game], record)
    assert match.snapshot(match.last).outcome() == record.result
    check_pictures(match, path.stem)


@pytest.mark.parametrize("release", RELEASES)
async def test_every_finished_match_of_every_release_is_watched(release: str, tmp_path: Path) -> None:
    path = tmp_path / "motley.db"
    unpack_database(RELEASES[release], path)
    game_keys = set[str]()
    async with Database.open(path, clock=lambda: NOW) as database:
        matches = Matches(MatchStore(database), GAMES, lambda: NOW, features=FEATURES)
        for info in await matches.lookup.find(statuses=frozenset({Status.OVER})):
            saved = await matches.records.load_moves(info.id)
            check_pictures(ReplayedMatch.from_saved(GAMES[info.game], saved), info.id)
            game_keys.add(info.game)
    assert game_keys, "no match was finished"
