"""A law about every setting: any value is either understood, or refused in one sentence before anything is created."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pydantic import field_validator

import bot
import live.__main__
import motley.__main__
import play
from motley.settings import DataSettings, DiscordSettings, Settings, SettingsError, load_settings
from tests.motley.setting_values import SECRET, nasty_values

Program = Callable[[], int | None]
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
OWN = [(name, value) for name in play.PlaygroundSettings.model_fields for value in nasty_values(name)]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # no .env here
    monkeypatch.setattr(play, "_ENV_FILE", tmp_path / ".env")
    for name in [name for name in os.environ if name.startswith("MOTLEY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DISCORD_TOKEN", "x")


@pytest.fixture
def refusal_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[[Program], str]:
    """What a program says that must refuse its settings."""

    def refuse(program: Program) -> str:
        before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        try:
            status = program()
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else None
        output = capsys.readouterr()
        assert (status, output.out) == (2, "")
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
        return output.err

    return refuse


def variable_name(setting: str, prefix: str = "MOTLEY_") -> str:
    return "DISCORD_TOKEN" if setting == "token" else f"{prefix}{setting.upper()}"


def find_fault(name: str, value: str, kind: type[Settings] = Settings) -> str:
    """What breaks the law with this value, or ''."""
    try:
        load_settings(kind)
    except SettingsError as error:
        sentence = str(error)
        words = sentence.removesuffix(" See .env.example.")
        if SECRET in sentence.lower():
            return f"it repeats the value: {sentence}"
        if name not in sentence or not words.endswith(".") or "\n" in sentence:
            return f"it is no sentence about {name}: {sentence}"
    except Exception as error:  # noqa: BLE001  # that is what the law forbids
        return f"it ends with {type(error).__name__}"
    return ""


@pytest.mark.parametrize("setting", Settings.model_fields)
def test_any_value_is_understood_or_refused_in_a_sentence_that_does_not_repeat_it(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = variable_name(setting)
    for value in nasty_values(setting):
        monkeypatch.setenv(name, value)
        assert not find_fault(name, value), value


@pytest.mark.parametrize("setting", Settings.model_fields)
@hypothesis_settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(beginning=TEXTS, end=TEXTS)
def test_any_text_is_understood_or_refused_without_repeating_it(setting: str, beginning: str, end: str) -> None:
    name, value = variable_name(setting), beginning + SECRET + end
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(name, value)
        assert not find_fault(name, value)


def test_the_law_finds_settings_that_break_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Quoting(Settings):
        @field_validator("contact")
        @classmethod
        def _quote(cls, value: str) -> str:
            raise ValueError(f"cannot be {value!r}")

    class Failing(Settings):
        @field_validator("contact")
        @classmethod
        def _fail(cls, value: str) -> str:
            raise OverflowError(value)

    monkeypatch.setenv("MOTLEY_CONTACT", "hush-hush")
    assert not find_fault("MOTLEY_CONTACT", "hush-hush")
    assert "repeats" in find_fault("MOTLEY_CONTACT", "hush-hush", Quoting)
    assert "OverflowError" in find_fault("MOTLEY_CONTACT", "hush-hush", Failing)


# Every program that reads them


def programs(setting: str) -> Sequence[Program]:
    found: list[Program] = [bot.main, lambda: live.__main__.main(["1"])]
    if setting in DataSettings.model_fields:
        found += [lambda: motley.__main__.main(["check"]), lambda: motley.__main__.main(["block", "list"])]
    if setting in DiscordSettings.model_fields:
        found += [lambda: motley.__main__.main(["emoji"])]
    if setting != "token":  # without one, the playground starts
        found += [lambda: play.main()]
    return found


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("database", "PostgreSQL://motley:hush@host/motley"),
        ("database", "mysql://motley:hush@host/motley"),
        ("database", "postgresql://motley:hush@host:99999/motley"),
        ("backups", "data/hush; 24; 7"),
        ("keep_days", "99999999999999999999"),
        ("metrics", "70000"),
        ("token", "hush\nhush"),
        ("api", "http://host:99999"),
        ("contact", "hush\nhush"),
    ],
)
def test_every_program_refuses_before_it_creates_anything(
    setting: str, value: str, monkeypatch: pytest.MonkeyPatch, refusal_of: Callable[[Program], str]
) -> None:
    if setting != "token":
        monkeypatch.setattr(play, "has_token", lambda path: False)
    monkeypatch.setenv(variable_name(setting), value)
    for program in programs(setting):
        sentence = refusal_of(program)
        assert variable_name(setting) in sentence
        assert SECRET not in sentence


@pytest.mark.parametrize("address", ["PostgreSQL://motley:hush@host/motley", "postgresql://motley:hush@host:99999/x"])
def test_a_database_on_the_command_line_is_judged_like_the_setting(
    address: str, refusal_of: Callable[[Program], str]
) -> None:
    for arguments in (["--database", address, "check"], ["move", "--to", address], ["move", "--from", address]):
        sentence = refusal_of(lambda given=arguments: motley.__main__.main(given))  # type: ignore[misc]
        assert "PostgreSQL address" in sentence or "port" in sentence
        assert SECRET not in sentence


@pytest.mark.parametrize(("setting", "value"), OWN)
def test_the_playground_understands_its_own_settings_or_refuses_them(
    setting: str, value: str, monkeypatch: pytest.MonkeyPatch, refusal_of: Callable[[Program], str]
) -> None:
    monkeypatch.setattr(play, "has_token", lambda path: False)
    monkeypatch.setattr(play, "run_on_playground", lambda arguments: _understood())
    monkeypatch.setenv(variable_name(setting, "MOTLEY_PLAYGROUND_"), value)
    try:
        sentence = refusal_of(play.main)
    except AssertionError:
        load_settings(play.PlaygroundSettings)
    else:
        assert variable_name(setting, "MOTLEY_PLAYGROUND_") in sentence


async def _understood() -> int:
    return 0


# The file


LINES = "DISCORD_TOKEN=hush\nMOTLEY_CONTACT=Zoë\n"


def test_a_file_in_utf_8_is_read_with_and_without_a_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    for encoding in ("utf-8", "utf-8-sig"):
        (tmp_path / ".env").write_bytes(LINES.replace("\n", "\r\n").encode(encoding))
        found = load_settings(Settings)
        assert (found.token.get_secret_value(), found.contact) == ("hush", "Zoë")
        assert play.has_token(tmp_path / ".env")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (LINES.encode("latin-1"), "not UTF-8"),
        (LINES.encode("utf-16"), "UTF-16"),
        (LINES.encode("utf-16-le"), "not UTF-8"),
        (LINES.encode("utf-16-be"), "not UTF-8"),
        (LINES.encode("utf-32"), "not UTF-8"),
        (b"DISCORD_TOKEN: hush\n", "Line 1 of .env"),
        (b"MOTLEY_CONTACT=x\nDISCORD_TOKEN='hush\n", "Line 2 of .env"),
        (b"DISCORD_TOKEN='hush\nhush'\n", "DISCORD_TOKEN contains a line break"),
        (None, "is a folder"),
    ],
)
def test_a_file_that_is_not_understood_is_refused_by_every_program(
    content: bytes | None,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refusal_of: Callable[[Program], str],
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    file = tmp_path / ".env"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    is_about_token = sentence.startswith("DISCORD_TOKEN")
    readers: list[Program] = [bot.main, lambda: motley.__main__.main(["emoji"])]
    for program in readers:
        answer = refusal_of(program)
        assert sentence in answer
        assert SECRET not in answer
    others: list[Program] = [play.main, lambda: motley.__main__.main(["check"]), lambda: live.__main__.main(["1"])]
    for program in () if is_about_token else others:  # the owner's commands need no token
        assert sentence in refusal_of(program)


def test_a_backup_folder_is_no_file_and_not_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "list.txt").touch()
    for database, backups in (("x.db", "list.txt"), ("data/x.db", "data/../data/x.db, 24, 7"), ("postgres://h/x", "b")):
        monkeypatch.setenv("MOTLEY_DATABASE", database)
        monkeypatch.setenv("MOTLEY_BACKUPS", backups)
        with pytest.raises(SettingsError, match="MOTLEY_BACKUPS"):
            load_settings(Settings)


@pytest.mark.parametrize(
    "location",
    [
        *(
            "data/motley.db",
            "motley.db",
            "./motley.db",
            "../x/motley.db",
            "/var/lib/motley/motley.db",
            "2024 data/x.db",
        ),
        *(
            "café/ü.db",
            "/home/me@corp/x.db",
            "data/host=3.db",
            "postgres/motley.db",
            "a{b}.db",
            "data/v1.0/motley-2.db",
        ),
        *("postgresql://u:p@h/db", "postgres://u:p@h:5433/db?sslmode=require", "postgresql://u:p@[::1]:5432/db"),
        *("postgresql://u:p@[::1]/db", "postgresql://u:p%40%2F%3F%23%25@h/db", "postgresql://u:p$w!x&y=1;:@h/db"),
        *(
            "postgresql:///db?host=/var/run/postgresql",
            "postgresql://u:p@%2Fvar%2Frun/db",
            "postgresql://u:p@a,b:5433/x",
        ),
        *("postgresql://u:p@h/db?sslrootcert=/etc/ca.pem", "postgresql://u@/db", "postgresql://u:p@h/my%20db"),
    ],
)
def test_an_ordinary_place_is_understood(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTLEY_DATABASE", f" {location} ")
    database = load_settings(Settings).database
    if isinstance(database, Path):
        assert database == Path(location)
    else:
        assert database.get_secret_value() == location


@pytest.mark.parametrize("path", ["me@corp/x.db", "host=3.db", "backup:2024/x.db"])
def test_a_path_that_could_be_an_address_is_understood_as_its_refusal_says(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTLEY_DATABASE", path)
    with pytest.raises(SettingsError, match=r"write \./ before a path"):
        load_settings(Settings)
    monkeypatch.setenv("MOTLEY_DATABASE", f"./{path}")
    assert load_settings(Settings).database == Path(path)
