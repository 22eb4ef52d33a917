"""Slips at Jester's Court: what somebody does who is new to it, and what nobody would."""

from __future__ import annotations

from random import Random

from engines.court import COURT
from players.court import PLAYER_MODEL
from tests.engines.court.positions import parse_position, play_moves, seat_to_act


def test_a_grudge_pushes_nobody_over_an_edge_for_a_banner() -> None:
    state = parse_position("   K L\n2 . B\n11 A .\nturn: B\nphase: two\nhands: 2C 6H 7H 8H 9H 9S / JS 2D")
    play_moves(state, "attack JS", "move 2C")
    seat = seat_to_act(state)
    view, moves = COURT.view(state, seat), COURT.moves(state, seat)
    slips = {COURT.format_move(PLAYER_MODEL.choose_with_blunders(view, moves, Random(seed))) for seed in range(60)}
    assert "push 9S B" in slips
    assert not {f"push {card} B" for card in ("6H", "7H", "8H", "9H")} & slips
