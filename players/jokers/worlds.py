"""Samples worlds behind a view in which the opponent has improved their hand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines.jokers import JOKERS, deck
from engines.jokers.deck import HAND_SIZE
from engines.jokers.model import State
from engines.jokers.sample import sample, unseen_cards
from engines.jokers.view import View
from engines.kit.chance import Chance
from players.jokers.numbers import stage_values
from players.jokers.plans import best_plan
from players.jokers.seen import knowledge_from_view

UNTRADED_DRAW_PILE = 27  # with this many cards left to draw, the opponent may not have traded yet
HANDS_COMPARED = 3  # the best of this many random hands is as good as hands usually are by then


def world_sampler(view: View, rng: Random) -> Callable[[], State]:
    """Return a sampler of states that could lie behind the view."""
    seat = view.seat
    assert seat is not None
    model, pool = sample(view, Chance("5" * 32)), unseen_cards(view)
    other, open_cards = 1 - seat, deck.make_hand(view.known[1 - seat])
    needed = HAND_SIZE - deck.hand_size(open_cards)
    hands = HANDS_COMPARED if needed and view.draw < UNTRADED_DRAW_PILE else 1
    values, live = stage_values(2, max(view.draw, 1), False), knowledge_from_view(view).live

    def hand_value(dealt: list[int]) -> float:
        hand = open_cards + deck.make_hand(dealt[:needed])
        return best_plan(hand, live & ~hand, values)[0]

    def draw_world() -> State:
        dealt = (
            max((rng.sample(pool, len(pool)) for _ in range(hands)), key=hand_value)
            if hands > 1
            else rng.sample(pool, len(pool))
        )
        state = JOKERS.copy(model)
        state.chance = Chance(f"{rng.getrandbits(128):032x}")
        state.hands[other] = open_cards + deck.make_hand(dealt[:needed])
        rest = iter(dealt[needed:])
        state.safety = [
            [next(rest) if down else card for card, down in zip(cards, flags, strict=True)]
            for cards, flags in zip(model.safety, model.down, strict=True)
        ]
        state.draw = list(rest)
        return state

    return draw_world
