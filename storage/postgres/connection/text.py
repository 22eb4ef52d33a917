"""Texts as PostgreSQL can keep them: it has no room for the character of the number 0, which a name may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storage.postgres.connection.connection import RawConnection

_ESCAPES = str.maketrans({"\x00": "\x01\x01", "\x01": "\x01\x02"})


async def use_text_codec(raw: RawConnection) -> None:
    """Have texts read and written on that connection as they are meant, whatever characters they hold."""
    await raw.set_type_codec("text", schema="pg_catalog", encoder=encode_text, decoder=decode_text, format="text")


def encode_text(text: str) -> str:
    """The text as it is kept. Two texts are in the same order as what is kept of them."""
    return text.translate(_ESCAPES) if "\x00" in text or "\x01" in text else text


def decode_text(text: str) -> str:
    """The text of which that was kept."""
    return text.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01") if "\x01" in text else text


def to_columns(rows: Iterable[Sequence[object]], count: int) -> list[list[object]]:
    """Rows as so many columns, which `unnest` makes rows again: asyncpg hands texts in lists on as they are."""
    found: list[list[object]] = [[] for _ in range(count)]
    for row in rows:
        for column, value in zip(found, row, strict=True):
            column.append(encode_text(value) if isinstance(value, str) else value)
    return found


def encode_texts(values: Iterable[str]) -> list[str]:
    """Texts for a parameter that is a list."""
    return [encode_text(value) for value in values]
