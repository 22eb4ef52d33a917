"""After a lost connection to PostgreSQL the bot reconnects, and never confirms what was not done."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from engines.store.match_store import StoreFailure, UncertainWrite
from storage.postgres import Database, MatchStore, SurfaceStore
from storage.postgres.connection.connection import RawConnection
from tests.postgres_server import PostgresServer
from tests.storage.samples import move_change, start_running

SOCKET = ".s.PGSQL.5432"


class CuttableConnection:
    """A proxy to PostgreSQL that can be cut: at a commit, before or after it is sent."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._writers: list[asyncio.StreamWriter] = []
        self.cut_at_commit = ""  # "before" or "after"
        self.closed = False

    async def handle_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.closed:
            writer.close()
            return
        server_reader, to_there = await asyncio.open_unix_connection(str(self._server))
        self._writers += [writer, to_there]
        await asyncio.gather(self._forward_sent(reader, to_there, writer), self._forward_answers(server_reader, writer))

    async def _forward_sent(
        self, reader: asyncio.StreamReader, server: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(65536):
            if b"COMMIT" in data and self.cut_at_commit:
                moment, self.cut_at_commit = self.cut_at_commit, ""
                back.close()
                if moment == "after":
                    server.write(data)
                    await server.drain()
                    await asyncio.sleep(0.05)
                break
            server.write(data)
        server.close()

    async def _forward_answers(self, server: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await server.read(65536):
            if not writer.is_closing():
                writer.write(data)
        writer.close()

    def cut_all(self) -> None:
        for writer in self._writers:
            writer.close()


@pytest.fixture
async def wire(postgres: PostgresServer, tmp_path: Path) -> AsyncIterator[CuttableConnection]:
    wire = CuttableConnection(postgres.folder / SOCKET)
    server = await asyncio.start_unix_server(wire.handle_connection, tmp_path / SOCKET)
    yield wire
    wire.cut_all()
    server.close()


@pytest.fixture
async def database(
    wire: CuttableConnection, address: str, postgres: PostgresServer, tmp_path: Path
) -> AsyncIterator[Database]:
    async with Database.open(address.replace(str(postgres.folder), str(tmp_path)), clock=lambda: 7) as database:
        yield database


async def test_a_connection_that_was_cut_in_idleness_is_not_noticed(
    database: Database, wire: CuttableConnection
) -> None:
    matches = MatchStore(database)
    info = await start_running(matches)
    wire.cut_all()
    assert await matches.revision("m1") == 1
    wire.cut_all()
    await matches.commit(move_change(info))
    assert await matches.revision("m1") == 2


@pytest.mark.parametrize("call", ["fetch", "fetchrow"])  # the first statement of a batch, and a later one
async def test_a_confused_connection_is_replaced(
    database: Database, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    matches = MatchStore(database)
    info = await start_running(matches)
    lost = asyncpg.InternalClientError("got result for unknown protocol state 3")
    real, lose = getattr(asyncpg.Connection, call), [lost]

    async def losing(*args: object, **more: object) -> object:
        if lose:
            raise lose.pop()
        return await real(*args, **more)

    monkeypatch.setattr(asyncpg.Connection, call, losing)
    await matches.commit(move_change(info))
    assert not lose
    assert await matches.revision("m1") == 2


@pytest.mark.parametrize(("moment", "revision"), [("before", 1), ("after", 2)])
async def test_a_commit_whose_connection_broke_is_uncertain_until_the_next_read(
    database: Database, wire: CuttableConnection, moment: str, revision: int, caplog: pytest.LogCaptureFixture
) -> None:
    matches = MatchStore(database)
    info = await start_running(matches)
    wire.cut_at_commit = moment
    with pytest.raises(UncertainWrite):
        await matches.commit(move_change(info))
    assert await matches.revision("m1") == revision
    await SurfaceStore(database).put_note("a", "b")
    assert await matches.revision("m1") == revision
    assert "postgresql://" not in caplog.text


async def test_while_it_cannot_be_reached_nothing_is_done_and_then_all_is_well_again(
    database: Database, wire: CuttableConnection, caplog: pytest.LogCaptureFixture
) -> None:
    matches = MatchStore(database)
    info = await start_running(matches)
    wire.closed = True
    wire.cut_all()
    for _ in range(2):
        with pytest.raises(StoreFailure) as caught:
            await matches.commit(move_change(info))
        assert not isinstance(caught.value, UncertainWrite)
        with pytest.raises(StoreFailure):
            await matches.load_info("m1")
    wire.closed = False
    await matches.commit(move_change(info))
    assert await matches.revision("m1") == 2
    assert caplog.text.count("PostgreSQL cannot be reached. Motley continues") == 1


async def test_a_connection_may_break_as_it_is_closed(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    async def lost(raw: RawConnection) -> None:
        raise asyncpg.ConnectionDoesNotExistError

    matches = MatchStore(database)
    await start_running(matches)
    async with database.borrow_connection() as first, database.borrow_connection() as second:
        both: list[Any] = [first, second]
        sockets = [raw._transport.get_extra_info("socket") for raw in both]
    with pytest.raises(StoreFailure):  # so both are given up, of which one is left
        await database.read(lost, what="nothing")
    for connected in sockets:  # what is sent now meets a broken pipe before anybody could notice the lost connection
        with suppress(OSError):
            connected.shutdown(socket.SHUT_WR)
    await asyncio.gather(matches.revision("m1"), matches.revision("m1"))
    gc.collect()
    assert "Task exception" not in caplog.text


async def test_a_change_is_notified_only_when_it_is_committed(address: str) -> None:
    listening = await asyncpg.connect(address)
    payloads: list[object] = []
    async with Database.open(address, clock=lambda: 7) as database:
        await listening.add_listener("motley", lambda *arguments: payloads.append(arguments[-1]))
        matches = MatchStore(database)
        info = await start_running(matches)
        with pytest.raises(StoreFailure):
            await matches.commit(move_change(info, events="no list"))
        await matches.commit(move_change(info))
        while len(payloads) < 3:  # noqa: ASYNC110  # it is told when it is told
            await asyncio.sleep(0.01)
    await listening.close()
    assert payloads == ["m1 0", "m1 1", "m1 2"]
