"""Wizard's networks, and the policy that uses them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.resources import files
from math import exp
from random import Random

import pytest

import players.wizard
from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import Move, Options, State
from engines.wizard.view import View
from players.networks import INPUT_BITS, LANE, MOST, WEIGHT_BITS
from players.wizard import PLAYER_MODEL
from players.wizard.features import Choices
from players.wizard.networks import (
    BID_INPUTS,
    CARD_INPUTS,
    FIRST_UNITS,
    OTHERS_WEIGHT,
    OUTPUTS,
    SECOND_UNITS,
    VALUE_SCALE,
    Network,
    load_networks,
    weight_count,
)

GREATEST_INPUT = 8  # features are cut off below it
MATCHES = {3: "527e37ac", 4: "06acf96b", 5: "aa7f4c6f", 6: "1392ddde"}
"""Digests of the moves of a match. They change with the weights."""
Chooser = Callable[[View, Sequence[Move], Random], Move]


class PlainNetwork:
    """The same network in floating-point numbers, one weight at a time."""

    def __init__(self, weights: Sequence[int], inputs: int) -> None:
        self.layers, rest = [], [weight / 2**WEIGHT_BITS for weight in weights]
        for before, after in ((inputs, FIRST_UNITS), (FIRST_UNITS, SECOND_UNITS), (SECOND_UNITS, OUTPUTS)):
            rows = [rest[after * row : after * (row + 1)] for row in range(before + 1)]
            self.layers.append([*zip(*rows, strict=True)])
            rest = rest[after * (before + 1) :]
        assert not rest

    def value(self, inputs: Sequence[float], bid: int) -> float:
        for number, layer in enumerate(self.layers, 1):
            sums = [sum(weight * each for weight, each in zip(unit, (*inputs, 1.0), strict=True)) for unit in layer]
            inputs = sums if number == len(self.layers) else [max(0.0, each) for each in sums]
        odds, miss, others = inputs
        return (20 + 10 * bid) / (1 + exp(-odds)) - 10 * (miss + OTHERS_WEIGHT * others)


def read_weights(seats: int) -> array[int]:
    weights = array("h")
    weights.frombytes(files(players.wizard).joinpath("weights", f"{seats}.bin").read_bytes())
    return weights


def meet_bids(choose: Chooser, seats: int, seeds: range) -> float:
    """The share of bids that are met if all seats play so."""
    results = []
    for seed in seeds:
        state = WIZARD.start(seats, Options(), Chance(f"{seed:032x}"))
        while WIZARD.decisions(state):
            play_one(state, choose)
        results += [score.bid == score.taken for row in state.sheet for score in row]
    return sum(results) / len(results)


def play_one(state: State, choose: Chooser) -> str:
    seat = next(iter(WIZARD.decisions(state)))
    move = choose(WIZARD.view(state, seat), WIZARD.moves(state, seat), Random(0))
    WIZARD.play(state, seat, move)
    return WIZARD.format_move(move)


@pytest.mark.parametrize("inputs", [BID_INPUTS, CARD_INPUTS])
def test_integers_give_what_the_network_gives_in_plain_numbers(inputs: tuple[int, int]) -> None:
    rng = Random(1)
    weights = [round(rng.gauss(0, 150)) for _ in range(weight_count(*inputs))]
    packed, plain = Network(weights, *inputs), PlainNetwork(weights, sum(inputs))
    for bid in range(6):
        seat, *moves = ([rng.uniform(-1, 1.5) for _ in range(size)] for size in (inputs[0], inputs[1], inputs[1]))
        found = packed.values(Choices(seat, [(0, move) for move in moves]), [bid] * 2)
        for value, move in zip(found, moves, strict=True):
            assert value / VALUE_SCALE == pytest.approx(plain.value([*seat, *move], bid), abs=0.6)


@pytest.mark.parametrize("seats", WIZARD.seats)
def test_no_sum_of_the_networks_overflows_its_lane(seats: int) -> None:
    weights = read_weights(seats)
    split = weight_count(*BID_INPUTS)
    for inputs, own in ((BID_INPUTS, weights[:split]), (CARD_INPUTS, weights[split:])):
        first, second, _ = PlainNetwork(own, sum(inputs)).layers
        for layer, most in ((first, GREATEST_INPUT << INPUT_BITS), (second, MOST)):
            assert all(sum(map(abs, unit)) * 2**WEIGHT_BITS * most < LANE for unit in layer)


@pytest.mark.parametrize(("seats", "least"), [(3, 0.55), (4, 0.65), (5, 0.7), (6, 0.75)])
def test_learned_computers_meet_more_bids_than_the_rule_of_thumb(seats: int, least: float) -> None:
    seeds = range(700, 703)
    learned = meet_bids(PLAYER_MODEL.choose_move, seats, seeds)
    assert learned > max(least, meet_bids(PLAYER_MODEL.choose_by_rule, seats, seeds))


@pytest.mark.parametrize("seats", WIZARD.seats)
def test_choices_are_the_same_on_every_machine(seats: int) -> None:
    state, moves = WIZARD.start(seats, Options(), Chance(f"{seats:032x}")), []
    while WIZARD.decisions(state):
        moves.append(play_one(state, PLAYER_MODEL.choose_move))
    assert sha256("\n".join(moves).encode()).hexdigest()[:8] == MATCHES[seats]


def decisions_off_the_rule(seats: int, options: Options) -> set[tuple[int, str]]:
    """The rounds and phases in which computers do not follow the rule of thumb."""
    state = WIZARD.start(seats, options, Chance(f"{1:032x}"))
    found: set[tuple[int, str]] = set()
    while WIZARD.decisions(state):
        seat = next(iter(WIZARD.decisions(state)))
        known = WIZARD.view(state, seat), WIZARD.moves(state, seat)
        if PLAYER_MODEL.choose_move(*known, Random(1)) != PLAYER_MODEL.choose_by_rule(*known, Random(1)):
            found.add((state.round, state.phase))
        play_one(state, PLAYER_MODEL.choose_move)
    return found


@pytest.mark.parametrize("options", [Options(5, bids="late"), Options(5, elephant=True), Options(5, weathervane=True)])
def test_under_rules_that_were_not_trained_the_rule_of_thumb_plays(options: Options) -> None:
    assert not decisions_off_the_rule(4, options)


def test_w16_hidden_bids_follow_the_rule_of_thumb_and_cards_the_networks() -> None:
    assert {phase for _, phase in decisions_off_the_rule(4, Options(5, bids="hidden"))} == {"play"}


def test_w18_so_do_blind_bids() -> None:
    found = decisions_off_the_rule(4, Options(9, blind=True))
    assert {number for number, phase in found if phase == "bid"} <= {1, 2, 4, 5, 7, 8}
    assert {phase for _, phase in found} == {"bid", "play"}
    assert (9, "play") in found


def test_w19_a_dummy_hand_counts_as_a_seat() -> None:
    assert {phase for _, phase in decisions_off_the_rule(2, Options(8, dummy=True))} == {"bid", "play"}


def test_other_numbers_of_seats_have_no_networks() -> None:
    assert load_networks(2) is None
