"""Samples full states that could lie behind a view of Wizard. All deals that fit the view are equally likely."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.kit.chance import Chance
from engines.wizard.deals import Dealer, known_voids, make_place_dealer, unseen_cards
from engines.wizard.deck import suit_to_follow
from engines.wizard.model import BidChange, State
from engines.wizard.sample_specials import make_specials_dealer, needs_specials_dealer
from engines.wizard.view import View


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the rest at random."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """Return `sample` for one view."""
    deal, hidden = make_dealer(view), hidden_bids(view)

    def draw_state(chance: Chance) -> State:
        places = deal(chance)
        bids = list(view.bids)
        for seat in hidden:
            bids[seat] = chance.randbelow(view.trick_count + 1)
        return build_state(view, places, bids, chance.fork())

    return draw_state


def hidden_bids(view: View) -> list[int]:
    """Return the seats that have made a bid which the view does not show (W16, W17)."""
    return [seat for seat, bid in enumerate(view.bids) if bid is None and view.has_bid[seat]]


def make_dealer(view: View) -> Dealer:
    """Return a dealer of all hands, sorted, and the stock. A dummy's hand is in random order (W19).

    Once the Carousel turns, it also deals the cards that were passed, by seat; −1 is one not chosen yet.
    """
    if needs_specials_dealer(view):
        return make_specials_dealer(view)
    cards, voids, own = unseen_cards(view), known_voids(view), None if view.is_hand_hidden else view.seat
    rooms = [0 if seat == own else size for seat, size in enumerate(view.hand_sizes)]
    rooms.append(len(cards) - sum(rooms))  # the cards not dealt
    deal = make_place_dealer(cards, rooms, [*voids, set()])
    if view.places > view.seats:
        deal = _shuffling_dealer(deal, view.seats)
    if own is None:
        return deal
    hand = view.hand

    def deal_with_own_hand(chance: Chance) -> list[list[int]]:
        places = deal(chance)
        places[own] = list(hand)
        return places

    return deal_with_own_hand


def _shuffling_dealer(deal: Dealer, dummy: int) -> Dealer:
    """Return a dealer that puts the dummy's cards in random order (W19)."""

    def deal_in_any_order(chance: Chance) -> list[list[int]]:
        places = deal(chance)
        places[dummy] = chance.shuffle(places[dummy])
        return places

    return deal_in_any_order


def build_state(view: View, places: list[list[int]], bids: Sequence[int | None], chance: Chance) -> State:
    """Return the state behind the view for this deal and these bids, which include those that the view hides."""
    hands, stock, passes = places[: view.places], places[view.places], places[view.places + 1 :]
    return State(
        chance=chance,
        rounds=view.rounds,
        draws=list(view.draws),
        dealer=view.dealer,
        round=view.round,
        phase=view.phase,
        turn=view.turn,
        hands=hands,
        stock=stock,
        turned=view.turned,
        trump=view.trump,
        bids=list(bids),
        taken=list(view.taken),
        leader=view.leader,
        trick=list(view.trick),
        follow=suit_to_follow(view.trick),
        fallen=[card for trick in view.tricks for card in trick.cards],
        takers=[trick.winner for trick in view.tricks],
        last=view.last,
        scores=list(view.scores),
        sheet=list(view.sheet),
        numbers=list(view.numbers),
        trick_count=view.trick_count,
        hand_plan=view.hand_plan,
        hook=view.hook,
        bidding=view.bidding,
        blind=view.blind,
        specials=view.specials,
        swap=view.swap,
        bid_change=_likely_change(view, bids),
        passes=[None if card < 0 else card for card in passes[0]] if passes else [],
    )


def _likely_change(view: View, bids: Sequence[int | None]) -> BidChange | None:
    """Return the change of a bid; a hidden one is one that can have led to the sampled bid (W17, W25)."""
    change = view.bid_change
    if change is None or change.by is not None:
        return change
    return BidChange(change.seat, 1 if bids[change.seat] else -1)
