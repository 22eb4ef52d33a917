"""Glimpse's rules (docs/rules/glimpse.md), G1–G8."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.kit.chance import Chance, LuckCount, count_dealt, count_picks
from engines.kit.contract import Decision, Event, Game, Outcome
from engines.kit.seats import LETTERS, letter
from engines.kit.turns import decision_in_turn
from tests.example.engines.glimpse import turn
from tests.example.engines.glimpse.check import check
from tests.example.engines.glimpse.deck import DECK, is_wizard
from tests.example.engines.glimpse.model import AnyEvent, HandDealt, Move, Options, State
from tests.example.engines.glimpse.moves import NOTATION, guessing_seats, legal_moves
from tests.example.engines.glimpse.reveals import reveal_text, seats_shown
from tests.example.engines.glimpse.sample import sample
from tests.example.engines.glimpse.view import View, view


class GlimpseGame(Game[State, Move, View, Options]):
    """A game of laying cards face down and making the others guess wrong."""

    key = "glimpse"
    title = "Glimpse"
    seats = range(3, 5)
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
    reveal_text = staticmethod(reveal_text)

    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        """Count who began (G4), and the wizards that the seats were dealt (G2)."""
        yield from count_picks("First turn", LETTERS[: len(start.hands)], letter(start.turn))
        hands = [(seat, tuple(hand)) for seat, hand in enumerate(start.hands)]
        hands += [(event.seat, event.cards) for event in events if isinstance(event, HandDealt)]
        good = sum(map(is_wizard, DECK))
        for seat, hand in hands:
            yield count_dealt("Wizards dealt", letter(seat), sum(map(is_wizard, hand)), len(hand), good, len(DECK))

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Return the first deal."""
        return turn.start_match(seats, self.validate_setup(seats, options).deals, chance)

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """Return the open decisions: one seat lays a card (G4), then all others guess in any order (G5)."""
        if state.phase == "guess":
            return {seat: Decision("guess", state.numbers[seat]) for seat in guessing_seats(state)}
        return decision_in_turn(state)

    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        """Return the seats that learn something hidden."""
        return seats_shown(state, self.state_after(state, seat, move), seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome: the most points win (G8), and ties share (C4)."""
        return Outcome.from_points(state.scores) if state.phase == "over" else None


GLIMPSE_GAME = GlimpseGame()
