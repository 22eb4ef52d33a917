"""What computers know of Wizard, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar

from engines.wizard import WIZARD as GAME
from engines.wizard.deck import SUIT, WIZARD, suit_to_follow
from engines.wizard.model import Bid, Move, NameTrump, Play, State, View
from engines.wizard.moves import BIDS, PLAYS, TRUMPS
from players.player_model import Mind, Unit
from players.search import Budget
from players.wizard import rounds
from players.wizard.blunders import Slips
from players.wizard.numbers import numbers
from players.wizard.policy import Policy
from players.wizard.worlds import worlds

LONG = 32  # cards in all hands; where there are more a decision gets fewer simulations


class WizardMind(Mind[State, Move, View]):
    """Bids by what each card is likely to take, and plays for exactly that."""

    game = GAME
    budget: ClassVar[Budget | None] = Budget(256, candidates=6, errors=0.3)
    advice: ClassVar[Budget | None] = Budget(2048, candidates=6)
    unit = Unit()

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy(numbers())
        self._slips = Slips(self.policy)

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """What is likely to bring the bid about."""
        fallen = [card for trick in view.tricks for card in trick.cards]
        return self._move(view, view.hand, fallen, suit_to_follow(view.trick))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The same, but bids are off now and then, and cards forgotten."""
        return self._slips.move(view, moves, rng)

    def candidates(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Any trump; bids near the policy's; cards by what they promise, each as good as its neighbours once."""
        first = self.choose(view, moves, rng)
        match first:
            case NameTrump():
                return [first, *(move for move in moves if move != first)]
            case Bid(tricks):
                near = sorted(range(view.round + 1), key=lambda each: abs(each - tricks))
                return [BIDS[each] for each in near]
            case Play(card):
                return [PLAYS[each] for each in self._cards(view, card)]

    def effort(self, view: View) -> float:
        """Long rounds cost more to play on."""
        return min(1.0, LONG / (view.seats * max(1, len(view.hand))))

    def worlds(self, view: View, rng: Random) -> Callable[[], State]:
        """Worlds in which the others' bids make sense."""
        return worlds(view, rng, self.policy)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """As `choose`, without a view."""
        return self._move(state, state.hands[seat], state.fallen, state.follow)

    def value(self, state: State, seat: int, rng: Random) -> float:
        """Points ahead of the others' mean when this round is over."""
        scores = state.scores
        if not self.settled(state):
            table = rounds.table(state, state.fallen, state.follow)
            rounds.bid_on(table, state.hands, self.policy)
            needs = rounds.play_on(table, state.hands, self.policy)
            made = rounds.points(table.bids, needs)
            scores = [before + now for before, now in zip(scores, made, strict=True)]
        own = scores[seat]
        return own - (sum(scores) - own) / (len(scores) - 1)

    def settled(self, state: State) -> bool:
        """At the end, or where a round has only been dealt."""
        if state.phase != "bid":
            return state.phase != "play"
        return state.turned != WIZARD and all(bid is None for bid in state.bids)

    def _move(self, round: State | View, hand: Sequence[int], fallen: Sequence[int], follow: int | None) -> Move:
        """The policy's move for the seat in turn."""
        if round.phase == "trump":
            return TRUMPS[self.policy.trump(hand, len(round.taken))]
        table = rounds.table(round, fallen, follow)
        if round.phase == "bid":
            return BIDS[rounds.bid(table, hand, self.policy)]
        return PLAYS[rounds.card(table, hand, self.policy)]

    def _cards(self, view: View, first: int) -> list[int]:
        """The cards to try, best first."""
        fallen = [card for trick in view.tricks for card in trick.cards]
        values: dict[int, float] = {}
        table = rounds.table(view, fallen, suit_to_follow(view.trick))
        rounds.card(table, view.hand, self.policy, values)
        cards: dict[tuple[int | None, float], int] = {}
        for card in sorted(values, key=lambda card: (card != first, -values[card])):
            cards.setdefault((SUIT[card], values[card]), card)
        return [*cards.values()]
