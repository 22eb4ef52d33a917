"""The player model of Wizard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from players.wizard.learned import LearnedPolicy, ValuedMove, networks_for, round_value
from players.wizard.numbers import load_weights
from players.wizard.policy import Policy
from players.wizard.worlds import world_sampler

FULL_EFFORT_CARDS = 32  # cards in all hands; above this, a decision gets fewer simulations

EQUAL_POINTS = 0.3  # points by which a move may be worse than the best and still count as about as good

LEARNED_SHARE = 2.0  # divided by the seats: all of them decide, by networks, before a simulation ends
SPECIALS_SHARE = 0.5  # rounds with special cards take longer to play out


class WizardPlayerModel(PlayerModel[State, Move, View]):
    """Plays what its networks value most. With a policy of its own, and where no network was trained, plays by that.

    The policy bids what its cards are likely to take, and plays for exactly that.
    """

    game = GAME
    budget: ClassVar[Budget | None] = Budget(256, max_candidates=6, standard_errors=0.5)
    hint_budget: ClassVar[Budget | None] = Budget(512, max_candidates=6)
    unit = ValueUnit()
    evaluation_error: ClassVar[float] = 0.5  # of the networks

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

    def simulation_share(self, view: View) -> float:
        """Long rounds and special cards take longer to play out, so they get fewer simulations."""
        assert view.seat is not None
        if self._is_learned(view):
            return LEARNED_SHARE / view.seats
        share = min(1.0, FULL_EFFORT_CARDS / (view.places * max(1, view.hand_sizes[view.seat])))
        return share * SPECIALS_SHARE if view.specials else share

    def world_sampler(self, view: View, rng: Random) -> Callable[[], State]:
        """Return a sampler of worlds in which the others' bids make sense."""
        return world_sampler(view, rng, self.policy)

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """Return the policy's move without a view."""
        ranked = self._rank_moves(state, seat, state.hands[seat])
        if ranked:
            return ranked[0].move
        return self._rule_move(state, seat, state.hands[seat], state.fallen, state.follow, rng)

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """Return the value that the networks see at the seat's next choice.

        In rounds that they do not know, it is the points ahead of the others' mean at the end of the round.
        """
        if self._is_learned(state) and not self.is_playout_over(state):
            return self._look_ahead(state, seat, rng)
        scores = state.scores
        if not self.is_playout_over(state):
            table = rounds.make_round_table(state, state.fallen, state.follow)
            rounds.finish_bidding(table, state.hands, self.policy)
            if state.specials:
                needs = specials.play_out_special_round(state, table, self.policy)
            else:
                needs = rounds.play_out_round(table, state.hands, self.policy)
            made = rounds.round_points(table.bids, needs)
            scores = [before + now for before, now in zip(scores, made, strict=True)]
        own = scores[seat]
        return own - (sum(scores) - own) / (len(scores) - 1)

    def _look_ahead(self, state: State, seat: int, rng: Random) -> float:
        """Play on to the seat's next choice, or to the end of the round. Return its value in this round."""
        number = state.round
        while len(state.sheet) < number:
            turn = state.turn
            ranked = self._rank_moves(state, turn, state.hands[turn])
            if turn == seat and len(ranked) > 1:
                return ranked[0].value
            GAME.play(state, turn, ranked[0].move if ranked else self.choose_in_playout(state, turn, rng))
        return round_value([score.points for score in state.sheet[number - 1]], seat)

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


def _make_table(view: View) -> rounds.RoundTable:
    fallen = [card for trick in view.tricks for card in trick.cards]
    return rounds.make_round_table(view, fallen, suit_to_follow(view.trick))
