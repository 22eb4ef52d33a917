"""Error messages about PostgreSQL for the operator; none of them reveals the address."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from engines.store.match_store import UncertainWrite
from storage.shared.errors import DatabaseAway, InvalidLocation, StorageError
from storage.shared.location import INVALID_ADDRESS

log = logging.getLogger(__name__)

ADDRESS = f"MOTLEY_DATABASE {INVALID_ADDRESS}."
NOT_REACHED = (
    "PostgreSQL cannot be reached ({why}). Check that it is running and that MOTLEY_DATABASE names its host and port."
)
NOT_NOW = (
    "PostgreSQL accepts no connections at the moment: it is starting, stopping, or has reached its "
    "limit. Try again in a moment."
)
LOGIN_REFUSED = "PostgreSQL rejects this user. Set the right user and password in MOTLEY_DATABASE."
ACCESS_REFUSED = (
    "PostgreSQL does not let this user into this database from this machine{plain}: its pg_hba.conf forbids it. "
    "Change pg_hba.conf, or set the right user and database in MOTLEY_DATABASE."
)
NO_DATABASE = "PostgreSQL has no database of that name. Create it with createdb, or set another one in MOTLEY_DATABASE."
NO_TLS = (
    "PostgreSQL does not offer TLS, and Motley needs it unless the server is on this machine. Turn TLS on there. "
    "On a private network you can instead end MOTLEY_DATABASE with ?sslmode=disable"
)
BAD_TLS = (
    "PostgreSQL's certificate is not trusted ({why}). Name its root certificate at the end of MOTLEY_DATABASE: "
    "?sslrootcert=/path/to/root.crt"
)
OTHER_HOST = (
    "PostgreSQL's certificate is for another host than the one in MOTLEY_DATABASE. Use the host name from the "
    "certificate, or give the server a certificate for this host."
)
NO_ROOT = (
    "The root certificate for PostgreSQL cannot be read, or the file contains none. Name it at the end of "
    "MOTLEY_DATABASE: ?sslrootcert=/path/to/root.crt"
)
NOT_ALLOWED = "The PostgreSQL user may not do that in this database ({why}). Make the user the owner of the database."
ASYNC_COMMITS = (
    "PostgreSQL confirms writes before they are on disk (synchronous_commit is off), so a crash could undo "
    "confirmed moves. Set synchronous_commit to on, for the server or for Motley's user."
)
FSYNC_OFF = "PostgreSQL does not wait for its disk (fsync is off): a power failure may damage the database."
UNPROTECTED = "The connection to PostgreSQL is not protected by TLS, although MOTLEY_DATABASE requires it."
READ_REPLICA = "This PostgreSQL server is a read-only replica. Set its primary server in MOTLEY_DATABASE."
WRONG_ENCODING = (
    "The PostgreSQL database uses {encoding} instead of UTF8. Create another: createdb --encoding=UTF8 "
    "--template=template0"
)
TOO_OLD = "PostgreSQL {version} is too old: Motley needs {needed} or newer."
FOREIGN_TABLES = "That database contains tables of another program. Set an empty database in MOTLEY_DATABASE."
NEWER = (
    "The database was written by a newer version of Motley (its layout is {done}, this version supports up to "
    "{known}). Update Motley, or restore an older backup."
)
OTHER_LAYOUT = (
    "The PostgreSQL database belongs to another version of Motley. Start the bot of this version on it once to "
    "update it, then try again."
)
NOT_EMPTY = (
    "The PostgreSQL database is not empty ({table}: {rows}) and will not be overwritten. Create a new one: "
    "dropdb, then createdb."
)
DATABASE_BUSY = "Another program is using the PostgreSQL database. Close that program, then try again."
UNCERTAIN = (
    "The connection to PostgreSQL was lost at the last moment: either everything was copied, or nothing. Try "
    "again. If the copy is already there, you will see a message, and nothing will be changed."
)
OLDER_RUNS = (
    "An older version of Motley is running on this database and does not understand the new layout. Stop every "
    "older process first."
)
LAYOUT_CHANGED = "The database layout is not complete: {missing} is missing. Restore the database from a backup."
ALREADY_RUNNING = "Another Motley is running on this database. Stop every process of it first."
BEING_MOVED = "This database is being moved at the moment. Start Motley when that is done."
OTHER_PARTITION_COUNT = (
    "MOTLEY_SHARDS divides the servers into {wanted}, but the processes on this database divide them into "
    "{there}. Use the same number, or stop the other processes first."
)
_GOES_ON = "Motley continues as soon as this is over."
UNREACHABLE = "PostgreSQL cannot be reached. " + _GOES_ON
DISK_FULL = "PostgreSQL has no disk space left. Free some space there. " + _GOES_ON

EXPECTED_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""All errors that PostgreSQL and the network may raise; the third if asyncpg loses track of a broken connection."""
_QUOTING_ERRORS = (asyncpg.DataError, asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)
"""Errors whose first line contains a value, or the user, host or database from the address."""
_MISMATCHES = (62, 64)  # OpenSSL's X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH


def is_disconnect(error: BaseException) -> bool:
    """Return whether the connection was lost, or PostgreSQL accepts none at the moment."""
    if isinstance(error, asyncpg.DataError):  # raised by asyncpg for a value
        return False
    return isinstance(
        error,
        (
            asyncpg.PostgresConnectionError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,
            asyncpg.OperatorInterventionError,
            asyncpg.TooManyConnectionsError,
            OSError,
            TimeoutError,
        ),
    )


class PostgresErrorReporter:
    """Logs once what is wrong and what to do, until the database works again."""

    def __init__(self) -> None:
        self._last_sentence = ""

    def report(self, error: BaseException) -> None:
        """Report that a read or write failed."""
        match error:
            case asyncpg.DiskFullError():
                self._log_once(DISK_FULL)
            case _ if is_disconnect(error) or isinstance(error, UncertainWrite):
                self._log_once(UNREACHABLE)

    def clear(self) -> None:
        """Something was written."""
        if self._last_sentence:
            self._last_sentence = ""
            log.info("PostgreSQL is available again.")

    def _log_once(self, sentence: str) -> None:
        if sentence != self._last_sentence:
            self._last_sentence = sentence
            log.error(sentence)


@contextmanager
def as_storage_error() -> Iterator[None]:
    """Turn startup errors of PostgreSQL and the network into a StorageError."""
    try:
        yield
    except EXPECTED_ERRORS as error:
        sentence = _error_sentence(error)
        kind = InvalidLocation if sentence in (ADDRESS, NO_ROOT) else DatabaseAway if _is_away(error) else StorageError
        raise kind(sentence) from None  # the original error may quote the address


def _is_away(error: BaseException) -> bool:
    """Return whether the server may accept a connection later although nobody changes a setting."""
    refusals = (ssl.SSLError, PermissionError, asyncpg.ClientConfigurationError)
    return is_disconnect(error) and not isinstance(error, refusals) and not _lacks_tls(error)


def _lacks_tls(error: BaseException) -> bool:
    return isinstance(error, ConnectionError) and "SSL upgrade" in str(error)


def _error_sentence(error: BaseException) -> str:
    match error:
        case asyncpg.InvalidAuthorizationSpecificationError():
            plain = " without TLS" if "no encryption" in str(error) else ""
            return ACCESS_REFUSED.format(plain=plain) if "pg_hba.conf" in str(error) else LOGIN_REFUSED
        case asyncpg.InvalidCatalogNameError():
            return NO_DATABASE
        case asyncpg.CannotConnectNowError() | asyncpg.TooManyConnectionsError():
            return NOT_NOW
        case asyncpg.InsufficientPrivilegeError():
            return NOT_ALLOWED.format(why=error)
        case _ if isinstance(error, asyncpg.PostgresError) and _is_away(error):  # it ended in the meantime
            return NOT_NOW
        case asyncpg.PostgresError():
            return f"PostgreSQL cannot be used ({describe_error(error)})."
        case ssl.SSLCertVerificationError(verify_code=code) if code in _MISMATCHES:  # its message names the host
            return OTHER_HOST
        case ssl.SSLError():
            return BAD_TLS.format(why=getattr(error, "verify_message", None) or getattr(error, "reason", None) or "?")
        case _ if _lacks_tls(error):
            return NO_TLS
        case asyncpg.ClientConfigurationError() if "root certificate" in str(error):
            return NO_ROOT
        case asyncpg.ClientConfigurationError():
            return ADDRESS
    return NOT_REACHED.format(why=_unreachable_reason(error))


def _unreachable_reason(error: BaseException) -> str:
    """Return why a host cannot be reached, without naming it."""
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens on that port"
    if isinstance(error, FileNotFoundError):
        return "the socket does not exist"
    return getattr(error, "strerror", None) or type(error).__name__


def describe_error(error: BaseException) -> str:
    """Return an error in one line for the log, without details, stored values or the address."""
    if isinstance(error, asyncpg.PostgresError) and not isinstance(error, _QUOTING_ERRORS):
        text = str(error.args[0]).splitlines()[0] if error.args else ""
        return f"{type(error).__name__}: {text} ({error.sqlstate})"
    return type(error).__name__
