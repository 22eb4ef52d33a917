"""Samples worlds behind a view of Jest, weighted by how well they explain what the others offered and took.

It walks from world to world by exchanging two cards, and accepts each step by the likelihood of all choices
(Metropolis). Steps that contradict the view are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import exp
from random import Random
from typing import NamedTuple

from engines.jest import turn
from engines.jest.deck import CARD_BIT, DECK, make_jest
from engines.jest.model import KnownRound, Offer, Round, State, Take, TakenCard
from engines.jest.sample import build_state, make_dealer
from engines.jest.view import View
from engines.kit.chance import Chance
from players.jest.known import build_knowledge
from players.jest.numbers import load_weights
from players.jest.policy import high_card_preference, take_values

WALK_STEPS = 16  # from one world to the next, so that they hardly resemble each other
WARMUP_STEPS = 120  # before the first
ANY_SEED = "00" * 16
RoundCards = Sequence[Sequence[int]]
"""The cards of every round, face-up cards by seat before face-down ones."""
Place = tuple[int, int]
"""A round, from 0, and a place in it."""


def world_sampler(view: View, rng: Random) -> Callable[[], State]:
    """Return a sampler of worlds, each some steps after the one before."""
    deal, chance = make_dealer(view), Chance(f"{rng.getrandbits(128):032x}")
    choices = [*hidden_choices(view)]
    if not choices:
        return lambda: build_state(view, deal(chance), chance.fork())
    rounds, stock = deal(chance)
    walk = _Walk(view, choices, [*rounds, stock], rng)
    walk.make_steps(WARMUP_STEPS)

    def draw_world() -> State:
        walk.make_steps(WALK_STEPS)
        return build_state(view, (walk.rows[:-1], chance.shuffle(walk.rows[-1])), chance.fork())

    return draw_world


class Choice(NamedTuple):
    """An offer or a take of another seat.

    `places` are those of the cards that the seat knew and the view does not show. `chance` returns how likely the
    choice is if these are the cards of all rounds.
    """

    seat: int
    places: Sequence[Place]
    chance: Callable[[RoundCards], float]


class _Walk:
    """A walk among the deals that a view allows. The last row is the deck."""

    def __init__(self, view: View, choices: Sequence[Choice], rows: list[list[int]], rng: Random) -> None:
        self.rows, self._rng = rows, rng
        self._hidden = hidden = _hidden_places(view)
        self._visible = [[place for place in range(2 * view.seats) if place not in row] for row in hidden]
        rounds = range(len(hidden))
        self._spans = [(first, end) for first in rounds for end in (*rounds[first + 1 :], len(rows))]
        known_cards = {rows[i][place] for i, places in enumerate(self._visible) for place in places}
        self._unseen = [card for card in DECK if card not in known_cards and card not in view.trophies]
        self._choices = [(each.places, each.chance, dict[tuple[int, ...], float]()) for each in choices]
        self._likelihood = self._compute_likelihood(rows)

    def make_steps(self, number: int) -> None:
        """Make or refuse this many steps."""
        for _ in range(number):
            rows = self._exchange_cards()
            if rows is not None:
                likelihood = self._compute_likelihood(rows)
                if self._rng.random() * self._likelihood < likelihood:
                    self.rows, self._likelihood = rows, likelihood

    def _exchange_cards(self) -> list[list[int]] | None:
        """Return the rows after an exchange of two cards in some rounds, or None if the view contradicts them.

        The cards that were left over come again in the next round. So both are in the first of these rounds, unless
        that is the first of all, and in the round after the last one, unless there is none.
        """
        rows, rng = self.rows, self._rng
        first, end = self._spans[int(rng.random() * len(self._spans))]
        cards: Sequence[int] = self._unseen
        if first:
            cards = [rows[first][place] for place in self._hidden[first]]
        elif end < len(rows):
            cards = rows[end]
        if len(cards) < 2:
            return None
        one, other = (cards[int(rng.random() * len(cards))] for _ in range(2))
        if one == other or (end < len(rows) and not (one in rows[end] and other in rows[end])):
            return None
        found = rows[:first]
        for i in range(first, end):
            row = rows[i]
            if one in row or other in row:
                row = [other if card == one else one if card == other else card for card in row]
                if i < len(self._visible) and any(row[place] != rows[i][place] for place in self._visible[i]):
                    return None
            found.append(row)
        return found + rows[end:]

    def _compute_likelihood(self, rows: RoundCards) -> float:
        found = 1.0
        for places, chance, known in self._choices:
            cards = tuple([rows[i][place] for i, place in places])
            likelihood = known.get(cards)
            if likelihood is None:
                likelihood = known[cards] = chance(rows)
            found *= likelihood
        return found


def _hidden_places(view: View) -> list[list[int]]:
    """Return, by round, the places of the cards that the view does not show."""
    downs: list[Sequence[int | None]] = [past.down for past in view.past]
    if view.phase == "take":
        downs.append(view.down)
    found = [[view.seats + seat for seat, card in enumerate(down) if card is None] for down in downs]
    if view.phase == "offer":
        found.append([place for place in range(2 * view.seats) if place % view.seats != view.seat])
    return found


def hidden_choices(view: View) -> Iterator[Choice]:
    """Return what the others did, in order, if it depends on cards that the view does not show."""
    hidden = _hidden_places(view)
    tables: list[KnownRound] = [*view.past]
    if view.phase == "take":
        tables.append(KnownRound(view.up, view.down, view.takes))
    for number, table in enumerate(tables):
        private = [_private_places(view, hidden, number, seat) for seat in range(view.seats)]
        for seat, places in enumerate(private):
            if places and seat != view.seat:
                yield Choice(seat, places, partial(_offer_chance, view, number, seat))
        for i, (take, turn_of) in enumerate(zip(table.takes, _turns(view, table), strict=True)):
            if private[take.seat] and take.seat != view.seat:
                chance = partial(_take_chance, view, number, table.takes[: i + 1], turn_of)
                yield Choice(take.seat, private[take.seat], chance)


def _private_places(view: View, hidden: Sequence[Sequence[int]], number: int, seat: int) -> list[Place]:
    """Return the hidden places of cards that a seat knew in that round (from 0) before it took any (J8)."""
    known = [(i, view.seats + seat) for i in range(number + 1)]
    for i, past in enumerate(view.past[:number]):
        known += [(i, view.seats + take.source) for take in past.takes if take.seat == seat and not take.up]
    return [(i, place) for i, place in dict.fromkeys(known) if place in hidden[i]]


class _Turn(NamedTuple):
    """The seats that have still to take, the next one first, and the complete offers."""

    waiting: list[int]
    complete: list[int]


def _turns(view: View, table: KnownRound) -> Iterator[_Turn]:
    """Return the turn of each card taken in a round, by the rules, which need to know only what lay face up."""
    seats, unknown = range(view.seats), [-1] * view.seats
    state = State(Chance(ANY_SEED), view.trophies, [], phase="offer", waiting=[*seats], numbers=[0] * view.seats)
    state.dealt, state.up, state.down = [(card, -1) for card in table.up], unknown.copy(), unknown.copy()
    state.jests = [0] * view.seats
    for seat in seats:
        turn.play(state, seat, Offer(-1))
    for take in table.takes:
        yield _Turn(state.waiting.copy(), state.complete.copy())
        if len(state.waiting) > 1:
            turn.play(state, take.seat, Take(take.source, True))


def jests_known_at(view: View, rounds: RoundCards, number: int, seat: int) -> tuple[int, ...]:
    """Return the known cards of the Jests at the start of that round (from 0), as the seat knew them (J8)."""
    jests = [0] * view.seats
    for cards, past in zip(rounds[:number], view.past, strict=False):
        for taker, source, up in past.takes:
            if up or seat in (taker, source):
                jests[taker] |= CARD_BIT[cards[source if up else source + view.seats]]
    return tuple(jests)


def _offer_chance(view: View, number: int, seat: int, rounds: RoundCards) -> float:
    """Return the chance that a seat with these two cards shows that one, from what it knew then."""
    face_up, other = rounds[number][seat], rounds[number][seat + view.seats]
    hand = (face_up, other) if face_up < other else (other, face_up)
    jests = jests_known_at(view, rounds, number, seat)
    better = high_card_preference(jests, seat, hand, view.trophies, view.rounds - number + 1)
    habits = load_weights().offers
    plain = 1 / (1 + exp(habits.sureness * (-better if face_up > other else better)))
    return habits.whim / 2 + (1 - habits.whim) * plain


def _take_chance(view: View, number: int, takes: tuple[TakenCard, ...], at: _Turn, rounds: RoundCards) -> float:
    """Return the chance that the last of these cards is taken, from what its taker knew then."""
    seat, source, up = takes[-1]
    *past, present = [
        Round(tuple(cards[: view.seats]), tuple(cards[view.seats :]), takes_made)
        for cards, takes_made in zip(rounds, [*(each.takes for each in view.past[:number]), takes[:-1]], strict=False)
    ]
    knowledge = build_knowledge(
        seat,
        view.trophies,
        view.rounds - number + 1,
        make_jest(
            (row.up if take.up else row.down)[take.source] for row in past for take in row.takes if take.seat == seat
        ),
        past,
        (present.up[seat], present.down[seat]),
        present,
        at.complete,
        at.waiting,
        view.seats,
    )
    values, habits = take_values(knowledge), load_weights().takes
    leads = [other - values[source, up] for other in values.values()]
    plain = 1 / sum([exp(min(50.0, habits.sureness * lead)) for lead in leads])
    return habits.whim / len(values) + (1 - habits.whim) * plain
