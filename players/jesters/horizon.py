"""How far Jesters is played on in the head, and what a position is worth there: to the end of the round.

Only the seat that thinks is played, by its policy. The others are a rough likeness: at times one of them takes a
Performance from the board, or passes. That is four times as fast as playing them, and does not take them for players
of the same mind.
"""

from __future__ import annotations

from random import Random

from engines.jesters import turn
from engines.jesters.components import catalogue
from engines.jesters.model import OUT, ROUNDS, Pass, State
from engines.jesters.rounds import HAND
from engines.jesters.scoring import FIRST_PLAYER, TRACK
from players.jesters import policy, value_estimates
from players.jesters.numbers import numbers
from players.jesters.seen import from_state

LONG = 120  # moves after which it is enough


def underway(state: State) -> int:
    """The round that a seat has just moved in: the one before, where its move has ended that (S14)."""
    begins = not state.passed and state.target is None and not any(map(any, state.dice))
    return state.round - (begins and state.round > 1)


def value(state: State, seat: int, rng: Random) -> float:
    """The Fame that the seat is thought to end with; changes the state."""
    number = underway(state)
    if number == state.round and state.final is None and seat not in state.passed:
        _play_on(state, seat, rng)
    return standing(state, seat, number)


def _play_on(state: State, seat: int, rng: Random) -> None:
    """The seat's turns until it passes, with the others' between them."""
    number = state.round
    if state.turn != seat:
        _others(state, seat, rng)
    for _ in range(LONG):
        if state.failures[seat] == OUT or state.round != number or state.final is not None:
            return
        state.turn = seat
        move = policy.choose(from_state(state, seat))
        if isinstance(move, Pass):
            state.first = state.first if state.passed else seat
            return
        begun = state.phase
        turn.play(state, seat, move)
        if state.phase == "turn" and (begun != "turn" or state.turn != seat):
            _others(state, seat, rng)


def _others(state: State, seat: int, rng: Random) -> None:
    """What the others may do in their turns."""
    for other in range(len(state.hands)):
        if other == seat or other in state.passed or state.failures[other] == OUT:
            continue
        drawn = rng.random()
        if drawn < numbers().leaves:
            state.first = state.first if state.passed else other
            state.passed.append(other)
        elif drawn < numbers().leaves + numbers().takes and state.board:
            place = rng.randrange(len(state.board))
            if state.pile:
                state.board[place] = state.pile.pop()


def standing(state: State, seat: int, number: int) -> float:
    """The Fame that a seat is thought to end with, when that round is over for it."""
    if state.final is not None:
        return float(state.final.totals[seat])
    fame = _fame(state, seat)
    if number == ROUNDS:
        return fame + (FIRST_PLAYER if state.first == seat else 0)
    if state.failures[seat] == OUT:
        return fame
    cards = len(state.hands[seat]) - (HAND if state.round > number else 0)
    gifts = sum([value_estimates.gift_left(gift, number + 1) for gift in state.gifts[seat]])
    return fame + cards * numbers().card[number] + gifts


def _fame(state: State, seat: int) -> float:
    """What the seat has, with the majorities that it may hope for."""
    fame = sum([catalogue.performance(done).fame for done in state.completed[seat]]) + state.fame[seat]
    return fame + TRACK[state.failures[seat]] + value_estimates.majorities(from_state(state, seat))
