"""Jokers' rules (docs/rules/jokers.md), K1–K17."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.jokers import turn
from engines.jokers.check import check
from engines.jokers.deck import DECK, HAND_SIZE, JOKER, hand_cards
from engines.jokers.guesses import guess_answers, guess_question
from engines.jokers.model import PRESETS, AnyEvent, HandDealt, Move, Options, State
from engines.jokers.moves import NOTATION, legal_moves
from engines.jokers.reveals import reveal_text, seats_shown
from engines.jokers.sample import sample
from engines.jokers.view import View, view
from engines.kit.chance import Chance, LuckCount, count_dealt, count_picks
from engines.kit.contract import Decision, Event, Game, Outcome
from engines.kit.seats import LETTERS, letter
from engines.kit.turns import decision_in_turn


class JokersGame(Game[State, Move, View, Options]):
    """Trade cards until the whole hand is sets and runs, then declare it."""

    key = "jokers"
    title = "Jokers"
    seats = range(2, 3)
    version = 1
    options = Options
    state = State
    event = AnyEvent
    notation = NOTATION
    presets = PRESETS

    moves = staticmethod(legal_moves)
    check = staticmethod(check)
    play = staticmethod(turn.play)
    view = staticmethod(view)
    sample = staticmethod(sample)
    reveal_text = staticmethod(reveal_text)
    guess_question = staticmethod(guess_question)
    guess_answers = staticmethod(guess_answers)

    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        """Count the jokers that the seats were dealt, and who had the first turn of the match (K1)."""
        yield from count_picks("First turn", LETTERS[:2], letter(start.turn))
        hands = [(seat, hand_cards(hand)) for seat, hand in enumerate(start.hands)]
        hands += [(event.seat, event.cards) for event in events if isinstance(event, HandDealt)]
        for seat, hand in hands:
            yield count_dealt("Jokers dealt", letter(seat), hand.count(JOKER), HAND_SIZE, 2, len(DECK))

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Draw for the first turn, and deal the first round."""
        return turn.start_match(self.validate_setup(seats, options), chance)

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time."""
        return decision_in_turn(state)

    def is_forced(self, view: View, seat: int) -> bool:
        """Once the other seat has declared, a turn in which nothing can be traded or turned up can only end (K9)."""
        if view.turn != seat or view.phase != "turn" or view.declared is None:
            return False
        can_trade, can_turn_up = view.trades and view.draw, view.discard and None in view.safety[seat]
        return not can_trade and not can_turn_up

    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        """Return who learns something hidden."""
        return seats_shown(state, self.state_after(state, seat, move), seat, move)

    def outcome(self, state: State) -> Outcome | None:
        """K17: the higher total wins; equal totals are a draw (C4)."""
        return Outcome.from_points(state.scores) if state.phase == "over" else None


JOKERS_GAME = JokersGame()
