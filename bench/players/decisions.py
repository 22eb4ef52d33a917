"""Decisions from matches among *normal* players, for judging hints and computer players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players.levels import player_model_of

DECISIONS_PER_MATCH = 5  # few, so that decisions differ


class PlayedDecision(NamedTuple):
    """A decision with a choice: its kind, what its seat knows, and its legal moves."""

    name: str  # of the match and the decision in it, to find it again
    kind: str
    view: Any
    moves: Sequence[Any]


def iter_decisions(game: AnyGame, first_seed: int, options: dict[str, Any]) -> Iterator[PlayedDecision]:
    """Yield decisions of one match after another without end, with each number of seats in turn."""
    seed = first_seed
    while True:
        seats = game.seats[(seed - first_seed) % len(game.seats)]
        found = list(_decisions_of_match(game, seats, options, seed))
        yield from Random(seed).sample(found, min(len(found), DECISIONS_PER_MATCH))
        seed += 1


def _decisions_of_match(game: AnyGame, seats: int, options: dict[str, Any], seed: int) -> Iterator[PlayedDecision]:
    setup = game.validate_setup(seats, game.options_adapter.validate_python(options))
    state, rng, model = game.start(seats, setup, Chance(f"{seed:032x}")), Random(seed), player_model_of(game)
    number = 0
    while due := {seat: decision for seat, decision in game.decisions(state).items() if decision.due}:
        seat = next(iter(due))
        view, moves = game.view(state, seat), game.moves(state, seat)
        if len(moves) > 1:
            yield PlayedDecision(f"{seats} seats, deal {seed}, move {number}", due[seat].kind, view, moves)
        game.play(state, seat, model.choose_move(view, moves, rng))
        number += 1
