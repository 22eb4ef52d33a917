"""A real PostgreSQL for the tests: one for the whole run, and a database for each test."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from tests.postgres_server import NO_POSTGRES_TEXT, PostgresServer, find_programs

POLL_SECONDS = 0.3  # seconds between two looks at whether the run goes on
TEMPLATE = "motley_template"


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PostgresServer:
    """The run's PostgreSQL: the first worker who needs it has it started, and it ends with the run."""
    found = find_programs()
    if found is None:
        pytest.skip(NO_POSTGRES_TEXT)
    # The environment does not tell: a run that a test starts inherits it from its worker, and is no worker.
    is_worker = hasattr(request.config, "workerinput")
    shared = tmp_path_factory.getbasetemp().parent if is_worker else tmp_path_factory.getbasetemp()
    address_file = shared / "postgres.json"
    with FileLock(f"{address_file}.lock"):
        if not address_file.exists():
            run = os.getppid() if is_worker else os.getpid()
            _start_watched_server(run, address_file)
    return PostgresServer(found, Path(json.loads(address_file.read_text())))


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A server of a test's own, to be crashed."""
    if find_programs() is None:
        pytest.skip(NO_POSTGRES_TEXT)
    server = PostgresServer.create(Path(tempfile.mkdtemp(prefix="motley-postgres-")))
    server.start()
    yield server
    server.stop()
    shutil.rmtree(server.folder)


def _start_watched_server(run: int, address_file: Path) -> None:
    command, folder = (
        [sys.executable, "-m", "tests.postgres", str(run), str(address_file)],
        Path(__file__).parent.parent,
    )
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    subprocess.run(command, cwd=folder, start_new_session=True, check=True, **quiet)
    for _ in range(600):
        if address_file.exists():
            return
        time.sleep(0.1)
    pytest.fail("PostgreSQL did not start")


_numbers = count()


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """An empty database, laid out as this version does."""
    name = f"t{os.getpid()}_{next(_numbers)}"
    strategy = " STRATEGY FILE_COPY" if postgres.copies_through_log else ""  # a third of the work
    postgres.run_sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}{strategy}")
    yield postgres.address(name)
    postgres.run_sql(f"DROP DATABASE {name} WITH (FORCE)")


async def _create_template(server: PostgresServer) -> None:
    from storage.postgres import Database  # a process that needs no server need not load it

    async with Database.open(server.address(TEMPLATE), clock=time.time):
        pass


def main(run: int, address_file: Path) -> None:
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)
    folder = Path(tempfile.mkdtemp(prefix="motley-postgres-"))
    server = PostgresServer.create(folder)
    server.start()
    try:
        server.run_sql(f"CREATE DATABASE {TEMPLATE}")
        asyncio.run(_create_template(server))
        part = address_file.with_suffix(".part")
        part.write_text(json.dumps(str(folder)))
        part.rename(address_file)
        while _is_running(run) and address_file.exists():
            time.sleep(POLL_SECONDS)
    finally:
        address_file.unlink(missing_ok=True)
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


if __name__ == "__main__" and not os.fork():  # the process that started this does not wait
    main(int(sys.argv[1]), Path(sys.argv[2]))
