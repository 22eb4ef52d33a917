"""Refusals are safe: typed text and names cannot change their formatting."""

from __future__ import annotations

import pytest

from cogs.table.pages.refusal_messages import refusal_text
from engines.kit.errors import BadNotation
from tests.games import GAMES


@pytest.mark.parametrize("key", GAMES)
def test_typed_text_is_quoted_without_direction_marks(key: str) -> None:
    game = GAMES[key]
    for verb in ("", *game.notation.verbs):
        with pytest.raises(BadNotation) as refused:
            game.parse_move(f"{verb} \u202ezq\u202c*".strip())
        text = refusal_text(refused.value)
        assert not {"\u202e", "\u202c"} & set(text)
        assert "*" not in text.replace(r"\*", "")
