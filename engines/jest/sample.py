"""A full state that could lie behind a view of Jest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import perm
from typing import NamedTuple

from engines.jest import deck
from engines.jest.deck import DECK
from engines.jest.model import Round, State, Taken, View
from engines.kit.chance import Chance
from engines.kit.sampling import weighted

Cards = tuple[list[list[int]], list[int]]
"""Every round's cards, the face-up ones by seat and then the face-down ones; and the deck."""


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows and deal the rest anew."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """`sample` for one view."""
    deal = dealer(view)
    return lambda chance: behind(view, deal(chance), chance.fork())


def dealer(view: View) -> Callable[[Chance], Cards]:
    """What deals all cards that the seat cannot see; every deal and every secret choice that fit are equally likely.

    What a seat has seen binds it over several rounds: a card left in an offer is dealt again in the next round, so it
    lies hidden with somebody until it is seen again.
    """
    tables = _tables(view)
    seen = {card for table in tables for card in table.cards}
    unseen = [card for card in DECK if card not in seen and card not in view.trophies]
    return lambda chance: _named(unseen, _traced(tables, chance), chance)


def behind(view: View, cards: Cards, chance: Chance) -> State:
    """The state behind the view where the cards lie so."""
    rounds, stock = cards
    state = State(chance, view.trophies, stock, view.round, view.phase)
    state.past = [
        Round(tuple(row[: view.seats]), tuple(row[view.seats :]), past.takes)
        for row, past in zip(rounds, view.past, strict=False)
    ]
    state.jests = _jests(view, rounds)
    state.numbers = _numbers(view)
    if view.phase != "over":
        _lay_out(state, view, rounds[-1])
    return state


class _Table(NamedTuple):
    """A round's cards, the face-up ones by seat and then the face-down ones; None: hidden. And where some were left."""

    cards: tuple[int | None, ...]
    left: tuple[int, ...]


def _tables(view: View) -> list[_Table]:
    """Every round so far, as the seat knows it."""
    tables = [_table(past.up, past.down, past.takes) for past in view.past]
    if view.phase == "take":
        tables.append(_table(view.up, view.down, view.takes))
    elif view.phase == "offer":
        tables.append(_Table(_offered(view), ()))
    return tables


def _table(up: Sequence[int], down: Sequence[int | None], takes: Sequence[Taken]) -> _Table:
    seats = len(up)
    taken = {take.source + (0 if take.up else seats) for take in takes}
    return _Table((*up, *down), tuple(place for place in range(2 * seats) if place not in taken))


def _offered(view: View) -> tuple[int | None, ...]:
    """While offers are made: the seat's own two cards, and nothing else."""
    cards: list[int | None] = [None] * (2 * view.seats)
    if view.seat is not None:
        low, high = view.hand
        down = view.down[view.seat]
        cards[view.seat], cards[view.seat + view.seats] = (high, low) if down == low else (low, high)
    return tuple(cards)


def _traced(tables: Sequence[_Table], chance: Chance) -> list[list[int]]:
    """Every round's cards, with the seen ones where they may have been, and −1, −2 … for each of the others."""
    rounds: list[list[int]] = []
    known = tables[0].cards if tables else ()
    unnamed = 0
    for i in range(len(tables)):
        row = [0 if card is None else card for card in known]
        free = [place for place, card in enumerate(known) if card is None]
        if i:
            left = [rounds[-1][place] for place in tables[i - 1].left]
            _link(rounds, row, free, left, chance)
        for place in free:
            unnamed -= 1
            row[place] = unnamed
        rounds.append(row)
        if i + 1 < len(tables):
            known = _placed(tables, i, known, chance)
    return rounds


def _link(rounds: list[list[int]], row: list[int], free: list[int], left: Sequence[int], chance: Chance) -> None:
    """Put the unnamed cards among those left into a new round's free places, or find that they are cards new in it."""
    fresh = [place for place, card in enumerate(row) if place not in free and card not in left]
    unnamed = [card for card in left if card < 0]
    places, _ = chance.drawn(free + fresh, len(unnamed))
    for card, place in zip(unnamed, places, strict=True):
        if place in free:
            free.remove(place)
            row[place] = card
        else:
            for earlier in rounds:
                earlier[:] = [row[place] if other == card else other for other in earlier]


def _placed(tables: Sequence[_Table], i: int, known: tuple[int | None, ...], chance: Chance) -> tuple[int | None, ...]:
    """The next round's cards, with those that are known to be hidden in it in places where they may be."""
    hide, hidden = _hiding(tables, i, known)
    if i + 2 == len(tables):  # nothing seen later binds them
        return _hid(tables[i + 1], hide, chance.drawn(hidden, len(hide))[0])
    options = [_hid(tables[i + 1], hide, places) for places in permutations(hidden, len(hide))]
    return weighted(options, [_ways(tables, i + 1, option) for option in options], chance)


def _hiding(tables: Sequence[_Table], i: int, known: Sequence[int | None]) -> tuple[list[int], list[int]]:
    """The known cards that lie hidden in the round after this one, and the places where they can."""
    after = tables[i + 1].cards
    left = [known[place] for place in tables[i].left]
    hide = [card for card in left if card is not None and card not in after]
    return hide, [place for place, card in enumerate(after) if card is None]


def _hid(table: _Table, hide: Sequence[int], places: Sequence[int]) -> tuple[int | None, ...]:
    cards = list(table.cards)
    for card, place in zip(hide, places, strict=True):
        cards[place] = card
    return tuple(cards)


def _ways(tables: Sequence[_Table], i: int, known: tuple[int | None, ...]) -> int:
    """In how many ways the cards can have come on from a round to the present one."""
    if i + 1 == len(tables):
        return 1
    after = tables[i + 1].cards
    left = [known[place] for place in tables[i].left]
    fresh = [card for card in after if card is not None and card not in left]
    if any(card in table.cards for table in tables[: i + 1] for card in fresh):
        return 0  # it was seen before, so it would have to be among those left
    hide, hidden = _hiding(tables, i, known)
    links = perm(len(hidden) - len(hide) + len(fresh), left.count(None)) if len(hide) <= len(hidden) else 0
    if not links or i + 2 == len(tables):
        return links * perm(len(hidden), len(hide))
    places = permutations(hidden, len(hide))
    return links * sum(_ways(tables, i + 1, _hid(tables[i + 1], hide, chosen)) for chosen in places)


def _named(unseen: Sequence[int], rounds: Sequence[list[int]], chance: Chance) -> Cards:
    """The rounds with cards for those without a name, and the deck: all that was never seen, in random order."""
    pile = chance.shuffled(unseen)
    unnamed = sorted({card for row in rounds for card in row if card < 0})
    names = dict(zip(unnamed, pile, strict=False))
    return [[names.get(card, card) for card in row] for row in rounds], pile[len(unnamed) :]


def _jests(view: View, rounds: Sequence[Sequence[int]]) -> list[int]:
    """The Jests: what was taken, and at the end what was left."""
    jests = [0] * view.seats
    for row, takes in zip(rounds, [*(past.takes for past in view.past), view.takes], strict=False):
        for take in takes:
            jests[take.seat] |= deck.ONE[row[take.source + (0 if take.up else view.seats)]]
    if view.phase == "over":
        last = _table(view.past[-1].up, view.past[-1].down, view.past[-1].takes)
        for place in last.left:
            jests[place % view.seats] |= deck.ONE[rounds[-1][place]]
    return jests


def _numbers(view: View) -> list[int]:
    """The seat's own number; for the others, who may have changed their minds, the least it can be."""
    least = [2 * view.round - (seat in view.waiting) - (view.phase == "offer") for seat in range(view.seats)]
    if view.seat is not None and view.number is not None:
        least[view.seat] = view.number
    return least


def _lay_out(state: State, view: View, cards: Sequence[int]) -> None:
    """The round in play."""
    up, down = cards[: view.seats], cards[view.seats :]
    state.dealt = [(a, b) if a < b else (b, a) for a, b in zip(up, down, strict=True)]
    state.up, state.down = list(up), list(down)
    state.waiting = list(view.waiting)
    if view.phase == "offer":
        for seat in view.waiting:
            state.up[seat] = state.down[seat] = -1
    else:
        state.complete = [seat for seat, whole in enumerate(view.complete) if whole]
        state.takes = list(view.takes)
