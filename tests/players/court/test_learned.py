"""The Court's network: it gives the same values everywhere, and what it plays is legal, sensible and better."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from math import exp
from random import Random
from statistics import fmean

import pytest

from engines.court import COURT
from engines.court.model import Options, State
from engines.kit.chance import Chance
from players.court.learned import Evaluator, best_learned, rank_learned
from players.court.networks import BITS, MOST, layer_sizes, read_network_weights
from players.court.policy import choose_move
from players.networks import LANE, WEIGHT_BITS
from tests.engines.court.positions import parse_position, seat_to_act
from tests.players.court.test_policy import CHOICES

GREATEST_INPUT = 5  # features are below it
MATCHES = {2: "e065df9a", 3: "11554e3a", 4: "9680be87"}
"""Digests of the moves of a match. They change with the weights."""


def plain_layers(seats: int) -> list[list[tuple[float, ...]]]:
    """The weights of each unit, with the constant at the end, by layer."""
    rest, layers = [weight / 2**WEIGHT_BITS for weight in read_network_weights(seats)], []
    for before, after in pairwise(layer_sizes(seats)):
        rows = [rest[after * row : after * (row + 1)] for row in range(before + 1)]
        layers.append([*zip(*rows, strict=True)])
        rest = rest[after * (before + 1) :]
    assert not rest
    return layers


def plain_chance(layers: list[list[tuple[float, ...]]], inputs: Sequence[float]) -> float:
    """The same network in floating-point numbers, one weight at a time."""
    for number, layer in enumerate(layers, 1):
        sums = [sum(weight * each for weight, each in zip(unit, (*inputs, 1.0), strict=True)) for unit in layer]
        inputs = sums if number == len(layers) else [max(0.0, each) for each in sums]
    return 1 / (1 + exp(-inputs[0]))


def random_match(seats: int, seed: int) -> list[tuple[State, int]]:
    """The decisions of a match in which half of the moves are random."""
    rng, found = Random(seed), []
    state = COURT.start(seats, Options(turns=40), Chance(f"{seed:032x}"))
    while decisions := COURT.decisions(state):
        (seat,) = decisions
        found.append((COURT.copy(state), seat))
        ranked = rank_learned(state, seat, state.hands[seat])
        COURT.play(state, seat, ranked[0] if rng.random() < 0.5 else rng.choice(COURT.moves(state, seat)))
    return found


@pytest.mark.parametrize("seats", COURT.seats)
def test_integers_give_what_the_network_gives_in_plain_numbers(seats: int) -> None:
    layers = plain_layers(seats)
    for state, seat in random_match(seats, 5):
        evaluator, hand = Evaluator(state, seat), tuple(state.hands[seat])
        menhirs = [*evaluator.table.menhirs]
        menhirs[seat] = 21
        for table in (evaluator.table, evaluator.table._replace(menhirs=tuple(menhirs))):
            if evaluator.turns_left:
                inputs = evaluator.inputs(table, hand)
                assert max(inputs) < GREATEST_INPUT
                assert evaluator.chance(table, hand) == pytest.approx(plain_chance(layers, inputs), abs=1e-3)


@pytest.mark.parametrize("seats", COURT.seats)
def test_no_sum_of_the_networks_overflows_its_lane(seats: int) -> None:
    first, second, _ = plain_layers(seats)
    for layer, most in ((first, GREATEST_INPUT << BITS), (second, MOST)):
        assert all(sum(map(abs, unit)) * 2**WEIGHT_BITS * most < LANE for unit in layer)


@pytest.mark.parametrize("seats", COURT.seats)
def test_every_move_that_is_ranked_is_legal_and_the_best_is_first(seats: int) -> None:
    for state, seat in random_match(seats, 7):
        ranked = rank_learned(state, seat, state.hands[seat])
        assert {*ranked} <= {*COURT.moves(state, seat)}
        assert len({*ranked}) == len(ranked)
        assert best_learned(state, seat, state.hands[seat]) == ranked[0]
        assert rank_learned(COURT.view(state, seat), seat, state.hands[seat]) == ranked


@pytest.mark.parametrize("seats", COURT.seats)
def test_choices_are_the_same_on_every_machine(seats: int) -> None:
    moves = [
        COURT.format_move(rank_learned(state, seat, state.hands[seat])[0]) for state, seat in random_match(seats, 9)
    ]
    assert sha256("\n".join(moves).encode()).hexdigest()[:8] == MATCHES[seats]


@pytest.mark.parametrize("case", CHOICES)
def test_computers_make_moves_that_are_beyond_doubt(case: str) -> None:
    text, *good = CHOICES[case]
    state = parse_position(f"   {text}")
    seat = seat_to_act(state)
    assert COURT.format_move(best_learned(state, seat, state.hands[seat])) in good


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("seats", "matches"), [(2, 100), (3, 40), (4, 24)])
def test_one_learned_player_wins_more_than_its_fair_share(seats: int, matches: int) -> None:
    shares = []
    for seed in range(matches):
        state, own = COURT.start(seats, Options(turns=100), Chance(f"{seed:032x}")), seed % seats
        while decisions := COURT.decisions(state):
            (seat,) = decisions
            COURT.play(state, seat, (best_learned if seat == own else choose_move)(state, seat, state.hands[seat]))
        outcome = COURT.outcome(state)
        assert outcome is not None
        shares.append((own in outcome.winners) / len(outcome.winners))
    assert fmean(shares) > 1 / seats
