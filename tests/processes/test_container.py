"""The image is built from the Dockerfile and run by compose.yaml: a match is played in it, backed up and restored.

This takes podman and a Debian of our own making instead of Docker and its base image (`containers.py`).
"""

from __future__ import annotations

import asyncio

import pytest

from playground.page.client import PlaygroundClient
from tests.motley.test_metrics import free_port
from tests.processes.bot_process import visited_playground
from tests.processes.containers import BASE, NAME, CommandFailed, Containers, missing_prerequisites
from tests.processes.playing import click_first, match_status, moved_seats, open_alone, play_until_all_have_moved
from tests.processes.test_image import DOCKERFILE, SECRET, copied_paths, files_below, is_sent_to_docker

IN_IT = ("exec", NAME)
BACKUP = "/data/backups/by-hand.db"
SECONDS = 90.0


@pytest.mark.timeout(900)
async def test_a_match_is_played_in_a_container_and_goes_on_from_its_backup() -> None:
    if missing := missing_prerequisites():
        pytest.skip(missing)
    bases = {line.split()[1] for line in DOCKERFILE.splitlines() if line.startswith("FROM ")}
    assert bases == {BASE}
    async with Containers.opened() as containers, visited_playground() as (playground, visitor):
        for name in SECRET:
            path = containers.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("secret")
        (containers.project / ".env").write_text(f"DISCORD_TOKEN={playground.simulation.token}\n")
        await containers.build()
        await check_contents(containers)
        await containers.start(MOTLEY_API=playground.api_url, MOTLEY_METRICS=str(free_port()))
        try:
            await play(containers, visitor)
        except TimeoutError as late:
            late.add_note(await containers.log())
            raise


async def check_contents(containers: Containers) -> None:
    """The image holds what it should and nothing else, and says which setting is missing."""
    once = ("run", "--rm", "--network=none", NAME)
    found = (await containers.podman(*once, "find", "/motley", "/data", "-type", "f")).splitlines()
    sources = {name.removeprefix("/motley/") for name in found if not name.endswith(".pyc")}
    wanted = {name for each in copied_paths() for name in files_below(each) if is_sent_to_docker(name)}
    assert sources == wanted - {"requirements/postgres.txt"}, "that one is for the first stage alone"
    assert len(found) > len(sources), "nothing was compiled"
    with pytest.raises(CommandFailed) as failed:
        await containers.podman(*once, "python", "bot.py")
    assert failed.value.status == 2
    assert "DISCORD_TOKEN is missing" in str(failed.value)
    await containers.podman("run", "--detach", f"--name={NAME}", "--network=none", NAME)
    log = ""
    async with asyncio.timeout(SECONDS):
        while "It starts again in 1 min" not in log:  # by the image's own entry
            await asyncio.sleep(0.5)
            log = await containers.log()
    await containers.podman("stop", NAME)
    await containers.podman("rm", NAME)


async def play(containers: Containers, visitor: PlaygroundClient) -> None:
    """Play with computers, back up, play to the result, restore, and play to the result again."""
    ada, database = visitor.player("Ada"), containers.data / "motley.db"
    async with asyncio.timeout(SECONDS):
        await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", SECONDS)
        await visitor.wait_bot_ready()
        await open_alone(ada)
        await play_until_all_have_moved(ada, database)
    assert await containers.podman(*IN_IT, "id", "-u") == "10001\n", "it is nobody in particular"
    with pytest.raises(CommandFailed, match="Read-only file system"):
        await containers.podman(*IN_IT, "touch", "/motley/new")
    await containers.podman("healthcheck", "run", NAME)  # fails if it is not healthy
    await containers.podman(*IN_IT, "python", "-m", "motley", "check")
    then = moved_seats(database)  # before the backup, because computers may still move
    await containers.podman(*IN_IT, "python", "-m", "motley", "backup", BACKUP)
    await play_to_the_result(visitor, containers)

    await containers.podman("stop", NAME)
    assert await containers.podman("wait", NAME) == "0\n"
    await containers.podman("run", "--rm", *containers.options(), NAME, "python", "-m", "motley", "restore", BACKUP)
    assert moved_seats(database)[: len(then)] == then
    assert match_status(database) == "running"
    await containers.podman("start", NAME)
    await play_to_the_result(visitor, containers)
    log = await containers.log()
    assert "Ending." in log
    assert not [line for line in log.splitlines() if "ERROR" in line or "Traceback" in line], log


async def play_to_the_result(visitor: PlaygroundClient, containers: Containers) -> None:
    ada, database = visitor.player("Ada"), containers.data / "motley.db"
    async with asyncio.timeout(SECONDS):
        await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", SECONDS)
        while match_status(database) == "running":
            await click_first(ada)
            await asyncio.sleep(0.1)
