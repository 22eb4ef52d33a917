"""Encodes texts for PostgreSQL, which cannot store the null character that a name may contain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from storage.postgres.connection.connection import RawConnection

_ESCAPES = str.maketrans({"\x00": "\x01\x01", "\x01": "\x01\x02"})


async def use_text_codec(raw: RawConnection) -> None:
    """Encode and decode texts on this connection, whatever characters they contain."""
    await raw.set_type_codec("text", schema="pg_catalog", encoder=encode_text, decoder=decode_text, format="text")


def encode_text(text: str) -> str:
    """Return the text in its stored form, which sorts in the same order."""
    return text.translate(_ESCAPES) if "\x00" in text or "\x01" in text else text


def decode_text(text: str) -> str:
    """Return the text from its stored form."""
    return text.replace("\x01\x01", "\x00").replace("\x01\x02", "\x01") if "\x01" in text else text


def to_columns(rows: Iterable[Sequence[object]], count: int) -> list[list[object]]:
    """Turn rows into columns for `unnest`; asyncpg does not encode texts in lists, so this does."""
    found: list[list[object]] = [[] for _ in range(count)]
    for row in rows:
        for column, value in zip(found, row, strict=True):
            column.append(encode_text(value) if isinstance(value, str) else value)
    return found


def encode_texts(values: Iterable[str]) -> list[str]:
    """Encode texts for a list parameter."""
    return [encode_text(value) for value in values]
