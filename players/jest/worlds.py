"""Worlds behind a view of Jest, drawn the more often the better they explain what was offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from random import Random

from engines.jest.deck import ONE
from engines.jest.model import State, View
from engines.jest.sample import behind, dealer
from engines.kit.chance import Chance
from players.jest.numbers import numbers
from players.jest.policy import higher

STEPS = 4  # deals from one world to the next
WARMING = 40  # and before the first
Rounds = Sequence[Sequence[int]]
"""Every round's cards, the face-up ones by seat and then the face-down ones."""


def likely(view: View, rng: Random) -> Callable[[], State]:
    """Worlds as a walk among deals that goes on to a new one by how much likelier it makes all offers (Metropolis)."""
    deal, chance = dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    hidden = _hidden(view)

    def odds(rounds: Rounds) -> float:
        found = 1.0
        for number, seat in hidden:
            found *= _natural(view, rounds, number, seat)
        return found

    now = deal(chance)
    of_now, steps = odds(now[0]), WARMING

    def drawn() -> State:
        nonlocal now, of_now, steps
        for _ in range(steps if hidden else 1):
            cards = deal(chance)
            of_cards = odds(cards[0])
            if rng.random() * of_now < of_cards:
                now, of_now = cards, of_cards
        steps = STEPS
        return behind(view, now, chance.fork())

    return drawn


def known_then(view: View, rounds: Rounds, number: int, seat: int) -> tuple[int, ...]:
    """What lay in the Jests when that round, counted from 0, began, as far as that seat knew (J8)."""
    jests = [0] * view.seats
    for cards, past in zip(rounds[:number], view.past, strict=False):
        for taker, source, up in past.takes:
            if up or seat in (taker, source):
                jests[taker] |= ONE[cards[source if up else source + view.seats]]
    return tuple(jests)


def _hidden(view: View) -> list[tuple[int, int]]:
    """The offers of which a seat sees what was shown and not what was hidden: the round's number, from 0, and whose."""
    rounds = [past.down for past in view.past] + ([view.down] if view.phase == "take" else [])
    return [(number, seat) for number, down in enumerate(rounds) for seat, card in enumerate(down) if card is None]


def _natural(view: View, rounds: Rounds, number: int, seat: int) -> float:
    """How likely a seat with these two cards shows that one, by what it knew then."""
    shown, other = rounds[number][seat], rounds[number][seat + view.seats]
    hand = (shown, other) if shown < other else (other, shown)
    jests = known_then(view, rounds, number, seat)
    better = higher(jests, seat, hand, view.trophies, view.rounds - number + 1)
    offers = numbers().offers
    plain = 1 / (1 + exp(offers.sureness * (-better if shown > other else better)))
    return offers.whim / 2 + (1 - offers.whim) * plain
