"""Worlds behind a view, in which the other hand is one that somebody has worked on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines.jokers import JOKERS, deck
from engines.jokers.deck import HAND
from engines.jokers.model import State, View
from engines.jokers.sample import sample, unseen
from engines.kit.chance import Chance
from players.jokers.numbers import worths
from players.jokers.plans import best
from players.jokers.seen import of_view

UNTOUCHED = 27  # with so many cards left to draw, the other may not have traded yet
HANDS = 3  # of so many hands dealt to the other, the best is supposed: that is about how good hands are by then


def worlds(view: View, rng: Random) -> Callable[[], State]:
    """Makes states that could lie behind the view, a new one with each call."""
    seat = view.seat
    assert seat is not None
    model, pool = sample(view, Chance("5" * 32)), unseen(view)
    theirs, open_cards = 1 - seat, deck.hand(view.known[1 - seat])
    needed = HAND - deck.size(open_cards)
    hands = HANDS if needed and view.draw < UNTOUCHED else 1
    here, live = worths(2, max(view.draw, 1), False), of_view(view).live

    def worth(dealt: list[int]) -> float:
        hand = open_cards + deck.hand(dealt[:needed])
        return best(hand, live & ~hand, here)[0]

    def draw() -> State:
        dealt = (
            max((rng.sample(pool, len(pool)) for _ in range(hands)), key=worth)
            if hands > 1
            else rng.sample(pool, len(pool))
        )
        state = JOKERS.copy(model)
        state.chance = Chance(f"{rng.getrandbits(128):032x}")
        state.hands[theirs] = open_cards + deck.hand(dealt[:needed])
        rest = iter(dealt[needed:])
        state.safety = [
            [next(rest) if down else card for card, down in zip(cards, flags, strict=True)]
            for cards, flags in zip(model.safety, model.down, strict=True)
        ]
        state.draw = list(rest)
        return state

    return draw
