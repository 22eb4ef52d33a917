"""`python -m motley`: its output and exit codes; and the bot's scheduled backups."""

from __future__ import annotations

import asyncio
import errno
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cogs.system_clock import SystemClock
from cogs.table.actions import personal_data_file
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.records import record
from engines.store.match_store import Place, Seat
from motley import personal_data, scheduled_backups
from motley.__main__ import main
from motley.scheduled_backups import BackupPlan, run_backups
from storage import Database, MatchStore
from storage.sqlite.file.files import claim_file
from storage.sqlite.file.schema import load_migrations
from tests.storage.sqlite.openings import query, run_open_and_close

JOKERS = GAMES["jokers"]
DAY = 24 * 60 * 60

Run = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def in_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # no .env here
    monkeypatch.delenv("MOTLEY_DATABASE", raising=False)


@pytest.fixture(scope="module")
def played_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("played") / "motley.db"
    asyncio.run(make_filled(path))
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, played_database: bytes) -> Path:
    path = tmp_path / "data" / "motley.db"
    path.parent.mkdir()
    path.write_bytes(played_database)
    return path


async def make_filled(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        matches = Matches(MatchStore(database), GAMES, lambda: 7, features=FEATURES)
        for moves in (None, 3, 0):
            lobby = await matches.lobbies.open_lobby(JOKERS, JOKERS.options(rounds=1), Place(1, 2), Seat(5, "Eve"))
            if moves != 0:
                await matches.lobbies.join(lobby.id, 6, "Bo")
                await matches.lobbies.start_match(lobby.id, 5)
                await play_moves(matches, lobby.id, moves)


async def make_older(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7, migrations=load_migrations()[:-1]):
        pass


async def play_moves(matches: Matches, match: str, moves: int | None) -> None:
    count = 0
    while (due := (snapshot := await matches.cache.get_snapshot(match)).due_seats()) and count != moves:
        await matches.moves.play_move(
            match, snapshot.info.seats[due[0]].user, None, snapshot.game.format_move(snapshot.moves(due[0])[0])
        )
        count += 1


@pytest.fixture
def run_motley(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str]:
        code = main([str(each) for each in arguments])
        output = capsys.readouterr()
        return code, output.out + output.err

    return run


def test_people_and_servers_are_blocked_listed_and_let_in_whether_or_not_a_bot_runs(
    path: Path, run_motley: Run
) -> None:
    assert run_motley("block", "list") == (0, "")
    code, output = run_motley("block", "person", 2**62)
    assert (code, output.partition(". ")[0]) == (0, f"The person {2**62} is blocked")
    with claim_file(path):  # as a running bot does
        assert run_motley("block", "server", 7)[0] == 0
        assert run_motley("block", "server", 7) == (0, "The server 7 was already blocked.\n")
        assert run_motley("block", "list") == (0, f"person {2**62}\nserver 7\n")
        assert run_motley("unblock", "person", 2**62)[0] == 0
        assert run_motley("unblock", "person", 2**62) == (1, f"The person {2**62} was not blocked.\n")
        assert run_motley("say", "We restart.")[0] == 0
        assert run_motley("say", "--withdraw")[0] == 0
        assert run_motley("say", "--withdraw") == (1, "There is nothing to withdraw.\n")
    assert run_motley("block", "list") == (0, "server 7\n")
    assert run_motley("block", "server")[0] == 1
    assert run_motley("block", "list", 7)[0] == 1
    for words in (("block", "person", "-1"), ("block", "person", "x"), ("unblock", "list"), ("say", " "), ("say",)):
        with pytest.raises(SystemExit):
            run_motley(*words)
    assert run_motley("check")[0] == 0


def test_a_persons_data_is_written_to_a_new_file_whether_or_not_a_bot_runs(
    path: Path, tmp_path: Path, run_motley: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_data_file, "BATCH_SIZE", 1)  # all matches are in the file, however many there are
    code, output = run_motley("my-data", 6)
    file = tmp_path / "motley-data-6.json"
    assert (code, output.partition(":")[0]) == (0, file.name)
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["you"]["user"] == "6"
    assert sorted(each["status"] for each in found["matches"]) == ["over", "running"]
    assert "Eve" not in file.read_text(encoding="utf-8")
    with claim_file(path):  # as a running bot does
        assert run_motley("my-data", 5, "other.json")[0] == 0
    assert len(json.loads((tmp_path / "other.json").read_text())["matches"]) == 3
    assert run_motley("my-data", 6) == (1, f"{file.name} already exists. Name another file.\n")
    assert run_motley("my-data", 99) == (1, "Nothing is stored about the person 99.\n")
    assert not (tmp_path / "motley-data-99.json").exists()


def test_the_data_of_somebody_in_a_damaged_match_leaves_only_their_hand_out(path: Path, run_motley: Run) -> None:
    def hands() -> list[bool]:
        found = json.loads(Path("motley-data-6.json").read_text(encoding="utf-8"))
        return ["what you see now" in each for each in found["matches"]]

    assert run_motley("my-data", 6)[0] == 0
    assert sorted(hands()) == [False, True]
    query(path, "UPDATE bases SET seal = 'x'")
    before = query(path, "SELECT * FROM matches")
    Path("motley-data-6.json").unlink()
    assert run_motley("my-data", 6)[0] == 0
    assert hands() == [False, False]
    assert query(path, "SELECT * FROM matches") == before


def test_a_person_is_forgotten_only_after_their_number_was_typed_again(
    path: Path, run_motley: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[str] = []

    def answer(text: str) -> Callable[[str], str]:
        return lambda question: questions.append(question) or text  # type: ignore[func-returns-value]

    before = query(path, "SELECT * FROM forgetting")
    for typed in ("", "yes", "5"):
        monkeypatch.setattr(personal_data.run_command, "__defaults__", (answer(typed),))
        code, output = run_motley("forget", 6)
        assert (code, output.splitlines()[-1]) == (1, "Nothing was deleted.")
        assert "2 matches, 1 of them not finished" in output

    def answer_nothing(question: str) -> str:
        raise EOFError

    monkeypatch.setattr(personal_data.run_command, "__defaults__", (answer_nothing,))  # a pipe, or Ctrl-D
    assert run_motley("forget", 6)[1].splitlines()[-1] == "Nothing was deleted."
    assert query(path, "SELECT * FROM forgetting") == before == []
    assert run_motley("forget", 99, "--yes") == (1, "Nothing is stored about the person 99.\n")
    monkeypatch.setattr(personal_data.run_command, "__defaults__", (answer(" 6\n"),))
    assert run_motley("forget", 6)[0] == 0
    assert questions[-1] == "Type the number 6 again to forget them: "
    assert {user for user, _ in query(path, "SELECT user, match FROM forgetting")} == {6}


def test_a_database_that_is_not_there_or_older_is_not_written(tmp_path: Path, path: Path, run_motley: Run) -> None:
    code, output = run_motley("--database", tmp_path / "nowhere.db", "block", "person", 5)
    assert code == 1
    assert "nowhere.db" in output
    assert not (tmp_path / "nowhere.db").exists()
    asyncio.run(make_older(tmp_path / "older.db"))
    assert "older version" in run_motley("--database", tmp_path / "older.db", "say", "We restart.")[1]


def test_a_sound_database_is_checked_backed_up_and_restored(path: Path, tmp_path: Path, run_motley: Run) -> None:
    assert run_motley("check") == (0, "3 matches: 1 lobby, 1 over, 1 running.\n")
    code, output = run_motley("backup")
    (backup,) = (tmp_path / "data" / "backups").iterdir()
    assert (code, output.split(" (")[0]) == (0, f"Backup: data/backups/{backup.name}")
    assert run_motley("check", backup)[0] == 0
    code, output = run_motley("restore", backup)
    assert code == 0
    assert output.startswith("3 matches: 1 lobby, 1 over, 1 running.\nRestored: data/motley.db, from ")
    assert "The previous database was kept as" in output
    assert run_motley("vacuum")[0] == 0
    assert run_motley("check")[0] == 0


def test_each_damage_is_told_in_a_sentence_and_the_rest_is_read(path: Path, run_motley: Run) -> None:
    run_open_and_close(path)
    query(path, "UPDATE states SET checkpoint = replace(checkpoint, '\"', '''') WHERE rowid = 1")
    query(path, "UPDATE bases SET seal = 'x' WHERE rowid = 2")
    code, output = run_motley("check")
    assert code == 1
    assert re.search(r"Match \w+ \(jokers, over\) is damaged: its checkpoint cannot be read\.", output)
    assert re.search(r"Match \w+ \(jokers, running\) is damaged: its seed, options, seats or first state", output)
    assert output.endswith("3 matches: 2 damaged, 1 lobby.\n")
    code, output = run_motley("export", "records")
    assert code == 1
    assert "(jokers, over) has no record: its checkpoint cannot be read." in output
    run_motley("backup", "copy.db")
    code, output = run_motley("restore", "copy.db")
    assert code == 0
    assert "The bot will set damaged matches aside when it starts" in output


def test_rows_that_belong_nowhere_are_told(path: Path, run_motley: Run) -> None:
    query(path, "DELETE FROM matches WHERE status = 'lobby'")
    code, output = run_motley("check")
    assert code == 1
    assert "rows of seats refer to missing rows of matches." in output


def test_a_match_of_a_newer_version_is_told_and_is_no_reason_to_stop(path: Path, run_motley: Run) -> None:
    query(path, "UPDATE matches SET rules = 99, revision = revision + 1 WHERE status = 'running'")
    code, output = run_motley("check")
    assert code == 1
    assert "is damaged" not in output
    assert "(jokers, running) was written by a newer version of Motley" in output


def test_records_are_exported_and_can_be_verified(path: Path, tmp_path: Path, run_motley: Run) -> None:
    assert run_motley("export", "records") == (0, "records: 1 record.\n")
    (file,) = (tmp_path / "records").iterdir()
    parsed = record.parse_record(file.read_text())
    assert record.replay(parsed, GAMES)
    assert parsed.result
    assert file.stat().st_mode & 0o777 == 0o600
    code, output = run_motley("export", "records", "--all")
    assert code == 0
    assert "reveal every hand" in output
    (running,) = set((tmp_path / "records").iterdir()) - {file}
    assert record.parse_record(running.read_text()).deal is None, "the secret of a running match"


async def test_an_exported_record_is_the_file_under_the_result(path: Path, tmp_path: Path, run_motley: Run) -> None:
    run_motley("export", "records")
    (file,) = (tmp_path / "records").iterdir()
    async with Database.open(path, clock=lambda: 7) as database:
        matches = Matches(MatchStore(database), GAMES, lambda: 7, features=FEATURES)
        assert await matches.records.build_record(file.stem.partition("-")[2]) == file.read_text()
    assert record.parse_record(file.read_text()).deal is not None


PROGRAMS = {"backup": "pg_dump", "restore x": "pg_restore", "check": "pg_amcheck", "vacuum": "vacuumdb"}
PROGRAMS["export x"] = "psql"
ADDRESS = "postgresql://motley:hush-hush@db.example/motley"


@pytest.mark.parametrize("command", PROGRAMS)
def test_postgresqls_own_programs_are_named(
    tmp_path: Path, run_motley: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    by_option = run_motley("--database", ADDRESS, *command.split())
    monkeypatch.setenv("MOTLEY_DATABASE", ADDRESS)
    for status, output in (by_option, run_motley(*command.split())):
        assert status == 1
        assert PROGRAMS[command] in output
        assert "hush-hush" not in output
    assert not list(tmp_path.iterdir())


def test_a_backup_is_checked_for_both_kinds_of_database(
    path: Path, run_motley: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTLEY_DATABASE", ADDRESS)
    status, output = run_motley("check", str(path))
    assert status == 0, output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("check", "nowhere.db"), "does not exist"),
        (("--database", "nowhere.db", "vacuum"), "does not exist"),
        (("restore", "data"), "is a folder"),
        (("backup", "data/motley.db"), "already exists"),
        (("export", "data/motley.db"), "motley.db: File exists"),
    ],
)
def test_an_impossible_request_is_refused_in_a_sentence(
    path: Path, run_motley: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    code, answer = run_motley(*arguments)
    assert code == 1
    assert sentence in answer
    assert answer.count("\n") == 1


# Scheduled backups


def test_plans_are_read_and_those_that_are_not_understood_are_refused() -> None:
    assert BackupPlan.parse("") is None
    assert BackupPlan.parse("data/backups") == BackupPlan(Path("data/backups"), 24, 7)
    assert BackupPlan.parse(" a folder , 6, 28") == BackupPlan(Path("a folder"), 6, 28)
    for text in ("data/backups, 24", "data, 0, 7", "data, 24, 0", ", 24, 7", "data, a, b", "a, b, 1, 2", "data 24 7"):
        with pytest.raises(ValueError, match="is not valid: write FOLDER"):
            BackupPlan.parse(text)


async def run_plan(plan: BackupPlan, path: Path, turns: int, mend: Callable[[], object] = int) -> list[float]:
    """Follow a plan for so many pauses, by which the clock goes on; in the second, `mend`. How long each was."""
    slept: list[float] = []

    class PlanClock(SystemClock):
        def now(self) -> int:
            return 10 * DAY + int(sum(slept))

        async def sleep(self, seconds: float) -> None:
            slept.append(seconds)
            if len(slept) == 2:
                mend()
            if len(slept) == turns:
                raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await run_backups(plan, path, PlanClock())
    return slept


async def test_backups_are_made_when_due_and_the_oldest_go(path: Path, tmp_path: Path) -> None:
    """The first soon after the start, then by the hour, even after a restart; other files are left alone."""
    plan = BackupPlan(tmp_path / "kept", 6, 2)
    plan.folder.mkdir()
    (plan.folder / "mine.db").touch()
    slept = await run_plan(plan, path, 7)
    assert slept == [60, *[6 * 3600] * 6]
    newest = ["motley-1970-01-12T00-01-00Z.db", "motley-1970-01-12T06-01-00Z.db"]
    assert [each.name for each in plan.list_backups()] == newest
    assert (plan.folder / "mine.db").exists()
    assert plan.next_due(10 * DAY + sum(slept)) == 10 * DAY + sum(slept)


@pytest.mark.parametrize("wrong", [400 * DAY, 5 * DAY])
async def test_backups_that_a_wrong_clock_named_stop_no_plan(path: Path, tmp_path: Path, wrong: int) -> None:
    """Its clock was ahead before, or lags now. There are as many of them as are kept."""
    plan = BackupPlan(tmp_path / "kept", 6, 2)
    named_wrongly = [plan.make_backup(path, 10.0 * DAY + wrong + hours * 3600) for hours in (0, 6)]
    slept = await run_plan(plan, path, 3)
    assert slept == [60, 6 * 3600, 6 * 3600]
    now = 10.0 * DAY + sum(slept)
    assert now - plan.last_backup_time(now) == 6 * 3600
    assert [each.name for each in plan.list_backups()] == ["motley-1970-01-11T06-01-00Z.db", named_wrongly[1].name]


async def test_a_backup_that_fails_is_told_and_tried_again(
    path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "kept"
    folder.touch()
    slept = await run_plan(BackupPlan(folder), path, 3, folder.unlink)
    assert slept == [60, 3600, DAY]
    assert "No backup was made." in caplog.text
    assert "kept" in caplog.text


async def test_a_folder_that_cannot_be_read_for_a_while_ends_no_plan(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Like a network disk."""
    plan, away, list_backups = BackupPlan(tmp_path / "kept"), [1], BackupPlan.list_backups
    plan.folder.mkdir()

    def looked(plan: BackupPlan) -> list[Path]:
        if away:
            raise OSError(errno.ESTALE, "Stale file handle", str(plan.folder))
        return list_backups(plan)

    monkeypatch.setattr(BackupPlan, "list_backups", looked)
    slept = await run_plan(plan, path, 3, away.clear)
    assert slept == [60, 3600, DAY]
    assert f"No backup was made. {plan.folder}: Stale file handle." in caplog.text
    assert len(plan.list_backups()) == 1


def test_a_backup_counts_though_old_ones_cannot_be_taken_away(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    plan = BackupPlan(tmp_path / "kept", keep_count=1)
    first = plan.make_backup(path, 10.0 * DAY)
    unlink = Path.unlink

    def refuse_first(path: Path, missing_ok: bool = False) -> None:
        if path == first:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse_first)
    second = plan.make_backup(path, 11.0 * DAY)
    assert plan.list_backups() == [first, second]
    assert "could not be deleted: Operation not permitted" in caplog.text


def test_remains_of_an_unfinished_backup_go_with_a_later_one(path: Path, tmp_path: Path) -> None:
    plan = BackupPlan(tmp_path / "kept")
    plan.folder.mkdir()
    name = scheduled_backups.backup_name(10.0 * DAY)
    left = [f"{name}{ending}" for ending in (".part", ".part-journal", ".part-wal")]
    for name in (*left, "mine.db.part"):
        (plan.folder / name).touch()
    plan.make_backup(path, 10.5 * DAY)
    assert {each.name for each in plan.folder.iterdir()} > set(left), "somebody may be at it"
    backup = plan.make_backup(path, 11.5 * DAY)
    names = {each.name for each in plan.folder.iterdir()}
    assert not names & set(left)
    assert {backup.name, "mine.db.part"} < names


def test_an_error_without_a_file_is_told_without_one(run_motley: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> bool:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("motley.owner_commands.vacuum", failing)
    assert run_motley("vacuum") == (1, "Input/output error.\n")
