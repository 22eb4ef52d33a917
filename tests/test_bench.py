"""The benchmarks measure every game, over whole matches; what compares it with OpenSpiel runs in `make bench` alone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

import engines
from bench.bot import memory
from bench.bot.growth import TABLES, WHOLE, grown, multiplied, one_finished
from bench.bot.lag import searched
from bench.bot.pictures import compare, pictures
from bench.kit.entries import Entry, entry_of
from bench.kit.figures import Figure
from bench.kit.measure import SAMPLE, around_a_move, random_play, sample
from bench.players import bars
from bench.players.bars import Bar, Judged, bars_of, costs, judged
from bench.players.ladder import Interval, Searcher, Standing, chooser
from bench.players.worlds import drawing
from bench.storage import forgetting, loading
from engines.hosting.matches import Matches
from engines.store.match_store import Saved
from players import legal, levels, player
from storage import MatchStore
from tests.example import engines as example
from tests.fronts import FRONTS, STUDIO
from tests.games import GAMES, ROOT, kept

STARTED = """
import sys
from unittest.mock import MagicMock
sys.modules.update(pytest=None, hypothesis=None, simcord=None, pyspiel=MagicMock())
import bench.__main__
"""


def entry(key: str) -> Entry:
    """What a game's row plays."""
    return entry_of(GAMES[key], kept(key).parent)


@pytest.mark.parametrize("key", GAMES)
def test_a_games_row_times_whole_matches(key: str) -> None:
    game, row = GAMES[key], entry(key)
    timed = sample(game, row, 3)
    assert sum(len(turns) for _, turns in timed.matches) >= SAMPLE
    assert random_play(game, row, timed) > 0
    assert timed == sample(game, row, 3)
    assert timed.matches != sample(game, row, 4).matches


@pytest.mark.parametrize("key", GAMES)
def test_a_timed_match_is_the_one_that_was_played_to_its_end(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, row = GAMES[key], entry(key)
    timed = sample(game, row, 3)
    ended: list[bool] = []
    play = game.play

    def watched(state: object, seat: int, move: object) -> object:
        events = play(state, seat, move)
        ended.append(game.outcome(state) is not None)
        return events

    monkeypatch.setattr(game, "play", watched)
    random_play(game, row, timed)
    assert len(ended) == sum(len(turns) for _, turns in timed.matches)
    assert sum(ended) == len(timed.matches)


def test_somebody_is_forgotten_match_by_match_while_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    forget_in = Matches.forget_in

    async def watched(book: Matches, match: str, user: int, level: Any) -> Any:
        before = await book.traces(user, 0, 100)
        after = await forget_in(book, match, user, level)
        done.extend({trace.match for trace in before} - {trace.match for trace in await book.traces(user, 0, 100)})
        return after

    monkeypatch.setattr(Matches, "forget_in", watched)
    by_file, meanwhile = forgetting.measure((20, 40), turns=1)
    assert len(done) == 30  # ten in the smaller file, and twice as many in the larger one
    assert by_file.value > 0
    assert meanwhile.value > 0


def test_the_lag_is_measured_beside_decisions_that_are_searched() -> None:
    for game, view in searched():
        assert len(legal(game, view)) > 1
    assert {game.key for game, _ in searched()} == {
        key for key, game in engines.GAMES.items() if "hard" in levels(game)
    }


@pytest.mark.parametrize("key", GAMES)
def test_what_is_done_around_a_move_takes_time(key: str) -> None:
    times = around_a_move(GAMES[key], entry(key), Random(1))
    assert set(times) == {"due", "copy", "dump", "load", "replay"}
    assert all(seconds > 0 for seconds in times.values())


@pytest.mark.parametrize("key", FRONTS)
def test_a_games_pictures_have_a_third_of_the_plain_ways_bytes_or_what_its_entry_allows(key: str) -> None:
    drawn = pictures(FRONTS[key], entry(key))
    assert {*drawn} >= {"table", "hand", "sheet", "result", "first rules"}
    for spec in (drawn["table"], drawn["hand"]):
        plain, ours = compare(spec, STUDIO, turns=1)
        assert ours.size <= plain.size * entry(key).picture


def test_a_game_says_in_its_tests_what_its_row_plays(tmp_path: Path) -> None:
    game = next(iter(GAMES.values()))
    assert entry_of(game, tmp_path) == Entry()
    (tmp_path / game.key).mkdir()
    (tmp_path / game.key / "bench.toml").write_text("seats = 4\nfloor = 0.5\n")
    assert entry_of(game, tmp_path) == Entry(seats=4, floor=0.5)
    (tmp_path / game.key / "bench.toml").write_text("speed = 4\n")
    with pytest.raises(ValidationError, match="speed"):
        entry_of(game, tmp_path)


def test_a_figure_over_its_limit_is_missed() -> None:
    assert Figure("a", 0.34, "×", most=1 / 3).missed
    assert "at most 0.33" in str(Figure("a", 0.34, "×", most=1 / 3))
    assert not Figure("a", 0.33, "×", most=1 / 3).missed
    assert not Figure("a", 7, "×").missed
    assert Figure("a", 14.9, "×", least=15).missed
    assert not Figure("a", 15, "×", least=15).missed


@pytest.mark.parametrize("key", GAMES)
def test_drawing_what_could_lie_behind_a_view_takes_time(key: str) -> None:
    assert drawing(GAMES[key], entry(key), views=2, draws=2) > 0


@pytest.mark.parametrize("key", GAMES)
def test_a_games_bars_are_for_levels_and_seats_that_it_has(key: str) -> None:
    game = GAMES[key]
    found = bars_of(game)
    if found is None:
        return
    assert found.seats in game.seats
    assert {*found.milliseconds} == {*levels(game)}
    for row in found.rows:
        assert row.seats in game.seats
        assert all(chooser(game, name) for name in (row.one, row.others))


def test_a_bar_is_missed_where_all_of_an_interval_is_below_it() -> None:
    bar = Bar(one="hard", others="normal", seats=4, deals=9, share=0.3, ahead=1.0)
    doubtful = Standing(Interval(0.2, 0.1, 0.3), Interval(0.0, -1.0, 1.0), 0.0, 0.0, 9)
    assert not Judged("a", bar, doubtful).missed
    assert "at least 0.3" in str(Judged("a", bar, doubtful))
    for worse in (
        replace(doubtful, share=Interval(0.2, 0.1, 0.29)),
        replace(doubtful, ahead=Interval(0.0, -1.0, 0.9)),
    ):
        assert Judged("a", bar, worse).missed
        assert str(Judged("a", bar, worse)).endswith("missed")


def test_a_row_is_played_and_its_decisions_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "MATCHES", 1)
    monkeypatch.setattr(bars, "SEARCHED", 1)
    game = GAMES["jest"]
    found = judged(game, Bar(one="normal", others="random", seats=3, deals=2))
    assert found.found.deals == 2
    assert not found.missed
    took = costs(game, 3)
    assert {*took} == {*levels(game)}
    assert took["normal"] < took["hard"]


def test_a_part_of_a_search_has_so_many_simulations() -> None:
    game = GAMES["jest"]
    whole, part = player(game, "hard").budget, chooser(game, "hard/4")
    assert isinstance(part, Searcher)
    assert whole is not None
    assert part.budget == replace(whole, simulations=whole.simulations // 4)
    for wrong in ("hard/", "hard/0", "hard/x", "normal/2"):
        with pytest.raises(ValueError, match="part"):
            chooser(game, wrong)


def test_what_grows_faster_than_what_there_is_more_of_is_missed() -> None:
    assert not grown("moves: the replay", {10: 0.001, 100: 0.0109}).missed
    assert grown("moves: the replay", {10: 0.001, 100: 0.012}).missed


async def test_finished_matches_are_multiplied_with_all_that_is_kept_of_them(tmp_path: Path) -> None:
    path = tmp_path / "motley.db"
    multiplied(path, await one_finished(path, example.GAMES), WHOLE)
    with closing(sqlite3.connect(path)) as raw:
        kept = {table: dict(raw.execute(f"SELECT match, count(*) FROM {table} GROUP BY match")) for table in TABLES}
    others = {f"other{number}" for number in range(1, WHOLE + 1)}
    assert all(others < {*kept[table]} for table in ("matches", "seats", "states", "bases", "history"))
    assert others & {*kept["moves"]} == others & {*kept["events"]} == {f"other{WHOLE}"}


async def test_matches_of_every_game_are_touched_for_the_first_time_whenever_that_is_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[str] = []
    load = MatchStore.load

    async def loaded(store: MatchStore, match: str) -> Saved | None:
        saved = await load(store, match)
        if saved is not None:
            replayed.append(saved.info.game)
        return saved

    monkeypatch.setattr(loading, "_length", lambda game, rng: 6)
    monkeypatch.setattr(MatchStore, "load", loaded)
    ((matches, times),) = await loading.touched([str(tmp_path / "motley.db")], each=2, reads=3)
    assert len(set(matches)) == len(times) == 2 * len(engines.GAMES)
    assert replayed == 3 * [key for key in engines.GAMES for _ in range(2)]
    assert all(len(match) == 3 and min(match) > 0 for match in times)


async def test_memory_is_told_of_matches_that_were_played(tmp_path: Path) -> None:
    before, after, kept = await memory.play(tmp_path, 3)
    assert 0 <= after - before < memory.MORE
    assert kept <= 3


def test_the_bench_needs_no_test_tools() -> None:
    """It has an environment of its own, where none are."""
    done = subprocess.run([sys.executable, "-c", STARTED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
