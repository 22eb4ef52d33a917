"""The rules of Jester's Court (docs/rules/court.md), T1–T14."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.court import turn
from engines.court.check import check
from engines.court.guesses import guess_answers, guess_question
from engines.court.model import PRESETS, AnyEvent, MagesAttacked, Move, Options, State
from engines.court.moves import NOTATION, legal_moves
from engines.court.reveals import reveal_text, seats_shown
from engines.court.sample import sample, sampler
from engines.court.view import View, view
from engines.kit.chance import Chance, LuckCount, count_dice, count_picks
from engines.kit.contract import Decision, Event, Game, Outcome
from engines.kit.seats import LETTERS, letter
from engines.kit.turns import decision_in_turn, single_decision


class CourtGame(Game[State, Move, View, Options]):
    """Cross the edges of all four suits with your Mage, and keep the others from doing so."""

    key = "court"
    title = "Jester's Court, Suit Thyself!"
    seats = range(2, 5)
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
    sampler = staticmethod(sampler)

    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        """Count the first turn, the dice of the roll-off (T2), and those of attacks (T9)."""
        yield from count_picks("First turn", LETTERS[: len(start.rolls)], letter(start.order[0]))
        yield from count_dice(roll for own in start.rolls for roll in own)
        for event in events:
            if isinstance(event, MagesAttacked):
                attack = event.attacked
                yield from count_dice((attack.roll, *(roll for each in attack.defences for roll in each.rolls)))

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Deal and roll off (T1, T2). The lowest roll places its Mage first."""
        return turn.start_match(seats, self.validate_setup(seats, options), chance)

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """Return the single seat that decides: the one that owes something, or the one in turn (T14)."""
        if state.owed:
            owed = state.owed[0]
            return single_decision(owed.seat, owed.what, state.numbers[owed.seat])
        return decision_in_turn(state)

    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        """Return who learns something hidden."""
        return seats_shown(state, self.state_after(state, seat, move))

    def outcome(self, state: State) -> Outcome | None:
        """T13: rank by banners, then by health."""
        return turn.outcome(state) if state.phase == "over" else None


COURT_GAME = CourtGame()
"""The rules, which hold no state."""
