"""Opening a PostgreSQL database, or refusing it in a sentence that does not name the address."""

from __future__ import annotations

import asyncio
import socket
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

import storage
from storage import DatabaseAway, StorageError
from storage.postgres import Database
from storage.postgres.connection import errors
from storage.postgres.connection.address import DatabaseAddress
from storage.postgres.connection.schema import load_own_migrations
from storage.postgres.database import EXCLUSIVE_LOCK
from storage.shared.numbered_migrations import Migration
from tests.postgres_server import PostgresServer

NUMBERS = [each.number for each in load_own_migrations()]


async def open_and_close(address: str, *migrations: Migration) -> None:
    async with Database.open(address, clock=lambda: 7, migrations=migrations or None):
        pass


async def open_refused(address: str, *migrations: Migration) -> str:
    with pytest.raises(StorageError) as caught:
        await open_and_close(address, *migrations)
    assert address not in str(caught.value)
    return str(caught.value)


async def query(address: str, statement: str) -> list[tuple[Any, ...]]:
    raw = await asyncpg.connect(address)
    try:
        return [tuple(row) for row in await raw.fetch(statement)]
    finally:
        await raw.close()


@pytest.fixture
def empty(postgres: PostgresServer, address: str) -> str:
    postgres.run_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public", address.partition("@/")[2].partition("?")[0])
    return address


async def migration_numbers(address: str) -> list[int]:
    return [row[0] for row in await query(address, "SELECT number FROM schema_migrations ORDER BY 1")]


async def test_one_of_eight_simultaneous_starts_creates_the_tables(empty: str) -> None:
    await asyncio.gather(*(open_and_close(empty) for _ in range(8)))
    assert await migration_numbers(empty) == NUMBERS


async def test_a_failing_migration_leaves_nothing_of_it_and_can_be_tried_again(empty: str) -> None:
    first, *_ = load_own_migrations()
    second = Migration(2, "0002_more", "CREATE TABLE more (x bigint); SELECT 1 / 0")
    assert "DivisionByZeroError" in await open_refused(empty, first, second)
    await open_and_close(empty, first, replace(second, sql="CREATE TABLE more (x bigint)"))
    assert await migration_numbers(empty) == [1, 2]


async def test_a_newer_layout_is_refused_and_left_alone(address: str) -> None:
    newer = len(NUMBERS) + 1
    await query(address, f"INSERT INTO schema_migrations VALUES ({newer}, 'x', 0, '', {newer})")
    assert await open_refused(address) == errors.NEWER.format(done=newer, known=newer - 1)


@pytest.mark.parametrize(
    ("sql", "missing"),
    [
        ("INDEX due_next", "due_next"),
        ("TRIGGER moves_in_order ON moves", "moves_in_order"),
        ("COLUMN missed", "seats.missed"),
    ],
)
async def test_missing_tables_and_columns_are_named(address: str, sql: str, missing: str) -> None:
    await query(address, f"ALTER TABLE seats DROP {sql}" if "COLUMN" in sql else f"DROP {sql}")
    assert await open_refused(address) == errors.LAYOUT_CHANGED.format(missing=missing)


async def test_other_tables_are_left_alone(empty: str) -> None:
    await query(empty, "CREATE TABLE recipes (x text)")
    assert await open_refused(empty) == errors.FOREIGN_TABLES


async def test_one_that_answers_before_it_has_written_is_refused(postgres: PostgresServer, address: str) -> None:
    name = address.partition("@/")[2].partition("?")[0]
    await query(address, f"ALTER DATABASE {name} SET synchronous_commit = off")
    assert await open_refused(address) == errors.ASYNC_COMMITS


async def test_a_database_that_is_being_moved_is_left_alone(address: str) -> None:
    moving = await asyncpg.connect(address)
    assert await moving.fetchval("SELECT pg_try_advisory_lock($1)", EXCLUSIVE_LOCK)
    assert await open_refused(address) == errors.BEING_MOVED
    await moving.close()
    async with storage.open_store(address, clock=lambda: 7), storage.open_store(address, clock=lambda: 7) as second:
        assert not second.ownership.is_only_process, "as many as one likes"


async def test_a_missing_database_is_explained(postgres: PostgresServer, tmp_path: Path) -> None:
    for address, sentence in (
        (postgres.address("nowhere"), errors.NO_DATABASE),
        (postgres.address().replace("motley@", "stranger:hush-hush@"), errors.LOGIN_REFUSED),
        (f"postgresql://motley@/x?host={tmp_path}", errors.NOT_REACHED.format(why="the socket does not exist")),
        ("postgresql://motley:hush-hush@localhost:1/x", errors.NOT_REACHED.format(why="nothing listens on that port")),
        ("postgresql://motley:hush-hush@localhost:port/x", errors.ADDRESS),
    ):
        assert await open_refused(address) == sentence


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (asyncpg.InvalidPasswordError("password authentication failed"), errors.LOGIN_REFUSED),
        (asyncpg.CannotConnectNowError("the database system is starting up"), errors.NOT_NOW),
        (asyncpg.TooManyConnectionsError("sorry, too many clients already"), errors.NOT_NOW),
        (asyncpg.InsufficientPrivilegeError("permission denied for schema public"), "may not do that"),
        (TimeoutError(), errors.NOT_REACHED.format(why="it does not answer")),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), "certificate is not trusted"),
    ],
)
def test_each_error_is_told_in_a_sentence(error: Exception, sentence: str) -> None:
    with pytest.raises(StorageError) as caught, errors.as_storage_error():
        raise error
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("error", "is_away"),
    [
        (asyncpg.CannotConnectNowError("the database system is starting up"), True),
        (asyncpg.TooManyConnectionsError("sorry, too many clients already"), True),
        (asyncpg.AdminShutdownError("terminating connection due to administrator command"), True),
        (asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"), True),
        (asyncpg.InterfaceError("connection is closed"), True),
        (TimeoutError(), True),
        (ConnectionRefusedError(), True),
        (FileNotFoundError(), True),
        (socket.gaierror(-3, "Temporary failure in name resolution"), True),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), False),
        (ConnectionError("PostgreSQL server rejected SSL upgrade"), False),
        (PermissionError(13, "Permission denied"), False),
        (asyncpg.ClientConfigurationError("invalid port"), False),
        (asyncpg.InvalidPasswordError("password authentication failed"), False),
        (asyncpg.InvalidCatalogNameError("database does not exist"), False),
        (asyncpg.InsufficientPrivilegeError("permission denied"), False),
        (asyncpg.UndefinedTableError("relation does not exist"), False),
    ],
)
def test_a_server_is_waited_for_only_if_it_may_come_back_by_itself(error: Exception, is_away: bool) -> None:
    with pytest.raises(StorageError) as caught, errors.as_storage_error():
        raise error
    assert isinstance(caught.value, DatabaseAway) is is_away
    assert "invalid port" not in str(caught.value)


# TLS


@pytest.mark.parametrize(
    ("address", "protected"),
    [
        ("postgresql://m:x@db.example/motley", True),
        ("postgres://m:x@10.0.0.7:5432/motley", True),
        ("postgresql://m:x@localhost,db.example/motley", True),
        ("postgresql:///motley?host=db.example", True),
        ("postgresql://m:x@db.example/motley?host=localhost", True),  # asyncpg ignores the host after the question mark
        ("postgresql://m:x@localhost/motley?host=db.example", False),
        ("postgresql://m:x@localhost:5433/motley", False),
        ("postgresql://m:x@[::1]:5433/motley", False),
        ("postgresql:///motley?host=/run/postgresql", False),
        ("postgresql://m:x@db.example/motley?sslmode=disable", False),
        ("postgresql://m:x@db.example/motley?sslmode=verify-full", False),  # asyncpg reads that itself
    ],
)
def test_tls_is_asked_for_beyond_this_machine(address: str, protected: bool) -> None:
    read = DatabaseAddress.parse(address)
    assert (read.tls is not None) is protected
    if read.tls is not None:
        assert (read.tls.verify_mode, read.tls.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert "m:x" not in repr(read)


def test_tls_is_asked_for_if_the_environment_names_a_host_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DatabaseAddress.parse("postgresql:///motley").tls is None
    monkeypatch.setenv("PGHOST", "db.example")
    assert DatabaseAddress.parse("postgresql:///motley").tls is not None
    assert DatabaseAddress.parse("postgresql://m:x@localhost/motley").tls is None


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (asyncpg.InvalidPasswordError, 'password authentication failed for user "hush"'),
        (asyncpg.InvalidAuthorizationSpecificationError, 'no pg_hba.conf entry for host "hush", user "hush"'),
        (asyncpg.InvalidCatalogNameError, 'database "hush" does not exist'),
    ],
)
def test_nothing_of_the_address_is_in_the_log_of_a_new_connection(error: type[Exception], text: str) -> None:
    assert errors.describe_error(error(text)) == error.__name__


def test_going_without_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    DatabaseAddress.parse("postgresql://m:x@db.example/motley?sslmode=disable")
    assert errors.UNPROTECTED in caplog.text
    assert "example" not in caplog.text


async def test_a_server_without_tls_is_refused() -> None:
    ended = asyncio.Event()

    async def without(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(8)
        writer.write(b"N")
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        ended.set()

    server = await asyncio.start_server(without, "127.0.0.2", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        assert await open_refused(f"postgresql://motley:hush-hush@127.0.0.2:{port}/x") == errors.NO_TLS
        await ended.wait()
