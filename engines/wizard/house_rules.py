"""What house rules change: the rounds and hands, the bid that the hook forbids, what is hidden (W2, W12–W25).

Special cards make the pack larger, but change neither the rounds nor the hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engines.kit.contract import NoEffect
from engines.wizard.deck import DECK, SPECIAL_CARDS
from engines.wizard.model import SPECIAL_NAMES, Bidding, HandPlan, Options, Phase

ALL_CARDS_TRUMPS = (0, 1, 2, 3, None)
"""W15: the trump of each round in which all cards are dealt: clubs, diamonds, hearts, spades, none."""

DUMMY_TABLE = 3
"""W19: the hands that are dealt to two players."""
BLIND_EVERY = 3
"""W18: every third round."""


def place_count(seats: int) -> int:
    """Return the number of hands that are dealt: one for each seat, and the dummy hand of two players (W19)."""
    return max(seats, DUMMY_TABLE)


def round_count(seats: int, options: Options) -> int:
    """Return the number of rounds: all that the hands allow, or fewer if the option says so (W2)."""
    full = full_round_count(seats, options.hands)
    return min(options.rounds or full, full)


def full_round_count(seats: int, plan: HandPlan) -> int:
    """Return the number of rounds without a limit."""
    if plan == "all cards":
        return len(ALL_CARDS_TRUMPS)
    largest = len(DECK) // place_count(seats)
    return (largest + 1) // 2 if plan in ("by twos", "quick") else largest


def hand_size(seats: int, rounds: int, plan: HandPlan, number: int) -> int:
    """Return how many cards each seat is dealt in a round, from 1, of a match with this many rounds."""
    match plan:
        case "growing":  # W2
            return number
        case "by twos":  # W13: the last hands use the whole pack
            return 2 * number - len(DECK) // place_count(seats) % 2
        case "quick":  # W13, as before rules version 3
            return 2 * number - 1
        case "descending":  # W14: a limit leaves out the largest hands
            return rounds - number + 1
        case "all cards":  # W15
            return len(DECK) // place_count(seats)


def hand_sizes(seats: int, options: Options) -> list[int]:
    """Return the number of cards that each seat is dealt in each round of such a match."""
    rounds = round_count(seats, options)
    return [hand_size(seats, rounds, options.hands, number) for number in range(1, rounds + 1)]


NO_EFFECTS: Mapping[str, NoEffect[Options]] = MappingProxyType(
    {
        "rounds": NoEffect(
            "too few cards for more rounds",
            lambda options, seats: (options.rounds or 0) >= full_round_count(seats, options.hands),
        ),
        "hands": NoEffect(
            "the only round has one card anyway", lambda options, seats: hand_sizes(seats, options) == [1]
        ),
        "hook": NoEffect(
            "no hand has that many cards", lambda options, seats: (options.hook or 0) > max(hand_sizes(seats, options))
        ),
        "blind": NoEffect("there is no third round", lambda options, seats: round_count(seats, options) < BLIND_EVERY),
        "dummy": NoEffect("it is only for two players", lambda options, seats: seats > 2),
        "mouse": NoEffect("without the Elephant it only loses", lambda options, seats: not options.elephant),
        "chameleon": NoEffect("no card is turned up to swap with", lambda options, seats: options.hands == "all cards"),
        "carousel": NoEffect(
            "nobody has a card left to pass", lambda options, seats: max(hand_sizes(seats, options)) == 1
        ),
    }
)
"""When an option changes nothing. The Mouse alone and a Chameleon without a card to swap are cards like a Jester."""


def is_blind_round(blind: bool, number: int) -> bool:
    """Whether the bids of this round, from 1, are made before the cards are seen (W18)."""
    return blind and number % BLIND_EVERY == 0


def are_hands_hidden(blind: bool, number: int, phase: Phase) -> bool:
    """Whether players do not see their own cards now (W18)."""
    return phase in ("trump", "bid") and is_blind_round(blind, number)


def are_bids_hidden(bidding: Bidding, phase: Phase) -> bool:
    """Whether players see no bids but their own now (W16, W17)."""
    return (phase == "bid" and bidding != "open") or (phase in ("play", "adjust", "pass") and bidding == "late")


def forbidden_bid(hook: int | None, tricks: int, bids: Sequence[int | None]) -> int | None:
    """Return the bid that the last bidder may not make, because all bids would add up to the tricks (W12)."""
    if hook is None or tricks < hook or bids.count(None) != 1:
        return None
    left = tricks - sum(bid for bid in bids if bid is not None)
    return left if left >= 0 else None


def specials_in_pack(options: Options) -> tuple[int, ...]:
    """Return the special cards that are shuffled into the pack (W20–W25)."""
    named = zip(SPECIAL_CARDS, SPECIAL_NAMES, strict=True)
    return tuple(card for card, name in named if getattr(options, name))
