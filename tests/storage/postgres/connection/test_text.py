"""Texts with characters that PostgreSQL has no room for come back, in their order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storage.postgres.connection.text import kept, read

TEXTS = st.text(st.sampled_from("\x00\x01\x02ab\u00e9\U0001f0cf"))


@given(TEXTS, TEXTS)
def test_they_come_back_in_their_order(one: str, other: str) -> None:
    assert read(kept(one)) == one
    assert "\x00" not in kept(one)
    assert (kept(one) < kept(other)) is (one < other)
