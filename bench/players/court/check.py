"""Compares what training in C and play in Python see and do: `python -m bench.players.court.check`.

In random positions, the moves of *normal* and of the learned player have the same values, and the network's inputs are
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bench.players.court.simulation import Simulation
from bench.players.networks import np
from engines.court import COURT
from engines.court.model import (
    Attack,
    Discard,
    Give,
    Heal,
    Move,
    Options,
    Place,
    Push,
    SetMenhir,
    Skip,
    State,
    Step,
    Strike,
)
from engines.kit.chance import Chance
from players.court.learned import Evaluator, learned_values
from players.court.networks import read_network_weights
from players.court.policy import move_values
from players.networks import WEIGHT_BITS

MATCHES = 6  # by number of seats
KINDS = (Step, Skip, Push, Attack, Strike, Heal, SetMenhir, Discard, Place, Give)
ODDS_TOLERANCE, CHANCE_TOLERANCE = 1e-6, 1e-3
"""The second is as large as the rounding of the network in integers."""


def position_numbers(state: State, seat: int) -> list[int]:
    """Return a position as `value_position` in C reads it."""
    owed = -1 if not state.owed else int(state.owed[0].what == "give")
    return [
        *(state.goal, state.cap or 0, int(state.phase == "hinder"), state.turn, state.turns, seat, owed),
        *state.order,
        *state.mages,
        *state.menhirs,
        *state.health,
        *(sum(1 << suit for suit in banners) for banners in state.banners),
        *state.bare,
        *map(len, state.hands),
        *(card for hand in state.hands for card in [*hand, 0, 0][:6]),
    ]


def move_numbers(move: Move) -> tuple[int, int, int]:
    """Return a move as C has it: its kind, its card, and its target."""
    card = 52 if isinstance(move, SetMenhir) else getattr(move, "card", 0)
    target = 0
    if isinstance(move, Push):
        target = move.target
    elif isinstance(move, Attack):
        target = sum(1 << seat for seat in move.targets)
    elif isinstance(move, SetMenhir | Place):
        target = move.square
    elif isinstance(move, Give):
        target = move.suit
    return KINDS.index(type(move)), card, target


def main() -> None:
    """Run the command line (see the module)."""
    count, worst = 0, [0.0, 0.0, 0.0]
    for seats in COURT.seats:
        simulation = Simulation(seats)
        simulation.set_weights(np.array(read_network_weights(seats), np.float32) / 2**WEIGHT_BITS)
        for match in range(MATCHES):
            rng = Random(f"{seats} {match}")
            options = Options(banners=rng.choice((3, 4)), turns=rng.choice((None, 60)))
            state = COURT.start(seats, options, Chance(f"{seats * 100 + match:032x}"))
            while (decisions := COURT.decisions(state)) and state.turns < 200:
                (seat,) = decisions
                hand = state.hands[seat]
                for place, values in enumerate((move_values(state, seat, hand), learned_values(state, seat, hand))):
                    moves, found, inputs = simulation.value_position(position_numbers(state, seat), place == 1)
                    known = dict(zip(moves, found, strict=True))
                    computed = {move_numbers(move): value for move, value in values}
                    if known.keys() != computed.keys():
                        raise SystemExit(f"{state}\n{known}\n{computed}")
                    apart = max(abs(known[move] - value) for move, value in computed.items())
                    worst[place] = max(worst[place], apart)
                    if apart > (ODDS_TOLERANCE, CHANCE_TOLERANCE)[place]:
                        raise SystemExit(f"{state}\n{known}\n{computed}")
                evaluator = Evaluator(state, seat, turn_started=True)
                described: Sequence[float] = evaluator.inputs(evaluator.table, tuple(hand))
                worst[2] = max(worst[2], float(np.abs(inputs - np.array(described)).max()))
                count += 1
                good = max(values, key=lambda each: each[1])[0]
                COURT.play(state, seat, good if rng.random() < 0.6 else rng.choice(values)[0])
    print(f"{count} positions; odds differ by {worst[0]:.1e}, chances by {worst[1]:.1e}, inputs by {worst[2]:.1e}.")


if __name__ == "__main__":
    main()
