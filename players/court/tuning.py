"""Tunes the weights, from the results of positions in matches that the policy plays against itself.

`python -m players.court.tuning 4 100 numbers.toml` plays 100 matches with four seats and writes the weights for four
seats. After each turn, it records what the seat in turn knows about everybody, as features of `Weights`. A seat's
log-odds are their weighted sum. The weights are fitted to the end of the match, seen from λ turns ahead (temporal
differences, Sutton 1988), by Newton's method. Better weights play different matches, so run it twice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from random import Random

from engines.court import COURT
from engines.court.board import OFF_BOARD
from engines.court.model import HAND_SIZE, Options, State
from engines.kit.chance import Chance
from players.court.chart import CENTRE, UNCLAIMED_SUITS, barred_suits, crossing_chances, edge_distances
from players.court.odds import KIND_OF_CARD, WAITING_TURNS, edge_routes, health_row
from players.court.policy import choose_move

LAMBDA = 0.92
RIDGE = 4.0
FIT_ROUNDS = 6
MAX_TURNS = 600
WEIGHT_COUNTS = {"left": 4, "health": 18, "threat": 16, "pace": 4, "barred": 4, "in_hand": 4, "known": 1}
"""The number of weights of each kind. `known` is the bonus for having seen a hand, which no decision needs."""
WEIGHT_OFFSETS = {key: sum(list(WEIGHT_COUNTS.values())[:place]) for place, key in enumerate(WEIGHT_COUNTS)}
TOTAL_WEIGHTS = sum(WEIGHT_COUNTS.values())

Features = list[tuple[int, float]]
"""The features of a seat: the indexes of weights, and their amounts."""
Vector = list[float]


def position_features(state: State, viewer: int, hand: Sequence[int]) -> list[Features]:
    """Return the features of every seat that the viewer knows after its turn, before drawing."""
    first, seats = state.order.index(viewer) + 1, len(state.mages)
    return [
        [*_seat_features(state, seat, (state.order.index(seat) - first) % seats, hand if seat == viewer else None)]
        for seat in range(seats)
    ]


def _seat_features(state: State, seat: int, delay: int, hand: Sequence[int] | None) -> Iterator[tuple[int, float]]:
    banners = state.banners[seat]
    left = state.goal - len(banners)
    square = CENTRE if state.mages[seat] == OFF_BOARD else state.mages[seat]
    wanted = UNCLAIMED_SUITS[banners]
    away = wanted & barred_suits(square, [menhir for menhir in state.menhirs if menhir != OFF_BOARD])
    yield WEIGHT_OFFSETS["left"] + left - 1, 1.0
    yield WEIGHT_OFFSETS["health"] + 6 * health_row(banners, left) + state.health[seat] - 1, 1.0
    if away:
        yield WEIGHT_OFFSETS["barred"] + left - 1, away.bit_count() / wanted.bit_count()
    turns, cards = edge_distances(wanted - away)[square]
    chance = crossing_chances(HAND_SIZE - state.bare[seat])[cards]
    if hand is not None:
        turns = min([turns + WAITING_TURNS, *[each for each, _, _ in edge_routes(square, wanted - away, hand)]])
        chance = 1.0 if turns == 1 else crossing_chances(HAND_SIZE - len(hand))[cards]
        yield WEIGHT_OFFSETS["known"], 1.0
        for card in hand:
            yield WEIGHT_OFFSETS["in_hand"] + KIND_OF_CARD[card], 1.0
    yield WEIGHT_OFFSETS["threat"] + 4 * (left - 1) + delay, chance
    yield WEIGHT_OFFSETS["pace"] + left - 1, -turns


def play_match(seats: int, seed: int) -> tuple[list[list[Features]], Vector]:
    """Return the features after each turn of a match, and each seat's share of the win."""
    options = Options(banners=3 + (seed % 4 > 0), turns=MAX_TURNS)
    state = COURT.start(seats, options, Chance(f"{seed:032x}"))
    found = []
    while decisions := COURT.decisions(state):
        (seat,) = decisions
        hinders = not state.owed and state.phase == "hinder"
        move = choose_move(state, seat, state.hands[seat])
        rest = [*state.hands[seat]]
        if hinders:
            rest.remove(getattr(move, "card", 52))
        COURT.play(state, seat, move)
        if hinders and state.phase == "move":
            found.append(position_features(state, seat, rest))
    outcome = COURT.outcome(state)
    assert outcome is not None
    winners = outcome.winners
    return found, [(seat in winners) / len(winners) for seat in range(seats)]


def win_shares(features: list[Features], weights: Vector) -> Vector:
    """Return each seat's chance to win."""
    odds = [exp(sum([weights[place] * amount for place, amount in each])) for each in features]
    return [each / sum(odds) for each in odds]


def target_shares(match: list[list[Features]], end: Vector, weights: Vector) -> list[Vector]:
    """Return the target value of each position: the result, blended with the estimates for the positions in between."""
    found, aim = [], end
    for known in reversed(match):
        found.append(aim)
        now = win_shares(known, weights)
        aim = [(1 - LAMBDA) * one + LAMBDA * other for one, other in zip(now, aim, strict=True)]
    return found[::-1]


def newton_step(matches: list[tuple[list[list[Features]], Vector]], weights: Vector) -> Vector:
    """Return the result of one Newton step over all matches with the current weights."""
    gradient = [-RIDGE * weight for weight in weights]
    hessian = [[RIDGE * (one == other) for other in range(TOTAL_WEIGHTS)] for one in range(TOTAL_WEIGHTS)]
    for match, end in matches:
        for known, aim in zip(match, target_shares(match, end, weights), strict=True):
            _add_derivatives(known, aim, weights, gradient, hessian)
    return [weight + step for weight, step in zip(weights, solve_linear(hessian, gradient), strict=True)]


def _add_derivatives(
    features: list[Features], target: Vector, weights: Vector, gradient: Vector, hessian: list[Vector]
) -> None:
    """Add one position's share of the first and second derivatives of its likelihood."""
    mean: dict[int, float] = {}
    for each, share, wanted in zip(features, win_shares(features, weights), target, strict=True):
        for place, amount in each:
            gradient[place] += (wanted - share) * amount
            mean[place] = mean.get(place, 0.0) + share * amount
            for other, much in each:
                hessian[place][other] += share * amount * much
    for place, amount in mean.items():
        for other, much in mean.items():
            hessian[place][other] -= amount * much


def solve_linear(matrix: list[Vector], right_side: Vector) -> Vector:
    """Solve linear equations with a symmetric positive matrix, by elimination without pivots."""
    rows = [[*each, value] for each, value in zip(matrix, right_side, strict=True)]
    for place, pivot in enumerate(rows):
        for other in rows[place + 1 :]:
            if ratio := other[place] / pivot[place]:
                other[place:] = [
                    mine - ratio * theirs for mine, theirs in zip(other[place:], pivot[place:], strict=True)
                ]
    found = [0.0] * len(rows)
    for place in reversed(range(len(rows))):
        rest = sum([rows[place][other] * found[other] for other in range(place + 1, len(rows))])
        found[place] = (rows[place][-1] - rest) / rows[place][place]
    return found


def weights_toml(seats: int, weights: Vector) -> str:
    """Return the weights for this many seats as TOML."""
    lines = [f'["{seats}"]']
    for key, size in list(WEIGHT_COUNTS.items())[:-1]:
        own = [round(weight, 3) for weight in weights[WEIGHT_OFFSETS[key] :][:size]]
        across = {"health": 6, "threat": 4}.get(key)
        lines.append(f"{key} = {[own[at : at + across] for at in range(0, size, across)] if across else own}")
    return "\n".join([*lines, ""])


def main() -> None:
    """Run the tuning as described in the module docstring."""
    seats, number, file = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    first = Random(seats).randrange(1 << 40)
    matches = [play_match(seats, first + match) for match in range(number)]
    weights = [0.0] * TOTAL_WEIGHTS
    for _ in range(FIT_ROUNDS):
        weights = newton_step(matches, weights)
    file.write_text(weights_toml(seats, weights), encoding="utf-8")


if __name__ == "__main__":
    main()
