"""Jest's rules (docs/rules/jest.md), J1–J14."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from engines.jest import scoring, turn
from engines.jest.check import check
from engines.jest.deck import DECK, JOKER, SUIT
from engines.jest.guesses import guess_answers, guess_question
from engines.jest.model import AnyEvent, HandDealt, Move, Options, State
from engines.jest.moves import NOTATION, legal_moves
from engines.jest.reveals import reveal_text, seats_shown
from engines.jest.sample import sample, sampler
from engines.jest.view import View, view
from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engines.kit.chance import Chance, LuckCount, count_dealt, count_picks
from engines.kit.contract import Decision, Event, Game, Outcome
from engines.kit.seats import LETTERS, letter
from engines.kit.turns import NO_DECISIONS, single_decision

SUIT_WORDS = {HEARTS: "hearts", DIAMONDS: "diamonds", CLUBS: "clubs", SPADES: "spades"}


class JestGame(Game[State, Move, View, Options]):
    """Offer one card face up and one face down, take a card from another offer, and end with the most valuable Jest."""

    key = "jest"
    title = "Jest"
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
    guess_question = staticmethod(guess_question)
    guess_answers = staticmethod(guess_answers)
    sampler = staticmethod(sampler)

    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        """Count who is dealt the Joker, in rounds in which somebody is, and the suits of the trophies."""
        seats = len(start.jests)
        suits = [SUIT[trophy] for trophy in start.trophies]
        for suit, word in SUIT_WORDS.items():
            yield count_dealt("Trophies", word, suits.count(suit), len(suits), 4, len(DECK))
        owners = [seat for seat, hand in enumerate(start.dealt) if JOKER in hand]
        owners += [event.seat for event in events if isinstance(event, HandDealt) and JOKER in event.cards]
        for owner in owners:
            yield from count_picks("The Joker dealt", LETTERS[:seats], letter(owner))

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """J1: shuffle, lay out the trophies, and deal the first round."""
        self.validate_setup(seats, options)
        return turn.start_match(seats, chance)

    def copy(self, state: State) -> State:
        """Return an equal state that shares nothing mutable with this one."""
        # Written by hand, because the generated copy takes 0.5 µs more, a fifth of a move of this quick game.
        return State(
            state.chance.copy(),
            state.trophies,
            state.deck.copy(),
            state.round,
            state.phase,
            state.dealt.copy(),
            state.up.copy(),
            state.down.copy(),
            state.waiting.copy(),
            state.complete.copy(),
            state.takes.copy(),
            state.past.copy(),
            state.jests.copy(),
            state.numbers.copy(),
        )

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """Everybody decides while offers are made, those who have not chosen first; then one seat at a time."""
        if state.phase == "take":
            seat = state.waiting[0]
            return single_decision(seat, "take", state.numbers[seat])
        if state.phase == "offer":
            return _offer_decisions(tuple(state.numbers), tuple(state.waiting))
        return NO_DECISIONS

    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        """Return who learns something hidden."""
        return seats_shown(state, self.state_after(state, seat, move), seat, move)

    def outcome(self, state: State) -> Outcome | None:
        """J14: rank by the value of the Jest; ties share a place (C4)."""
        if state.phase != "over":
            return None
        return Outcome.from_points(scoring.settle_trophies(state.trophies, state.jests).points)


@lru_cache(maxsize=4096)
def _offer_decisions(numbers: tuple[int, ...], waiting: tuple[int, ...]) -> Mapping[int, Decision]:
    """J4: seats that have chosen may still change that, but the match does not wait for them."""
    chosen = [seat for seat in range(len(numbers)) if seat not in waiting]
    decisions = {seat: Decision("offer", numbers[seat], seat in waiting) for seat in (*waiting, *chosen)}
    return MappingProxyType(decisions)


JEST_GAME = JestGame()
