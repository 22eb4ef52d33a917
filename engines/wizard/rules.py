"""What all versions of Wizard's rules share (docs/rules/wizard.md), W1–W25."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from engines.kit.chance import Chance, LuckCount, count_dealt, count_picks
from engines.kit.contract import Decision, Event, Game, Outcome
from engines.kit.seats import LETTERS, letter
from engines.kit.turns import decision_in_turn
from engines.wizard import turn
from engines.wizard.check import check
from engines.wizard.deck import JESTER, WIZARD, pack
from engines.wizard.guesses import guess_answers, guess_question
from engines.wizard.house_rules import NO_EFFECTS, forbidden_bid
from engines.wizard.model import SPECIAL_NAMES, AnyEvent, HandDealt, Move, Options, State
from engines.wizard.moves import NOTATION, legal_moves
from engines.wizard.planning import WizardPlanning
from engines.wizard.reveals import reveal_text, seats_shown
from engines.wizard.sample import sample, sampler
from engines.wizard.view import View, view


class WizardRules(Game[State, Move, View, Options]):
    """Bid how many tricks you will take, then take exactly that many."""

    key = "wizard"
    title = "Wizard"
    seats = range(3, 7)
    options = Options
    state = State
    event = AnyEvent
    notation = NOTATION
    planning = WizardPlanning()
    no_effects = NO_EFFECTS
    option_groups = MappingProxyType({"special_cards": SPECIAL_NAMES})

    moves = staticmethod(legal_moves)
    check = staticmethod(check)
    play = staticmethod(turn.play)
    view = staticmethod(view)
    sample = staticmethod(sample)
    reveal_text = staticmethod(reveal_text)
    guess_question = staticmethod(guess_question)
    guess_answers = staticmethod(guess_answers)
    sampler = staticmethod(sampler)

    def seats_with(self, options: Options) -> range:
        """W19: two players can play with a dummy hand."""
        return range(2, 7) if options.dummy else self.seats

    def validate_options(self, options: Options) -> Options:
        """Refuse the hook without a last bidder (W12)."""
        options = super().validate_options(options)
        if options.hook is not None and options.bids != "open":
            raise ValueError(
                f"The hook needs a player who bids last, but with {options.bids} bids everybody bids at once. "
                "Turn one of the two off."
            )
        return options

    def count_luck(self, start: State, events: Iterable[Event]) -> Iterator[LuckCount]:
        """Count the Wizards and Jesters that the seats were dealt, and the first dealer (W1)."""
        seats = len(start.scores)
        yield from count_picks("First dealer", LETTERS[:seats], letter(start.dealer))
        hands = [*enumerate(start.hands[:seats])]
        hands += [(event.seat, [*event.cards]) for event in events if isinstance(event, HandDealt)]
        cards = len(pack(start.specials))
        for seat, hand in hands:
            for thing, card in (("Wizards dealt", WIZARD), ("Jesters dealt", JESTER)):
                yield count_dealt(thing, letter(seat), hand.count(card), len(hand), 4, cards)

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Draw for the deal, and deal the first round."""
        return turn.start_match(seats, self.validate_setup(seats, options), chance)

    def copy(self, state: State) -> State:
        """Return an equal state that shares nothing mutable with this one."""
        # Written by hand, because the generated copy takes 0.7 µs more, a third of a move of this quick game.
        return State(
            state.chance.copy(),
            state.rounds,
            state.draws.copy(),
            state.dealer,
            state.round,
            state.phase,
            state.turn,
            [hand.copy() for hand in state.hands],
            state.stock.copy(),
            state.turned,
            state.trump,
            state.bids.copy(),
            state.taken.copy(),
            state.leader,
            state.trick.copy(),
            state.follow,
            state.fallen.copy(),
            state.takers.copy(),
            state.last,
            state.scores.copy(),
            state.sheet.copy(),
            state.numbers.copy(),
            state.trick_count,
            state.hand_plan,
            state.hook,
            state.bidding,
            state.blind,
            state.specials,
            state.swap,
            state.bid_change,
            state.passes.copy(),
        )

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time, or all that have not bid (W16, W17) or passed a card yet (W24)."""
        if state.bidding != "open" and state.phase == "bid":  # is_bidding_sealed, which would cost a call
            return _sealed_decisions("bid", tuple(state.numbers), tuple(bid is None for bid in state.bids))
        if state.phase == "pass":
            return _sealed_decisions("pass", tuple(state.numbers), tuple(card is None for card in state.passes))
        return decision_in_turn(state)

    def reveals(self, state: State, seat: int, move: Move) -> frozenset[int]:
        """Return who learns something hidden."""
        return seats_shown(state, self.state_after(state, seat, move), seat)

    def is_forced(self, view: View, seat: int) -> bool:
        """The last card of a hand is the only one that can be played or passed. With one trick the hook leaves one bid
        (W12), and the Weathervane can change the lowest and the highest bid in one way (W25)."""
        if view.phase == "pass":
            return not view.has_passed[seat] and view.hand_sizes[seat] == 1
        if view.turn != seat:
            return False
        if view.phase == "adjust":
            return view.bids[seat] in (0, view.trick_count)
        if view.phase == "bid":
            return view.trick_count == 1 and forbidden_bid(view.hook, view.trick_count, view.bids) is not None
        return view.phase == "play" and view.hand_sizes[seat] == 1

    def outcome(self, state: State) -> Outcome | None:
        """W11: the highest total wins; ties share a place (C4)."""
        return Outcome.from_points(state.scores) if state.phase == "over" else None


@lru_cache(maxsize=4096)
def _sealed_decisions(kind: str, numbers: tuple[int, ...], waiting: tuple[bool, ...]) -> Mapping[int, Decision]:
    """W16, W17, W24: everybody who has not bid or passed a card decides at once."""
    found = {seat: Decision(kind, numbers[seat]) for seat, waits in enumerate(waiting) if waits}
    return MappingProxyType(found)
