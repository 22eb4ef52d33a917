"""What computers do with Wizard's special cards."""

from __future__ import annotations

from random import Random

import pytest

from engines.wizard import WIZARD, deck
from engines.wizard.model import State
from players import make_player
from players.wizard import PLAYER_MODEL
from tests.engines.wizard.positions import parse_position, play_moves

SPECIALS = "specials: elephant mouse trapdoor chameleon carousel weathervane"
PLAYS = {
    "who wants the trick plays the Elephant over a Wizard": (
        "trick: wizard 5C | bids: 1 1 1 | hand: elephant 2C 3D",
        "play elephant",
    ),
    "who wants none does not": ("trick: wizard 5C | bids: 1 1 0 | hand: elephant 2C 3D", "play 2C", "play 3D"),
    "the Elephant is lost to the Mouse": ("trick: mouse 9C | bids: 0 0 1 | hand: elephant 2D", "play 2D"),
    "the Mouse catches it": ("trick: elephant 5C | bids: 1 0 1 | hand: mouse 2C 3D", "play mouse"),
    "the Mouse stays away from it": ("trick: elephant 5C | bids: 1 0 0 | hand: mouse jester", "play jester"),
    "nothing is won through the Trapdoor": ("trick: 9C trapdoor | bids: 1 0 1 | hand: AC 2C", "play 2C"),
    "otherwise the Mouse is a safe loser": ("trick: 9C 5C | bids: 1 1 0 | hand: mouse AC", "play mouse"),
    "a trick with the Trapdoor is no place for a Wizard": (
        "trick: 9C trapdoor | bids: 1 0 1 | hand: wizard 2C 3D",
        "play 2C",
    ),
}


@pytest.mark.parametrize("case", PLAYS)
def test_w20_to_w22_computers_play_cards_that_are_beyond_doubt(case: str) -> None:
    text, *good = PLAYS[case]
    state = parse_position(f"trump: H | {SPECIALS} | {text}")
    seat = next(iter(WIZARD.decisions(state)))
    view, moves = WIZARD.view(state, seat), WIZARD.moves(state, seat)
    assert WIZARD.format_move(PLAYER_MODEL.choose_move(view, moves, Random(0))) in good


def test_w20_w21_bids_count_the_elephant_as_a_trick_and_the_mouse_as_none() -> None:
    for hand, bid in {"elephant 2C 3D": 1, "mouse 2C 3D": 0, "elephant wizard 2C": 2, "trapdoor 2C 3D": 0}.items():
        state = parse_position(f"phase: bid | players: 4 | trump: H | {SPECIALS} | hand: {hand}")
        seat = next(iter(WIZARD.decisions(state)))
        chosen = PLAYER_MODEL.choose_move(WIZARD.view(state, seat), WIZARD.moves(state, seat), Random(0))
        assert WIZARD.format_move(chosen) == f"bid {bid}", hand


def passing_position(bid: int) -> State:
    """Seat 0 has a Wizard, a low club and a Jester after the trick with the Carousel."""
    state = parse_position(
        f"trump: H | specials: carousel | bids: {bid} 1 1 | "
        "hands: carousel wizard 2C jester / 9H 2D 3D 4D / AH 2S 3S 4S"
    )
    play_moves(state, "play carousel", "play 9H", "play AH")
    return state


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize(("bid", "other", "passed"), [(0, "jester", "wizard"), (3, "wizard", "jester")])
def test_w24_a_card_that_misfits_the_bid_is_passed(level: str, bid: int, other: str, passed: str) -> None:
    state = passing_position(bid)
    view, moves = WIZARD.view(state, 0), WIZARD.moves(state, 0)
    chosen = WIZARD.format_move(make_player(WIZARD, level).choose_move(view, moves, Random(1)))  # type: ignore[arg-type]
    assert chosen != f"pass {other}"
    if level == "normal":
        assert chosen == f"pass {passed}" or bid == 3
    candidates = [WIZARD.format_move(move) for move in PLAYER_MODEL.candidate_moves(view, moves, Random(0))]
    assert sorted(candidates) == sorted(map(WIZARD.format_move, moves))


@pytest.mark.parametrize(("hand", "change"), [("wizard wizard", "raise"), ("2S jester", "lower")])
def test_w25_a_bid_changes_towards_the_tricks_that_the_hand_can_take(hand: str, change: str) -> None:
    state = parse_position(
        f"trump: H | specials: weathervane | bids: 1 1 2 | hands: weathervane 2C 3C / 9H 2D 3D / AH {hand}"
    )
    play_moves(state, "play weathervane", "play 9H", "play AH")
    view, moves = WIZARD.view(state, 2), WIZARD.moves(state, 2)
    assert WIZARD.format_move(PLAYER_MODEL.choose_move(view, moves, Random(0))) == change
    assert {*PLAYER_MODEL.candidate_moves(view, moves, Random(0))} == {*moves}


@pytest.mark.parametrize(("bids", "change"), [("1 0 0", "raise"), ("0 0 1", "lower")])
def test_w25_at_the_end_of_a_round_there_may_be_no_choice(bids: str, change: str) -> None:
    state = parse_position(f"trump: H | specials: weathervane | bids: {bids} | hands: weathervane / 9H / AH")
    play_moves(state, "play weathervane", "play 9H", "play AH")
    view, moves = WIZARD.view(state, 2), WIZARD.moves(state, 2)
    assert WIZARD.format_move(PLAYER_MODEL.choose_move(view, moves, Random(0))) == change


def test_w24_worlds_keep_the_card_that_was_passed() -> None:
    state = passing_position(0)
    for seat, card in enumerate(("wizard", "2D", "2S")):
        WIZARD.play(state, seat, WIZARD.parse_move(f"pass {card}"))
    draw = PLAYER_MODEL.world_sampler(WIZARD.view(state, 0), Random(3))
    for _ in range(30):
        world = draw()
        assert deck.WIZARD in world.hands[1]
        assert WIZARD.view(world, 0) == WIZARD.view(state, 0)
