"""The PostgreSQL address: kept secret, and protected by TLS unless it is local or says otherwise."""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from storage.postgres.connection.errors import ADDRESS, NO_ROOT, UNPROTECTED, log
from storage.shared.errors import InvalidLocation

LOCAL_HOSTS = {"", "localhost", "127.0.0.1", "::1"}
UNPROTECTED_MODES = {"disable", "allow", "prefer"}  # the values of sslmode that allow an unprotected connection


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """The address of a database and how the connection is protected. Its `repr` reveals nothing."""

    url: str
    tls: ssl.SSLContext | None = None  # None: the address itself decides

    def __repr__(self) -> str:
        return "Address(…)"

    @classmethod
    def parse(cls, text: str) -> DatabaseAddress:
        """Parse an address. Raises InvalidLocation without quoting it if it is invalid."""
        try:
            parts = urlsplit(text)
            parameters = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        except ValueError:
            raise InvalidLocation(ADDRESS) from None
        root = parameters.get("sslrootcert")
        # The same order as in asyncpg: an explicit value counts first, then the environment.
        named = parts.netloc.rpartition("@")[2] or parameters.get("host") or os.environ.get("PGHOST", "")
        hosts = [_host_without_port(each) for each in named.split(",")]
        try:
            tls = ssl.create_default_context(cafile=root)
        except OSError:  # the path or the content of the certificate file
            raise InvalidLocation(NO_ROOT) from None
        if all(host in LOCAL_HOSTS or host.startswith("/") for host in hosts):
            return cls(text)
        if "sslmode" in parameters:
            if parameters["sslmode"] in UNPROTECTED_MODES:
                log.warning(UNPROTECTED)
            return cls(text)
        return cls(text, tls)


def _host_without_port(text: str) -> str:
    """Return a host without its port."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.rpartition(":")[0] if ":" in text else text
