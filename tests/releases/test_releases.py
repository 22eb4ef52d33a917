"""Small databases of every release: today's code opens them, finds them sound, and every match in them is played on."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from cogs.table.scheduling.computer_turns import SECRET_NOTE
from engines import GAMES
from engines.features.registry import FEATURES
from engines.features.takebacks.taking_back import TakingBack
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.records import record
from engines.store.match_store import Status
from motley import owner_commands
from motley.version import version
from release.changelog import split_sections
from storage import postgres, sqlite
from tests.games import ROOT
from tests.messages import alt_texts, control_ids, message_text
from tests.plain.payloads import GUILD
from tests.plain.plain_bot import NOW, PEOPLE, start_plain_bot
from tests.postgres_server import PostgresServer
from tests.releases.make import CHOSEN_SETTINGS, DUMP_ENDING, release_databases, restore_dump, unpack_database
from tests.storage.contract.kinds import Database, SqlAccess, matches_of, surfaces_of
from tests.storage.sqlite.openings import query

RELEASES = {"sqlite": release_databases(), "postgres": release_databases(DUMP_ENDING)}
CONDITIONS = set(Status) - {Status.ASIDE, Status.EXPIRED}
STRANGERS = range(1000, 1010)  # who take what seats are free
UNSAFE_DISK = "PostgreSQL does not wait for its disk"  # as it is set up for tests


@dataclass(frozen=True)
class ReleaseDatabase:
    """The database of a release, as it was then: a file, or the address of one in PostgreSQL."""

    kind: str
    version: str
    where: str

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Database]:
        """Open it with today's code, which brings it up to date."""
        async with (sqlite if self.kind == "sqlite" else postgres).Database.open(
            self.where, clock=lambda: NOW
        ) as release_database:
            yield release_database


@pytest.fixture(params=[f"{kind} {version}" for kind, found in RELEASES.items() for version in found])
def release(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ReleaseDatabase]:
    kind, version = request.param.split()
    archive = RELEASES[kind][version]
    if kind == "sqlite":
        path = tmp_path / "motley.db"
        unpack_database(archive, path)
        yield ReleaseDatabase(kind, version, str(path))
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = f"kept_{os.getpid()}_{version.replace('.', '_')}"
    yield ReleaseDatabase(kind, version, restore_dump(archive, server, name))
    server.run_sql(f"DROP DATABASE {name} WITH (FORCE)")


def test_every_release_in_the_changelog_has_left_its_databases() -> None:
    """The version that is not released yet may have some."""
    titles = split_sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    released = {title.partition(" ")[0] for title in titles} - {"Unreleased"}
    assert "0.9.0" in released
    for kind, found in RELEASES.items():
        assert released <= set(found) <= released | {version()}, kind


async def test_every_match_that_is_live_is_played_on_to_its_result(
    release: ReleaseDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    async with release.open() as database:
        matches, stored_surfaces = (
            Matches(matches_of(database), GAMES, lambda: NOW, features=FEATURES),
            surfaces_of(database),
        )
        live = await matches.lookup.find()
        assert {info.game for info in live} == set(GAMES)
        if release.version == version():
            assert await matches.lobbies.server_settings(GUILD) == CHOSEN_SETTINGS
        assert {info.id for info in live} == {info.id async for info in matches.lookup.verify_matches()}
        assert [surface for info in live for surface in await stored_surfaces.surfaces_of(info.id)]
        expected = {kind for info in live for kind in decision_kinds(await matches.cache.get_snapshot(info.id))}
        kinds = await asyncio.gather(*(play_to_end(matches, info.id) for info in live))
        if release.version == version():
            assert set().union(*kinds) == expected, "not every kind of decision is kept"
        for info in live:
            text = await matches.records.build_record(info.id)
            if text:  # not of one that has gone over to newer rules
                replayed = record.replay(record.parse_record(text), GAMES)
                assert replayed.state == (await matches.cache.get_snapshot(info.id)).state
    if release.kind == "sqlite":
        lines: list[str] = []
        path = Path(release.where)
        assert owner_commands.check(path, lines.append), lines
        assert lines[-1].startswith(f"{len(query(path, 'SELECT 1 FROM matches'))} matches:")
    warned = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert not [text for text in warned if UNSAFE_DISK not in text]


async def test_a_move_is_taken_back_by_consent_in_a_match_of_every_game(release: ReleaseDatabase) -> None:
    async with release.open() as database:
        matches = Matches(matches_of(database), GAMES, lambda: NOW, features=FEATURES)
        running = await matches.lookup.find(statuses=frozenset({Status.RUNNING}))
        for game in GAMES:
            match, _ = await move_and_take_back(matches, [info.id for info in running if info.game == game])
            await play_to_end(matches, match)


@pytest.mark.sampled
@pytest.mark.parametrize("release", [f"sqlite {version}" for version in RELEASES["sqlite"]], indirect=True)
@pytest.mark.parametrize("game", GAMES)
async def test_todays_bot_does_all_that_it_does_with_a_match_of_then(
    release: ReleaseDatabase, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    """In a match that was running: a move is taken back, a report is sent, and the result has a clip and a replay.

    The bot draws in the event loop here, for which PostgreSQL would not wait.
    """
    async with (
        release.open() as database,
        start_plain_bot("", stores=(matches_of(database), surfaces_of(database))) as plain_bot,
    ):
        running = await plain_bot.matches.lookup.find(statuses=frozenset({Status.RUNNING}))
        for info in running:
            plain_bot.wire.add_thread(info.place.thread, "of then")
        match, seat = await move_and_take_back(plain_bot.matches, [info.id for info in running if info.game == game])
        await plain_bot.show_match(match)
        name = (await plain_bot.load_snapshot(match)).info.seats[seat].name
        message = await plain_bot.surface_message(match, "table")
        draft = await plain_bot.submit_report(name, match, "It looks odd.")
        assert draft.answer is not None
        (send, _) = [each for each in control_ids(draft.answer) if each.startswith("reports:")]
        await plain_bot.click_control(name, draft.answer, send)
        assert [
            each for each in caplog.records if each.getMessage().startswith("Report ") and match in each.getMessage()
        ]

        await play_to_end(plain_bot.matches, match)
        await plain_bot.show_match(match)
        for control, text in ((f"j:{match}:open", "The moments that mattered"), (f"t:{match}:replay", "")):
            answer = (await plain_bot.click_control(name, message, control)).answer
            assert answer is not None
            newest = plain_bot.current_message(answer)  # a clip comes later than the first answer
            assert alt_texts(newest)
            assert text in message_text(newest)
    assert not [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR]


async def move_and_take_back(matches: Matches, found: Sequence[str]) -> tuple[str, int]:
    """Make a move that shows nothing hidden, and take it back, the others agreeing; in which match, and which seat."""
    for match in found:
        before = await matches.cache.get_snapshot(match)
        seat, people = before.due_seats()[0], before.info.seats
        if not all(chair.owner_plays for chair in people):
            continue
        await matches.moves.play_move(match, people[seat].user, None, before.game.format_move(before.moves(seat)[0]))
        with suppress(RequestRefused):  # something hidden came to light
            await TakingBack(matches.editor).take_back(match, people[seat].user)
            request = (await matches.cache.get_snapshot(match)).info.undoing.open_request
            for other in request.seats if request else ():
                await TakingBack(matches.editor).answer_take_back(
                    match, people[other].user, request.move if request else 0, agrees=True
                )
            assert (await matches.cache.get_snapshot(match)).state == before.state
            return match, seat
    raise AssertionError("no move was taken back")


async def play_to_end(matches: Matches, match: str) -> set[tuple[str, str]]:
    """By random legal moves of everybody, until there is a result; free seats are taken first.

    The kinds of decisions on the way.
    """
    rng, snapshot, kinds = Random(match), await matches.cache.get_snapshot(match), set[tuple[str, str]]()
    strangers = iter(STRANGERS)
    if snapshot.info.status is Status.LOBBY:
        while len((await matches.cache.get_snapshot(match)).info.seats) < snapshot.game.seats[0]:
            await matches.lobbies.join(match, next(strangers), "Somebody")
        await matches.lobbies.start_match(match, snapshot.info.host)
    while (await matches.cache.get_snapshot(match)).info.status is Status.PAUSED:
        await matches.seating.take_seat(match, next(strangers), "Somebody")
    while (snapshot := await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        kinds |= decision_kinds(snapshot)
        seat = rng.choice(snapshot.due_seats())
        decision, notation = (
            snapshot.decisions()[seat].number,
            snapshot.game.format_move(rng.choice(snapshot.moves(seat))),
        )
        if snapshot.info.seats[seat].level:
            await matches.moves.play_computer_move(match, seat, decision, notation)
        else:
            await matches.moves.play_move(match, snapshot.info.seats[seat].user, decision, notation)
    assert snapshot.info.status is Status.OVER
    assert snapshot.outcome() is not None
    return kinds


def decision_kinds(snapshot: MatchSnapshot) -> set[tuple[str, str]]:
    return {(snapshot.info.game, snapshot.decisions()[seat].kind) for seat in snapshot.due_seats()}


def test_the_database_of_this_version_has_matches_in_every_condition(tmp_path: Path) -> None:
    """`make release` wants it to be as the newest migration makes it; until then it may be older."""
    assert version() in RELEASES["sqlite"], "python -m tests.releases.make"
    path = tmp_path / "motley.db"
    unpack_database(RELEASES["sqlite"][version()], path)
    found = {(str(game), str(status)) for game, status in query(path, "SELECT game, status FROM matches")}
    assert found >= {(game, status.value) for game in GAMES for status in CONDITIONS}
    assert query(path, "SELECT guild FROM servers") == [(GUILD,)]
    assert {row[0] for row in query(path, "SELECT level FROM seats WHERE user > 0")} > {"", "normal"}


async def test_no_release_database_holds_a_secret(release: ReleaseDatabase) -> None:
    """Nobody is in it but the people who played, and no key that computers play by."""
    async with release.open() as database:
        assert await surfaces_of(database).read_note(SECRET_NOTE) is None
        sql = SqlAccess(database)
        assert {name for (name,) in await sql.query("SELECT name FROM seats WHERE user > 0")} <= set(PEOPLE)
