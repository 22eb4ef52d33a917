"""Texts with characters that PostgreSQL cannot store are read back unchanged, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storage.postgres.connection.text import decode_text, encode_text

TEXTS = st.text(st.sampled_from("\x00\x01\x02ab\u00e9\U0001f0cf"))


@given(TEXTS, TEXTS)
def test_they_come_back_in_their_order(one: str, other: str) -> None:
    assert decode_text(encode_text(one)) == one
    assert "\x00" not in encode_text(one)
    assert (encode_text(one) < encode_text(other)) is (one < other)
