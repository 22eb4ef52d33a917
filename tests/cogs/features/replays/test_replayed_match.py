"""A finished match moment by moment: its states, its events, and what is never shown of a match that is going on."""

from __future__ import annotations

from pathlib import Path

import pytest

from cogs.features.replays import feature_ui
from cogs.features.replays.feature_ui import ReplayCache
from cogs.table.state.replayed_match import STATE_INTERVAL, ReplayedMatch
from engines.features.takebacks.taking_back import TakingBack
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.records.record import parse_record
from engines.kit.chance import Chance
from engines.store.match_store import Status
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    Clock,
    make_matches,
    play_first_legal,
    play_out,
    play_to_end,
    start_match,
)
from tests.engines.memory_store import MemoryStore
from tests.game_uis import SCREENS
from tests.games import GAMES, ROOT
from tests.record_replays import replay_record

WIZARD = GAMES["wizard"]
LATE = "engines/wizard/golden/four-rounds.txt"  # by the first version of the rules


def record_match(path: str) -> ReplayedMatch:
    record = parse_record(Path(ROOT, "tests", path).read_text(encoding="utf-8"))
    return replay_record(GAMES[record.game], record, "abcdefgh")


@pytest.mark.parametrize("path", ["engines/jesters/golden/three.txt", LATE])
def test_each_moment_has_the_state_and_the_events_after_so_many_moves(path: str) -> None:
    record = parse_record(Path(ROOT, "tests", path).read_text(encoding="utf-8"))
    game, match = GAMES[record.game], record_match(path)
    rules = game if record.rules == game.version else game.past_versions[record.rules]
    state = rules.start(record.seats, rules.options_adapter.validate_json(record.options), Chance(record.seed))
    event_count = 0
    for moment in range(match.last + 1):
        snapshot = match.snapshot(moment)
        assert snapshot.state == state
        assert snapshot.info.moves == len(snapshot.movers) == moment
        assert snapshot.info.status is (Status.OVER if moment == match.last else Status.RUNNING)
        if moment:
            assert snapshot.events[event_count:] == match.events_of(moment)
        event_count = len(snapshot.events)
        if moment < match.last:
            move = record.moves[moment]
            rules.play(state, move.seat, rules.parse_move(move.notation))
    assert match.last == len(record.moves) > 2 * STATE_INTERVAL
    assert snapshot.outcome() == record.result


def test_a_match_of_older_rules_is_shown_under_the_current_ones() -> None:
    match = record_match(LATE)
    assert match.snapshot(3).game is WIZARD
    assert match.snapshot(3).info.rules == WIZARD.version != match.info.rules


def test_sections_begin_where_their_title_changes() -> None:
    match = record_match(LATE)
    sections = match.sections(SCREENS["wizard"])
    assert [section.title for section in sections] == [f"Round {number}" for number in (1, 2, 3, 4)]
    assert sections[0].first == 0
    for section in sections[1:]:
        before, section_round = (match.snapshot(section.first - less).view(None).round for less in (1, 0))
        assert (before, f"Round {section_round}") == (section_round - 1, section.title)
    assert match.sections(SCREENS["wizard"]) is sections


def test_no_moment_shares_anything_with_another() -> None:
    match = record_match(LATE)
    state = match.snapshot(STATE_INTERVAL).state
    WIZARD.play(state, state.turn, WIZARD.moves(state, state.turn)[0])
    assert match.snapshot(STATE_INTERVAL).state != state


async def _replay(cache: ReplayCache, match: str) -> ReplayedMatch:
    return await cache.replayed_match(await cache._matches.lookup.load_header(match))


async def test_a_stored_match_is_replayed_once(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    cache = ReplayCache(matches)
    replayed = await _replay(cache, match)
    assert await _replay(cache, match) is replayed
    finished = await matches.cache.get_snapshot(match)
    assert replayed.snapshot(replayed.last).state == finished.state
    assert replayed.snapshot(replayed.last).events == finished.events
    assert replayed.snapshot(replayed.last).outcome() == finished.outcome()


async def test_nothing_of_a_match_that_is_going_on_is_replayed(matches: Matches) -> None:
    running = await start_match(matches, ADA, BELA, CHIDI)
    await play_first_legal(matches, running)
    for match in (running, "nosuch22"):
        with pytest.raises(RequestRefused):
            await _replay(ReplayCache(matches), match)


async def test_a_name_that_was_erased_since_is_gone(matches: Matches) -> None:
    match = await play_out(matches, ADA, BELA, CHIDI)
    cache = ReplayCache(matches)
    assert (await _replay(cache, match)).info.seats[0].name == f"user{ADA}"
    await matches.forgetting.forget_in_match(match, ADA, lambda game: "easy")
    assert (await _replay(cache, match)).info.seats[0].name == "Somebody"


async def test_few_matches_are_cached(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature_ui, "CACHED_MATCHES", 1)
    first, second = [await play_out(matches, ADA, BELA, CHIDI) for _ in range(2)]
    cache = ReplayCache(matches)
    replayed = await _replay(cache, first)
    await _replay(cache, second)
    assert await _replay(cache, first) is not replayed


async def test_a_match_whose_rules_changed_midway_is_replayed_from_there(store: MemoryStore, matches: Matches) -> None:
    old_game = WIZARD.past_versions[1]
    older = make_matches(store, Clock(), {"wizard": old_game})
    match = await start_match(older, ADA, BELA, CHIDI, rounds=1, game=old_game)
    await play_first_legal(older, match)
    while (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        await play_first_legal(matches, match)
    replayed = await _replay(ReplayCache(matches), match)
    finished = await matches.cache.get_snapshot(match)
    assert replayed.last == finished.info.moves - 1
    assert replayed.snapshot(replayed.last).state == finished.state
    assert replayed.events_of(1)[0].move == 1


async def test_moves_that_were_taken_back_are_left_out(matches: Matches) -> None:
    match = await start_match(matches, ADA, BELA, CHIDI, rounds=1)
    snapshot = await matches.cache.get_snapshot(match)
    user = snapshot.info.seats[snapshot.due_seats()[0]].user
    await play_first_legal(matches, match)
    await TakingBack(matches.editor).take_back(match, user)
    for other in {ADA, BELA, CHIDI} - {user}:
        await TakingBack(matches.editor).answer_take_back(match, other, 1, agrees=True)
    await play_to_end(matches, match)
    finished, replayed = await matches.cache.get_snapshot(match), await _replay(ReplayCache(matches), match)
    assert replayed.last == finished.info.moves - 2, "the move and the row that takes it back"
    assert [move.number for move in replayed.moves] == [*range(1, replayed.last + 1)]
    assert replayed.snapshot(replayed.last).state == finished.state
    record = parse_record(await matches.records.build_record(match))
    assert record.has_undos
    assert replay_record(WIZARD, record).snapshot(replayed.last).state == finished.state
