"""Reasons for Wizard's moves: true for the position, and about the tricks still needed."""

from __future__ import annotations

import re
from random import Random

import pytest

from cogs.wizard.move_reasons import beating_cards, card_fate, move_reason
from engines.kit.chance import Chance
from engines.wizard import WIZARD, deck
from engines.wizard.model import Move, State, TrickTaken
from tests.cogs.wizard.states import match_positions
from tests.engines.wizard.positions import parse_position, seat_to_act

SEED = Chance("5" * 32)

SAID = {
    "bids: 2 1 1 | hand: KH 3C 4D": {"play KH": "You still need two tricks, and the K♥ is now the highest heart."},
    "trick: 5C 9C | bids: 1 2 2 | hand: 10C wizard 2D": {
        "play 10C": "You still need two tricks, and you play last, so the 10♣ takes this one."
    },
    "trick: 9C 5C | bids: 1 1 0 | hand: 4C 8C AC": {
        "play 8C": "You do not need any tricks, and the 8♣ is the highest card that you can safely get rid of here.",
        "play 4C": "You do not need any tricks, and the 4♣ cannot take this one.",
    },
    "bids: 0 1 1 | hand: 2C AC AD": {"play 2C": "You do not need any tricks, and 27 unseen cards can beat the 2♣."},
    "bids: 0 1 1 | hand: jester AH AC": {
        "play jester": "You do not need any tricks, and any card but a Jester beats yours."
    },
    "trick: 9C | bids: 0 3 0 | hand: AC wizard wizard": {
        "play wizard": "You need every remaining trick, and the first Wizard in a trick takes it."
    },
    "trick: 9C | bids: 0 1 0 | hand: 2H 3D wizard": {
        "play 2H": "You still need one trick, and the 2♥ trumps the trick."
    },
    "trick: wizard 2S | bids: 1 0 1 | hand: wizard 3C 4D": {
        "play 3C": "You still need one trick, but none of your cards can take this one, and the 3♣ is the lowest."
    },
    "trick: 9C | bids: 0 1 0 | hand: 2C 3D wizard": {
        "play 2C": "You still need one trick, and this saves your Wizard for a later one."
    },
    "trick: 2C 3C | bids: 1 1 0 | hand: 4C 5C AC": {
        "play AC": "You do not need any tricks, but every card that you can play takes this one."
    },
}


@pytest.mark.parametrize(
    ("at", "move", "reason"), [(at, *each) for at, reasons in SAID.items() for each in reasons.items()]
)
def test_a_card_is_spoken_for_by_what_it_does_for_the_bid(at: str, move: str, reason: str) -> None:
    state = parse_position(f"trump: H | {at}")
    assert move_reason(WIZARD.view(state, seat_to_act(state)), WIZARD.parse_move(move)) == reason


def test_a_bid_is_spoken_for_by_what_takes_tricks() -> None:
    state = WIZARD.start(3, WIZARD.options(3), SEED)
    seat = seat_to_act(state)
    state.round = state.trick_count = 4
    state.turned, state.trump = deck.parse_card("2H"), deck.parse_card("2H") // 13
    state.hands[seat] = sorted(map(deck.parse_card, ("wizard", "KH", "3H", "AC")))
    holds = "You hold a Wizard, two trumps up to the K♥ and an ace."
    for bids, expected in (
        ((None, None), holds),
        ((2, None), ", and so far the bids add up to 2 of 4 tricks."),
        ((2, 1), ", and the others have bid 3 of 4 tricks."),
        ((2, 1, 4), ", and the others have bid 3 of 4 tricks, so you cannot bid 1."),
        ((2, 1, 5), ", and the others have bid 3 of 4 tricks."),
        ((2, 3, 4), ", and the others have bid 5 of 4 tricks."),
    ):
        state.hook = bids[2] if len(bids) > 2 else None
        state.bids[(seat + 1) % 3], state.bids[(seat + 2) % 3] = bids[:2]
        reason = move_reason(WIZARD.view(state, seat), WIZARD.parse_move("bid 2"))
        assert reason == expected if expected == holds else reason.endswith(expected)


def test_a_trump_is_spoken_for_by_its_length() -> None:
    state = WIZARD.start(3, WIZARD.options(3), SEED)
    seat = seat_to_act(state)
    state.phase = "trump"
    state.hands[seat] = sorted(map(deck.parse_card, ("5H", "KH", "3H", "AC")))
    for suit, sentence in (
        ("H", "You hold three hearts, more than of any other suit, the highest of them the K♥."),
        ("C", "The A♣ is your only club, and trump makes it stronger."),
        ("S", "You hold no spades, so none of your cards would be a trump."),
    ):
        assert move_reason(WIZARD.view(state, seat), WIZARD.parse_move(f"trump {suit}")) == sentence


def test_the_words_about_a_trick_agree_with_the_rules() -> None:
    """W9: a beaten card never takes the trick, and a card that no unseen card beats always does."""
    state = parse_position("trump: H | trick: 9C | bids: 0 1 0 | hand: 2C KC AH wizard jester")
    view = WIZARD.view(state, seat_to_act(state))
    fates = {deck.card_name(card): card_fate(view, card) for card in set(view.hand)}
    assert fates == {"2C": "loses", "KC": "open", "AH": "open", "wizard": "takes", "jester": "loses"}
    stronger = {deck.card_name(card) for card in beating_cards(view, deck.parse_card("AH"))}
    assert stronger == {"wizard"}


def test_a_card_that_surely_takes_a_trick_takes_it_and_one_that_cannot_does_not() -> None:
    """In random matches, the reason is true no matter what the others hold and play."""
    endings = set()
    for seats, seed, rounds in ((3, 1, 14), (4, 2, 6), (6, 3, 6)):
        for state in match_positions(seats, seed, rounds):
            if state.phase == "play":
                for move in WIZARD.moves(state, state.turn):
                    reason = move_reason(WIZARD.view(state, state.turn), move)
                    for ending, takes in FOR_SURE.items():
                        if re.search(ending, reason):
                            endings.add(ending)
                            assert (_trick_taker(state, move, Random(seed)) == state.turn) == takes, reason
    assert endings == {*FOR_SURE}


FOR_SURE = {
    "the first Wizard in a trick takes it": True,
    "you play last, so .* takes this one": True,
    "every card that you can play takes this one": True,
    "no remaining card beats": True,
    "cannot take this one": False,
    "safely get rid of here": False,
    "none of your cards can take this one": False,
    "a Jester does not take this one": False,
}


def _trick_taker(state: State, move: Move, rng: Random) -> int:
    """Return the seat that takes the trick after the move, with random cards from the others."""
    seat, state = state.turn, WIZARD.copy(state)
    events = WIZARD.play(state, seat, move)
    while not any(isinstance(event, TrickTaken) for event in events):
        events = WIZARD.play(state, state.turn, rng.choice(WIZARD.moves(state, state.turn)))
    return next(event.seat for event in events if isinstance(event, TrickTaken))
