"""What was drawn beforehand: a file beside the code holds it, and only the very code that drew it finds it there.

Each record lies under a digest of what is drawn, of the source it is drawn by with all that this imports of ours, and
of the typeface. Whoever changes one of these draws anew, until `make stock` makes the file again.
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

from cogs.pictures.raster.typeface import read_font

CACHE_FILE = __file__.removesuffix("py") + "bin"
KEY_BYTES = 8  # bytes
EMPTY_KEY = bytes(KEY_BYTES)
_ENTRY = Struct(f">{KEY_BYTES}sII")  # in the order of their keys: key, where the record begins, how long it is
_COUNT = Struct(">I")
_IMPORT_PATTERN = re.compile(rb"^\s*(?:from (cogs[.\w]*) import (\([^)]*\)|[^\n]*)|import (cogs[.\w]*))", re.MULTILINE)


MakeFunction = Callable[..., Any]
"""A function of a module, of arguments that are functions, too, or are told apart by their `repr`."""


def load_cached(make: MakeFunction, *arguments: Hashable) -> bytes | None:
    """What was kept of what that function made of the arguments."""
    name = cache_key(make, *arguments)
    return None if name is None else read_record(name)


def cache_key(make: MakeFunction, *arguments: Hashable) -> bytes | None:
    """Under which name that is kept; None where one of them is a function, but no plain one of a module."""
    parts = [_function_digest(one) if callable(one) else repr(one).encode() for one in (make, *arguments)]
    return None if None in parts else content_key(b"\0".join(filter(None, parts)))


def content_key(content: bytes) -> bytes:
    """A name for just that content."""
    return blake2b(content, digest_size=KEY_BYTES).digest()


def read_record(name: bytes) -> bytes | None:
    """What is kept under a name."""
    file = _cache_file()
    at = bisect_left(range(file.count), name, key=lambda i: file.entry_at(i)[0])
    if at == file.count:
        return None
    kept, start, length = file.entry_at(at)
    return zlib.decompress(file.read(start, length), -zlib.MAX_WBITS) if kept == name else None


def pack_records(records: Mapping[bytes, bytes]) -> bytes:
    """The file with these records; what is alike is kept once."""
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
    """The file, open as long as it is asked for: a first picture needs a tenth of it. Empty where it is not there."""

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
        """A record's key, where it begins and how long it is."""
        name, start, length = _ENTRY.unpack_from(self._index, _ENTRY.size * number)
        return name, start, length

    def read(self, start: int, length: int) -> bytes:
        """So many bytes from there on."""
        with self._read_lock:
            self._file.seek(start)
            return self._file.read(length)


@cache
def _cache_file() -> _CacheFile:
    return _CacheFile()


@cache
def _function_digest(function: MakeFunction) -> bytes | None:
    """Which function it is, and a digest of all that it depends on."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    source = _module_digest(module) if module and name else None
    return source and source + str(name).encode()


@cache
def _module_digest(module: str) -> bytes | None:
    """Of all source on which that module's drawings depend, and of the typeface; None where the source is not there.

    Which modules those are is kept, too: where one of them imports another by now, its source is another as well.
    """
    kept = read_record(modules_key(module))
    sources = [_source_digest(one) for one in (kept.decode().split() if kept else imported_modules(module))]
    if None in sources:
        return None
    return blake2b(b"".join(filter(None, sources)) + _typeface_digest(), digest_size=16).digest()


def modules_key(module: str) -> bytes:
    """Under which name it is kept which modules that one's drawings depend on."""
    return content_key(b"modules of " + module.encode())


def imported_modules(module: str) -> list[str]:
    """The modules of ours on which that one's drawings depend, by what each imports."""
    found, waiting = set[str](), [module]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += _direct_imports(one)
    return sorted(found)


@cache
def _direct_imports(module: str) -> list[str]:
    """The modules of ours that a module names where it imports."""
    named: list[str] = []
    for package, names, whole in _IMPORT_PATTERN.findall(_source_text(module) or b""):
        within = [f"{package.decode()}.{name}" for name in names.decode().strip("()").replace(",", " ").split()]
        named += [name for name in within if name in sys.modules] or [(package or whole).decode()]
    return named


@cache
def _source_digest(module: str) -> bytes | None:
    """A digest of what stands in a module's file."""
    text = _source_text(module)
    return None if text is None else blake2b(text, digest_size=16).digest()


def _source_text(module: str) -> bytes | None:
    """What stands in a module's file; line ends are those of the system, and no matter."""
    try:
        with open(sys.modules[module].__file__ or "", "rb", buffering=0) as file:
            return file.read().replace(b"\r\n", b"\n")
    except (KeyError, AttributeError, OSError):
        return None


@cache
def _typeface_digest() -> bytes:
    return b"%d" % zlib.crc32(read_font())
