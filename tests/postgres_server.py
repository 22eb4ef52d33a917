"""A real PostgreSQL from Debian's packages, made, started and stopped; for tests and benches."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NO_POSTGRES_TEXT = (
    "No PostgreSQL here: neither /usr/lib/postgresql/*/bin/initdb nor initdb on the path (apt-get install postgresql)"
)
USER = "motley"
# It must be quick, and forget nothing when it is killed: what the operating system holds outlives that.
OPTIONS = {**dict.fromkeys(("fsync", "full_page_writes", "jit"), "off"), "listen_addresses": ""}
OPTIONS |= {"max_connections": "200", "shared_buffers": "32MB", "log_min_messages": "fatal"}


def find_programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    other = shutil.which("initdb")
    return found[-1].parent if found else Path(other).parent if other else None


@dataclass(frozen=True)
class PostgresServer:
    programs: Path
    folder: Path

    @property
    def copies_through_log(self) -> bool:
        """Whether a database is copied through the log unless another strategy is named: from PostgreSQL 15 on."""
        return int(float((self.folder / "data/PG_VERSION").read_text())) >= 15

    @classmethod
    def create(cls, folder: Path) -> PostgresServer:
        """One that is not started yet, in that empty folder."""
        found = find_programs()
        assert found is not None
        server = cls(found, folder)
        folder.chmod(0o755)
        give_to_server_user(folder)
        server.run("initdb", "-D", str(folder / "data"), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        return server

    def run(self, program: str, *arguments: str, check: bool = True) -> None:
        """Run one of PostgreSQL's programs as somebody who is not root."""
        account, command = _server_user(), [str(self.programs / program), *arguments]
        by: dict[str, Any] = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}
        quiet: dict[str, Any] = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
        subprocess.run(command, cwd=self.folder, check=check, **quiet, **by)

    def start(self, **more: str) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in {**OPTIONS, **more}.items())
        common = ("-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log")
        self.run("pg_ctl", *common, "-o", f"-k {self.folder} {options}", "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; `immediate` is as good as a crash."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop", check=False)

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def run_sql(self, statement: str, database: str = "postgres") -> None:
        self.run("psql", "-q", "-h", str(self.folder), "-U", USER, "-d", database, "-c", statement)


def give_to_server_user(path: Path) -> None:
    """Have that belong to the owner of the server: PostgreSQL does not run as root."""
    if (somebody := _server_user()) is not None:
        os.chown(path, somebody.pw_uid, somebody.pw_gid)


def _server_user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    with suppress(KeyError):
        return pwd.getpwnam("postgres")
    return pwd.getpwnam("nobody")
