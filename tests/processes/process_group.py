"""Several unmodified bots on one PostgreSQL, what their database says, and who writes of what another looks after."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from engines.store.partition import GUILD_SHIFT
from playground.server import Playground
from tests.postgres_server import PostgresServer
from tests.processes.bot_process import BotProcess
from tests.storage.contract.kinds import to_postgres_sql

# Who shares a lock for as long as they run listens on that connection.
DEAFEN_SQL = """
SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""

OPEN_TRANSACTIONS_SQL = "SELECT pid, xact_start::text FROM pg_stat_activity WHERE state = 'idle in transaction'"
ENDED_TEXT = "Ended."  # the last that is said if all went well
UP_SECONDS = 120.0  # seconds for a process to be there on a busy machine
MAX_SECONDS = 30.0  # seconds until each process is known by its name
CATCH_TRIES, CATCH_SECONDS = 150, 0.08  # how often one is waited for, and seconds in which one that goes on ends


@dataclass
class BotProcessGroup:
    """So many processes on one database; each comes to the playground by a door of its own."""

    server: PostgresServer
    bots: dict[str, BotProcess]
    is_dead: bool = False
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _raw: asyncpg.Connection[asyncpg.Record] | None = None

    @classmethod
    @asynccontextmanager
    async def start_group(
        cls, number: int, playground: Playground, server: PostgresServer, folder: Path
    ) -> AsyncIterator[BotProcessGroup]:
        bots = {f"bot {each}": BotProcess(playground, folder / f"unused-{each}.db") for each in range(1, number + 1)}
        for name, bot in bots.items():
            bot.environment |= {"MOTLEY_API": await playground.open_process_api(name), "MOTLEY_SHARDS": "auto"}
            bot.environment["MOTLEY_DATABASE"] = named_address(server.address(), name)
        group = cls(server, bots)
        thread = threading.Thread(target=group._loop.run_forever, name="asks PostgreSQL", daemon=True)
        thread.start()
        try:
            await asyncio.gather(*(bot.start() for bot in bots.values()))
            yield group
        finally:
            for bot in bots.values():
                await bot.end()
            asyncio.run_coroutine_threadsafe(group._close_connection(), group._loop).result()
            group._loop.call_soon_threadsafe(group._loop.stop)
            thread.join()
            group._loop.close()

    def now(self) -> int:
        return int(time.time())

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database says; `?` stands for values. Raises TimeoutError while PostgreSQL is out."""
        return asyncio.run_coroutine_threadsafe(self._query(to_postgres_sql(sql), values), self._loop).result()

    async def watch_trespasses(self) -> None:
        """Wait until all are there; from now on it is seen who writes of what another process looks after."""
        await asyncio.gather(*map(self._wait_until_ready, self.bots.values()))
        self.query(WATCH_SQL)
        async with asyncio.timeout(MAX_SECONDS):
            while self.query(KNOWN_SQL) != [(len(self.bots),)]:  # noqa: ASYNC110  # each is known by its next beat
                await asyncio.sleep(0.1)

    async def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        try:
            if self._raw is None or self._raw.is_closed():
                self._raw = await asyncpg.connect(self.server.address())
            if sql == WATCH_SQL:  # several statements, of which none says anything
                await self._raw.execute(sql)
                return []
            return [tuple(row) for row in await self._raw.fetch(sql, *values)]
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise TimeoutError from error

    async def _close_connection(self) -> None:
        if self._raw is not None:
            try:
                await self._raw.close(timeout=5)
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                self._raw.terminate()
                await asyncio.sleep(0.1)  # until its transport is closed, too

    # What befalls them

    async def start_bot(self, name: str) -> None:
        """Start it again, and wait until it looks after its servers: else another fault would not find it there."""
        bot = self.bots[name]
        before = len(bot.log_lines)
        await bot.start()
        await self._wait_until_ready(bot, before)

    async def _wait_until_ready(self, bot: BotProcess, before: int = 0) -> None:
        try:
            async with asyncio.timeout(UP_SECONDS):
                while not any("Ready:" in line for line in bot.log_lines[before:]):
                    assert bot.is_running, f"It was not there yet. {bot.state_text()}"
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"It is not there after {UP_SECONDS:.0f} s. {bot.state_text()}") from None

    async def freeze_bot(self, name: str) -> None:
        os.kill(self.bots[name].pid, signal.SIGSTOP)

    async def freeze_in_a_transaction(self, name: str) -> bool:
        """It stands still, as soon as it is caught in the midst of a transaction; whether it was."""
        for _ in range(CATCH_TRIES):
            await self.freeze_bot(name)
            before = set(self.query(OPEN_TRANSACTIONS_SQL))
            await asyncio.sleep(CATCH_SECONDS)
            if before & set(self.query(OPEN_TRANSACTIONS_SQL)):  # a running process has ended its own by now
                return True
            await self.thaw_bot(name)
            await asyncio.sleep(random.uniform(0, CATCH_SECONDS))
        await self.freeze_bot(name)
        return False

    async def thaw_bot(self, name: str) -> None:
        os.kill(self.bots[name].pid, signal.SIGCONT)

    async def restart_bot(self, name: str) -> None:
        bot = self.bots[name]
        assert bot.is_running, f"{name} was not told to end yet. {bot.state_text()}"
        before = len(bot.log_lines)
        status = await bot.kill(signal.SIGTERM)
        assert status == 0, f"{name} was told to end. {bot.state_text()}"
        ended = any(line.endswith(ENDED_TEXT) for line in bot.log_lines[before:])
        assert ended, f"{name} was told to end. {bot.state_text()}"
        await self.start_bot(name)


_SURFACE = "INSERT OR DELETE OR UPDATE OF channel, message, nonce, old, called"
WATCH_SQL = f"""
CREATE SCHEMA watch;
CREATE TABLE watch.names (process bigint PRIMARY KEY, name text NOT NULL);
CREATE TABLE watch.trespasses (what text NOT NULL, of text NOT NULL, by text NOT NULL, held text NOT NULL);

CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO watch.names VALUES (NEW.process, current_setting('watch.name', TRUE)) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION watch.look() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    written record := coalesce(NEW, OLD);
    told jsonb := to_jsonb(coalesce(NEW, OLD));
    holder text;
BEGIN
    SELECT name INTO holder FROM public.matches
        JOIN public.leases ON part = (guild >> {GUILD_SHIFT}) % parts LEFT JOIN watch.names ON process = leases.holder
        WHERE match = written.match;
    IF NOT FOUND OR holder IS NULL OR holder = current_setting('watch.name', TRUE) THEN
        RETURN NULL;
    END IF;
    IF told ->> 'kind' = 'lobby' AND told ->> 'nonce' = '' AND told ->> 'old' = '0' AND TG_OP <> 'DELETE' THEN
        RETURN NULL;
    END IF;
    INSERT INTO watch.trespasses
        VALUES (TG_OP || ' ' || TG_TABLE_NAME, told, current_setting('watch.name', TRUE), holder);
    RETURN NULL;
END $$;

CREATE TRIGGER note AFTER INSERT OR UPDATE ON public.processes FOR EACH ROW EXECUTE FUNCTION watch.note();
CREATE TRIGGER look AFTER {_SURFACE} ON public.surfaces FOR EACH ROW EXECUTE FUNCTION watch.look();
CREATE TRIGGER look AFTER INSERT OR DELETE OR UPDATE ON public.mentions FOR EACH ROW EXECUTE FUNCTION watch.look();
"""
KNOWN_SQL = "SELECT count(*) FROM watch.names"
TRESPASSES_SQL = "SELECT what, of, by, held FROM watch.trespasses"


def named_address(address: str, name: str) -> str:
    return f"{address}&watch.name={name.replace(' ', '-')}"
