"""Samples full states that could lie behind a view of Jest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import perm
from typing import NamedTuple

from engines.jest import deck
from engines.jest.deck import DECK
from engines.jest.model import Round, State, TakenCard
from engines.jest.view import View
from engines.kit.chance import Chance
from engines.kit.sampling import weighted_choice

DealtCards = tuple[list[list[int]], list[int]]
"""The cards of every round, face-up cards by seat before face-down ones, and the deck."""


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the rest at random."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """Return `sample` for one view."""
    deal = make_dealer(view)
    return lambda chance: build_state(view, deal(chance), chance.fork())


def make_dealer(view: View) -> Callable[[Chance], DealtCards]:
    """Return a dealer for the cards that the seat cannot see. All deals and secret choices that fit are equally likely.

    The seat's knowledge constrains several rounds: a card left in an offer is dealt again in the next round, so it
    stays hidden with somebody until it is seen again.
    """
    tables = _all_round_cards(view)
    known_cards = {card for table in tables for card in table.cards}
    unseen = [card for card in DECK if card not in known_cards and card not in view.trophies]
    return lambda chance: _name_cards(unseen, _trace_cards(tables, chance), chance)


def build_state(view: View, cards: DealtCards, chance: Chance) -> State:
    """Return the state behind the view for this deal."""
    rounds, stock = cards
    state = State(chance, view.trophies, stock, view.round, view.phase)
    state.past = [
        Round(tuple(row[: view.seats]), tuple(row[view.seats :]), past.takes)
        for row, past in zip(rounds, view.past, strict=False)
    ]
    state.jests = _rebuild_jests(view, rounds)
    state.numbers = _move_counts(view)
    if view.phase != "over":
        _lay_out_round(state, view, rounds[-1])
    return state


class _RoundCards(NamedTuple):
    """The cards of a round, face-up by seat, then face-down (None: hidden), and the places where cards were left."""

    cards: tuple[int | None, ...]
    left: tuple[int, ...]


def _all_round_cards(view: View) -> list[_RoundCards]:
    """Return all rounds so far, as the seat knows them."""
    tables = [_round_cards(past.up, past.down, past.takes) for past in view.past]
    if view.phase == "take":
        tables.append(_round_cards(view.up, view.down, view.takes))
    elif view.phase == "offer":
        tables.append(_RoundCards(_own_offer(view), ()))
    return tables


def _round_cards(up: Sequence[int], down: Sequence[int | None], takes: Sequence[TakenCard]) -> _RoundCards:
    seats = len(up)
    taken = {take.source + (0 if take.up else seats) for take in takes}
    return _RoundCards((*up, *down), tuple(place for place in range(2 * seats) if place not in taken))


def _own_offer(view: View) -> tuple[int | None, ...]:
    """Return the seat's own two cards while offers are made, and nothing else."""
    cards: list[int | None] = [None] * (2 * view.seats)
    if view.seat is not None:
        low, high = view.hand
        down = view.down[view.seat]
        cards[view.seat], cards[view.seat + view.seats] = (high, low) if down == low else (low, high)
    return tuple(cards)


def _trace_cards(tables: Sequence[_RoundCards], chance: Chance) -> list[list[int]]:
    """Return the cards of every round, with seen cards in possible places, and −1, −2 … for each of the others."""
    rounds: list[list[int]] = []
    known = tables[0].cards if tables else ()
    unnamed = 0
    for i in range(len(tables)):
        row = [0 if card is None else card for card in known]
        free = [place for place, card in enumerate(known) if card is None]
        if i:
            left = [rounds[-1][place] for place in tables[i - 1].left]
            _link_leftovers(rounds, row, free, left, chance)
        for place in free:
            unnamed -= 1
            row[place] = unnamed
        rounds.append(row)
        if i + 1 < len(tables):
            known = _place_leftovers(tables, i, known, chance)
    return rounds


def _link_leftovers(
    rounds: list[list[int]], row: list[int], free: list[int], left: Sequence[int], chance: Chance
) -> None:
    """Assign the unnamed leftover cards to free places of a new round, or match them with cards that are new in it."""
    fresh = [place for place, card in enumerate(row) if place not in free and card not in left]
    unnamed = [card for card in left if card < 0]
    places, _ = chance.draw(free + fresh, len(unnamed))
    for card, place in zip(unnamed, places, strict=True):
        if place in free:
            free.remove(place)
            row[place] = card
        else:
            for earlier in rounds:
                earlier[:] = [row[place] if other == card else other for other in earlier]


def _place_leftovers(
    tables: Sequence[_RoundCards], i: int, known: tuple[int | None, ...], chance: Chance
) -> tuple[int | None, ...]:
    """Return the cards of the next round, with the cards known to be hidden in it in possible places."""
    hide, hidden = _hidden_leftovers(tables, i, known)
    if i + 2 == len(tables):  # nothing seen later constrains them
        return _put_hidden(tables[i + 1], hide, chance.draw(hidden, len(hide))[0])
    options = [_put_hidden(tables[i + 1], hide, places) for places in permutations(hidden, len(hide))]
    return weighted_choice(options, [_count_ways(tables, i + 1, option) for option in options], chance)


def _hidden_leftovers(
    tables: Sequence[_RoundCards], i: int, known: Sequence[int | None]
) -> tuple[list[int], list[int]]:
    """Return the known cards that are hidden in the next round, and their possible places."""
    after = tables[i + 1].cards
    left = [known[place] for place in tables[i].left]
    hide = [card for card in left if card is not None and card not in after]
    return hide, [place for place, card in enumerate(after) if card is None]


def _put_hidden(table: _RoundCards, hide: Sequence[int], places: Sequence[int]) -> tuple[int | None, ...]:
    cards = list(table.cards)
    for card, place in zip(hide, places, strict=True):
        cards[place] = card
    return tuple(cards)


def _count_ways(tables: Sequence[_RoundCards], i: int, known: tuple[int | None, ...]) -> int:
    """Return in how many ways the cards can have moved from a round to the present one."""
    if i + 1 == len(tables):
        return 1
    after = tables[i + 1].cards
    left = [known[place] for place in tables[i].left]
    fresh = [card for card in after if card is not None and card not in left]
    if any(card in table.cards for table in tables[: i + 1] for card in fresh):
        return 0  # it was seen before, so it would have to be among the leftover cards
    hide, hidden = _hidden_leftovers(tables, i, known)
    links = perm(len(hidden) - len(hide) + len(fresh), left.count(None)) if len(hide) <= len(hidden) else 0
    if not links or i + 2 == len(tables):
        return links * perm(len(hidden), len(hide))
    places = permutations(hidden, len(hide))
    return links * sum(_count_ways(tables, i + 1, _put_hidden(tables[i + 1], hide, chosen)) for chosen in places)


def _name_cards(unseen: Sequence[int], rounds: Sequence[list[int]], chance: Chance) -> DealtCards:
    """Return the rounds with real cards for the unnamed ones, and the deck: everything never seen, in random order."""
    pile = chance.shuffle(unseen)
    unnamed = sorted({card for row in rounds for card in row if card < 0})
    names = dict(zip(unnamed, pile, strict=False))
    return [[names.get(card, card) for card in row] for row in rounds], pile[len(unnamed) :]


def _rebuild_jests(view: View, rounds: Sequence[Sequence[int]]) -> list[int]:
    """Return the Jests: the taken cards, and at the end the leftover ones."""
    jests = [0] * view.seats
    for row, takes in zip(rounds, [*(past.takes for past in view.past), view.takes], strict=False):
        for take in takes:
            jests[take.seat] |= deck.CARD_BIT[row[take.source + (0 if take.up else view.seats)]]
    if view.phase == "over":
        last = _round_cards(view.past[-1].up, view.past[-1].down, view.past[-1].takes)
        for place in last.left:
            jests[place % view.seats] |= deck.CARD_BIT[rounds[-1][place]]
    return jests


def _move_counts(view: View) -> list[int]:
    """Return the seat's own number, and for the others the lowest possible one, because they may have changed their
    minds."""
    least = [2 * view.round - (seat in view.waiting) - (view.phase == "offer") for seat in range(view.seats)]
    if view.seat is not None and view.number is not None:
        least[view.seat] = view.number
    return least


def _lay_out_round(state: State, view: View, cards: Sequence[int]) -> None:
    """Return the current round."""
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
