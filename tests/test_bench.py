"""Benchmarks measure every game over whole matches; the comparison with OpenSpiel runs only in `make bench`."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from pydantic import ValidationError

import engines
import players
from bench.bot import memory
from bench.bot.clips import measure_clips
from bench.bot.growth import TABLES, WHOLE_EVERY, growth_figure, multiply_match, play_shortest_match
from bench.bot.lag import hard_decisions
from bench.bot.pictures import MAX_SIZE_RATIO, DrawCost, compare_costs, compare_with_before, match_pictures
from bench.bot.taps import Tap, taps_to_move
from bench.kit.entries import Entry, load_entry
from bench.kit.figures import Figure
from bench.kit.measure import SAMPLE_MOVES, make_sample, time_random_play, time_state_handling
from bench.players import bars, compare, tuning
from bench.players.bars import Bar, BarResult, decision_costs, load_bars, play_bar
from bench.players.blunders import count_blunders, measure_costs
from bench.players.ladder import Interval, Searcher, Standing, make_chooser, play_ladder, play_match
from bench.players.sampling import time_sampling
from bench.players.seer import Seer, unseen_shuffler
from bench.players.tuning import NumberTable, points_ahead, tuning_step
from bench.storage import forgetting, loading
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import DEFAULT_READER
from cogs.table.transport import discord_views
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.forgetting import Forgetting
from engines.kit.chance import Chance
from engines.store.match_store import SavedMatch
from players import available_levels, legal_moves, make_player
from players.levels import player_model_of
from players.wizard import tuned_model
from playground.page.visible_message import SeenMessage
from storage import MatchStore
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots, page_setting
from tests.example import engines as example_engines
from tests.game_uis import GAME_UIS, STUDIO
from tests.games import GAMES, ROOT, game_test_folder
from tests.playing import hand_path_to

STARTED = """
import sys
from unittest.mock import MagicMock
sys.modules.update(pytest=None, hypothesis=None, simcord=None, pyspiel=MagicMock())
import bench.__main__
"""


def entry_of_key(key: str) -> Entry:
    return load_entry(GAMES[key], game_test_folder(key).parent)


@pytest.mark.parametrize("key", GAMES)
def test_a_games_row_times_whole_matches(key: str) -> None:
    game, row = GAMES[key], entry_of_key(key)
    timed = make_sample(game, row, 3)
    assert sum(len(turns) for _, turns in timed.matches) >= SAMPLE_MOVES
    assert time_random_play(game, row, timed) > 0
    assert timed == make_sample(game, row, 3)
    assert timed.matches != make_sample(game, row, 4).matches


@pytest.mark.parametrize("key", GAMES)
def test_a_timed_match_is_the_one_that_was_played_to_its_end(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, row = GAMES[key], entry_of_key(key)
    timed = make_sample(game, row, 3)
    ended: list[bool] = []
    play = game.play

    def watched(state: object, seat: int, move: object) -> object:
        events = play(state, seat, move)
        ended.append(game.outcome(state) is not None)
        return events

    monkeypatch.setattr(game, "play", watched)
    time_random_play(game, row, timed)
    assert len(ended) == sum(len(turns) for _, turns in timed.matches)
    assert sum(ended) == len(timed.matches)


def test_somebody_is_forgotten_match_by_match_while_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    matches_forgotten: list[str] = []
    forget_in = Forgetting.forget_in_match

    async def watched(forgetting: Forgetting, match: str, user: int, level: Any) -> Any:
        store = forgetting._editor.store
        before = await store.load_traces(user, 0, 100)
        after = await forget_in(forgetting, match, user, level)
        matches_forgotten.extend(
            {each.match for each in before} - {each.match for each in await store.load_traces(user, 0, 100)}
        )
        return after

    monkeypatch.setattr(Forgetting, "forget_in_match", watched)
    by_file, meanwhile = forgetting.measure_forgetting((20, 40), turns=1)
    assert len(matches_forgotten) == 30  # ten in the smaller file, and twice as many in the larger one
    assert by_file.value > 0
    assert meanwhile.value > 0


def test_the_lag_is_measured_beside_decisions_that_are_searched() -> None:
    for game, view in hard_decisions():
        assert len(legal_moves(game, view)) > 1
    searched = {key for key, game in engines.GAMES.items() if "hard" in available_levels(game)}
    assert {game.key for game, _ in hard_decisions()} == searched


@pytest.mark.parametrize("key", GAMES)
def test_work_around_a_move_takes_time(key: str) -> None:
    times = time_state_handling(GAMES[key], entry_of_key(key), Random(1))
    assert set(times) == {"due", "copy", "dump", "load", "replay"}
    assert all(seconds > 0 for seconds in times.values())


@pytest.mark.parametrize("key", GAME_UIS)
def test_a_games_pictures_are_small_against_the_plain_way_and_those_before_the_art_direction(key: str) -> None:
    drawn, entry = match_pictures(GAME_UIS[key], entry_of_key(key)), entry_of_key(key)
    assert {*drawn} >= {"table", "hand", "result", "first rules"}  # some score sheets are words alone
    for spec in (drawn["table"], drawn["hand"]):
        plain, own_costs = compare_costs(spec, STUDIO, turns=1)
        assert own_costs.size <= plain.size * MAX_SIZE_RATIO
    for name, before in entry.before.items():
        cost = DrawCost(0.001, len(STUDIO.render(drawn[name])))
        size, time = compare_with_before(name, before, DrawCost(0.01, 0), cost)
        assert not size.is_missed
        assert time.value == pytest.approx(0.1 / before[1])


def test_a_picture_that_has_grown_misses_its_limit() -> None:
    for bytes_now, share in ((130, 0.11), (131, 0.12)):
        figures = compare_with_before("Hand", (100, 0.1), DrawCost(1, 300), DrawCost(share, bytes_now))
        assert [figure.is_missed for figure in figures] == [bytes_now > 130, share > 0.115]


def test_clips_are_measured_in_bytes_frames_memory_and_time() -> None:
    figures = {figure.name: figure for figure in measure_clips({"jest": GAME_UIS["jest"]})}
    counted = [figure for name, figure in figures.items() if figure.maximum is not None and not name.endswith("time")]
    assert len(counted) == (3 if sys.platform == "linux" else 2)
    assert not [figure for figure in counted if figure.is_missed]
    assert figures["Jest: 9 frames instead of a result, bytes"].value > 1.3, "the result itself could move"


def test_a_game_says_in_its_tests_what_its_row_plays(tmp_path: Path) -> None:
    game = next(iter(GAMES.values()))
    assert load_entry(game, tmp_path) == Entry()
    (tmp_path / game.key).mkdir()
    (tmp_path / game.key / "bench.toml").write_text("seats = 4\nfloor = 0.5\n")
    assert load_entry(game, tmp_path) == Entry(seats=4, floor=0.5)
    (tmp_path / game.key / "bench.toml").write_text("speed = 4\n")
    with pytest.raises(ValidationError, match="speed"):
        load_entry(game, tmp_path)


def test_a_figure_over_its_limit_is_missed() -> None:
    assert Figure("a", 0.34, "×", maximum=1 / 3).is_missed
    assert "at most 0.33" in str(Figure("a", 0.34, "×", maximum=1 / 3))
    assert not Figure("a", 0.33, "×", maximum=1 / 3).is_missed
    assert not Figure("a", 7, "×").is_missed
    assert Figure("a", 14.9, "×", minimum=15).is_missed
    assert not Figure("a", 15, "×", minimum=15).is_missed


@pytest.mark.parametrize("key", GAMES)
def test_drawing_what_could_lie_behind_a_view_takes_time(key: str) -> None:
    assert time_sampling(GAMES[key], entry_of_key(key), views=2, draws=2) > 0


@pytest.mark.parametrize("key", GAMES)
def test_a_games_bars_are_for_levels_and_seats_that_it_has(key: str) -> None:
    game = GAMES[key]
    found = load_bars(game)
    if found is None:
        return
    assert found.seats in game.seats
    assert {*found.milliseconds} == {*available_levels(game)}
    for row in found.rows:
        assert row.seats in game.seats
        assert all(make_chooser(game, name) for name in (row.one, row.others))


def test_a_bar_is_missed_if_all_of_an_interval_is_below_it() -> None:
    bar = Bar(one="hard", others="normal", seats=4, deals=9, share=0.3, ahead=1.0)
    doubtful = Standing(Interval(0.2, 0.1, 0.3), Interval(0.0, -1.0, 1.0), 0.0, 0.0, 9)
    assert not BarResult("a", bar, doubtful).is_missed
    assert "at least 0.3" in str(BarResult("a", bar, doubtful))
    for worse in (replace(doubtful, share=Interval(0.2, 0.1, 0.29)), replace(doubtful, ahead=Interval(0.0, -1.0, 0.9))):
        assert BarResult("a", bar, worse).is_missed
        assert str(BarResult("a", bar, worse)).endswith("missed")


def test_a_row_is_played_and_its_decisions_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "MATCHES", 1)
    monkeypatch.setattr(bars, "SEARCHED_DECISIONS", 1)
    game = GAMES["jest"]
    found = play_bar(game, Bar(one="normal", others="random", seats=3, deals=2))
    assert found.standing.deals == 2
    assert not found.is_missed
    costs = decision_costs(game, 3)
    assert {*costs} == {*available_levels(game)}
    assert costs["normal"] < costs["hard"]


def test_a_part_of_a_search_has_so_many_simulations() -> None:
    game = GAMES["jest"]
    whole, part = make_player(game, "hard").budget, make_chooser(game, "hard/4")
    assert isinstance(part, Searcher)
    assert whole is not None
    assert part.budget == replace(whole, simulations=whole.simulations // 4)
    more = make_chooser(game, "hard*3")
    assert isinstance(more, Searcher)
    assert more.budget == replace(whole, simulations=whole.simulations * 3)
    for wrong in ("hard/", "hard/0", "hard*0", "hard*x", "normal/2"):
        with pytest.raises(ValueError, match="part"):
            make_chooser(game, wrong)


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if unseen_shuffler(game)])
def test_a_seer_uses_what_its_seat_cannot_see(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays a whole match, and searches worlds in which all seats see what they see, with other unseen cards."""
    game, drawn = GAMES[key], list[Any]()
    seats = game.seats[0]
    seer = make_chooser(game, "seer/32")
    assert isinstance(seer, Seer)
    plain, sampler = make_chooser(game, "normal"), seer.world_sampler

    def keep_worlds(view: Any, rng: Random) -> Callable[[], Any]:
        drawn.extend((game.copy(seer.truth), sampler(view, rng)()) for _ in range(2))
        return sampler(view, rng)

    monkeypatch.setattr(Seer, "world_sampler", lambda self, view, rng: keep_worlds(view, rng))
    found = play_match(game, seer, plain, 1, seats, {}, 5)
    assert len(found.one) > 4
    shuffled = 0
    for truth, world in drawn:
        assert [game.view(world, seat) for seat in range(seats)] == [game.view(truth, seat) for seat in range(seats)]
        world.chance = truth.chance
        shuffled += world != truth
    assert shuffled > len(drawn) / 2
    with pytest.raises(ValueError, match="no seer"):
        make_chooser(GAMES["wizard"], "seer")


def test_players_are_compared_on_the_same_deals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "compare jest normal normal easy --others policy --seats 3 --deals 3 --workers 1"
    monkeypatch.setattr("sys.argv", line.split())
    compare.main()
    first, _, third, _, easy, _ = capsys.readouterr().out.splitlines()
    assert first.removesuffix(" more than the first") == third.removesuffix(" more than the first")
    assert "which is 0.00 (0.00 to 0.00) more" in third
    assert easy.startswith("easy: share 0.")


def test_the_policy_can_be_compared_with_its_own_variety() -> None:
    found = play_ladder("jest", "normal", "policy", 3, 2)
    assert found.deals == 2
    game = GAMES["jest"]
    state = game.start(3, game.options(), Chance("5" * 32))
    view, moves = game.view(state, 0), game.moves(state, 0)
    chosen = make_chooser(game, "policy").choose_move(view, moves, Random(1))
    assert chosen == player_model_of(game).choose_move(view, moves, Random(1))


def test_blunders_are_counted_by_kind_of_decision_and_cost_something() -> None:
    game = GAMES["jest"]
    found = count_blunders(game, 3, {}, matches=6)
    assert {*found} == {"offer", "take"}
    for count in found.values():
        assert 0 < len(count.blunders) < count.decisions
    costs = [cost for cost, _ in measure_costs(game, found["take"].blunders, seed=1)]
    assert costs == sorted(costs, reverse=True)
    assert fmean(costs) > 0


def test_growth_above_linear_misses_the_limit() -> None:
    assert not growth_figure("moves: the replay", {10: 0.001, 100: 0.0109}).is_missed
    assert growth_figure("moves: the replay", {10: 0.001, 100: 0.012}).is_missed


async def test_finished_matches_are_multiplied_with_all_that_is_kept_of_them(tmp_path: Path) -> None:
    path = tmp_path / "motley.db"
    multiply_match(path, await play_shortest_match(path, example_engines.GAMES), WHOLE_EVERY)
    with closing(sqlite3.connect(path)) as raw:
        counts = {table: dict(raw.execute(f"SELECT match, count(*) FROM {table} GROUP BY match")) for table in TABLES}
    others = {f"other{number}" for number in range(1, WHOLE_EVERY + 1)}
    assert all(others < {*counts[table]} for table in ("matches", "seats", "states", "bases", "history"))
    assert others & {*counts["moves"]} == others & {*counts["events"]} == {f"other{WHOLE_EVERY}"}


async def test_first_touches_are_timed_in_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed: list[str] = []
    load = MatchStore.load

    async def loaded(store: MatchStore, match: str) -> SavedMatch | None:
        saved = await load(store, match)
        if saved is not None:
            replayed.append(saved.info.game)
        return saved

    monkeypatch.setattr(loading, "_random_length", lambda game, rng: 6)
    monkeypatch.setattr(MatchStore, "load", loaded)
    ((matches, times),) = await loading.time_loads([str(tmp_path / "motley.db")], per_game=2, reads=3)
    assert len(set(matches)) == len(times) == 2 * len(engines.GAMES)
    assert replayed == 3 * [key for key in engines.GAMES for _ in range(2)]
    assert all(len(match) == 3 and min(match) > 0 for match in times)


async def test_memory_is_told_of_matches_that_were_played(tmp_path: Path) -> None:
    before, after, stored_bytes = await memory.play_matches(tmp_path, 3)
    assert 0 <= after - before < memory.MAX_MEGABYTES
    assert stored_bytes <= 3


def test_the_bench_needs_no_test_tools() -> None:
    result = subprocess.run([sys.executable, "-c", STARTED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


TABLE = tomllib.loads((Path(players.__path__[0]) / "wizard" / "numbers.toml").read_text(encoding="utf-8"))
WIZARD = GAMES["wizard"]


def test_a_table_of_numbers_is_written_as_it_was_read() -> None:
    numbers = NumberTable(TABLE)
    assert numbers.to_table(numbers.row) == TABLE
    assert tomllib.loads(numbers.to_toml(numbers.row)) == TABLE


def test_equal_numbers_are_equally_good_and_wrong_ones_worse() -> None:
    assert points_ahead(WIZARD, tuned_model(TABLE), tuned_model(TABLE), 4, 7) == 0
    assert points_ahead(WIZARD, tuned_model(TABLE), tuned_model({**TABLE, "bid_base": 3.0}), 4, 7) > 50


def test_a_step_moves_along_the_shifts_that_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "PAIR_COUNT", 4)
    numbers, pace = NumberTable(TABLE), [0.0] * len(NumberTable(TABLE).row)
    bid = next(place for place, name in enumerate(numbers.paths) if name == ("bid_base",))

    def bids_higher(game: object, one: object, other: object, seats: int, seed: int) -> float:
        return float(one.policy.numbers.bid_base - other.policy.numbers.bid_base)  # type: ignore[attr-defined]

    monkeypatch.setattr(tuning, "points_ahead", bids_higher)
    assert tuning_step(WIZARD, numbers, numbers.row, pace, 4, Random(1))[bid] > numbers.row[bid]


MOVES_EACH = 6  # of a decision
MOST_DECISIONS = 40  # decisions of a match


def follow_tap(helper: GameHelper, snapshot: MatchSnapshot, seat: int, page: Page, tap: Tap) -> Page | str:
    found = tap.find_control(SeenMessage({"components": discord_views.page_view(page).to_components()}))
    assert found is not None, f"{tap} is not there"
    custom_id, values = found
    control = custom_ids.parse_control(custom_id)
    assert control is not None
    if control.kind in "ms" or (control.kind == "f" and custom_ids.instant_move(values[0])):
        return {"m": control.rest, "s": values[0] if values else ""}.get(control.kind) or custom_ids.instant_move(
            values[0]
        )
    if control.kind == "c":
        return match_pages.confirm_page(snapshot, seat, page_setting(helper), control.rest)
    if control.kind in "fn":
        path = values[0] if control.kind == "f" else control.rest
        step = match_pages.step_page(snapshot, seat, page_setting(helper), custom_ids.step_keys(path))
        assert step is not None
        return step
    picked = " ".join((control.rest, *map(custom_ids.pick_token, values)))
    return match_pages.picks_page(
        snapshot,
        seat,
        page_setting(helper),
        snapshot.game.format_move(snapshot.game.parse_move(picked)),
        DEFAULT_READER,
    )


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_taps_lead_to_each_move(helper: GameHelper) -> None:
    rng, counted = Random(1), set[int]()
    moments = [snapshot for snapshot in match_snapshots(helper, helper.starts()[0]) if snapshot.decisions()]
    for snapshot in rng.sample(moments, min(MOST_DECISIONS, len(moments))):
        for seat, decision in snapshot.decisions().items():
            moves = snapshot.moves(seat)
            for move in (moves[rng.randrange(len(moves))] for _ in range(MOVES_EACH)):
                notation = snapshot.game.format_move(move)
                page: Page | str = match_pages.hand_page(snapshot, seat, page_setting(helper))
                taps = list(
                    taps_to_move(snapshot.info.id, decision.number, hand_path_to(snapshot, seat, notation), notation)
                )
                for tap in taps:
                    assert isinstance(page, Page), f"{page} is made before {tap}"
                    page = follow_tap(helper, snapshot, seat, page, tap)
                if isinstance(page, Page):  # a question
                    page = follow_tap(helper, snapshot, seat, page, taps[-1])
                assert page == notation
                counted.add(len(taps))
    assert 1 in counted
