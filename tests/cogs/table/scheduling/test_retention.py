"""A forgotten person is nowhere in the database any more, and the matches of others stay as they were."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling import retention
from cogs.table.scheduling.retention import SERVER_GRACE, Retention
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport import background_tasks
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.features.breaks import take_break
from engines.features.guesses.guessing import Guess
from engines.features.notes import PLAYER_NOTES
from engines.features.registry import FEATURES
from engines.features.reports import REPORTS, Report, put_draft
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.hosting.records import record
from engines.kit.chance import Chance
from engines.store.match_store import FORGOTTEN_NAME, MatchInfo, Place, Seat, Status, StoreFailure
from engines.store.partition import ALL_SERVERS, GUILD_SHIFT, Partition
from engines.store.rows import PutRow, Second
from engines.store.server_ownership import SoleOwnership
from engines.store.surface_storage import ContactChange, Inbox, Preferences, Surface
from engines.store.table_options import TableOptions
from storage import Database, MatchStore, SurfaceStore
from storage.shared.stores.forgetting import ForgettingStore
from tests.contract.helpers import HELPERS
from tests.feature_rows import load_guesses, put_guess, put_player_note
from tests.games import GAMES
from tests.manual_time import SetClock

ZOE, ADA, BELA, CHIDI = 555_000_111_222_333_444, 11, 12, 13
NAMES = {ZOE: "Zoë Zquirrel", ADA: "Ada", BELA: "Bela", CHIDI: "Chidi"}
INBOX = 777_000_111_222_333_444
NOTE = "a Zquirrel's thought"
TRACES = (str(ZOE), "Zquirrel", str(INBOX))
DAY = 24 * 60 * 60
TIMELESS = TableOptions(clock=None)


@dataclass
class ForgettingBot:
    """The part of a bot that erases data, on a database file."""

    database: Database
    matches: Matches
    surface_cache: SurfaceCache
    tasks: BackgroundTasks
    clock: SetClock
    path: Path
    sentences: list[str] = field(default_factory=list)
    guilds: set[int] = field(default_factory=lambda: {1})
    days: int = 0
    is_right: bool = True  # whether the clock is
    part: Partition = ALL_SERVERS

    def __post_init__(self) -> None:
        self.keeping = Retention(
            self.services(ServerLease()), self._present, self._announce, lambda: self.is_right, self.days
        )

    def services(self, lease: ServerLease) -> TableServices:
        client: Any = None
        return TableServices(client, self.matches, self.surface_cache, self.clock, self.tasks, lease)

    def _present(self) -> tuple[set[int], Partition]:
        return self.guilds, self.part

    async def _announce(self, info: MatchInfo, text: str) -> None:
        self.sentences.append(text)

    async def forget_user(self, user: int = ZOE) -> None:
        await self.matches.forgetting.request_forgetting(user)
        await self.finish_forgetting()

    async def finish_forgetting(self) -> None:
        self.keeping.start_forgetting()
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "forgetting"))

    async def forget_old(self) -> None:
        await self.keeping._note_servers()
        await self.keeping._act_globally(self.keeping._erase_expired)


@asynccontextmanager
async def open_bot(path: Path, days: int = 0, now: int = 1_800_000_000) -> AsyncIterator[ForgettingBot]:
    clock = SetClock(now)
    async with Database.open(path, clock=clock.now) as database, BackgroundTasks() as tasks:
        matches = Matches(
            MatchStore(database),
            GAMES,
            clock.now,
            sources=MatchSources(new_chance=lambda: Chance("5eed" * 8)),
            features=FEATURES,
        )
        surface_cache = SurfaceCache(SurfaceStore(database), clock.now)
        yield ForgettingBot(database, matches, surface_cache, tasks, clock, path, days=days)


@pytest.fixture
async def forgetting_bot(tmp_path: Path) -> AsyncIterator[ForgettingBot]:
    async with open_bot(tmp_path / "motley.db") as bot:
        yield bot


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "STEP_PAUSE", 0)


async def open_lobby(matches: Matches, *users: int, key: str = "wizard", guild: int = 1, **options: Any) -> str:
    """Return a lobby whose host is the first person."""
    game = GAMES[key]
    place, host = Place(guild, 2), Seat(users[0], NAMES[users[0]])
    match = (await matches.lobbies.open_lobby(game, game.options(**options), place, host, table_options=TIMELESS)).id
    for user in users[1:]:
        await matches.lobbies.join(match, user, NAMES[user])
    return match


async def start_match(matches: Matches, *users: int, moves: int = 0, key: str = "wizard", guild: int = 1) -> str:
    match = await open_lobby(matches, *users, key=key, guild=guild, **HELPERS[key].short_options)
    await matches.lobbies.start_match(match, users[0])
    for _ in range(moves):
        await make_move(matches, match)
    return match


async def make_move(matches: Matches, match: str) -> MatchInfo:
    snapshot = await matches.cache.get_snapshot(match)
    seat = snapshot.due_seats()[0]
    notation = snapshot.game.format_move(snapshot.moves(seat)[-1])
    if snapshot.info.seats[seat].level:
        return await matches.moves.play_computer_move(match, seat, snapshot.decisions()[seat].number, notation)
    return await matches.moves.play_move(match, snapshot.info.seats[seat].user, None, notation)


async def play_out(matches: Matches, *users: int, guild: int = 1, substitute: bool = False) -> str:
    """Return a finished match of one round. In the middle of it, somebody took over the first person's seat."""
    match = await open_lobby(matches, *users, guild=guild, rounds=1)
    await matches.lobbies.start_match(match, users[0])
    if substitute:
        while (await matches.cache.get_snapshot(match)).info.moves < 4:
            await make_move(matches, match)
        await matches.seating.leave_match(match, users[0])
        await matches.seating.take_seat(match, CHIDI, "Chidi")
    while (await make_move(matches, match)).status is Status.RUNNING:
        pass
    return match


async def create_matches(forgetting_bot: ForgettingBot) -> dict[str, str]:
    """Return a match for every way in which a person can take part, by a name for its state."""
    matches, surface_cache = forgetting_bot.matches, forgetting_bot.surface_cache
    found = {
        "over": await play_out(matches, ZOE, ADA, BELA),
        "others'": await play_out(matches, ADA, BELA, CHIDI),
        "played on": await play_out(matches, ZOE, ADA, BELA, substitute=True),
        "lobby": await open_lobby(matches, ADA, ZOE),
        "own lobby": await open_lobby(matches, ZOE, ADA),
        "alone": await open_lobby(matches, ZOE),
        "left lobby": await open_lobby(matches, ADA, ZOE),
        "others' running": await start_match(matches, ADA, BELA, CHIDI, moves=4),
        "watched": await start_match(matches, ADA, BELA, CHIDI, moves=4),
        "watched over": await play_out(matches, ADA, BELA, CHIDI),
        "running": await start_match(matches, ZOE, ADA, BELA, moves=4),
        "left": await start_match(matches, ADA, ZOE, BELA, moves=3),
        "taken over": await start_match(matches, ADA, ZOE, BELA, moves=4),
        "reset": await start_match(matches, ADA, ZOE, BELA),
        "voted": await start_match(matches, ADA, ZOE, BELA),
        "ended": await start_match(matches, ADA, ZOE, BELA),
        "looked after": await start_match(matches, ADA, BELA, CHIDI),
        "last": await start_match(matches, ZOE, ADA, BELA),
    }
    for key, game in GAMES.items():
        users = (ZOE, ADA) if game.seats[0] == 2 else (ZOE, ADA, BELA)
        found[f"a game of {key}"] = await start_match(matches, *users, moves=2, key=key)
    for kind in ("watched", "watched over", "running"):
        info = (await matches.cache.get_snapshot(found[kind])).info
        for user in (ZOE, CHIDI):
            await put_guess(
                MatchStore(forgetting_bot.database), Guess(info.id, 1, user, NAMES[user], (0,)), info.revision
            )
    for kind in ("left lobby", "left", "taken over", "reset"):
        await matches.seating.leave_match(found[kind], ZOE)
    await matches.seating.take_seat(found["taken over"], CHIDI, "Chidi")
    await matches.seating.reset_match(found["reset"], ADA)
    for kind, user in (("voted", ZOE), ("ended", ZOE), ("ended", ADA)):
        await matches.seating.vote_to_end(found[kind], user)
    await matches.seating.remove_player(found["looked after"], BELA, ZOE)
    for user in (ADA, BELA):
        await matches.seating.leave_match(found["last"], user, "normal")
    for user, inbox in ((ZOE, INBOX), (ADA, 4)):
        await surface_cache.put_inbox(user, Inbox(inbox, closed=False, reached=True))
        await surface_cache.change_preferences(user, lambda old: replace(old, words=True))
        await surface_cache.store.change_first_contact(
            user, "contacts", lambda note, contact: ContactChange("", 7, None)
        )
        await take_break(matches.rests, user, "7 days")
    for kind in ("over", "running", "left", "taken over"):
        await put_player_note(surface_cache.store, found[kind], ZOE, NOTE)
        await put_player_note(surface_cache.store, found[kind], ADA, "a thought of another")
    report = Report(1, found["over"], ZOE, NOTE, Second(forgetting_bot.clock.at))
    await surface_cache.store.write_rows([PutRow(REPORTS, report)], report.match)
    for kind in ("over", "ended"):
        seat = [each.user for each in (await matches.cache.get_snapshot(found[kind])).info.seats].index(ZOE)
        await surface_cache.put(Surface(found[kind], "hand", seat, INBOX, 8, digest="x"))
    return found


def all_rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {table: raw.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def rows_naming(path: Path) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the rows that contain Zoë's name, her id, or her inbox's id."""
    rows = [(table, row) for table, content in all_rows(path).items() for row in content]
    return [(table, row) for table, row in rows if any(trace in str(row) for trace in TRACES)]


def bytes_naming(path: Path) -> list[str]:
    """Return the same for the raw bytes of the file and the files next to it."""
    wanted = [b"Zquirrel", *(n.to_bytes(8, "big") for n in (ZOE, INBOX)), str(ZOE).encode()]
    files = [file for file in (path, Path(f"{path}-wal")) if file.exists()]
    return [f"{file.name}: {each!r}" for file in files for each in wanted if each in file.read_bytes()]


def rows_of_match(path: Path, match: str) -> dict[str, list[tuple[Any, ...]]]:
    return {table: [row for row in content if match in row] for table, content in all_rows(path).items()}


async def test_nothing_of_a_forgotten_person_is_left_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "motley.db"
    async with open_bot(path) as forgetting_bot:
        found = await create_matches(forgetting_bot)
        tables = {table for table, _ in rows_naming(path)}
        assert tables >= {"matches", "seats", "moves", "history", "inboxes", "preferences", "player_notes", "guesses"}
        assert tables >= {"reports", "first_contacts"}
        assert bytes_naming(path)
        untouched = {match: rows_of_match(path, match) for match in (found["others'"], found["others' running"])}
        records = {
            match: await forgetting_bot.matches.records.build_record(match)
            for match in (found["over"], found["played on"])
        }
        await forgetting_bot.forget_user()
        assert not rows_naming(path)
        assert not bytes_naming(path)
        assert untouched == {match: rows_of_match(path, match) for match in untouched}
        for match, text in records.items():
            assert await forgetting_bot.matches.records.build_record(match) == text.replace(NAMES[ZOE], FORGOTTEN_NAME)
        assert (await forgetting_bot.surface_cache.preferences(ZOE), await forgetting_bot.surface_cache.inbox(ZOE)) == (
            Preferences(),
            None,
        )
        assert (await forgetting_bot.surface_cache.preferences(ADA)).words
        for kind in ("watched", "watched over", "running"):
            assert [guess.user for guess in await load_guesses(MatchStore(forgetting_bot.database), found[kind])] == [
                CHIDI
            ]
        assert [(await note_in(forgetting_bot.surface_cache, found[kind], ADA)) for kind in ("over", "left")] == [
            "a thought of another"
        ] * 2
    async with open_bot(path) as forgetting_bot:  # a fresh bot can read all of it
        for match in found.values():
            assert not (await forgetting_bot.matches.cache.get_snapshot(match)).info.reason.startswith("its "), match
            assert (await forgetting_bot.matches.cache.get_snapshot(match)).info.status is not Status.ASIDE
        for match in records:
            record.replay(record.parse_record(await forgetting_bot.matches.records.build_record(match)), GAMES)
        assert f"; {record.SUBSTITUTE}" in await forgetting_bot.matches.records.build_record(found["played on"])


async def test_in_a_running_match_the_computer_plays_on_for_a_forgotten_person(forgetting_bot: ForgettingBot) -> None:
    found = await create_matches(forgetting_bot)
    before = await forgetting_bot.matches.cache.get_snapshot(found["running"])
    assert (await note_in(forgetting_bot.surface_cache, found["running"], ZOE)) == NOTE
    await forgetting_bot.forget_user()
    after = await forgetting_bot.matches.cache.get_snapshot(found["running"])
    assert after.state == before.state
    assert after.info.status is Status.RUNNING
    assert after.info.host == ADA
    assert after.info.seats[0] == Seat(-after.info.revision, FORGOTTEN_NAME, "left", "normal")
    assert (await forgetting_bot.matches.seating.take_seat(found["running"], ZOE, "Zoë")).seat_of(
        ZOE
    ) == 0  # as anyone can
    assert (await note_in(forgetting_bot.surface_cache, found["running"], ZOE)) == "", (
        "of what she wrote before, something is left"
    )
    assert (await forgetting_bot.matches.cache.get_snapshot(found["last"])).info.status is Status.ENDED
    left = await forgetting_bot.matches.cache.get_snapshot(found["left"])
    assert (left.info.status, left.info.reason) == (Status.PAUSED, "Somebody left.")
    lobby = (await forgetting_bot.matches.cache.get_snapshot(found["own lobby"])).info
    assert (lobby.status, lobby.host, [seat.user for seat in lobby.seats]) == (Status.LOBBY, ADA, [ADA])
    assert (await forgetting_bot.matches.cache.get_snapshot(found["alone"])).info.status is Status.CANCELLED
    sentence = "Somebody has left the match."
    assert set(forgetting_bot.sentences) == {sentence, f"{sentence} The computer plays on in that seat."}
    assert len(forgetting_bot.sentences) == 2 + 1 + len(
        GAMES
    )  # none of lobbies, or of matches that she had left before


async def test_two_people_who_are_forgotten_in_one_match_stay_two(forgetting_bot: ForgettingBot) -> None:
    """Only the moves show who was a substitute for whom."""
    match = await play_out(forgetting_bot.matches, ZOE, ADA, BELA, substitute=True)
    text = await forgetting_bot.matches.records.build_record(match)
    for user in (ZOE, CHIDI, ADA):
        await forgetting_bot.forget_user(user)
    after = await forgetting_bot.matches.records.build_record(match)
    assert after == text.replace("Chidi", FORGOTTEN_NAME).replace("Ada", FORGOTTEN_NAME)
    sql = "SELECT DISTINCT user FROM moves"
    assert len(await forgetting_bot.database.read(lambda raw: raw.execute(sql).fetchall(), what="")) == 4


async def test_a_crash_between_any_two_steps_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the bot is killed after any transaction, the next start finishes the work."""
    path = tmp_path / "motley.db"
    async with open_bot(path) as forgetting_bot:
        found = {
            "over": await play_out(forgetting_bot.matches, ZOE, ADA, BELA),
            "running": await start_match(forgetting_bot.matches, ZOE, ADA, BELA, moves=2),
            "lobby": await open_lobby(forgetting_bot.matches, ADA, ZOE),
        }
        await forgetting_bot.surface_cache.put_inbox(ZOE, Inbox(INBOX, closed=False, reached=True))
        copies: list[Path] = []
        write = forgetting_bot.database.write

        def keep_copy() -> None:
            copies.append(path.with_name(f"copy-{len(copies)}.db"))
            with closing(sqlite3.connect(path)) as raw, closing(sqlite3.connect(copies[-1])) as copy:
                raw.backup(copy)

        async def copied(*arguments: Any, **options: Any) -> Any:
            keep_copy()
            return await write(*arguments, **options)

        monkeypatch.setattr(forgetting_bot.database, "write", copied)
        await forgetting_bot.forget_user()
        keep_copy()
        end = {match: rows_of_match(path, match)["seats"] for match in found.values()}
    # the request, each match, settings, inbox, the end of the request, and the final state
    assert len(copies) == 1 + len(found) + 3 + 1
    assert len(rows_naming(copies[0])) > len(rows_naming(copies[-2])) > 0
    for copy in copies[1:]:
        async with open_bot(copy) as forgetting_bot:
            await forgetting_bot.finish_forgetting()
            assert not rows_naming(copy), copy
            assert not bytes_naming(copy)
            for match, seats in end.items():
                assert rows_of_match(copy, match)["seats"] == seats
                assert (await forgetting_bot.matches.cache.get_snapshot(match)).info.status is not Status.ASIDE


async def test_a_hand_that_goes_later_leaves_nothing(
    forgetting_bot: ForgettingBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "FAREWELL_SECONDS", 0.2)
    match = await start_match(forgetting_bot.matches, ZOE, ADA, BELA)
    await forgetting_bot.surface_cache.put(Surface(match, "hand", 0, INBOX, 8, digest="x"))
    await forgetting_bot.forget_user()
    (later,) = [task for task in asyncio.all_tasks() if task.get_name() == "wipe"]
    await forgetting_bot.surface_cache.drop_hand(match, INBOX)
    assert bytes_naming(forgetting_bot.path)
    await later
    assert not bytes_naming(forgetting_bot.path)


async def test_a_store_that_fails_is_tried_again(
    forgetting_bot: ForgettingBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_tasks, "FIRST_PAUSE", 0.001)
    scrub, failures = ForgettingStore.scrub_user, [StoreFailure("no"), StoreFailure("no")]

    async def failing(store: ForgettingStore, match: str, user: int) -> bool:
        if failures:
            raise failures.pop()
        return await scrub(store, match, user)

    await play_out(forgetting_bot.matches, ZOE, ADA, BELA)
    monkeypatch.setattr(MatchStore, "scrub_user", failing)
    await forgetting_bot.forget_user()
    assert not failures
    assert not rows_naming(forgetting_bot.path)


async def test_a_match_of_a_newer_version_waits_and_the_rest_is_done(tmp_path: Path) -> None:
    path = tmp_path / "motley.db"
    async with open_bot(path) as forgetting_bot:
        newer, other = (
            await start_match(forgetting_bot.matches, ZOE, ADA, BELA),
            await play_out(forgetting_bot.matches, ZOE, ADA, BELA),
        )
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE matches SET rules = 99, revision = revision + 1 WHERE match = ?", (newer,))
    async with open_bot(path) as forgetting_bot:
        await forgetting_bot.forget_user()
        assert {row[0] for _, row in rows_naming(path) if row[0] != ZOE} == {newer}
        assert not [row for rows_ in rows_of_match(path, other).values() for row in rows_ if ZOE in row]
        assert await forgetting_bot.matches.forgetting.pending_forgetting() == [(ZOE, newer)]


async def test_somebody_who_plays_again_after_it_keeps_what_comes_then(forgetting_bot: ForgettingBot) -> None:
    await play_out(forgetting_bot.matches, ZOE, ADA, BELA)
    await forgetting_bot.forget_user()
    match = await open_lobby(forgetting_bot.matches, ZOE, ADA)
    await forgetting_bot.finish_forgetting()
    assert (await forgetting_bot.matches.cache.get_snapshot(match)).info.host == ZOE


async def test_one_on_a_file_of_its_own_forgets_whichever_shards_are_named(forgetting_bot: ForgettingBot) -> None:
    partition = Partition(frozenset({2, 3}), 4)
    present, lease = lambda: (forgetting_bot.guilds, partition), ServerLease(SoleOwnership(partition))
    forgetting_bot.keeping = Retention(
        forgetting_bot.services(lease), present, forgetting_bot._announce, lambda: True, 0
    )
    match = await play_out(forgetting_bot.matches, ZOE, ADA, BELA)
    await forgetting_bot.forget_user()
    assert await forgetting_bot.matches.forgetting.pending_forgetting() == []
    assert ZOE not in {seat.user for seat in (await forgetting_bot.matches.cache.get_snapshot(match)).info.seats}


async def test_a_server_that_put_the_bot_out_is_forgotten_after_thirty_days(tmp_path: Path) -> None:
    path = tmp_path / "motley.db"
    async with open_bot(path) as forgetting_bot:
        staying, leaving = (
            await play_out(forgetting_bot.matches, ZOE, ADA, BELA),
            await play_out(forgetting_bot.matches, ZOE, ADA, BELA, guild=9),
        )
        going_on = await start_match(forgetting_bot.matches, ZOE, ADA, BELA, guild=9)
        await forgetting_bot.surface_cache.store.put_note(f"notices {leaving}", "[]")
        await forgetting_bot.matches.lobbies.change_server_settings(9, lambda old: replace(old, threads=False))
        rows = rows_of_match(path, staying)
        await forgetting_bot.forget_old()
        start = forgetting_bot.clock.at
    async with open_bot(path, now=start + SERVER_GRACE) as forgetting_bot:  # even if the bot was restarted in between
        await forgetting_bot.forget_old()
        assert rows_of_match(path, leaving)["matches"]
        assert rows_of_match(path, going_on)["matches"]
        forgetting_bot.clock.at += 1
        await forgetting_bot.forget_old()
        assert not [match for match in (leaving, going_on) if re.search(rf"[' ]{match}'", str(all_rows(path)))]
        assert not [row for table in ("departed", "servers") for row in all_rows(path)[table]]
        assert rows_of_match(path, staying) == rows
        with pytest.raises(Exception, match="no such match"):
            await forgetting_bot.matches.cache.get_snapshot(going_on)


async def test_a_server_that_has_the_bot_back_is_not_forgotten(forgetting_bot: ForgettingBot) -> None:
    match = await play_out(forgetting_bot.matches, ZOE, ADA, BELA, guild=9)
    for guilds, days in (({1}, 29), ({1, 9}, 20), ({1}, 29), ({1, 9}, 60)):
        forgetting_bot.guilds = guilds
        await forgetting_bot.forget_old()
        forgetting_bot.clock.at += days * DAY
    await forgetting_bot.forget_old()
    assert rows_of_match(forgetting_bot.path, match)["matches"]


async def test_nothing_of_servers_of_other_processes_is_forgotten(forgetting_bot: ForgettingBot) -> None:
    other_server = 1 << GUILD_SHIFT
    forgetting_bot.part = Partition.parse("0/2")
    leaving = await play_out(forgetting_bot.matches, ZOE, ADA, BELA, guild=9)
    other = await play_out(forgetting_bot.matches, ZOE, ADA, BELA, guild=other_server)
    await forgetting_bot.forget_old()
    forgetting_bot.clock.at += SERVER_GRACE + 1
    await forgetting_bot.forget_old()
    assert [bool(rows_of_match(forgetting_bot.path, match)["matches"]) for match in (leaving, other)] == [False, True]


@pytest.mark.parametrize(("days", "number"), [(0, 2), (30, 1), (99, 2)])
async def test_matches_that_are_over_are_kept_for_so_many_days(days: int, number: int, tmp_path: Path) -> None:
    async with open_bot(tmp_path / "motley.db", days=days) as forgetting_bot:
        old = await play_out(forgetting_bot.matches, ZOE, ADA, BELA)
        going_on = await start_match(forgetting_bot.matches, ZOE, ADA, BELA)
        forgetting_bot.clock.at += 31 * DAY
        new = await play_out(forgetting_bot.matches, ZOE, ADA, BELA)
        await forgetting_bot.forget_old()
        matches_left = {row[0] for row in all_rows(forgetting_bot.path)["matches"]}
        assert matches_left == {new, going_on} | ({old} if number == 2 else set())
        assert (await forgetting_bot.matches.cache.get_snapshot(going_on)).info.status is Status.RUNNING


async def test_a_match_that_is_over_stays_to_the_last_second(tmp_path: Path) -> None:
    async with open_bot(tmp_path / "motley.db", days=30) as forgetting_bot:
        old = await play_out(forgetting_bot.matches, ZOE, ADA, BELA)
        forgetting_bot.clock.at = (await forgetting_bot.matches.cache.get_snapshot(old)).info.changed + 30 * DAY
        await forgetting_bot.forget_old()
        assert {row[0] for row in all_rows(forgetting_bot.path)["matches"]} == {old}
        forgetting_bot.clock.at += 1
        await forgetting_bot.forget_old()
        assert not all_rows(forgetting_bot.path)["matches"]


async def test_a_report_stays_for_a_day(forgetting_bot: ForgettingBot) -> None:
    match, now = await start_match(forgetting_bot.matches, ZOE, ADA, BELA), forgetting_bot.clock.at
    await put_draft(forgetting_bot.matches.editor, Report(1, match, ZOE, "It looks odd.", Second(now)))
    for later, stays in ((now + DAY, True), (now + DAY + 1, False)):
        forgetting_bot.clock.at = later
        await forgetting_bot.forget_old()
        assert bool(await forgetting_bot.matches.editor.load_rows(REPORTS, 1)) == stays


async def note_in(surface_cache: SurfaceCache, match: str, user: int) -> str:
    return next((row.note for row in await surface_cache.rows(PLAYER_NOTES, match) if row.user == user), "")
