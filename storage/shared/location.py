"""The place of the data: a path or a PostgreSQL address. A text that could be either, or neither, is refused.

No error repeats the text, because it may contain a password.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

SCHEMES = ("postgresql://", "postgres://")
LONGEST_NAME, LONGEST_PATH = 200, 1000  # bytes; Linux allows 255 for a name, and the store adds suffixes
PORTS = range(1, 65536)
EXAMPLE = "postgresql://user:password@host:5432/database"
INVALID_ADDRESS = f"is not a valid PostgreSQL address: {EXAMPLE}, with @ / ? # % in a password as %40 %2F %3F %23 %25"
INVALID_PORT = f"names a port that does not exist: they are {PORTS[0]} to {PORTS[-1]}"
SMALL_LETTERS = f"looks like a PostgreSQL address, but does not begin like one: {EXAMPLE}"
OTHER_SCHEME = f"could be a path or an address of an unknown kind: write ./ before a path, and an address as {EXAMPLE}"
NO_SCHEME = f"could be a path or a database server: write ./ before a path, and an address as {EXAMPLE}"
NO_SHELL = "contains something that only a shell replaces: write the whole path, without ~, $ and %"
BACKSLASH = "contains a backslash, which does not separate folders on this system: use /"
SEMICOLON = "contains a semicolon, so it could be a path or a list"
TOO_LONG = "is too long for a path"
EMPTY = "is empty"
A_FOLDER = "names a folder: name a file in it"
_DRIVE = r"[A-Za-z]:" if os.name == "nt" else r"(?!)"
_LOOKS = {
    re.compile(rf"(?!{_DRIVE})[\w+.-]+:"): OTHER_SCHEME,
    re.compile(r"[^/\\]*@|(?<!\w)//|[^/\\]*\b(host|user|password|dbname|port|server)\s*=", re.IGNORECASE): NO_SCHEME,
    re.compile(r"~|.*(\$[\w{(]|%\w+%)"): NO_SHELL,
    re.compile(r".*;"): SEMICOLON,
    re.compile(r"(?!)" if os.name == "nt" else r".*\\"): BACKSLASH,
}


def is_address(location: str) -> bool:
    """Return whether this is a PostgreSQL address and not a path."""
    return location.startswith(SCHEMES)


def parse_location(text: str) -> Path | str:
    """Return a path or an address. Raises ValueError with what is wrong with it."""
    if is_address(text):
        check_address(text)
        return text
    if re.match(r"postgres(ql)?\b\W*[:/]{2}", text, re.IGNORECASE):
        raise ValueError(SMALL_LETTERS)
    if text.endswith("/"):
        raise ValueError(A_FOLDER)
    return parse_path(text)


def parse_path(text: str) -> Path:
    """Return a path. Raises ValueError if it looks like something else."""
    for shape, why in _LOOKS.items():
        if shape.match(text):
            raise ValueError(why)
    names = [len(os.fsencode(name)) for name in Path(text).parts]
    if not names:
        raise ValueError(EMPTY)
    if max(names) > LONGEST_NAME or sum(names) + len(names) > LONGEST_PATH:
        raise ValueError(TOO_LONG)
    return Path(text)


def check_address(text: str) -> None:
    """Raise ValueError if PostgreSQL's library could not use this address, or would read another one."""
    try:
        parts = urlsplit(text)
        parameters = parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise ValueError(INVALID_ADDRESS) from None
    login, _, servers = parts.netloc.rpartition("@")
    misplaced = "@" in login + parts.path + "".join(parameters) or "#" in text
    hosts = [host for named in (servers, *parameters.get("host", ())) if named for host in named.split(",")]
    if misplaced or not all(hosts) or re.search(r"\s", text) or "\0" in unquote(text):
        raise ValueError(INVALID_ADDRESS)
    ports = [port for host in hosts if host[0] != "/" for port in re.findall(r":([^]:]*)$", host)]
    ports += [port for named in parameters.get("port", ()) for port in named.split(",")]
    if any(port and not (port.isascii() and port.isdecimal() and int(port) in PORTS) for port in ports):
        raise ValueError(INVALID_PORT)
