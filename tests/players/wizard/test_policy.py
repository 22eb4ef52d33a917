"""Wizard's policy where the best move is beyond doubt, what search tries, and the worlds that it tries it in."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from engines.wizard import WIZARD, deck
from engines.wizard.model import Bid, State
from players import make_player
from players.wizard import PLAYER_MODEL
from tests.engines.wizard.positions import parse_position, seat_to_act


def policy_move(state: State) -> str:
    """What the policy does."""
    seat = seat_to_act(state)
    return WIZARD.format_move(PLAYER_MODEL.choose_move(WIZARD.view(state, seat), WIZARD.moves(state, seat), Random(0)))


def tried_moves(state: State) -> list[str]:
    """What search tries."""
    seat = seat_to_act(state)
    return [
        WIZARD.format_move(move)
        for move in PLAYER_MODEL.candidate_moves(WIZARD.view(state, seat), WIZARD.moves(state, seat), Random(0))
    ]


PLAYS = {
    "a Wizard is not wasted on a lost trick": (
        "trick: wizard 2S | bids: 1 0 1 | hand: wizard 3C 4D",
        "play 3C",
        "play 4D",
    ),
    "who wants none gets rid of a Wizard then": ("trick: wizard 2S | bids: 1 0 0 | hand: wizard 3C 4D", "play wizard"),
    "the last one takes with what suffices": ("trick: 5C 9C | bids: 1 2 2 | hand: 10C wizard 2D", "play 10C"),
    "and ducks as high as can be": ("trick: 9C 5C | bids: 1 1 0 | hand: 4C 8C AC", "play 8C"),
    "who wants none leads low": ("bids: 0 1 1 | hand: 2C AC AD", "play 2C"),
    "a Jester is led by who wants none and holds no other low card": (
        "bids: 0 1 1 | hand: jester AH AC",
        "play jester",
    ),
    "who needs every trick takes this one": (
        "trick: 9C | bids: 0 3 0 | hand: AC wizard wizard",
        "play AC",
        "play wizard",
    ),
    "a high card that is lost anyway goes when none is wanted": (
        "trick: 9H 5H | bids: 1 1 0 | hand: 2C 3C AD",
        "play AD",
    ),
}


@pytest.mark.parametrize("case", PLAYS)
def test_cards_beyond_doubt(case: str) -> None:
    text, *good = PLAYS[case]
    assert policy_move(parse_position(f"trump: H | {text}")) in good


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("wizard wizard wizard", 3),
        ("jester 2C 3D", 0),
        ("wizard 2C 3D", 1),
        ("wizard wizard AH 2C 3D", 3),
        ("2C 3C 4C 5D 3D", 0),
    ],
)
def test_bids_beyond_doubt(hand: str, bid: int) -> None:
    assert policy_move(parse_position(f"phase: bid | players: 4 | trump: H | hand: {hand}")) == f"bid {bid}"


def test_the_dealer_names_the_long_and_high_suit() -> None:
    assert policy_move(parse_position("phase: trump | turned: wizard | players: 4 | hand: AH KH 9H 2C 3D")) == "trump H"


def test_bids_are_tried_from_the_policys_outwards() -> None:
    state = parse_position("phase: bid | players: 4 | trump: H | hand: wizard 2C 3D 4S 2S")
    assert policy_move(state) == "bid 1"
    assert tried_moves(state) == ["bid 1", "bid 0", "bid 2", "bid 3", "bid 4", "bid 5"]


def test_of_cards_that_are_as_good_as_each_other_one_is_tried() -> None:
    found = tried_moves(parse_position("trump: H | trick: 9C | bids: 0 1 1 | hand: 2C 3C 4C AC"))
    assert len(found) == 2
    assert "play AC" in found


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_every_level_above_easy_takes_a_sure_trick(level: str) -> None:
    state = parse_position("trump: H | trick: 5C 9C | bids: 1 2 2 | hand: 10C wizard 2D")
    view, moves = WIZARD.view(state, 2), WIZARD.moves(state, 2)
    assert WIZARD.format_move(make_player(WIZARD, level).choose_move(view, moves, Random(1))) == "play 10C"  # type: ignore[arg-type]


def test_a_slip_of_a_bid_is_off_by_one_now_and_then() -> None:
    state = parse_position("phase: bid | players: 4 | trump: H | hand: wizard 2C 3D 4S 2S")
    view, moves = WIZARD.view(state, seat_to_act(state)), WIZARD.moves(state, seat_to_act(state))
    assert {PLAYER_MODEL.choose_with_blunders(view, moves, Random(seed)) for seed in range(40)} == {
        Bid(0),
        Bid(1),
        Bid(2),
    }


def test_worlds_are_those_in_which_the_bids_make_sense() -> None:
    state = parse_position("players: 4 | trump: H | bids: 0 0 4 1 | hand: 2C 3C 4C 5D")
    view = WIZARD.view(state, 0)
    draw = PLAYER_MODEL.world_sampler(view, Random(3))
    found = [draw() for _ in range(150)]

    def strong(seat: int) -> float:
        held = [[card for card in world.hands[seat] if card == deck.WIZARD or 26 <= card < 39] for world in found]
        return fmean(map(len, held))

    assert all(WIZARD.view(world, 0) == view for world in found)
    assert strong(2) > strong(3) + 0.3
    assert strong(3) > strong(1)
