"""Which moves of Jest show something hidden, to whom, and what is said of it."""

from __future__ import annotations

import pytest

from engines.jest import JEST
from tests.engines.jest.positions import TOOLS, parse_position, play_lines

THREE = "AS|2H / 3D|4C / 2S|joker"  # B takes first: its 3 is the highest


def test_j4_an_offer_shows_nothing_until_the_last_one_is_in() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    for line in ("A offer 2H", "B offer 4C"):
        assert TOOLS.describe_reveals(state, line[2:], "ABC".index(line[0])) == "nobody"
        play_lines(state, line)
    assert TOOLS.describe_reveals(state, "offer 3D", 1) == "nobody"  # a change of mind
    assert TOOLS.describe_reveals(state, "offer joker", 2) == "ABC: The offers were turned up."


def test_j8_a_face_down_card_is_shown_to_its_taker() -> None:
    state = parse_position(THREE)
    assert TOOLS.describe_reveals(state, "take A up") == "nobody"
    assert TOOLS.describe_reveals(state, "take A down") == "B: You saw the 2 of hearts, which lay face down."
    assert TOOLS.describe_reveals(state, "take C down") == "B: You saw the Joker, which lay face down."
    move = JEST.parse_move("take A down")
    assert {JEST.describe_reveal(state, 1, move, reader) for reader in (0, 2)} == {
        "Another player saw a face-down card."
    }


@pytest.mark.parametrize(("stock", "sentence"), [("4S 3S 4H", "A new round was dealt."), ("", "All Jests were shown.")])
def test_j3_j9_the_last_card_that_is_taken_shows_everybody_a_hand_or_all_jests(stock: str, sentence: str) -> None:
    state = parse_position(THREE, stock=stock)
    play_lines(state, "B take A up", "A take B up")
    assert TOOLS.describe_reveals(state, "take A down" if 0 in state.complete else "take C up", 2) == f"ABC: {sentence}"
