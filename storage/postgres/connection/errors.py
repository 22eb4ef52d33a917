"""What can be wrong with a PostgreSQL database, told to whoever runs the bot; nothing of its address is."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from engines.store.match_store import UncertainWrite
from storage.shared.errors import StorageError

log = logging.getLogger(__name__)

ADDRESS = "MOTLEY_DATABASE is not understood as PostgreSQL's address: postgresql://user:password@host:5432/database"
NOT_REACHED = "PostgreSQL cannot be reached ({why}). See that it runs and that MOTLEY_DATABASE names its host and port."
NOT_NOW = "PostgreSQL takes no connections just now: it starts, stops, or has as many as it may. Try again in a moment."
LOGIN_REFUSED = "PostgreSQL does not let this user in. Name the right user and password in MOTLEY_DATABASE."
ACCESS_REFUSED = (
    "PostgreSQL does not let this user into this database from this machine{plain}: its pg_hba.conf does not allow it. "
    "Change that there, or name the right user and database in MOTLEY_DATABASE."
)
NO_DATABASE = "PostgreSQL has no database of that name. Make one (createdb), or name another in MOTLEY_DATABASE."
NO_TLS = (
    "PostgreSQL does not offer TLS, without which Motley talks to it on this machine alone. Switch it on there; or, "
    "in a network that nobody else can listen to, end MOTLEY_DATABASE with ?sslmode=disable"
)
BAD_TLS = (
    "PostgreSQL's certificate is not trusted ({why}). Name what it was signed with at the end of MOTLEY_DATABASE: "
    "?sslrootcert=/path/to/root.crt"
)
OTHER_HOST = (
    "PostgreSQL's certificate is of another host than MOTLEY_DATABASE names. Name the host as the certificate does, or "
    "give the server one for that name."
)
NO_ROOT = (
    "The file of the certificate that PostgreSQL's is signed with cannot be read, or holds none. Name it at the end of "
    "MOTLEY_DATABASE: ?sslrootcert=/path/to/root.crt"
)
NOT_ALLOWED = "PostgreSQL's user may not do that in this database ({why}). Make the user the database's owner."
ASYNC_COMMITS = (
    "PostgreSQL answers before it has written (synchronous_commit is off), so a crash could take back what people were "
    "told is done. Set synchronous_commit to on, for the server or for Motley's user."
)
FSYNC_OFF = "PostgreSQL does not wait for its disk (fsync is off): a loss of power may damage the database."
UNPROTECTED = "The connection to PostgreSQL is not protected by TLS, as MOTLEY_DATABASE asks."
READ_REPLICA = "This PostgreSQL is a copy that can only be read. Name the one that it copies in MOTLEY_DATABASE."
WRONG_ENCODING = (
    "PostgreSQL's database holds {encoding} and not UTF8. Make another: createdb --encoding=UTF8 --template=template0"
)
TOO_OLD = "PostgreSQL {version} is too old: Motley needs {needed} or newer."
FOREIGN_TABLES = "That database holds other tables than Motley's. Name an empty database in MOTLEY_DATABASE."
NEWER = (
    "The database was written by a newer version of Motley (its layout is {done}, this version knows up to {known}). "
    "Update Motley, or restore an older backup."
)
OTHER_LAYOUT = (
    "The PostgreSQL database is of another version of Motley. Start the bot of this version on it once, which brings "
    "it up to date; then try again."
)
NOT_EMPTY = (
    "The PostgreSQL database holds something already ({table}: {rows}), and is not written over. Make a new one: "
    "dropdb, then createdb."
)
DATABASE_BUSY = "Somebody is at work in the PostgreSQL database. Close that program, then try again."
UNCERTAIN = (
    "The connection to PostgreSQL was cut in the last moment: all of it may be there now, or nothing. Try again; where "
    "it is there, that is said, and nothing is changed."
)
OLDER_RUNS = (
    "An older version of Motley is running on this database, and does not understand what this one keeps otherwise. "
    "Stop every older one first."
)
LAYOUT_CHANGED = "The database is not as Motley made it: {missing} is missing. Restore it from a backup."
ALREADY_RUNNING = "Another Motley is running on this database. Stop every process of it first."
BEING_MOVED = "This database is being moved just now. Start Motley once that is done."
OTHER_PARTITION_COUNT = (
    "MOTLEY_SHARDS names parts of {wanted}, but the processes that run on this database have divided the servers into "
    "{there}. Name parts of as many, or stop the others first."
)
_GOES_ON = "Motley goes on as soon as that is over."
UNREACHABLE = "PostgreSQL cannot be reached. " + _GOES_ON
DISK_FULL = "PostgreSQL has no room left. Free some disk space there. " + _GOES_ON

EXPECTED_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""All that PostgreSQL and the way there may raise; the third where asyncpg loses track of a connection that breaks."""
_QUOTING_ERRORS = (asyncpg.DataError, asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)
"""Those whose first line has a value in it, or the address's user, host or database."""
_MISMATCHES = (62, 64)  # OpenSSL's X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH


def is_disconnect(error: BaseException) -> bool:
    """Whether the connection was cut, or PostgreSQL takes none just now."""
    if isinstance(error, asyncpg.DataError):  # asyncpg's own, of a value
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
    """Tells whoever runs the bot once what is wrong and what to do, until something was done with the database."""

    def __init__(self) -> None:
        self._last_sentence = ""

    def report(self, error: BaseException) -> None:
        """Something could not be written or read."""
        match error:
            case asyncpg.DiskFullError():
                self._log_once(DISK_FULL)
            case _ if is_disconnect(error) or isinstance(error, UncertainWrite):
                self._log_once(UNREACHABLE)

    def clear(self) -> None:
        """Something was written."""
        if self._last_sentence:
            self._last_sentence = ""
            log.info("PostgreSQL can be used again.")

    def _log_once(self, sentence: str) -> None:
        if sentence != self._last_sentence:
            self._last_sentence = sentence
            log.error(sentence)


@contextmanager
def as_storage_error() -> Iterator[None]:
    """Turn what PostgreSQL and the way there raise at a start into a StorageError."""
    try:
        yield
    except EXPECTED_ERRORS as error:
        raise StorageError(_error_sentence(error)) from None  # what it was raised from may quote the address


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
        case asyncpg.PostgresError():
            return f"PostgreSQL cannot be used ({describe_error(error)})."
        case ssl.SSLCertVerificationError(verify_code=code) if code in _MISMATCHES:  # what it says names the host
            return OTHER_HOST
        case ssl.SSLError():
            return BAD_TLS.format(why=getattr(error, "verify_message", None) or getattr(error, "reason", None) or "?")
        case ConnectionError() if "SSL upgrade" in str(error):
            return NO_TLS
        case asyncpg.ClientConfigurationError() if "root certificate" in str(error):
            return NO_ROOT
        case asyncpg.InterfaceError() | asyncpg.ClientConfigurationError():
            return ADDRESS
    return NOT_REACHED.format(why=_unreachable_reason(error))


def _unreachable_reason(error: BaseException) -> str:
    """Why a host cannot be reached, without its name."""
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(error, FileNotFoundError):
        return "there is no such socket"
    return getattr(error, "strerror", None) or type(error).__name__


def describe_error(error: BaseException) -> str:
    """An error in one line for the log, without detail, a value or an address: that is what is kept, or a secret."""
    if isinstance(error, asyncpg.PostgresError) and not isinstance(error, _QUOTING_ERRORS):
        said = str(error.args[0]).splitlines()[0] if error.args else ""
        return f"{type(error).__name__}: {said} ({error.sqlstate})"
    return type(error).__name__
