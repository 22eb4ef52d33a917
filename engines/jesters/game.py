"""Jesters' rules (docs/rules/jesters.md), S1–S24."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.jesters import rounds, scoring, turn
from engines.jesters.check import check
from engines.jesters.effects import paint_colour
from engines.jesters.events import AnyEvent, AttemptStarted, DiceRerolled, TechniqueAdded
from engines.jesters.guesses import guess_answers, guess_question
from engines.jesters.model import Move, Options, State
from engines.jesters.moves import NOTATION, gift_moves, legal_moves
from engines.jesters.sample import sample
from engines.jesters.view import View, view
from engines.kit.chance import Chance, LuckCount, count_dice, count_picks
from engines.kit.contract import Decision, Event, Game, Outcome
from engines.kit.seats import LETTERS, letter
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

    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        """Count who began (S4), and all rolled dice (S7, S22)."""
        yield from count_picks("First turn", LETTERS[: len(start.dice)], letter(start.first))
        for event in events:
            match event:
                case AttemptStarted(dice=dice):
                    yield from count_dice(die.face for die in dice)
                case DiceRerolled(faces=faces):
                    yield from count_dice(faces)
                case TechniqueAdded(face=face):
                    yield from count_dice((face,))

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """S1–S4: set everything up, and deal."""
        self.validate_setup(seats, options)
        return rounds.start_match(seats, chance)

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time."""
        return decision_in_turn(state)

    def is_forced(self, view: View, seat: int) -> bool:
        """A single die is marked. Without Jest cards, a turn without dice can only be passed, and an attempt without
        Gifts only finished."""
        if view.turn != seat:
            return False
        if view.phase == "mark" and view.attempt is not None:
            paint = paint_colour(view.attempt.marking)
            return not view.attempt.marked and sum(die.colour != paint for die in view.attempt.dice) == 1
        if view.hand_sizes[seat]:
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
