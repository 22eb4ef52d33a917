"""Which moves of the Court show something hidden, to whom, and what is said of it."""

from __future__ import annotations

from engines.court import COURT
from tests.engines.court.positions import THREE, TOOLS, TWO, parse_position, play_moves

DRAWN = "a Menhir card and the 7 of clubs"


def test_t4_phase_one_shows_nothing_hidden() -> None:
    state = parse_position("   K L\n9 A B\nhands: 2C QH AS / 3D")
    assert TOOLS.describe_reveals(state, "move 2C") == "nobody"


def test_t12_the_end_of_a_turn_shows_its_player_what_they_draw() -> None:
    state = parse_position(f"{TWO}hands: 2C QH AS 5C menhir / 3D\ntop: 7C menhir")
    assert TOOLS.describe_reveals(state, "push 2C B") == f"A: You drew {DRAWN}."
    assert COURT.describe_reveal(state, 0, COURT.parse_move("push 2C B"), 1) == "Another player drew cards."


def test_t9_an_attack_shows_everybody_dice() -> None:
    state = parse_position(f"{THREE}hands: 2C QH AS 5C menhir / 3D / 4D")
    assert TOOLS.describe_reveals(state, "attack QH") == "ABC: Dice were rolled."


def test_t14_a_player_who_ends_anothers_turn_shows_cards_to_that_player() -> None:
    state = parse_position("    K L\n2   A .\n1   . B\nphase: two\nhands: 3H 2C AS 5C menhir / 3D\ntop: 7C 8C")
    play_moves(state, "push 3H B")  # over the edge, so that B places the Mage
    assert TOOLS.seat_to_act(state) == 1
    assert TOOLS.describe_reveals(state, "place K11") == "A: You drew the 8 of clubs and the 7 of clubs."


def test_t13_the_last_turn_shows_its_player_what_they_draw() -> None:
    state = parse_position(f"{TWO}hands: 2C QH AS 5C menhir / 3D\ntop: 7C menhir\nturns: 9\ncap: 9")
    assert TOOLS.describe_reveals(state, "push 2C B") == f"A: You drew {DRAWN}."


def test_t13_the_last_banner_shows_nothing_hidden() -> None:
    state = parse_position("    K L\n2   A .\n1   . B\nphase: two\nbanners: / HDS\nhands: 3C 2C / 3D\ngoal: 4")
    state.mages[1] = 0
    assert TOOLS.describe_reveals(state, "push 3C B") == "nobody"
