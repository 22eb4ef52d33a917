"""The sprite cache: a file beside this module with sprites that were drawn in advance.

The key of a record is a digest of the arguments, of the source that draws it with our modules it imports, and of the
typefaces. After a change of one of these, sprites are drawn at run time until `make stock` rebuilds the file.
"""

from __future__ import annotations

import re
import sys
import zlib
from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from hashlib import blake2b
from io import FileIO
from struct import Struct
from threading import Lock
from typing import Any
from weakref import finalize

from cogs.pictures.raster.typeface import TEXT_FONT, TITLE_FONT, read_font

CACHE_FILE = __file__.removesuffix("py") + "bin"
KEY_BYTES = 8
EMPTY_KEY = bytes(KEY_BYTES)
_ENTRY = Struct(f">{KEY_BYTES}sII")  # sorted by key: the key, the record's offset, its length
_COUNT = Struct(">I")
_IMPORT_PATTERN = re.compile(rb"^\s*(?:from (cogs[.\w]*) import (\([^)]*\)|[^\n]*)|import (cogs[.\w]*))", re.MULTILINE)


MakeFunction = Callable[..., Any]
"""A module-level function. Its arguments are functions too, or are identified by their `repr`."""


def load_cached(make: MakeFunction, *arguments: Hashable) -> bytes | None:
    """Return the cached result of a function for these arguments; None if there is none."""
    name = cache_key(make, *arguments)
    return None if name is None else read_record(name)


def cache_key(make: MakeFunction, *arguments: Hashable) -> bytes | None:
    """Return the key of that result; None if a function among the arguments is not a plain module-level one."""
    parts = [_function_digest(one) if callable(one) else repr(one).encode() for one in (make, *arguments)]
    return None if None in parts else content_key(b"\0".join(filter(None, parts)))


def content_key(content: bytes) -> bytes:
    """Return a key for this exact content."""
    return blake2b(content, digest_size=KEY_BYTES).digest()


def read_record(name: bytes) -> bytes | None:
    """Return the record with a key; None if there is none."""
    file = _cache_file()
    at = bisect_left(range(file.count), name, key=lambda i: file.entry_at(i)[0])
    if at == file.count:
        return None
    stored_name, start, length = file.entry_at(at)
    return zlib.decompress(file.read(start, length), -zlib.MAX_WBITS) if stored_name == name else None


def pack_records(records: Mapping[bytes, bytes]) -> bytes:
    """Return the bytes of a cache file with these records. Equal records are stored once."""
    index, body = bytearray(_COUNT.pack(len(records))), bytearray()
    places: dict[bytes, tuple[int, int]] = {}
    begin = _COUNT.size + _ENTRY.size * len(records)
    for name, content in sorted(records.items()):
        if content not in places:
            packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
            small = packer.compress(content) + packer.flush()
            places[content] = begin + len(body), len(small)
            body += small
        index += _ENTRY.pack(name, *places[content])
    return bytes(index + body)


class _CacheFile:
    """The cache file, kept open, because a first picture needs only a tenth of it. Empty if the file is missing."""

    def __init__(self) -> None:
        self._read_lock = Lock()
        self._index, self.count = b"", 0
        try:
            self._file = FileIO(CACHE_FILE)
        except OSError:
            return
        finalize(self, self._file.close)
        head = self.read(0, _COUNT.size)
        if len(head) == _COUNT.size:
            (self.count,) = _COUNT.unpack(head)
            self._index = self.read(_COUNT.size, self.count * _ENTRY.size)

    def entry_at(self, number: int) -> tuple[bytes, int, int]:
        """Return a record's key, offset and length."""
        name, start, length = _ENTRY.unpack_from(self._index, _ENTRY.size * number)
        return name, start, length

    def read(self, start: int, length: int) -> bytes:
        """Return `length` bytes from `start` on."""
        with self._read_lock:
            self._file.seek(start)
            return self._file.read(length)


@cache
def _cache_file() -> _CacheFile:
    return _CacheFile()


@cache
def _function_digest(function: MakeFunction) -> bytes | None:
    """Return a digest of a function: its name, and everything that it depends on."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    source = _module_digest(module) if module and name else None
    return source and source + str(name).encode()


@cache
def _module_digest(module: str) -> bytes | None:
    """Return a digest of all source that a module's drawings depend on, and of the typefaces; None without the source.

    The list of these modules is cached as well: if one of them gets a new import, its source changes anyway.
    """
    stored = read_record(modules_key(module))
    sources = [_source_digest(one) for one in (stored.decode().split() if stored else imported_modules(module))]
    if None in sources:
        return None
    return blake2b(b"".join(filter(None, sources)) + _typeface_digest(), digest_size=16).digest()


def modules_key(module: str) -> bytes:
    """Return the key of the list of modules that a module's drawings depend on."""
    return content_key(b"modules of " + module.encode())


def imported_modules(module: str) -> list[str]:
    """Return our modules that a module's drawings depend on, directly or indirectly."""
    found, waiting = set[str](), [module]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += _direct_imports(one)
    return sorted(found)


@cache
def _direct_imports(module: str) -> list[str]:
    """Return our modules in a module's import statements."""
    named: list[str] = []
    for package, names, whole in _IMPORT_PATTERN.findall(_source_text(module) or b""):
        within = [f"{package.decode()}.{name}" for name in names.decode().strip("()").replace(",", " ").split()]
        named += [name for name in within if name in sys.modules] or [(package or whole).decode()]
    return named


@cache
def _source_digest(module: str) -> bytes | None:
    """Return a digest of a module's source; None without the source."""
    text = _source_text(module)
    return None if text is None else blake2b(text, digest_size=16).digest()


def _source_text(module: str) -> bytes | None:
    """Return a module's source with normalized line ends; None if the file is missing."""
    try:
        with open(sys.modules[module].__file__ or "", "rb", buffering=0) as file:
            return file.read().replace(b"\r\n", b"\n")
    except (KeyError, AttributeError, OSError):
        return None


@cache
def _typeface_digest() -> bytes:
    return b"%d" % zlib.crc32(read_font(TITLE_FONT), zlib.crc32(read_font(TEXT_FONT)))
