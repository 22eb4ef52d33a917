"""Checks that training and play see the same, in random matches: `python -m bench.players.wizard.check`."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.kit.chance import Chance
from engines.wizard import WIZARD as GAME
from engines.wizard import deck
from engines.wizard.deals import known_voids
from engines.wizard.view import View
from players.wizard import PLAYER_MODEL
from players.wizard.batch_features import BidTable, CardTable, bid_choices, card_choices
from players.wizard.batch_odds import JESTER, KINDS, NO_SUIT, STRENGTH_OF, TOP_RANK, WIZARD, Array, np
from players.wizard.features import Choices
from players.wizard.learned import LearnedPolicy
from players.wizard.numbers import load_weights

MATCHES = 3  # by number of seats
TOLERANCE = 1e-4


def kind_of(card: int) -> int:
    """Return the number of a card in training."""
    if card >= 52:
        return JESTER if card == deck.JESTER else WIZARD
    return card // 13 * 13 + deck.STRENGTH[card] - 1


def count_kinds(cards: Any) -> Array:
    """Return one row with the number of each kind among the cards."""
    row = np.zeros((1, KINDS), np.float32)
    for card in cards:
        row[0, kind_of(card)] += 1
    return row


def trained_choices(view: View) -> Any:
    """Return the choices as training describes them."""
    seats, own = view.seats, view.seat
    assert own is not None
    hand, trump = count_kinds(view.hand), np.array([NO_SUIT if view.trump is None else view.trump])
    if view.phase == "bid":
        turned_cards = np.array([-1 if view.turned is None else kind_of(view.turned)])
        place = (own - view.dealer - 1) % seats
        bids = np.array([[view.bids[(view.dealer + 1 + number) % seats] or 0 for number in range(place)]], float)
        return bid_choices(BidTable(hand, trump, turned_cards, bids.reshape(1, place), seats, len(view.hand)))
    lying = [*view.trick, *(card for trick in view.tricks for card in trick.cards)]
    lying += [] if view.turned is None else [view.turned]
    turns = [(own + number) % seats for number in range(seats)]
    follow = deck.suit_to_follow(view.trick)
    winner = 0
    best = -1
    for number, card in enumerate(view.trick):
        kind = kind_of(card)
        suit = deck.SUIT[card]
        rank = TOP_RANK if card == deck.WIZARD else 0
        rank = 100 + int(STRENGTH_OF[kind]) if suit is not None and suit == follow else rank
        rank = 200 + int(STRENGTH_OF[kind]) if suit is not None and suit == view.trump else rank
        if rank > best:
            best, winner = rank, (view.leader + number - own) % seats
    voids = known_voids(view)
    return card_choices(
        CardTable(
            hand,
            trump,
            np.array([NO_SUIT if follow is None else follow]),
            np.array([best]),
            np.array([winner]),
            count_kinds(lying),
            np.array([view.bids[own] or 0]),
            np.array([[(view.bids[seat] or 0) - view.taken[seat] for seat in turns]]),
            np.array([[[suit in voids[seat] for suit in range(5)] for seat in turns]]),
            seats,
            len(view.hand),
            len(view.trick),
        )
    )


def difference(choices: Choices, trained: Any, is_bid: bool) -> float:
    """Return the greatest difference between the two descriptions of a decision."""
    keys = [key if is_bid else kind_of(key) for key, _ in choices.moves]
    order = np.argsort(keys)
    moves = np.array([move for _, move in choices.moves], float)[order]
    assert [keys[each] for each in order] == list(trained.keys), (keys, trained.keys)
    return float(max(np.abs(trained.moves - moves).max(), np.abs(trained.seats - np.array(choices.seat, float)).max()))


def main() -> None:
    """Run the command line (see the module)."""
    policy, count, worst = LearnedPolicy(load_weights()), 0, 0.0
    for seats in (3, 4, 5, 6):
        for match in range(MATCHES):
            state, rng = GAME.start(seats, GAME.options(), Chance(f"{seats * 100 + match:032x}")), Random(match)
            while due := [seat for seat, decision in GAME.decisions(state).items() if decision.due]:
                view, moves = GAME.view(state, due[0]), GAME.moves(state, due[0])
                if view.phase in ("bid", "play") and len(view.hand) > (view.phase == "play"):
                    is_bid = view.phase == "bid"
                    choices = (
                        policy.bid_choices(view, due[0], view.hand) if is_bid else policy.card_choices(view, view.hand)
                    )
                    found = difference(choices, trained_choices(view), is_bid)
                    if found > TOLERANCE:
                        raise SystemExit(f"{view}\ndiffer by {found}")
                    count, worst = count + 1, max(worst, found)
                good = PLAYER_MODEL.choose_by_rule(view, moves, rng)
                GAME.play(state, due[0], good if rng.random() < 0.7 else rng.choice(moves))
    print(f"{count} decisions are described alike in training and in play, within {worst:.1e}.")


if __name__ == "__main__":
    main()
