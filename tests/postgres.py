"""A real PostgreSQL from Debian's packages, for the tests: one for the whole run, and a database for each test."""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from filelock import FileLock

NONE = (
    "No PostgreSQL here: neither /usr/lib/postgresql/*/bin/initdb nor initdb on the path (apt-get install postgresql)"
)
USER = "motley"
# It must be quick, and forget nothing when it is killed: what the operating system holds outlives that.
OPTIONS = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "jit": "off",
    "log_min_messages": "fatal",
}
ASKED = 0.3  # seconds between two looks at whether the run goes on
TEMPLATE = "motley_template"


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    other = shutil.which("initdb")
    return found[-1].parent if found else Path(other).parent if other else None


@dataclass(frozen=True)
class Server:
    """A running PostgreSQL: its programs, its folder, and the socket in it."""

    programs: Path
    folder: Path

    @classmethod
    def made(cls, folder: Path) -> Server:
        """One that is not started yet, in that empty folder."""
        found = programs()
        assert found is not None
        server = cls(found, folder)
        folder.chmod(0o755)
        if (somebody := _somebody()) is not None:  # PostgreSQL does not run as root
            os.chown(folder, somebody.pw_uid, somebody.pw_gid)
        server.run("initdb", "-D", str(folder / "data"), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        return server

    def run(self, program: str, *arguments: str, check: bool = True) -> None:
        """Run one of PostgreSQL's programs as somebody who is not root."""
        who = _somebody()
        subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=check,
            user=who and who.pw_uid,
            group=who and who.pw_gid,
            extra_groups=[] if who else None,
        )

    def start(self, **more: str) -> None:
        """Start it, and return once it can be used."""
        options = " ".join(f"-c {name}='{value}'" for name, value in {**OPTIONS, **more}.items())
        folder = str(self.folder)
        self.run(
            *("pg_ctl", "-D", f"{folder}/data", "-w", "-l", f"{folder}/log"),
            *("-o", f"-k {folder} {options}", "start"),
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; `immediate` is as good as a crash."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop", check=False)

    def address(self, database: str = "postgres") -> str:
        """Where one of its databases is."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres") -> None:
        """Have it done."""
        self.run("psql", "-q", "-h", str(self.folder), "-U", USER, "-d", database, "-c", statement)


def _somebody() -> pwd.struct_passwd | None:
    """Who runs the server, where the tests are run by root."""
    if os.geteuid() != 0:
        return None
    with suppress(KeyError):
        return pwd.getpwnam("postgres")
    return pwd.getpwnam("nobody")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The run's PostgreSQL: the first worker who needs it has it started, and it ends with the run."""
    found = programs()
    if found is None:
        pytest.skip(NONE)
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    shared = tmp_path_factory.getbasetemp() if worker is None else tmp_path_factory.getbasetemp().parent
    told = shared / "postgres.json"
    with FileLock(f"{told}.lock"):
        if not told.exists():
            run = os.getpid() if worker is None else os.getppid()
            _watched(run, told)
    return Server(found, Path(json.loads(told.read_text())))


@pytest.fixture
def own() -> Iterator[Server]:
    """A server of a test's own, to be crashed."""
    if programs() is None:
        pytest.skip(NONE)
    server = Server.made(Path(tempfile.mkdtemp(prefix="motley-postgres-")))
    server.start()
    yield server
    server.stop()
    shutil.rmtree(server.folder)


def _watched(run: int, told: Path) -> None:
    """Have a process of its own start the server and end it with the run, however that ends."""
    subprocess.run(
        [sys.executable, "-m", "tests.postgres", str(run), str(told)],
        cwd=Path(__file__).parent.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=True,
    )
    for _ in range(600):
        if told.exists():
            return
        time.sleep(0.1)
    pytest.fail("PostgreSQL did not start")


_numbers = count()


@pytest.fixture
def address(postgres: Server) -> Iterator[str]:
    """An empty database, laid out as this version does."""
    name = f"t{os.getpid()}_{next(_numbers)}"
    postgres.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield postgres.address(name)
    postgres.sql(f"DROP DATABASE {name} WITH (FORCE)")


async def _laid_out(server: Server) -> None:
    from storage.postgres import Database  # whoever needs no server need not load it

    async with Database.open(server.address(TEMPLATE), clock=time.time):
        pass


def main(run: int, told: Path) -> None:
    """Keep a server until that process is gone."""
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)
    folder = Path(tempfile.mkdtemp(prefix="motley-postgres-"))
    server = Server.made(folder)
    server.start()
    try:
        server.sql(f"CREATE DATABASE {TEMPLATE}")
        asyncio.run(_laid_out(server))
        part = told.with_suffix(".part")
        part.write_text(json.dumps(str(folder)))
        part.rename(told)
        while _there(run) and told.exists():
            time.sleep(ASKED)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


if __name__ == "__main__" and not os.fork():  # whoever started this waits for nothing
    main(int(sys.argv[1]), Path(sys.argv[2]))
