"""Wizard's policy where the best move is beyond doubt, what search tries, and the worlds that it tries it in."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

import pytest

from engines.wizard import WIZARD, deck
from engines.wizard.model import Bid, Move, State
from engines.wizard.view import View
from players import make_player
from players.wizard import PLAYER_MODEL
from tests.engines.wizard.positions import parse_position, seat_to_act


def view_and_moves(state: State) -> tuple[View, Sequence[Move]]:
    seat = seat_to_act(state)
    return WIZARD.view(state, seat), WIZARD.moves(state, seat)


def policy_move(text: str) -> str:
    return WIZARD.format_move(PLAYER_MODEL.choose_move(*view_and_moves(parse_position(text)), Random(0)))


def tried_moves(text: str) -> list[str]:
    return list(map(WIZARD.format_move, PLAYER_MODEL.candidate_moves(*view_and_moves(parse_position(text)), Random(0))))


SURE_TRICK = "trick: 5C 9C | bids: 1 2 2 | hand: 10C wizard 2D"
PLAYS = {
    "a Wizard is not wasted": ("trick: wizard 2S | bids: 1 0 1 | hand: wizard 3C 4D", "play 3C", "play 4D"),
    "who wants none gets rid of a Wizard then": ("trick: wizard 2S | bids: 1 0 0 | hand: wizard 3C 4D", "play wizard"),
    "the last one takes with what suffices": (SURE_TRICK, "play 10C"),
    "and ducks as high as can be": ("trick: 9C 5C | bids: 1 1 0 | hand: 4C 8C AC", "play 8C"),
    "who wants none leads low": ("bids: 0 1 1 | hand: 2C AC AD", "play 2C"),
    "a Jester is led by who holds no other low card": ("bids: 0 1 1 | hand: jester AH AC", "play jester"),
    "who needs every trick takes it": ("trick: 9C | bids: 0 3 0 | hand: AC wizard wizard", "play AC", "play wizard"),
    "a high card that is lost anyway goes": ("trick: 9H 5H | bids: 1 1 0 | hand: 2C 3C AD", "play AD"),
}


@pytest.mark.parametrize("case", PLAYS)
def test_computers_play_cards_that_are_beyond_doubt(case: str) -> None:
    text, *good = PLAYS[case]
    assert policy_move(f"trump: H | {text}") in good


def test_computers_make_bids_and_name_suits_that_are_beyond_doubt() -> None:
    hands = {
        "wizard wizard wizard": 3,
        "jester 2C 3D": 0,
        "wizard 2C 3D": 1,
        "wizard wizard AH 2C 3D": 3,
        "2C 3C 4C 5C 3D": 0,
    }
    for hand, bid in hands.items():
        assert policy_move(f"phase: bid | players: 4 | trump: H | hand: {hand}") == f"bid {bid}", hand
    assert policy_move("phase: trump | turned: wizard | players: 4 | hand: AH KH 9H 2C 3D") == "trump H"


def test_bids_are_tried_from_that_of_the_policy_outwards_and_a_blunder_is_off_by_one() -> None:
    text = "phase: bid | players: 4 | trump: H | hand: wizard 2C 3D 4S 2S"
    assert policy_move(text) == "bid 1"
    first, *near, far, farther = tried_moves(text)
    assert first == "bid 1"
    assert sorted(near) == ["bid 0", "bid 2", "bid 3"]
    assert [far, farther] == ["bid 4", "bid 5"]
    known = view_and_moves(parse_position(text))
    blunders = [PLAYER_MODEL.choose_with_blunders(*known, Random(seed)) for seed in range(200)]
    assert {*blunders} == {Bid(0), Bid(1), Bid(2)}
    assert blunders.count(Bid(2)) > 2 * blunders.count(Bid(0)), "somebody new overbids"


@pytest.mark.parametrize("bids", ["0 1 1 -", "2 1 0 -", "1 1 1 -", "4 0 0 -"])
def test_w12_every_level_and_its_search_leave_out_the_bid_that_the_hook_forbids(bids: str) -> None:
    text = f"phase: bid | players: 4 | hook: 2 | trump: H | bids: {bids} | hand: wizard 2C 3D 4S"
    forbidden = Bid(4 - sum(int(bid) for bid in bids.split()[:3]))
    view, moves = view_and_moves(parse_position(text))
    assert forbidden not in moves
    candidates = PLAYER_MODEL.candidate_moves(view, moves, Random(0))
    assert sorted(map(WIZARD.format_move, candidates)) == sorted(map(WIZARD.format_move, moves))
    assert PLAYER_MODEL.choose_move(view, moves, Random(0)) in moves
    for seed in range(40):
        assert PLAYER_MODEL.choose_with_blunders(view, moves, Random(seed)) in moves


def test_one_of_several_equal_cards_is_tried() -> None:
    found = tried_moves("trump: H | trick: 9C | bids: 0 1 1 | hand: 2C 3C 4C AC")
    assert len(found) == 2
    assert "play AC" in found


def blunders(text: str) -> set[str]:
    """The cards that somebody new plays, by many chances."""
    known = view_and_moves(parse_position(f"trump: H | {text}"))
    return {WIZARD.format_move(PLAYER_MODEL.choose_with_blunders(*known, Random(seed))) for seed in range(100)}


def test_somebody_new_wastes_high_cards_and_keeps_others_but_never_gives_away_a_trick_that_is_needed() -> None:
    assert blunders(SURE_TRICK) == {"play 10C", "play wizard"}
    assert blunders("trick: 9H 5H | bids: 1 1 0 | hand: 2C 3C AD") == {"play 2C", "play AD"}
    assert blunders("trick: 9C 5C | bids: 1 1 0 | hand: 4C 8C AC") == {"play 4C", "play 8C"}


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_every_level_above_easy_takes_a_sure_trick(level: str) -> None:
    player = make_player(WIZARD, level)  # type: ignore[arg-type]
    known = view_and_moves(parse_position(f"trump: H | {SURE_TRICK}"))
    assert WIZARD.format_move(player.choose_move(*known, Random(1))) == "play 10C"


def test_worlds_are_those_in_which_the_bids_make_sense() -> None:
    state = parse_position("players: 4 | trump: H | bids: 0 0 4 1 | hand: 2C 3C 4C 5D")
    view = WIZARD.view(state, 0)
    samplers = [PLAYER_MODEL.world_sampler(view, Random(seed)) for seed in range(8)]
    found = [draw() for draw in samplers for _ in range(50)]

    def strong(seat: int) -> float:
        strong_cards = [
            [card for card in world.hands[seat] if card == deck.WIZARD or 26 <= card < 39] for world in found
        ]
        return fmean(map(len, strong_cards))

    assert all(WIZARD.view(world, 0) == view for world in found)
    assert strong(2) > strong(3) + 0.2
    assert strong(3) > strong(1) + 0.5
