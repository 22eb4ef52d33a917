"""Rounds of Wizard played on quickly, against the same choices made one by one from views."""

from __future__ import annotations

from random import Random

import pytest

from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import Options, State
from players.wizard import MIND
from tests.engines.wizard.positions import turn


@pytest.mark.parametrize("seats", WIZARD.seats)
def test_in_playouts_each_seat_does_what_it_would_choose_from_its_view(seats: int) -> None:
    rng = Random(seats)
    state = WIZARD.start(seats, Options(), Chance(f"{seats:032x}"))
    while WIZARD.decisions(state):
        seat = turn(state)
        moves = WIZARD.moves(state, seat)
        chosen = MIND.choose(WIZARD.view(state, seat), moves, rng)
        assert MIND.act(state, seat, rng) == chosen
        WIZARD.play(state, seat, rng.choice((chosen, rng.choice(moves))))


@pytest.mark.parametrize("seats", WIZARD.seats)
def test_a_position_is_worth_the_points_at_the_end_of_its_round_played_so(seats: int) -> None:
    rng = Random(seats)
    state = WIZARD.start(seats, Options(), Chance(f"{seats + 6:032x}"))
    while WIZARD.decisions(state):
        if rng.random() < 0.1 and not MIND.settled(state):
            seat = rng.randrange(seats)
            scores = played_on(WIZARD.copy(state))
            ahead = scores[seat] - (sum(scores) - scores[seat]) / (seats - 1)
            assert MIND.value(WIZARD.copy(state), seat, rng) == pytest.approx(ahead)
        WIZARD.play(state, turn(state), rng.choice(WIZARD.moves(state, turn(state))))


def played_on(state: State) -> list[int]:
    """The scores at the end of the round, every move chosen from its seat's view."""
    number = state.round
    while state.round == number and state.phase != "over":
        seat = turn(state)
        WIZARD.play(state, seat, MIND.choose(WIZARD.view(state, seat), WIZARD.moves(state, seat), Random(0)))
    return state.scores
