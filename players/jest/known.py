"""What a seat may know of a match of Jest, as the few sets of cards that the policy uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.jest import deck
from engines.jest.deck import CARD_BIT
from engines.jest.model import KnownRound, Round, State, TakenCard
from engines.jest.view import View

ALL_CARDS = (1 << len(deck.DECK)) - 1
LAST_CARDS = 2  # to come in the last round: one that is taken, and one that is left over (J9)


class SeatKnowledge(NamedTuple):
    """What a seat knows when it acts. Sets of cards are bits, as Jests are.

    `jests`, by seat, are the cards that the seat knows will end there: those it saw go there and, in the last round,
    those it saw left over (J9). `lurking` are the cards that it saw left over in the round before and that are
    somewhere in this one; `unseen` are all others that may be face down. `come` is the number of cards that a Jest gets
    if it has taken none in this round, including the last leftover. `up` is empty while offers are made; `down` is the
    card that the seat itself has hidden, or −1.
    """

    seat: int
    trophies: tuple[int, ...]
    cards_to_come: int
    jests: list[int]
    hidden_leftovers: int
    unseen: int
    hand: tuple[int, ...]
    up: Sequence[int]
    down: int
    complete_offers: Sequence[int]
    waiting: Sequence[int]

    @property
    def is_last_round(self) -> bool:
        """Whether this is the last round."""
        return self.cards_to_come == LAST_CARDS

    @property
    def free_cards(self) -> int:
        """All cards whose final Jest the seat does not know."""
        return free_cards(self.trophies, self.jests)


def free_cards(trophies: Sequence[int], jests: Sequence[int]) -> int:
    """Return all cards that are neither trophies nor in these Jests."""
    free = ALL_CARDS
    for trophy in trophies:
        free ^= CARD_BIT[trophy]
    for jest in jests:
        free &= ~jest
    return free


class _RoundOffers(NamedTuple):
    """A round as the seat sees it. Only known entries of `down` are used."""

    up: Sequence[int]
    down: Sequence[int | None]
    takes: Sequence[TakenCard]


def knowledge_from_view(view: View) -> SeatKnowledge:
    """Return what the view shows. A spectator has no decisions."""
    assert view.seat is not None
    return build_knowledge(
        view.seat,
        view.trophies,
        view.rounds - view.round + 2,
        deck.make_jest(view.jest),
        view.past,
        view.hand,
        _RoundOffers(view.up, view.down, view.takes),
        [source for source, whole in enumerate(view.complete) if whole],
        view.waiting,
        view.seats,
    )


def knowledge_from_state(state: State, seat: int) -> SeatKnowledge:
    """Return the same from a state, without building the seat's view."""
    taking, seats = state.phase == "take", len(state.jests)
    return build_knowledge(
        seat,
        state.trophies,
        len(state.deck) // seats + 2,
        state.jests[seat],
        state.past,
        state.dealt[seat],
        _RoundOffers(state.up if taking else (), state.down, state.takes),
        state.complete if taking else (),
        state.waiting,
        seats,
    )


def build_knowledge(
    seat: int,
    trophies: tuple[int, ...],
    to_come: int,
    jest: int,
    past: Sequence[Round | KnownRound],
    hand: tuple[int, ...],
    table: _RoundOffers | Round,
    complete: Sequence[int],
    waiting: Sequence[int],
    seats: int,
) -> SeatKnowledge:
    """Return what a seat with this Jest and hand knows, from the finished rounds and the offers on the table."""
    jests = [0] * seats
    for row in past:
        _add_taken_cards(jests, seat, row)
    if table.takes:
        _add_taken_cards(jests, seat, table)
    jests[seat] = jest
    if to_come == LAST_CARDS and table.takes:
        _add_leftover_cards(jests, seat, table)
    known_cards = CARD_BIT[hand[0]] | CARD_BIT[hand[1]]
    for card in (*table.up, *trophies):
        known_cards |= CARD_BIT[card]
    for ends in jests:
        known_cards |= ends
    lurking = 0
    if past:
        rests = [0] * seats
        _add_leftover_cards(rests, seat, past[-1])
        lurking = sum(rests) & ~known_cards
    down = table.down[seat] if table.up else None
    unseen = ALL_CARDS & ~known_cards & ~lurking
    return SeatKnowledge(
        seat, trophies, to_come, jests, lurking, unseen, hand, table.up, -1 if down is None else down, complete, waiting
    )


def _add_taken_cards(jests: list[int], seat: int, offers: _RoundOffers | Round | KnownRound) -> None:
    """Return the cards that the seat saw being taken (J8): face-up ones, and those of its own offer."""
    up, down = offers.up, offers.down
    for taker, source, was_up in offers.takes:
        if was_up:
            jests[taker] |= CARD_BIT[up[source]]
        elif source == seat:
            jests[taker] |= CARD_BIT[down[seat]]  # type: ignore[index]  # a seat knows its own


def _add_leftover_cards(jests: list[int], seat: int, offers: _RoundOffers | Round | KnownRound) -> None:
    """Return the cards that the seat knows to be left over, with the seats that had offered them."""
    up, down = offers.up, offers.down
    for _, source, was_up in offers.takes:
        if not was_up:
            jests[source] |= CARD_BIT[up[source]]
        elif source == seat:
            jests[source] |= CARD_BIT[down[seat]]  # type: ignore[index]  # a seat knows its own
