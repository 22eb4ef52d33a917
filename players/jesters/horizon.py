"""Playouts of Jesters to the end of the round, and the value of a position there.

Only the seat that decides is played by its policy. The others are approximated: now and then one of them takes a
Performance from the board, or passes. This is four times as fast as playing them, and does not assume that they play
like this policy.
"""

from __future__ import annotations

from random import Random

from engines.jesters import turn
from engines.jesters.components import catalogue
from engines.jesters.model import OUT_FAILURES, ROUNDS, Pass, State
from engines.jesters.rounds import HAND_SIZE
from engines.jesters.scoring import FAILURE_TRACK, FIRST_PLAYER_FAME
from players.jesters import policy, value_estimates
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import knowledge_from_state

MAX_PLAYOUT_MOVES = 120  # moves after which a playout stops


def round_in_progress(state: State) -> int:
    """Return the round that a seat has just moved in: the one before if its move has ended that (S14)."""
    begins = not state.passed and state.target is None and not any(map(any, state.dice))
    return state.round - (begins and state.round > 1)


def evaluate_to_round_end(state: State, seat: int, rng: Random) -> float:
    """Return the estimated final Fame of the seat. Changes the state."""
    number = round_in_progress(state)
    if number == state.round and state.final is None and seat not in state.passed:
        _play_own_turns(state, seat, rng)
    return expected_fame(state, seat, number)


def _play_own_turns(state: State, seat: int, rng: Random) -> None:
    """Play the seat's turns until it passes, with approximate turns of the others in between."""
    number = state.round
    if state.turn != seat:
        _play_others_roughly(state, seat, rng)
    for _ in range(MAX_PLAYOUT_MOVES):
        if state.failures[seat] == OUT_FAILURES or state.round != number or state.final is not None:
            return
        state.turn = seat
        move = policy.choose_move(knowledge_from_state(state, seat))
        if isinstance(move, Pass):
            state.first = state.first if state.passed else seat
            return
        begun = state.phase
        turn.play(state, seat, move)
        if state.phase == "turn" and (begun != "turn" or state.turn != seat):
            _play_others_roughly(state, seat, rng)


def _play_others_roughly(state: State, seat: int, rng: Random) -> None:
    """Approximate the turns of the others."""
    for other in range(len(state.hands)):
        if other == seat or other in state.passed or state.failures[other] == OUT_FAILURES:
            continue
        drawn = rng.random()
        if drawn < load_weights().leaves:
            state.first = state.first if state.passed else other
            state.passed.append(other)
        elif drawn < load_weights().leaves + load_weights().takes and state.board:
            place = rng.randrange(len(state.board))
            if state.pile:
                state.board[place] = state.pile.pop()


def expected_fame(state: State, seat: int, number: int) -> float:
    """Return the estimated final Fame of a seat when that round is over for it."""
    if state.final is not None:
        return float(state.final.totals[seat])
    fame = _current_fame(state, seat)
    if number == ROUNDS:
        return fame + (FIRST_PLAYER_FAME if state.first == seat else 0)
    if state.failures[seat] == OUT_FAILURES:
        return fame
    cards = len(state.hands[seat]) - (HAND_SIZE if state.round > number else 0)
    gifts = sum([value_estimates.gift_use_value(gift, number + 1) for gift in state.gifts[seat]])
    return fame + cards * load_weights().card[number] + gifts


def _current_fame(state: State, seat: int) -> float:
    """Return the seat's Fame, including the majorities it may expect."""
    fame = sum([catalogue.performance(done).fame for done in state.completed[seat]]) + state.fame[seat]
    return (
        fame
        + FAILURE_TRACK[state.failures[seat]]
        + value_estimates.expected_majority_fame(knowledge_from_state(state, seat))
    )
