"""Jesters' rules (docs/rules/jesters.md), S1–S24."""

from __future__ import annotations

from collections.abc import Mapping

from engines.jesters import rounds, scoring, turn
from engines.jesters.check import check
from engines.jesters.events import AnyEvent
from engines.jesters.guesses import guess_answers, guess_question
from engines.jesters.model import Move, Options, State
from engines.jesters.moves import NOTATION, gift_moves, legal_moves
from engines.jesters.sample import sample
from engines.jesters.view import View, view
from engines.kit.chance import Chance
from engines.kit.contract import Decision, Game, Outcome
from engines.kit.turns import decision_in_turn


class JestersGame(Game[State, Move, View, Options]):
    """Learn Techniques, roll them for Performances, and have the most Fame after three rounds."""

    key = "jesters"
    title = "Jesters"
    seats = range(2, 5)
    version = 1
    options = Options
    state = State
    event = AnyEvent
    notation = NOTATION

    moves = staticmethod(legal_moves)
    check = staticmethod(check)
    play = staticmethod(turn.play)
    view = staticmethod(view)
    sample = staticmethod(sample)
    reveal_text = staticmethod(turn.reveal_text)
    guess_question = staticmethod(guess_question)
    guess_answers = staticmethod(guess_answers)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """S1–S4: set everything up, and deal."""
        self.validate_setup(seats, options)
        return rounds.start_match(seats, chance)

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time."""
        return decision_in_turn(state)

    def is_forced(self, view: View, seat: int) -> bool:
        """Without Jest cards: a turn without dice can only be passed, and an attempt without Gifts only finished."""
        if view.turn != seat or view.hand_sizes[seat]:
            return False
        if view.phase == "turn":
            return not any(view.dice[seat])
        if view.phase != "attempt" or view.attempt is None:
            return False
        colours = [die.colour for die in view.attempt.dice]
        unused = (gift for gift in view.gifts[seat] if gift not in view.used)
        return not any(gift_moves(gift, colours, view.middle) for gift in unused)

    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        """Return who learns something hidden."""
        return turn.seats_shown(state, self.state_after(state, seat, move), seat, move)

    def outcome(self, state: State) -> Outcome | None:
        """S19: rank by Fame."""
        return None if state.final is None else scoring.outcome(state.final)


JESTERS_GAME = JestersGame()
