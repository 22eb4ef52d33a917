"""Jokers: what a search looks at."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from bench.players.ladder import make_chooser
from bench.players.seer import Seer
from engines.jokers import JOKERS
from engines.jokers.melds import best_split
from engines.jokers.model import Options, Trade
from engines.kit.chance import Chance
from players.jokers import PLAYER_MODEL
from players.player_model import Budget
from players.search import search
from tests.engines.jokers.positions import FULL, all_cards, choose_purposeful, parse_position, seat_to_act

BRIEF = Budget(12, max_candidates=3)


@pytest.mark.parametrize("seed", range(3))
def test_from_anywhere_a_search_finds_a_legal_move_and_the_same_again(seed: int) -> None:
    rng = Random(seed)
    state = JOKERS.start(2, Options(rounds=1), Chance(f"{seed:032x}"))
    while JOKERS.decisions(state):
        seat = seat_to_act(state)
        view, moves = JOKERS.view(state, seat), JOKERS.moves(state, seat)
        candidates = PLAYER_MODEL.candidate_moves(view, moves, rng)
        assert candidates[0] == PLAYER_MODEL.choose_move(view, moves, rng)
        assert len(set(candidates)) == len(candidates) <= 8
        for move in candidates:
            JOKERS.check(state, seat, move)
        found = search(PLAYER_MODEL, view, moves, Random(seed), BRIEF)
        assert found == search(PLAYER_MODEL, view, moves, Random(seed), BRIEF)
        JOKERS.play(state, seat, choose_purposeful(state, rng, purpose=0.7))


@pytest.mark.parametrize("seed", range(5))
def test_worlds_fit_the_view(seed: int) -> None:
    rng = Random(seed)
    state = JOKERS.start(2, Options(rounds=1), Chance(f"{seed:032x}"))
    while JOKERS.decisions(state):
        view = JOKERS.view(state, seat_to_act(state))
        draw = PLAYER_MODEL.world_sampler(view, rng)
        for world in (draw(), draw()):
            assert JOKERS.view(world, view.seat) == view
            assert all_cards(world) == all_cards(state)
        JOKERS.play(state, seat_to_act(state), choose_purposeful(state, rng, purpose=0.7))


def test_late_the_other_hand_is_supposed_to_be_better_than_any() -> None:
    state = parse_position("hand: 4C 9D JS 2H 7C QD KS 5H | draw: 12")
    view = JOKERS.view(state, 0)
    draw = PLAYER_MODEL.world_sampler(view, Random(1))
    worked_on = fmean(best_split(draw().hands[1]).points for _ in range(60))
    any_hand = fmean(best_split(JOKERS.sample(view, Chance(f"{each:032x}")).hands[1]).points for each in range(60))
    assert worked_on > any_hand + 5


def test_a_playout_ends_with_the_round() -> None:
    state = parse_position(f"hand: {FULL} | rounds: 3")
    JOKERS.play(state, 0, JOKERS.parse_move("declare"))
    ahead = PLAYER_MODEL.evaluate_by_playout(state, 0, Random(1))
    assert state.round == 2
    assert not state.discard
    assert ahead == state.scores[0] - state.scores[1]


def test_trades_that_a_search_looks_at_are_few_and_near() -> None:
    view = JOKERS.view(parse_position("hand: 5D 6D 7D 9H 9S QC QS KH | draw: 20"), 0)
    candidates = PLAYER_MODEL.candidate_moves(view, (), Random(1))
    assert 1 < sum(isinstance(move, Trade) for move in candidates) <= 6


def test_a_seer_knows_the_hands_but_no_card_that_nobody_has_seen() -> None:
    state = parse_position("hand: 5D 6D 7D 9H 9S QC QS KH | draw: 20")
    JOKERS.play(state, 0, JOKERS.parse_move("safety 1"))
    seer = make_chooser(JOKERS, "seer")
    assert isinstance(seer, Seer)
    seer.truth = state
    draw = seer.world_sampler(JOKERS.view(state, 0), Random(1))
    worlds = [draw() for _ in range(8)]
    assert all(all_cards(world) == all_cards(state) and world.hands == state.hands for world in worlds)
    assert {(world.turned, world.safety[0][0]) for world in worlds} == {(state.turned, state.safety[0][0])}
    for seat, at in ((0, 1), (1, 0), (1, 1)):
        assert len({world.safety[seat][at] for world in worlds}) > 2
    assert len({tuple(world.draw) for world in worlds}) == 8
