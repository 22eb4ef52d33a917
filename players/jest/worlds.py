"""Worlds behind a view of Jest, drawn the more often the better they explain what was offered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines.chance import Chance
from engines.jest.model import State, View
from engines.jest.sample import Cards, behind, dealer
from players.jest.policy import beside

STEPS = 4  # deals from one world to the next
WARMING = 24  # and before the first


def likely(view: View, rng: Random) -> Callable[[], State]:
    """Worlds as a walk among deals that goes on to a new one by how much likelier it makes all offers (Metropolis).

    Of two cards, people tend to show a certain one.
    """
    deal, chance = dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    hidden, seats = _hidden(view), view.seats
    early, late = beside(seats, False), beside(seats, True)

    def odds(cards: Cards) -> float:
        rounds, _ = cards
        found = 1.0
        for number, seat in hidden:
            row = rounds[number]
            found *= (late if number == view.rounds - 1 else early)[row[seat]][row[seat + seats]]
        return found

    now = deal(chance)
    of_now, steps = odds(now), WARMING

    def drawn() -> State:
        nonlocal now, of_now, steps
        for _ in range(steps if hidden else 1):
            cards = deal(chance)
            of_cards = odds(cards)
            if rng.random() * of_now < of_cards:
                now, of_now = cards, of_cards
        steps = STEPS
        return behind(view, now, chance.fork())

    return drawn


def _hidden(view: View) -> list[tuple[int, int]]:
    """The offers of which a seat sees what was shown and not what was hidden: the round's number, from 0, and whose."""
    rounds = [past.down for past in view.past] + ([view.down] if view.phase == "take" else [])
    return [(number, seat) for number, down in enumerate(rounds) for seat, card in enumerate(down) if card is None]
