"""The project's image, built and run by podman as compose.yaml says, on a stand-in for its base.

No registry is asked for `python:3.11-slim`: a plain Debian with the same Python takes its place, under its name. The
packages that requirements/postgres.txt names are downloaded first and lie in that stand-in, so pip needs no network.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from tests.processes.bot_process import ROOT

TOOLS = ("catatonit", "debootstrap", "podman", "runc")
NAME = "motley"  # of the image, and of its container
BASE, SUITE = "python:3.11-slim", "bookworm"  # this release of Debian has Python 3.11
PACKAGES = "ca-certificates,python-is-python3,python3,python3-pip"
WHEELS = "wheels"  # in the root folder of the stand-in
LONGEST = 600.0  # seconds that any command may take

# The machine may be a container itself: without systemd, and without the right to raise its limits.
ENGINE = """
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
tmp_dir = "{folder}/tmp"
"""
STORAGE = """
[storage]
driver = "vfs"
graphroot = "{folder}/graph"
runroot = "{folder}/run"
"""
# Each line of compose.yaml's service as options of podman's. A new line there fails the test until it is translated.
OPTIONS = {
    "build: .": (),
    "env_file: .env": (),  # it is where the project was copied to
    'volumes: ["data:/data"]': ("--volume=data:/data",),
    "init: true": ("--init",),
    "read_only: true": ("--read-only",),
    "tmpfs: [/tmp]": ("--tmpfs=/tmp",),
    "cap_drop: [ALL]": ("--cap-drop=ALL",),
    'security_opt: ["no-new-privileges:true"]': ("--security-opt=no-new-privileges:true",),
    "restart: unless-stopped": (),  # podman refuses it to what runs once, such as a restore
    "stop_grace_period: 30s": ("--stop-timeout=30",),
    "logging:": (),
    "  driver: local": (),  # Docker's own way to keep logs
}


class CommandFailed(Exception):
    def __init__(self, result: subprocess.CompletedProcess[str]) -> None:
        super().__init__(f"{' '.join(result.args)}\nended with {result.returncode}:\n{result.stdout}\n{result.stderr}")
        self.status = result.returncode


def missing_prerequisites() -> str:
    """What this machine lacks to build the image, as a sentence; empty if it lacks nothing."""
    tools = [tool for tool in TOOLS if shutil.which(tool) is None]
    if tools:
        return f"The image was not built: {', '.join(tools)} cannot be found."
    if os.geteuid() != 0:
        return "The image was not built: only root can make the Debian that it is built on."
    return ""


def run(*command: str, **environment: str) -> str:
    env = {**os.environ, **environment}
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=LONGEST)
    if result.returncode:
        raise CommandFailed(result)
    return result.stdout


class Containers:
    """A store of podman's of our own, and a copy of the project that is built into an image there."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "motley"
        self.data = folder / "graph" / "volumes" / "data" / "_data"
        self._folder = folder
        self._environment = {
            "BUILDAH_FORMAT": "docker",  # the other format has no health check
            "BUILDAH_ISOLATION": "chroot",
            "BUILDAH_LAYERS": "false",
            "CONTAINERS_CONF": str(folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
        }

    @classmethod
    @asynccontextmanager
    async def opened(cls) -> AsyncIterator[Self]:
        with TemporaryDirectory(prefix="motley-") as name:
            folder = Path(name)
            (folder / "containers.conf").write_text(ENGINE.format(folder=folder))
            (folder / "storage.conf").write_text(STORAGE.format(folder=folder))
            containers = cls(folder)
            try:
                containers._copy_project()
                await containers._make_base()
                yield containers
            finally:
                await containers.podman("rm", "--all", "--force", "--time", "0")

    async def podman(self, *arguments: str) -> str:
        return await asyncio.to_thread(run, "podman", *arguments, **self._environment)

    async def log(self) -> str:
        return await asyncio.to_thread(run, "sh", "-c", f"podman logs {NAME} 2>&1", **self._environment)

    async def build(self) -> None:
        await self.podman("build", "--pull=never", f"--tag={NAME}", str(self.project))

    async def start(self, **settings: str) -> None:
        """Start a container of the image as compose.yaml says, with these settings in place of its own."""
        changed = [f"--env={name}={value}" for name, value in settings.items()]
        await self.podman("run", "--detach", f"--name={NAME}", *self.options(), *changed, NAME)

    def options(self) -> list[str]:
        """What compose.yaml says, as options of podman's; and the machine's own network, in which the playground is."""
        options = as_options((ROOT / "compose.yaml").read_text(encoding="utf-8"))
        return ["--network=host", f"--env-file={self.project / '.env'}", *options]

    def _copy_project(self) -> None:
        """Copy what git knows of: no token and no data of this machine's owner gets near the image."""
        known = run("git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
        for name in filter(lambda name: (ROOT / name).is_file(), known):
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.project / name)

    async def _make_base(self) -> None:
        root, packed = self._folder / "base", self._folder / "base.tar"
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(root), _mirror())
        wheels = ("--no-deps", "--only-binary=:all:", "--python-version=3.11", f"--dest={root / WHEELS}")
        required = ("--require-hashes", "-r", str(ROOT / "requirements" / "postgres.txt"))
        run(sys.executable, "-m", "pip", "download", "--quiet", *wheels, *required)
        run("tar", "-C", str(root), "-cf", str(packed), ".")
        shutil.rmtree(root)
        settings = ("--change", "ENV PIP_NO_INDEX=1", "--change", f"ENV PIP_FIND_LINKS=/{WHEELS}")
        await self.podman("import", *settings, str(packed), f"docker.io/library/{BASE}")
        packed.unlink()


def _mirror() -> str:
    suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
    for line in run("apt-get", "indextargets", "--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)").splitlines():
        release, component, address = line.split(" ", 2)
        if (release, component) == (suite, "main"):
            return address
    raise LookupError(f"apt names no source of {suite}.")


def as_options(compose: str) -> list[str]:
    service = compose.partition("\n  motley:\n")[2].partition("\nvolumes:\n")[0]
    lines = [line.partition(" #")[0].removeprefix("    ") for line in service.splitlines()]
    start = lines.index("environment:")
    settings = [line.strip() for line in takewhile(lambda line: line.startswith("  "), lines[start + 1 :])]
    others = lines[:start] + lines[start + 1 + len(settings) :]
    found = [f"--env={name}={value.strip(chr(34))}" for name, value in (line.split(": ", 1) for line in settings)]
    return [*found, *(option for line in others for option in OPTIONS[line])]
