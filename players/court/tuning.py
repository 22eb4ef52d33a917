"""Makes the numbers: what positions turned out to be worth in matches that the policy played against itself.

`python -m players.court.tuning 4 100 numbers.toml` plays 100 matches of four seats, and writes the numbers for these.
After each turn it is noted what the seat in turn knows of everybody, in the terms of `Numbers`. A seat's log-odds are
their weighted sum. They are fitted to the match's end, seen from λ turns ahead (temporal differences, Sutton 1988),
by Newton's method. Better numbers play other matches: twice is enough.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from random import Random

from engines.court import COURT
from engines.court.board import OFF
from engines.court.model import HAND, Options, State
from engines.kit.chance import Chance
from players.court.chart import CENTRE, UNCLAIMED, barred, chances, grounds
from players.court.odds import KINDS_HELD, WAITING, row, ways
from players.court.policy import decide

LAMBDA = 0.92
RIDGE = 4.0
ROUNDS = 6
CAP = 600
KEYS = {"left": 4, "health": 18, "threat": 16, "pace": 4, "barred": 4, "held": 4, "known": 1}
"""How many weights of each kind there are; `known` is what it adds to have seen a hand, which no decision asks for."""
AT = {key: sum(list(KEYS.values())[:place]) for place, key in enumerate(KEYS)}
SIZE = sum(KEYS.values())

Terms = list[tuple[int, float]]
"""What is true of a seat: the places of weights, and how much of each."""
Row = list[float]


def terms(state: State, viewer: int, hand: Sequence[int]) -> list[Terms]:
    """What the viewer, whose turn is over but for drawing, knows of every seat."""
    first, seats = state.order.index(viewer) + 1, len(state.mages)
    return [
        [*_seat(state, seat, (state.order.index(seat) - first) % seats, hand if seat == viewer else None)]
        for seat in range(seats)
    ]


def _seat(state: State, seat: int, delay: int, hand: Sequence[int] | None) -> Iterator[tuple[int, float]]:
    banners = state.banners[seat]
    left = state.goal - len(banners)
    square = CENTRE if state.mages[seat] == OFF else state.mages[seat]
    wanted = UNCLAIMED[banners]
    away = wanted & barred(square, [menhir for menhir in state.menhirs if menhir != OFF])
    yield AT["left"] + left - 1, 1.0
    yield AT["health"] + 6 * row(banners, left) + state.health[seat] - 1, 1.0
    if away:
        yield AT["barred"] + left - 1, away.bit_count() / wanted.bit_count()
    turns, cards = grounds(wanted - away)[square]
    chance = chances(HAND - state.bare[seat])[cards]
    if hand is not None:
        turns = min([turns + WAITING, *[each for each, _, _ in ways(square, wanted - away, hand)]])
        chance = 1.0 if turns == 1 else chances(HAND - len(hand))[cards]
        yield AT["known"], 1.0
        for card in hand:
            yield AT["held"] + KINDS_HELD[card], 1.0
    yield AT["threat"] + 4 * (left - 1) + delay, chance
    yield AT["pace"] + left - 1, -turns


def played(seats: int, seed: int) -> tuple[list[list[Terms]], Row]:
    """What was known after each turn of a match, and each seat's share of the win."""
    options = Options(banners=3 + (seed % 4 > 0), turns=CAP)
    state = COURT.start(seats, options, Chance(f"{seed:032x}"))
    found = []
    while decisions := COURT.decisions(state):
        (seat,) = decisions
        hinders = not state.owed and state.phase == "hinder"
        move = decide(state, seat, state.hands[seat])
        rest = [*state.hands[seat]]
        if hinders:
            rest.remove(getattr(move, "card", 52))
        COURT.play(state, seat, move)
        if hinders and state.phase == "move":
            found.append(terms(state, seat, rest))
    outcome = COURT.outcome(state)
    assert outcome is not None
    winners = outcome.winners
    return found, [(seat in winners) / len(winners) for seat in range(seats)]


def shares(known: list[Terms], weights: Row) -> Row:
    """How likely each seat wins."""
    odds = [exp(sum([weights[place] * amount for place, amount in each])) for each in known]
    return [each / sum(odds) for each in odds]


def aims(match: list[list[Terms]], end: Row, weights: Row) -> list[Row]:
    """What each position is to be worth: the end, blended with what is thought of the positions between."""
    found, aim = [], end
    for known in reversed(match):
        found.append(aim)
        now = shares(known, weights)
        aim = [(1 - LAMBDA) * one + LAMBDA * other for one, other in zip(now, aim, strict=True)]
    return found[::-1]


def fitted(matches: list[tuple[list[list[Terms]], Row]], weights: Row) -> Row:
    """One step of Newton's method, all matches seen with the weights as they are."""
    slope = [-RIDGE * weight for weight in weights]
    bend = [[RIDGE * (one == other) for other in range(SIZE)] for one in range(SIZE)]
    for match, end in matches:
        for known, aim in zip(match, aims(match, end, weights), strict=True):
            _lean(known, aim, weights, slope, bend)
    return [weight + step for weight, step in zip(weights, solved(bend, slope), strict=True)]


def _lean(known: list[Terms], aim: Row, weights: Row, slope: Row, bend: list[Row]) -> None:
    """Add one position's part of the first and second derivatives of its likelihood."""
    mean: dict[int, float] = {}
    for each, share, wanted in zip(known, shares(known, weights), aim, strict=True):
        for place, amount in each:
            slope[place] += (wanted - share) * amount
            mean[place] = mean.get(place, 0.0) + share * amount
            for other, much in each:
                bend[place][other] += share * amount * much
    for place, amount in mean.items():
        for other, much in mean.items():
            bend[place][other] -= amount * much


def solved(matrix: list[Row], right: Row) -> Row:
    """The solution of linear equations whose matrix is symmetric and positive: by elimination, without pivots."""
    rows = [[*each, value] for each, value in zip(matrix, right, strict=True)]
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


def told(seats: int, weights: Row) -> str:
    """The numbers for so many seats, as TOML."""
    lines = [f'["{seats}"]']
    for key, size in list(KEYS.items())[:-1]:
        own = [round(weight, 3) for weight in weights[AT[key] :][:size]]
        across = {"health": 6, "threat": 4}.get(key)
        lines.append(f"{key} = {[own[at : at + across] for at in range(0, size, across)] if across else own}")
    return "\n".join([*lines, ""])


def main() -> None:
    """As the module says."""
    seats, number, file = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    first = Random(seats).randrange(1 << 40)
    matches = [played(seats, first + match) for match in range(number)]
    weights = [0.0] * SIZE
    for _ in range(ROUNDS):
        weights = fitted(matches, weights)
    file.write_text(told(seats, weights), encoding="utf-8")


if __name__ == "__main__":
    main()
