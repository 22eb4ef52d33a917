"""Jester's Court: moves beyond doubt, and that computers go on from whatever position there is."""

from __future__ import annotations

from random import Random

import pytest

from engines.court import COURT
from engines.court.model import Options
from engines.kit.chance import Chance
from players.court import PLAYER_MODEL
from tests.engines.court.positions import parse_position, play_moves, seat_to_act

LAST_TURN = "K L\n2 . B\n11 A .\nphase: two\nhands: AS 9S 2C 2D 3D\nbanners: CDS / CDS"


def policy_move(text: str, *moves: str) -> str:
    state = parse_position(text)
    play_moves(state, *moves)
    seat = seat_to_act(state)
    move = PLAYER_MODEL.choose_move(COURT.view(state, seat), COURT.moves(state, seat), Random(1))
    COURT.check(state, seat, move)
    return COURT.format_move(move)


RIVALS = "K L\n11 A B\n12 . D\nrest: C V12\nphase: two\nhands: JS 2D 2C 2H 3H"
CHOICES = {
    "the last banner is claimed": ("K L\n3 A .\n9 . B\nhands: 2H 3H 9D 10S QS KS\nbanners: CDS / -", "move 3H"),
    "a banner is claimed before somebody is in the way": ("K L\n3 A .\n9 . B\nhands: 2H 5H 9D 10S QS KS", "move 5H"),
    "two cards cross an edge": ("K L\n11 A B\nhands: 9H 2H 7S 8C QS KS\nbanners: DC / -", "move 9H", "move 2H"),
    "who is about to win is pushed back": (
        "K L M\n2 . B .\n11 A . C\nphase: two\nhands: 9S 2D 3D 9C QH\nbanners: - / CDS / -",
        "push 9S B",
    ),
    "who leads is knocked out": (
        "K L M\n12 A B C\nphase: two\nhands: AS 2D 2C 2S 2H\nhealth: 6 1 6\nbanners: - / CDS / -",
        "strike AS",
    ),
    "a jack attacks who is ahead": (f"{RIVALS}\nhealth: 6 6 1 6\nbanners: C / - / CHS / -", "attack JS C"),
    "in the last turn health decides and no way to an edge": (f"{LAST_TURN}\ncap: 1", "strike AS"),
    "earlier a way to an edge decides": (LAST_TURN, "push 9S B"),
    "a menhir bars the way to the last banner": (
        "K L M\n4 . B .\n11 A . C\nphase: two\nhands: menhir 2C 2D 2H 3H\nbanners: - / CDS / -",
        "menhir L3",
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_computers_make_moves_that_are_beyond_doubt(case: str) -> None:
    text, *good = CHOICES[case]
    assert policy_move(f"   {text}") in good


def test_nobody_is_pushed_over_an_edge_for_a_banner() -> None:
    move = policy_move("   K L\n2 . B\n11 A .\nphase: two\nhands: 9H 8H 7H 6H 5H\nbanners: - / CDS")
    assert move.startswith("discard")


def test_a_card_that_is_given_back_is_won_again_soonest() -> None:
    text = "   K L\n11 A B\nphase: two\nhands: AS 2D 2H 3H 4H / 6H 7H 2C 3S QS KS\nhealth: 6 1\nbanners: - / HD"
    assert policy_move(text, "strike AS") == "give H"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_playouts_play_as_views_do_from_any_position(seats: int) -> None:
    """For any makers of the moves before; and blunders are legal, too."""
    rng = Random(seats)
    state = COURT.start(seats, Options(turns=60), Chance(f"{seats:032x}"))
    while decisions := COURT.decisions(state):
        (seat,) = decisions
        view, moves = COURT.view(state, seat), COURT.moves(state, seat)
        move = PLAYER_MODEL.choose_move(view, moves, Random(1))
        assert PLAYER_MODEL.choose_in_playout(state, seat, Random(1)) == move
        for each in (move, PLAYER_MODEL.choose_with_blunders(view, moves, rng)):
            COURT.check(state, seat, each)
            assert each in moves
        COURT.play(state, seat, moves[rng.randrange(len(moves))])


def test_a_grudge_pushes_nobody_over_an_edge_for_a_banner() -> None:
    state = parse_position("   K L\n2 . B\n11 A .\nturn: B\nphase: two\nhands: 2C 6H 7H 8H 9H 9S / JS 2D")
    play_moves(state, "attack JS", "move 2C")
    seat = seat_to_act(state)
    view, moves = COURT.view(state, seat), COURT.moves(state, seat)
    blunders = {COURT.format_move(PLAYER_MODEL.choose_with_blunders(view, moves, Random(seed))) for seed in range(60)}
    assert "push 9S B" in blunders
    assert not {f"push {card} B" for card in ("6H", "7H", "8H", "9H")} & blunders


def test_somebody_new_overlooks_cards_but_never_one_that_wins_the_match() -> None:
    def blunders(banners: str) -> set[str]:
        state = parse_position(f"   K L\n3 A .\n9 . B\nhands: 2H 3H 9D 10S QS KS\nbanners: {banners} / -")
        view, moves = COURT.view(state, 0), COURT.moves(state, 0)
        return {COURT.format_move(PLAYER_MODEL.choose_with_blunders(view, moves, Random(seed))) for seed in range(80)}

    assert blunders("CDS") == {"move 3H"}
    assert len(blunders("CD")) > 1
