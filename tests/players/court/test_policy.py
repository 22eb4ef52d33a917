"""Jester's Court: moves beyond doubt, and that computers go on from whatever position there is."""

from __future__ import annotations

from random import Random

import pytest

from engines.court import COURT
from engines.court.model import Options
from engines.kit.chance import Chance
from players.court import PLAYER_MODEL
from tests.engines.court.positions import parse_position, play_moves, seat_to_act


def policy_move(text: str) -> str:
    """What the policy does in that position."""
    state = parse_position(text)
    seat = seat_to_act(state)
    move = PLAYER_MODEL.choose_move(COURT.view(state, seat), COURT.moves(state, seat), Random(1))
    COURT.check(state, seat, move)
    return COURT.format_move(move)


def test_the_last_banner_is_claimed() -> None:
    assert policy_move("   K L\n3 A .\n9 . B\nhands: 2H 3H 9D 10S QS KS\nbanners: CDS / -") == "move 3H"


def test_a_banner_is_claimed_before_somebody_is_in_the_way() -> None:
    assert policy_move("   K L\n3 A .\n9 . B\nhands: 2H 5H 9D 10S QS KS") == "move 5H"


def test_two_cards_are_planned_that_together_cross_an_edge() -> None:
    assert policy_move("   K L\n11 A B\nhands: 9H 2H 7S 8C QS KS\nbanners: DC / -") in {"move 9H", "move 2H"}


def test_who_is_about_to_win_is_pushed_back() -> None:
    move = policy_move("   K L M\n2 . B .\n11 A . C\nphase: two\nhands: 9S 2D 3D 9C QH\nbanners: - / CDS / -")
    assert move == "push 9S B"


def test_nobody_is_pushed_over_an_edge_for_a_banner() -> None:
    move = policy_move("   K L\n2 . B\n11 A .\nphase: two\nhands: 9H 8H 7H 6H 5H\nbanners: - / CDS")
    assert move.startswith("discard")


def test_who_leads_is_knocked_out() -> None:
    move = policy_move("   K L M\n12 A B C\nphase: two\nhands: AS 2D 2C 2S 2H\nhealth: 6 1 6\nbanners: - / CDS / -")
    assert move == "strike AS"


def test_a_jack_attacks_who_is_ahead() -> None:
    text = "   K L\n11 A B\n12 . D\nrest: C V12\nphase: two\nhands: JS 2D 2C 2H 3H"
    assert policy_move(f"{text}\nhealth: 6 6 1 6\nbanners: C / - / CHS / -") == "attack JS C"


@pytest.mark.parametrize(("cap", "best"), [("", "push 9S B"), ("cap: 1", "strike AS")])
def test_in_the_last_turn_health_decides_and_no_way_to_an_edge(cap: str, best: str) -> None:
    text = "   K L\n2 . B\n11 A .\nphase: two\nhands: AS 9S 2C 2D 3D\nbanners: CDS / CDS"
    assert policy_move(f"{text}\n{cap}" if cap else text) == best


def test_a_menhir_bars_the_way_to_the_last_banner() -> None:
    move = policy_move("   K L M\n4 . B .\n11 A . C\nphase: two\nhands: menhir 2C 2D 2H 3H\nbanners: - / CDS / -")
    assert move == "menhir L3"


def test_what_is_given_back_is_won_again_soonest() -> None:
    text = "   K L\n11 A B\nphase: two\nhands: AS 2D 2H 3H 4H / 6H 7H 2C 3S QS KS\nhealth: 6 1\nbanners: - / HD"
    state = parse_position(text)
    play_moves(state, "strike AS")
    seat = seat_to_act(state)
    assert (
        COURT.format_move(PLAYER_MODEL.choose_move(COURT.view(state, seat), COURT.moves(state, seat), Random(1)))
        == "give H"
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_playouts_play_as_views_do_from_any_position(seats: int) -> None:
    """Whoever made the moves before; and slips are legal, too."""
    rng = Random(seats)
    state = COURT.start(seats, Options(turns=60), Chance(f"{seats:032x}"))
    while decisions := COURT.decisions(state):
        (seat,) = decisions
        view, moves = COURT.view(state, seat), COURT.moves(state, seat)
        move, slip = (
            PLAYER_MODEL.choose_move(view, moves, Random(1)),
            PLAYER_MODEL.choose_with_blunders(view, moves, rng),
        )
        assert PLAYER_MODEL.choose_in_playout(state, seat, Random(1)) == move
        for each in (move, slip):
            COURT.check(state, seat, each)
            assert each in moves
        COURT.play(state, seat, moves[rng.randrange(len(moves))])
