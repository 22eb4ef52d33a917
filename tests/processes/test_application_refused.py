"""Discord refuses the whole application: a token that was reset, a block of all requests, a second bot on one token."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path

import pytest

from playground.page.client import PlaygroundClient
from playground.server import Playground
from playground.simulation.faults import CountedFault
from tests.processes.bot_process import ROOT, BotProcess, query_file, running_bot, visited_playground
from tests.processes.playing import PlayedTable, moved_seats
from tests.processes.test_starting import has_only_sentences, wait_log_line

FOREVER = 10**9
GAMES = ("jokers", "court")


def lost_surfaces(bot: BotProcess) -> list[tuple[str, ...]]:
    return query_file(bot.database, "SELECT kind, lost FROM surfaces WHERE lost <> ''")


def sent_requests(playground: Playground, since: int) -> int:
    """How many requests with the bot's token were sent since that number of the log."""
    entries = [
        each for each in playground.simulation.request_log.entries_since(since) if each["direction"] != "server→bot"
    ]
    return sum(not each["path"].startswith(("/interactions", "/webhooks")) for each in entries)


async def open_tables(visitor: PlaygroundClient, bot: BotProcess) -> list[PlayedTable]:
    return [await PlayedTable.start_match(visitor, bot.database, game) for game in GAMES]


@pytest.mark.parametrize("first", ["rest", "gateway"])
async def test_a_token_that_is_reset_ends_the_bot_and_the_new_one_goes_on(tmp_path: Path, first: str) -> None:
    async with visited_playground() as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "motley.db")
        await bot.start()
        try:
            await visitor.wait_bot_ready()
            tables = await open_tables(visitor, bot)
            playground.simulation.reset_token(gateway=first == "gateway")
            if first == "rest":
                await asyncio.gather(*(table.make_move() for table in tables))
            async with asyncio.timeout(60):
                assert await bot.wait_ended() == 2
            errors = [line for line in bot.log_lines if "ERROR" in line]
            assert len(errors) == 1, bot.state_text()
            assert "The token was reset" in errors[0]
            assert has_only_sentences(bot), bot.log_lines
            assert not lost_surfaces(bot)
            bot.environment["DISCORD_TOKEN"] = playground.simulation.token
            playground.simulation.gateway.change_token(playground.simulation.token)
            bot.log_lines.clear()
            await bot.start()
            await wait_log_line(bot, "matches checked", 60)
            before = len(moved_seats(bot.database))
            for table in tables:
                assert await table.make_move("hand")
            assert len(moved_seats(bot.database)) == before + len(tables)
            assert not lost_surfaces(bot)
            assert await bot.kill(signal.SIGTERM) == 0
        finally:
            await bot.end()


def service_value(name: str) -> str:
    (found,) = re.findall(rf"^{name}=(.*)$", (ROOT / "docs" / "motley.service").read_text(), re.MULTILINE)
    return str(found)


def program_of(service: str) -> list[str]:
    """What systemd or Docker starts, without the path to Python."""
    if service == "systemd":
        python, *rest = service_value("ExecStart").split()
    else:  # the compose files leave the image's own entry as it is
        assert not [compose.name for compose in ROOT.glob("compose*.yaml") if "command:" in compose.read_text()]
        python, *rest = json.loads(re.findall(r"^CMD (\[.*?\])$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[-1])
    assert python.endswith("python")
    return [str(ROOT / each) if each.endswith(".py") else each for each in rest]


@pytest.mark.parametrize("service", ["systemd", "docker"])
async def test_a_bot_whose_token_was_reset_is_not_started_over_and_over(tmp_path: Path, service: str) -> None:
    async with visited_playground() as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "motley.db")
        bot.program = program_of(service)
        bot.environment["PYTHONSAFEPATH"] = "1"  # as .env may say
        await bot.start()
        try:
            await visitor.wait_bot_ready()
            playground.simulation.reset_token()
            await wait_log_line(bot, "The token was reset", 60)
            if service == "systemd":
                assert str(await bot.wait_ended()) in service_value("RestartPreventExitStatus").split()
                return
            assert "which only you can fix. It starts again in 1 min" in await wait_log_line(bot, "The bot ended")
            await asyncio.sleep(2)
            assert bot.is_running
            assert len([line for line in bot.log_lines if "Motley" in line and "Python" in line]) == 1, (
                "it started again"
            )
            assert await bot.kill(signal.SIGTERM) == 0
        finally:
            await bot.end()


async def test_a_token_that_one_answer_alone_calls_void_ends_nothing(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        (table, _) = await open_tables(visitor, bot)
        bot.playground.simulation.faults.start_server_errors(1, 401, "^/channels/")
        await table.make_move()
        await asyncio.sleep(2)
        bot.playground.simulation.faults.clear()
        assert await table.make_move("hand")
        assert not lost_surfaces(bot)
        assert not [line for line in bot.log_lines if "ERROR" in line], bot.log_lines
        assert await bot.kill(signal.SIGTERM) == 0


async def test_a_token_that_the_login_refuses_once_ends_nothing(tmp_path: Path) -> None:
    async with visited_playground() as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "motley.db")
        playground.simulation.faults.start_server_errors(1, 401, "^/users/@me$")
        await bot.start()
        try:
            await visitor.wait_bot_ready()
            assert "Retrying in 1 s" in await wait_log_line(bot, "does not accept the token")
            assert not [line for line in bot.log_lines if "ERROR" in line], bot.log_lines
            assert has_only_sentences(bot), bot.log_lines
            assert await bot.kill(signal.SIGTERM) == 0
        finally:
            await bot.end()


async def test_a_valid_token_that_the_gateway_refuses_once_ends_nothing(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        await wait_log_line(bot, "matches checked", 60)
        (table, _) = await open_tables(visitor, bot)
        bot.log_lines.clear()
        gateway = bot.playground.simulation.gateway
        gateway.change_token(bot.playground.simulation.token)  # closes with 4004, though the token stays the same
        await wait_log_line(bot, "does not accept the token")
        await wait_log_line(bot, "matches checked", 60)
        await table.make_move("hand")
        assert await table.make_move("hand")
        assert not lost_surfaces(bot)
        assert not [line for line in bot.log_lines if "ERROR" in line], bot.log_lines
        assert has_only_sentences(bot), bot.log_lines
        assert await bot.kill(signal.SIGTERM) == 0


@pytest.mark.parametrize("form", [CountedFault.BLOCKED, CountedFault.BARE_RATE_LIMIT], ids=str)
async def test_while_discord_blocks_the_application_the_bot_waits_and_goes_on_after_it(
    tmp_path: Path, form: CountedFault
) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        playground, faults = bot.playground, bot.playground.simulation.faults
        tables = await open_tables(visitor, bot)
        faults.start_counted(form, FOREVER)
        await asyncio.gather(*(table.make_move() for table in tables))
        await wait_log_line(bot, "Discord blocks all requests")
        await asyncio.sleep(0.5)
        log = playground.simulation.request_log
        since = max(entry["n"] for entry in log.entries_since(0))
        moves = len(moved_seats(bot.database))
        await asyncio.gather(*(table.make_move() for table in tables))
        assert len(moved_seats(bot.database)) == moves + len(tables), "what people do is saved"
        await asyncio.sleep(6)
        assert sent_requests(playground, since) <= 2, "only probes are sent, and seldom"
        faults.start_counted(form, 0)
        await wait_log_line(bot, "accepts the requests of this application again")
        for table in tables:
            assert await table.make_move("hand")
        lines = [line for line in bot.log_lines if "blocks all requests" in line]
        assert len(lines) == 1, lines
        assert not [line for line in bot.log_lines if "KeyError" in line or "ERROR" in line], bot.log_lines
        assert not lost_surfaces(bot)
        check = await visitor.player("Ada").run_command("motley check", "games")
        assert "blocked all my requests" in check.reply.text
        assert await bot.kill(signal.SIGTERM) == 0


async def test_a_second_bot_with_the_same_token_is_noticed_and_said(tmp_path: Path) -> None:
    async with visited_playground() as (playground, visitor):
        bots = [BotProcess(playground, tmp_path / name / "motley.db") for name in ("one", "two")]
        for bot in bots:
            bot.database.parent.mkdir()
            await bot.start()
        try:
            await visitor.wait_bot_ready()
            await asyncio.gather(*(wait_log_line(bot, "Ready:", 60) for bot in bots))
            async with asyncio.timeout(60):
                while not (noticed := [bot for bot in bots if any("second one" in line for line in bot.log_lines)]):
                    await visitor.player("Ada").run_command("motley help", "games")
            for bot in noticed:
                (line,) = [line for line in bot.log_lines if "Another process answers this bot's clicks" in line]
                assert "WARNING" in line
            assert not [line for bot in bots for line in bot.log_lines if "ERROR" in line]
        finally:
            for bot in bots:
                await bot.end()
