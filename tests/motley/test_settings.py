"""The settings: each with its default in .env.example, and invalid ones refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from cogs.table.state.person_shares import POSTS_AT_ONCE
from engines.features.takebacks.rules import TakeBackLimits, limits_of
from engines.store.match_store import TableLimits
from engines.store.partition import Partition
from motley.settings import Settings

EXAMPLE = Path(__file__).resolve().parents[2] / ".env.example"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # no .env here
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MOTLEY_{name.upper()}", raising=False)


def test_the_example_holds_the_defaults() -> None:
    lines = dict(re.findall(r"^MOTLEY_(\w+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE))
    settings = Settings()
    assert {name: str(getattr(settings, name.lower())) for name in lines} == lines
    explained = set(re.findall(r"^(?:# )?MOTLEY_(\w+)=", EXAMPLE.read_text(), re.MULTILINE))
    assert explained == {name.upper() for name in Settings.model_fields} - {"TOKEN"}
    limits = settings.lobbies_per_person, settings.lobbies_per_server
    assert limits == (3, 25)
    assert TableLimits(*limits, matches_per_person=settings.matches_per_person) == TableLimits()
    assert settings.posts_per_person == POSTS_AT_ONCE
    assert limits_of(settings.of_features) == TakeBackLimits()


def test_postgresqls_address_is_a_secret_and_everything_else_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("postgresql://motley:hush-hush@db.example/motley", "postgres://motley:hush-hush@/motley"):
        monkeypatch.setenv("MOTLEY_DATABASE", address)
        settings = Settings()
        assert isinstance(settings.database, SecretStr)
        assert settings.database.get_secret_value() == address
        assert "hush-hush" not in repr(settings) + str(settings.database)
    monkeypatch.setenv("MOTLEY_DATABASE", "data/postgresql.db")
    assert Settings().database == Path("data/postgresql.db")


@pytest.mark.parametrize(
    "name",
    [
        "LOBBIES_PER_PERSON",
        "LOBBIES_PER_SERVER",
        "MATCHES_PER_PERSON",
        "POSTS_PER_PERSON",
        "TAKE_BACKS_PER_DECISION",
        "TAKE_BACKS_PER_MATCH",
    ],
)
@pytest.mark.parametrize("value", ["0", "-1", "many", ""])
def test_a_limit_that_allows_no_lobby_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"MOTLEY_{name}", value)
    with pytest.raises(ValidationError):
        Settings()


def test_servers_are_divided_as_it_is_written_and_undivided_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (Settings().shards, Settings().partition) == ("", None)
    monkeypatch.setenv("MOTLEY_SHARDS", "auto")
    assert (Settings().shards, Settings().partition) == ("auto", None)
    monkeypatch.setenv("MOTLEY_SHARDS", "0-7/16")
    assert Settings().partition == Partition(frozenset(range(8)), 16)


@pytest.mark.parametrize("value", ["all", "8", "16/16", "8-16/16"])
def test_shards_that_make_no_sense_are_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MOTLEY_SHARDS", value)
    with pytest.raises(ValidationError, match="0-7/16"):
        Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("SUPPORT", value) for value in ("example.org", "ftp://example.org", "https://a b", "https://x>y")),
        ("PRIVACY", "javascript:alert(1)"),
        ("CONTACT", "x" * 101),
        ("CONTACT", "a\nb"),
        ("COMMANDS", "poker=x"),
        ("COMMANDS", "wizard=jest"),
        ("REPORT_CHANNEL", "-1"),
        ("REPORT_CHANNEL", "#reports"),
    ],
)
def test_texts_of_the_owner_that_people_see_are_checked(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"MOTLEY_{name}", value)
    with pytest.raises(ValidationError):
        Settings()


def test_pages_contact_and_names_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"TERMS": "https://e.example/terms?x=1#y", "CONTACT": "Ada, ada@e.example", "COMMANDS": "wizard=oracle"}
    for name, value in values.items():
        monkeypatch.setenv(f"MOTLEY_{name}", value)
    settings = Settings()
    assert {name: getattr(settings, name.lower()) for name in values} == values
