"""PostgreSQL over TCP with real TLS and certificates: what is trusted, and how the rest is refused.

The server listens on several addresses of this machine. Only 127.0.0.1 counts as local; 127.0.0.2 and 127.0.0.3 count
as remote hosts. The certificate is for `localhost` and 127.0.0.2.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import storage
from storage import StorageError
from storage.postgres.bulk_copy import open_bulk_source
from storage.postgres.connection import errors
from tests.postgres_server import NO_POSTGRES_TEXT, PostgresServer, find_programs, give_to_server_user
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running

PASSWORD = "hush-hush"
LISTENS = "127.0.0.1,127.0.0.2,127.0.0.3"
NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.2"
# Over TCP, only TLS with a password is accepted.
ALLOWED = "local all all trust\nhostssl all motley 127.0.0.0/8 scram-sha-256\n"
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
CONFIG = "[req]\ndistinguished_name = subject\n[subject]\n"
CONNECTIONS = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'motley'"
FOREIGN = errors.BAD_TLS.format(why="unable to get local issuer certificate")


@dataclass(frozen=True)
class TlsServer:
    """A server on TCP: its port, another way in, its root certificate, and a foreign one."""

    port: int
    local_address: str
    root: Path
    other: Path

    def url_for(self, host: str, **parameters: object) -> str:
        options = "&".join(f"{key}={value}" for key, value in parameters.items())
        return f"postgresql://motley:{PASSWORD}@{host}:{self.port}/postgres?{options}"

    async def query(self, sql: str) -> list[tuple[Any, ...]]:
        return await query(self.local_address, sql)


@pytest.fixture(scope="module")
def tls_server() -> Iterator[TlsServer]:
    if find_programs() is None:
        pytest.skip(NO_POSTGRES_TEXT)
    if shutil.which("openssl") is None:
        pytest.skip("No openssl here to make certificates with (apt-get install openssl)")
    server = PostgresServer.create(Path(tempfile.mkdtemp(prefix="motley-postgres-")))
    folder = server.folder
    root, other = _make_root(folder, "root"), _make_root(folder, "other")
    (folder / "data/pg_hba.conf").write_text(ALLOWED)
    with (folder / "data/postgresql.conf").open("a") as config:
        config.write(
            f"ssl = on\nssl_cert_file = '{_make_certificate(folder, root)}'\nssl_key_file = '{folder}/server.key'\n"
        )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server.start(listen_addresses=LISTENS, port=str(port))
    tls_server = TlsServer(port, f"postgresql://motley@/postgres?host={folder}&port={port}", root, other)
    asyncio.run(tls_server.query(f"ALTER USER motley PASSWORD '{PASSWORD}'"))
    yield tls_server
    server.stop()
    shutil.rmtree(folder)


@pytest.fixture
async def plain(tls_server: TlsServer) -> AsyncIterator[TlsServer]:
    await _set_ssl(tls_server, "off")
    yield tls_server
    await _set_ssl(tls_server, "on")


async def _set_ssl(tls_server: TlsServer, ssl: str) -> None:
    await tls_server.query(f"ALTER SYSTEM SET ssl = {ssl}")
    await tls_server.query("SELECT pg_reload_conf()")
    while (await tls_server.query("SHOW ssl"))[0][0] != ssl:  # noqa: ASYNC110  # it is PostgreSQL that is waited for
        await asyncio.sleep(0.02)


def _make_root(folder: Path, name: str) -> Path:
    (folder / "openssl.cnf").write_text(CONFIG)
    more = ("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    _run_openssl(folder, name, f"/CN={name} of a test", *more)
    return folder / f"{name}.crt"


def _make_certificate(folder: Path, root: Path) -> Path:
    signed = ("-CA", str(root), "-CAkey", f"{root.with_suffix('.key')}", "-addext", NAMES)
    _run_openssl(folder, "server", "/CN=server", *signed)
    key = folder / "server.key"
    key.chmod(0o600)
    give_to_server_user(key)
    return folder / "server.crt"


def _run_openssl(folder: Path, name: str, subject: str, *more: str) -> None:
    files = ("-config", "openssl.cnf", "-keyout", f"{name}.key", "-out", f"{name}.crt")
    command = ["openssl", "req", "-x509", *CURVE, *files, "-subj", subject, *more]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture(autouse=True)
async def await_closed_transports(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """asyncpg does not await the end of TLS on a refused connection; a loop that ends earlier would leave it open."""
    loop = asyncio.get_running_loop()
    connect, transports = loop.create_connection, list[asyncio.Transport]()

    async def create(*given: Any, **named: Any) -> Any:
        transport, protocol = await connect(*given, **named)
        transports.append(transport)
        return transport, protocol

    monkeypatch.setattr(loop, "create_connection", create)
    yield
    while not all(transport.is_closing() for transport in transports):  # noqa: ASYNC110  # it is the other end that is waited for
        await asyncio.sleep(0.01)
    await asyncio.sleep(0)  # closed connections are released in the loop's next turn


async def open_refused(address: str, caplog: pytest.LogCaptureFixture) -> str:
    """Return the sentence; neither it nor the log reveals the address."""
    caplog.set_level(logging.DEBUG)
    with pytest.raises(StorageError) as caught:
        async with storage.open_store(address, clock=lambda: 7):
            pass
    texts = f"{caught.value}\n{caplog.text}"
    assert PASSWORD not in texts
    assert "127.0.0" not in texts
    return str(caught.value)


@pytest.mark.parametrize(
    ("host", "mode"),
    [("localhost", {"sslmode": "verify-full"}), ("127.0.0.2", {"sslmode": "verify-full"}), ("127.0.0.2", {})],
)
async def test_a_move_is_made_over_tls_with_the_right_root(
    tls_server: TlsServer, host: str, mode: dict[str, str]
) -> None:
    await tls_server.query("DROP SCHEMA public CASCADE")
    await tls_server.query("CREATE SCHEMA public")
    async with storage.open_store(
        tls_server.url_for(host, sslrootcert=tls_server.root, **mode), clock=lambda: 7
    ) as bot:
        info = await start_running(bot.matches, moves=1)
        connections = [row[0] for row in await tls_server.query(CONNECTIONS)]
        saved = await bot.matches.load("m1")
    assert saved
    assert saved.info == info
    assert set(connections) == {True}


@pytest.mark.parametrize("mode", [{"sslmode": "verify-full"}, {}])
async def test_an_untrusted_certificate_is_refused(
    tls_server: TlsServer, mode: dict[str, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "empty.crt").touch()
    cases: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("127.0.0.2", {"sslrootcert": tls_server.other}, FOREIGN),  # signed by somebody else
        ("127.0.0.2", mode and {"sslrootcert": tls_server.other}, FOREIGN),  # with no root named
        ("127.0.0.3", {"sslrootcert": tls_server.root}, errors.OTHER_HOST),  # another host than the certificate's
        ("127.0.0.2", {"sslrootcert": tmp_path / "nowhere.crt"}, errors.NO_ROOT),
        ("127.0.0.2", {"sslrootcert": tmp_path / "empty.crt"}, errors.NO_ROOT),
    )
    for host, root, sentence in cases:
        assert await open_refused(tls_server.url_for(host, **root, **mode), caplog) == sentence


async def test_a_move_to_an_untrusted_store_is_refused_in_the_same_words(tls_server: TlsServer) -> None:
    for name, sentence in (
        (tls_server.url_for("127.0.0.2"), FOREIGN),
        (tls_server.url_for("127.0.0.3", sslrootcert=tls_server.root), errors.OTHER_HOST),
        (
            tls_server.url_for("127.0.0.2", sslrootcert=tls_server.root).replace(f":{tls_server.port}", ":port"),
            errors.ADDRESS,
        ),
    ):
        with pytest.raises(StorageError) as caught:
            async with open_bulk_source(name):
                pass
        assert str(caught.value) == sentence


async def test_a_remote_server_that_offers_no_tls_is_refused(
    plain: TlsServer, caplog: pytest.LogCaptureFixture
) -> None:
    root: dict[str, object] = {"sslrootcert": plain.root}
    for parameters in (root, {}, {"sslmode": "verify-full", **root}):
        assert await open_refused(plain.url_for("127.0.0.2", **parameters), caplog) == errors.NO_TLS


async def test_a_missing_root_certificate_is_explained(
    tls_server: TlsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert await open_refused(tls_server.url_for("127.0.0.2", sslmode="verify-full"), caplog) == errors.NO_ROOT


async def test_a_login_that_the_server_refuses_is_explained(
    tls_server: TlsServer, caplog: pytest.LogCaptureFixture
) -> None:
    right_address = tls_server.url_for("127.0.0.2", sslrootcert=tls_server.root)
    for address, sentence in (
        (tls_server.url_for("127.0.0.2", sslmode="disable"), errors.ACCESS_REFUSED.format(plain=" without TLS")),
        (right_address.replace("motley:", "stranger:"), errors.ACCESS_REFUSED.format(plain="")),
        (right_address.replace(PASSWORD, "wrong"), errors.LOGIN_REFUSED),
    ):
        assert await open_refused(address, caplog) == sentence
