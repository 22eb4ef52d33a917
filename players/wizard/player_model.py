"""The player model of Wizard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import ClassVar

from engines.wizard import WIZARD as GAME
from engines.wizard.deck import SUIT, WIZARD, suit_to_follow
from engines.wizard.model import Bid, LowerBid, Move, NameTrump, PassCard, Play, RaiseBid, State
from engines.wizard.moves import BID_MOVES, LOWER, PASS_MOVES, PLAY_MOVES, RAISE
from engines.wizard.view import View
from players.player_model import Budget, PlayerModel, ValueUnit
from players.wizard import rounds, specials
from players.wizard.blunders import BlunderingPolicy
from players.wizard.learned import LearnedPolicy, ValuedMove, networks_for
from players.wizard.numbers import load_weights
from players.wizard.policy import Policy
from players.wizard.worlds import world_sampler

FULL_EFFORT_CARDS = 32  # cards in all hands; above this, a decision gets fewer simulations
EQUAL_POINTS = 0.3  # points by which a move may be worse than the best and still count as about as good
SPECIALS_SHARE = 0.5  # rounds with special cards take longer to play out
BID_SHARE = 4.0  # bids decide more than cards, and rounds differ more after them
BID_ERROR, CARD_ERRORS = 12.0, {3: 8.0, 4: 6.0, 5: 4.0, 6: 3.0}
"""The standard errors of the networks' values, as far as a search can tell: of bids, and of cards by number of hands.
With more hands, the sampled ones resemble the real ones less."""


MANY_SEATS = 6  # with so many, a search gains nothing


class WizardPlayerModel(PlayerModel[State, Move, View]):
    """Plays what its networks value most. With a policy of its own, and where no network was trained, plays by that.

    The policy bids what its cards are likely to take, and plays for exactly that.
    """

    game = GAME
    budget: ClassVar[Budget | None] = Budget(144, max_candidates=3, standard_errors=0.0, margin=15.0)
    hint_budget: ClassVar[Budget | None] = Budget(384, max_candidates=6)
    unit = ValueUnit()

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy(load_weights())
        self._learned = LearnedPolicy(load_weights()) if policy is None else None
        self._blunderer = BlunderingPolicy(self.policy)

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move that the networks value most, or the rule of thumb's if they do not know such a round."""
        assert view.seat is not None
        ranked = self._rank_moves(view, view.seat, view.hand)
        return ranked[0].move if ranked else self.choose_by_rule(view, moves, rng)

    def choose_by_rule(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the rule of thumb's move."""
        assert view.seat is not None
        fallen = [card for trick in view.tricks for card in trick.cards]
        return self._rule_move(view, view.seat, view.hand, fallen, suit_to_follow(view.trick), rng)

    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the best bids or cards within a fraction of a point; by the rule of thumb, cards alone."""
        assert view.seat is not None
        if ranked := self._rank_moves(view, view.seat, view.hand):
            return [each.move for each in ranked if each.value >= ranked[0].value - EQUAL_POINTS]
        first = self.choose_by_rule(view, moves, rng)
        if not isinstance(first, Play):
            return (first,)
        values = self._card_values(view)
        near = [card for card, value in values.items() if value >= values[first.card] - EQUAL_POINTS]
        return [first, *(PLAY_MOVES[card] for card in near if card != first.card)]

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the same with bids off now and then, and forgotten cards."""
        return self._blunderer.choose_move(view, moves, rng)

    def candidate_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return any trump; bids and cards by their value, without equivalent neighbours."""
        assert view.seat is not None
        if ranked := self._rank_moves(view, view.seat, view.hand):
            kinds: dict[object, Move] = {}
            for each in ranked:
                kinds.setdefault(each.kind, each.move)
            valued = {each.move for each in ranked}
            return [*kinds.values(), *(move for move in moves if move not in valued)]
        first = self.choose_move(view, moves, rng)
        match first:
            case NameTrump() | RaiseBid() | LowerBid():
                return [first, *(move for move in moves if move != first)]
            case Bid(tricks):
                legal = [move.tricks for move in moves if isinstance(move, Bid)]
                return [BID_MOVES[each] for each in sorted(legal, key=lambda each: abs(each - tricks))]
            case Play(card):
                return [PLAY_MOVES[each] for each in self._candidate_cards(view, card)]
            case PassCard():
                return [PASS_MOVES[each] for each in self._ranked_passes(view)]

    def expected_values(self, view: View, moves: Sequence[Move]) -> Sequence[float] | None:
        """Return the values that the networks see. Bids that they do not value are like the worst of the others."""
        assert view.seat is not None
        ranked = self._rank_moves(view, view.seat, view.hand)
        if not ranked:
            return None
        values: dict[Move, float] = {each.move: each.value for each in ranked}
        return [values.get(move, ranked[-1].value) for move in moves]

    def expectation_error(self, view: View) -> float:
        """Return the standard error of a difference between such values."""
        return CARD_ERRORS[view.places] if view.phase == "play" else BID_ERROR

    def is_worth_searching(self, view: View) -> bool:
        """Return False with many seats, for which no gain was found."""
        return view.seats < MANY_SEATS

    def simulation_share(self, view: View) -> float:
        """Bids get more simulations. If the rule of thumb plays, long rounds and special cards get fewer, because they
        take longer.
        """
        assert view.seat is not None
        if self._is_learned(view):
            return 1.0 if view.phase == "play" else BID_SHARE
        share = min(1.0, FULL_EFFORT_CARDS / (view.places * max(1, view.hand_sizes[view.seat])))
        return share * SPECIALS_SHARE if view.specials else share

    def world_sampler(self, view: View, rng: Random) -> Callable[[], State]:
        """Return a sampler of worlds in which the others' bids make sense, and their cards if the networks know the
        round.
        """
        if not self._is_learned(view):
            return world_sampler(view, rng, self.policy)
        from players.wizard import batch_search  # it needs numpy, which only a search should load

        return partial(next, batch_search.draw_worlds(view, rng, self.policy))

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """Return the policy's move without a view."""
        ranked = self._rank_moves(state, seat, state.hands[seat])
        if ranked:
            return ranked[0].move
        return self._rule_move(state, seat, state.hands[seat], state.fallen, state.follow, rng)

    def evaluate_moves(
        self, view: View, moves: Sequence[Move], worlds: Sequence[tuple[State, int]]
    ) -> list[list[float]]:
        """Return the same as playouts one by one, but for rounding; all at once if the networks know the round."""
        if not self._is_learned(view):
            return super().evaluate_moves(view, moves, worlds)
        from players.wizard import batch_search  # as above

        return batch_search.play_worlds_out(view, moves, [state for state, _ in worlds])

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """Return the points ahead of the others' mean at the end of the round."""
        if self.is_playout_over(state):
            return _points_ahead(state.scores, seat)
        if self._is_learned(state):
            number = state.round
            while len(state.sheet) < number:
                GAME.play(state, state.turn, self.choose_in_playout(state, state.turn, rng))
            return _points_ahead(state.scores, seat)
        table = rounds.make_round_table(state, state.fallen, state.follow)
        rounds.finish_bidding(table, state.hands, self.policy)
        if state.specials:
            needs = specials.play_out_special_round(state, table, self.policy)
        else:
            needs = rounds.play_out_round(table, state.hands, self.policy)
        points = rounds.round_points(table.bids, needs)
        return _points_ahead([before + now for before, now in zip(state.scores, points, strict=True)], seat)

    def is_playout_over(self, state: State) -> bool:
        """Whether the match is over, or a new round has just been dealt."""
        if state.phase != "bid":
            return state.phase in ("trump", "over")
        return state.turned != WIZARD and state.swap is None and all(bid is None for bid in state.bids)

    def _is_learned(self, round: State | View) -> bool:
        return self._learned is not None and networks_for(round) is not None

    def _rank_moves(self, round: State | View, seat: int, hand: Sequence[int]) -> Sequence[ValuedMove]:
        """Return the moves as the networks rank them; none if they do not know the decision."""
        return () if self._learned is None else self._learned.rank_moves(round, seat, hand)

    def _rule_move(
        self,
        round: State | View,
        seat: int,
        hand: Sequence[int],
        fallen: Sequence[int],
        follow: int | None,
        rng: Random,
    ) -> Move:
        """Return the rule of thumb's move for a seat that has to move."""
        if round.phase == "trump":
            return NameTrump(rounds.choose_trump(round, hand, self.policy, rng))
        table = rounds.make_round_table(round, fallen, follow)
        if round.phase == "bid":
            return BID_MOVES[rounds.choose_bid(table, seat, hand, self.policy)]
        if round.phase == "adjust":
            return RAISE if specials.choose_adjustment(table, seat, hand, self.policy) > 0 else LOWER
        if round.phase == "pass":
            return PASS_MOVES[specials.rank_passes(table, seat, hand, self.policy)[0]]
        return PLAY_MOVES[rounds.choose_card(table, hand, self.policy)]

    def _candidate_cards(self, view: View, first: int) -> list[int]:
        """Return the cards to try, best first."""
        values = self._card_values(view)
        cards: dict[tuple[int | None, float], int] = {}
        for card in sorted(values, key=lambda card: (card != first, -values[card])):
            cards.setdefault((SUIT[card], values[card]), card)
        return [*cards.values()]

    def _card_values(self, view: View) -> dict[int, float]:
        """Return the legal cards with their values to the rule of thumb, in points."""
        values: dict[int, float] = {}
        rounds.choose_card(_make_table(view), view.hand, self.policy, values)
        return values

    def _ranked_passes(self, view: View) -> list[int]:
        """Return the cards to pass, best first."""
        assert view.seat is not None
        return specials.rank_passes(_make_table(view), view.seat, view.hand, self.policy)


def _points_ahead(points: Sequence[int], seat: int) -> float:
    """Return how far a seat is ahead of the others' mean."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def _make_table(view: View) -> rounds.RoundTable:
    fallen = [card for trick in view.tricks for card in trick.cards]
    return rounds.make_round_table(view, fallen, suit_to_follow(view.trick))
