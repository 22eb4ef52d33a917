"""Samples full states that could lie behind a view of Jokers."""

from __future__ import annotations

from engines.jokers import deck
from engines.jokers.deck import DECK
from engines.jokers.model import State
from engines.jokers.view import View
from engines.kit.chance import Chance
from engines.kit.sampling import remaining_cards


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the unseen cards at random, each equally likely in each place."""
    left = chance.shuffle(unseen_cards(view))
    hands = []
    for seat, size in enumerate(view.hand_sizes):
        open_cards = view.hand if seat == view.seat else view.known[seat]
        number = size - len(open_cards)
        hands.append(deck.make_hand([*open_cards, *left[:number]]))
        del left[:number]
    safety = [[left.pop() if card is None else card for card in row] for row in view.safety]
    return State(
        chance=chance.fork(),
        rounds=view.rounds,
        starter=view.starter,
        round=view.round,
        phase=view.phase,
        turn=view.turn,
        hands=hands,
        draw=left,
        discard=list(view.discard),
        safety=safety,
        down=[[card is None for card in row] for row in view.safety],
        turned=view.turned,
        trades=view.trades,
        idle=view.idle,
        still=view.still,
        declared=view.declared,
        known=list(map(deck.make_hand, view.known)),
        scores=list(view.scores),
        sheet=[list(row) for row in view.sheet],
        last=view.last,
        numbers=list(view.numbers),
    )


def unseen_cards(view: View) -> list[int]:
    """Return the cards whose place the seat cannot know, sorted. A used safety card is in the discard pile or was
    taken."""
    turned_cards = () if view.turned is None else (view.turned,)
    known = [cards for seat, cards in enumerate(view.known) if seat != view.seat]
    return remaining_cards(DECK, view.discard, view.hand, turned_cards, *known)
