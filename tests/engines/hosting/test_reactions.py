"""What features do at changes of a match: they write with it, or later; and they may refuse it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from engines.features.reports import REPORT_CHANNEL
from engines.features.takebacks.taking_back import TakingBack
from engines.hosting.feature import OVER, Feature, check_features
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.reactions import FIRST_PAUSE, LATE_REACTIONS, MAX_TRIES
from engines.store.match_store import Change, Status
from engines.store.owner_settings import OwnerSetting
from engines.store.rows import AddRow, Person, PutRow, RowTable, RowWrite
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    Clock,
    open_lobby,
    play_first_legal,
    play_to_end,
    start_match,
)
from tests.engines.memory_store import MemoryStore
from tests.features.sketches import ATTEMPTS, AVOIDED, Avoided, DailyDeal, NeverSeat
from tests.games import GAMES


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reaction was asked."""

    match: str
    revision: int
    moves_before: int
    moves_after: int
    events_before: int
    status: str
    undone: tuple[int, ...]


SEEN = RowTable("seen", Seen, key=2)


@dataclass
class Flaky(Feature):
    """Writes what it is asked, after as many failures as it is told."""

    failures: int = 0
    changes: list[Change] = field(default_factory=list)
    name = "flaky"
    tables = (SEEN,)
    reacts_to = frozenset({OVER, "take back", "agree take back"})

    def react(self, before: MatchSnapshot, change: Change, state: Any) -> Iterable[RowWrite]:
        self.changes.append(change)
        if self.failures:
            self.failures -= 1
            raise KeyError("unforeseen")
        assert (before.game.outcome(state) is not None) == (change.info.status is Status.OVER)
        undone = tuple(move.number for move in change.undone)
        info, events = change.info, len(before.events)
        return [PutRow(SEEN, Seen(info.id, info.revision, before.info.moves, info.moves, events, info.status, undone))]


def make_matches(store: MemoryStore, clock: Clock, *features: Feature) -> Matches:
    return Matches(store, GAMES, clock, features=features)


async def play_with(store: MemoryStore, clock: Clock, flaky: Flaky) -> tuple[Matches, str]:
    """A match with a take-back in it, to its end."""
    matches = make_matches(store, clock, flaky)
    match = await start_match(matches, ADA, BELA, game=GAMES["jokers"])
    for _ in range(40):
        snapshot = await matches.cache.get_snapshot(match)
        (seat,) = snapshot.due_seats()
        user = snapshot.info.seats[seat].user
        quiet = [move for move in snapshot.moves(seat) if not snapshot.game.reveals(snapshot.state, seat, move)]
        if quiet:
            await matches.moves.play_move(match, user, None, snapshot.game.format_move(quiet[0]))
            info, outcome = await TakingBack(matches.editor).take_back(match, user)
            if outcome == "asked" and (request := info.undoing.open_request):
                (other,) = request.waiting
                await TakingBack(matches.editor).answer_take_back(
                    match, info.seats[other].user, request.move, agrees=True
                )
            break
        await play_first_legal(matches, match)
    else:
        raise AssertionError("nothing could be taken back")
    await play_to_end(matches, match)
    return matches, match


async def test_rows_are_written_with_the_change(store: MemoryStore, clock: Clock) -> None:
    matches, match = await play_with(store, clock, Flaky())
    taken, commit = await matches.editor.load_rows(SEEN, match)
    assert (taken.status, len(taken.undone), taken.moves_after - taken.moves_before) == (Status.RUNNING, 1, 1)
    assert (commit.status, commit.undone, commit.moves_after - commit.moves_before) == (Status.OVER, (), 1)


async def test_a_reaction_that_fails_loses_no_move_and_is_made_later(
    store: MemoryStore, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    flaky = Flaky(failures=3)
    matches, match = await play_with(store, clock, flaky)
    assert (await matches.cache.get_snapshot(match)).info.status is Status.OVER
    assert await matches.editor.load_rows(SEEN, match) == []
    assert [late.feature for late in await matches.editor.load_rows(LATE_REACTIONS, match)] == ["flaky", "flaky"]
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert await matches.late_reactions.retry_reactions() == ([], []), "it waits"
    restarted = make_matches(store, clock, flaky)  # after a restart
    clock.now += FIRST_PAUSE
    assert await restarted.late_reactions.retry_reactions() == ([match], []), "the first one fails again"
    clock.now += 2 * FIRST_PAUSE
    assert await restarted.late_reactions.retry_reactions() == ([match], [])
    assert await restarted.editor.load_rows(LATE_REACTIONS, match) == []
    expected = Flaky()
    other = MemoryStore()
    clock.now = 1_000_000
    same, twin = await play_with(other, clock, expected)
    rows, twin_rows = await restarted.editor.load_rows(SEEN, match), await same.editor.load_rows(SEEN, twin)
    assert len(rows) == len(twin_rows) == 2
    for row, change in zip(rows, flaky.changes[:2], strict=True):
        assert (row.revision, row.moves_after) == (change.info.revision, change.info.moves)
        assert row.undone == tuple(move.number for move in change.undone)
        assert row.moves_before == change.info.moves - 1


async def test_after_ten_tries_it_is_given_up_and_says_so_once(
    store: MemoryStore, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    matches = make_matches(store, clock, Flaky(failures=10**6))
    match = await start_match(matches, rounds=1)
    await play_to_end(matches, match)
    for _ in range(3 * MAX_TRIES):
        clock.now += 7 * 3600
        _, given_up = await matches.late_reactions.retry_reactions()
    (late,) = await matches.editor.load_rows(LATE_REACTIONS, match)
    assert late.tries == MAX_TRIES
    assert given_up == [late]
    errors = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert len(errors) == 1
    assert "flaky failed with KeyError" in errors[0].getMessage()


async def test_a_match_of_a_newer_version_keeps_no_other_from_being_retried(store: MemoryStore, clock: Clock) -> None:
    matches = make_matches(store, clock, Flaky(failures=2))
    both = sorted([await start_match(matches, rounds=1), await start_match(matches, rounds=1)])
    for match in both:
        await play_to_end(matches, match)
    store.infos[both[0]] = replace(store.infos[both[0]], rules=99)
    clock.now += FIRST_PAUSE
    assert await make_matches(store, clock, Flaky()).late_reactions.retry_reactions() == ([both[1]], [])


async def test_a_second_attempt_keeps_the_first_one(store: MemoryStore, clock: Clock) -> None:
    matches = make_matches(store, clock, DailyDeal())
    first = await start_match(matches, rounds=1)
    await play_to_end(matches, first)
    rows = await matches.editor.load_rows(ATTEMPTS)
    second = await start_match(matches, rounds=1)
    await play_to_end(matches, second)
    assert await matches.editor.load_rows(ATTEMPTS) == rows
    assert {row.about for row in rows} == {first}
    await matches.forgetting.erase_match(first)
    assert await matches.editor.load_rows(ATTEMPTS) == rows, "they outlive it"


async def test_a_guard_refuses_a_change_before_anything_is_written(store: MemoryStore, clock: Clock) -> None:
    matches = make_matches(store, clock, NeverSeat())
    await matches.editor.write_own_rows(AddRow(AVOIDED, Avoided(ADA, Person(DORA))))
    match = await open_lobby(matches, ADA, BELA)
    with pytest.raises(RequestRefused, match="You cannot join this table"):
        await matches.lobbies.join(match, DORA, "Dora")
    info = await matches.lobbies.join(match, CHIDI, "Chidi")
    assert [seat.user for seat in info.seats] == [ADA, BELA, CHIDI]
    other_lobby = await open_lobby(matches, DORA, BELA)
    with pytest.raises(RequestRefused):
        await matches.lobbies.join(other_lobby, ADA, "Ada")


class Named(Feature):
    """A feature of some name."""

    def __init__(self, name: str, *tables: RowTable[Any], settings: tuple[OwnerSetting[Any], ...] = ()) -> None:
        self.name, self.tables, self.owner_settings = name, tables, settings  # type: ignore[misc]


@pytest.mark.parametrize(
    "features",
    [
        (Named("twice"), Named("twice")),
        (Named("one", SEEN), Named("two", SEEN)),
        (Named("one", settings=(REPORT_CHANNEL,)), Named("two", settings=(REPORT_CHANNEL,))),
        (Named("a"),),
        (Named("with space"),),
    ],
)
def test_features_that_would_be_mistaken_for_each_other_are_refused(features: tuple[Feature, ...]) -> None:
    with pytest.raises(ValueError, match=r"Two features|no name"):
        check_features(features)
