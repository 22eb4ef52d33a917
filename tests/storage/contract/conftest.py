"""Runs every test of the contract on both kinds of storage."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.postgres import TEMPLATE
from tests.postgres_server import PostgresServer
from tests.storage.contract import kinds
from tests.storage.contract.kinds import Database, MatchStore, SqlAccess, SurfaceStore, matches_of, surfaces_of


@pytest.fixture(scope="session")
def shared(postgres: PostgresServer) -> str:
    """One database for all tests of this process; each test finds it empty."""
    name = f"contract_{os.getpid()}"
    postgres.run_sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    return postgres.address(name)


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def transactions() -> list[tuple[int, int]]:
    """The number of writes and of failures in each transaction."""
    return []


@pytest.fixture
async def database(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, transactions: list[tuple[int, int]]
) -> AsyncIterator[Database]:
    address = str(tmp_path / "motley.db") if kind == "sqlite" else request.getfixturevalue("shared")
    async with kinds.open_database(
        kind, address, lambda done, failed, _: transactions.append((done, failed))
    ) as database:
        yield database


@pytest.fixture
def sql(database: Database) -> SqlAccess:
    return SqlAccess(database)


@pytest.fixture
def matches(database: Database) -> MatchStore:
    return matches_of(database)


@pytest.fixture
def surfaces(database: Database) -> SurfaceStore:
    return surfaces_of(database)
