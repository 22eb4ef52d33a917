"""How many rounds a match of Wizard has, what is dealt in each, and the bid that the hook forbids (W2, W12–W15)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.wizard.deck import DECK
from engines.wizard.model import HandPlan, Options

ALL_CARDS_TRUMPS = (0, 1, 2, 3, None)
"""W15: the trump of each round in which all cards are dealt: clubs, diamonds, hearts, spades, none."""


def round_count(seats: int, options: Options) -> int:
    """Return the number of rounds: all that the hands allow, or fewer if the option says so (W2)."""
    full = full_round_count(seats, options.hands)
    return min(options.rounds or full, full)


def full_round_count(seats: int, plan: HandPlan) -> int:
    """Return the number of rounds without a limit."""
    if plan == "all cards":
        return len(ALL_CARDS_TRUMPS)
    largest = len(DECK) // seats
    return (largest + 1) // 2 if plan == "quick" else largest


def hand_size(seats: int, rounds: int, plan: HandPlan, number: int) -> int:
    """Return how many cards each seat is dealt in a round, from 1, of a match with this many rounds."""
    match plan:
        case "growing":  # W2
            return number
        case "quick":  # W13
            return 2 * number - 1
        case "descending":  # W14: a limit leaves out the largest hands
            return rounds - number + 1
        case "all cards":  # W15
            return len(DECK) // seats


def forbidden_bid(hook: int | None, tricks: int, bids: Sequence[int | None]) -> int | None:
    """Return the bid that the last bidder may not make, because all bids would add up to the tricks (W12)."""
    if hook is None or tricks < hook or bids.count(None) != 1:
        return None
    left = tricks - sum(bid for bid in bids if bid is not None)
    return left if left >= 0 else None
