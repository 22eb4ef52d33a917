"""Rounds of Wizard played on quickly, against the same choices made one by one from views."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import SPECIAL_NAMES, Options, State
from players.wizard import PLAYER_MODEL
from players.wizard.learned import networks_for

MATCHES = [(seats, Options()) for seats in WIZARD.seats]
MATCHES += [(3, Options(6, hook=1)), (4, Options(hands="all cards")), (5, Options(4, "by twos", 4))]
MATCHES += [(4, Options(6, bids="hidden")), (3, Options(6, bids="late")), (5, Options(6, bids="late", blind=True))]
MATCHES += [(3, Options(6, hook=1, blind=True)), (2, Options(8, dummy=True)), (2, Options(8, hook=2, dummy=True))]
MATCHES += [(2, Options(6, bids="late", blind=True, dummy=True))]
SPECIALS: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
MATCHES += [(4, Options(8, **SPECIALS)), (5, Options(2, "all cards", **SPECIALS))]
MATCHES += [(3, Options(6, "descending", bids="late", blind=True, **SPECIALS))]
MATCHES += [(2, Options(2, "all cards", bids="hidden", dummy=True, **SPECIALS))]


@pytest.mark.parametrize(("seats", "options"), MATCHES)
def test_in_playouts_each_seat_does_what_it_would_choose_from_its_view(seats: int, options: Options) -> None:
    rng = Random(seats)
    state = WIZARD.start(seats, options, Chance(f"{seats:032x}"))
    while WIZARD.decisions(state):
        seat = rng.choice([*WIZARD.decisions(state)])
        moves, seed = WIZARD.moves(state, seat), rng.random()
        chosen = PLAYER_MODEL.choose_move(WIZARD.view(state, seat), moves, Random(seed))
        assert PLAYER_MODEL.choose_in_playout(state, seat, Random(seed)) == chosen
        WIZARD.play(state, seat, rng.choice((chosen, rng.choice(moves))))


@pytest.mark.parametrize(("seats", "options"), MATCHES)
def test_without_networks_a_position_is_worth_the_points_at_the_end_of_its_round_played_so(
    seats: int, options: Options
) -> None:
    rng = Random(seats)
    state = WIZARD.start(seats, options, Chance(f"{seats + 6:032x}"))
    while WIZARD.decisions(state):
        is_learned = networks_for(state) is not None
        if rng.random() < 0.1 and not is_learned and not PLAYER_MODEL.is_playout_over(state):
            seat = rng.randrange(seats)
            scores = play_round_on(WIZARD.copy(state))
            ahead = scores[seat] - (sum(scores) - scores[seat]) / (seats - 1)
            assert PLAYER_MODEL.evaluate_by_playout(WIZARD.copy(state), seat, rng) == pytest.approx(ahead)
        mover = rng.choice([*WIZARD.decisions(state)])
        WIZARD.play(state, mover, rng.choice(WIZARD.moves(state, mover)))


def play_round_on(state: State) -> list[int]:
    """The scores at the end of the round, every move chosen from its seat's view by the rule of thumb."""
    number = state.round
    while state.round == number and state.phase != "over":
        seat = next(iter(WIZARD.decisions(state)))
        view, moves = WIZARD.view(state, seat), WIZARD.moves(state, seat)
        WIZARD.play(state, seat, PLAYER_MODEL.choose_by_rule(view, moves, Random(0)))
    return state.scores
