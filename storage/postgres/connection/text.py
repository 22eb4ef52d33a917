"""Texts as PostgreSQL can keep them: it has no room for the character of the number 0, which a name may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storage.postgres.connection.connection import Raw

_KEPT = str.maketrans({"\x00": "\x01\x01", "\x01": "\x01\x02"})


async def understand(raw: Raw) -> None:
    """Have texts read and written on that connection as they are meant, whatever characters they hold."""
    await raw.set_type_codec("text", schema="pg_catalog", encoder=kept, decoder=read, format="text")


def kept(text: str) -> str:
    """The text as it is kept. Two texts are in the same order as what is kept of them."""
    return text.translate(_KEPT) if "\x00" in text or "\x01" in text else text


def read(text: str) -> str:
    """The text of which that was kept."""
    return text.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01") if "\x01" in text else text


def columns(rows: Iterable[Sequence[object]], count: int) -> list[list[object]]:
    """Rows as so many columns, which `unnest` makes rows again: asyncpg hands texts in lists on as they are."""
    found: list[list[object]] = [[] for _ in range(count)]
    for row in rows:
        for column, value in zip(found, row, strict=True):
            column.append(kept(value) if isinstance(value, str) else value)
    return found


def texts(values: Iterable[str]) -> list[str]:
    """Texts for a parameter that is a list."""
    return [kept(value) for value in values]
