"""What a seat may know of a match of Jest, in the few sets of cards that its policy asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.jest import deck
from engines.jest.deck import ONE
from engines.jest.model import Round, RoundSeen, State, Taken, View

ALL = (1 << len(deck.DECK)) - 1


class Known(NamedTuple):
    """What one seat knows when it is to act. Sets of cards are bits, as Jests are.

    `jests`, by seat, are the cards of which the seat knows that they end there: what it saw go there, and in the last
    round what it saw left over (J9). `lurking` are the cards that it saw left over in the round before and that lie
    somewhere in this one; `unseen` are all others that may lie face down. `come` is how many cards a Jest gets that
    has taken none in this round, with the last one left over. `up` is empty while offers are made, `down` the card
    that the seat itself has hidden, or −1.
    """

    seat: int
    trophies: tuple[int, ...]
    come: int
    jests: list[int]
    lurking: int
    unseen: int
    hand: tuple[int, ...]
    up: Sequence[int]
    down: int
    complete: Sequence[int]
    waiting: Sequence[int]

    @property
    def last(self) -> bool:
        """Whether this is the last round."""
        return self.come == 2

    @property
    def free(self) -> int:
        """All cards of which the seat does not know in which Jest they end."""
        return free_of(self.trophies, self.jests)


def free_of(trophies: Sequence[int], jests: Sequence[int]) -> int:
    """All cards that are neither trophies nor in these Jests."""
    free = ALL
    for trophy in trophies:
        free ^= ONE[trophy]
    for jest in jests:
        free &= ~jest
    return free


class _Table(NamedTuple):
    """A round as the seat sees it; of `down` only what it knows is ever asked."""

    up: Sequence[int]
    down: Sequence[int | None]
    takes: Sequence[Taken]


def of_view(view: View) -> Known:
    """What the view tells. A spectator has nothing to choose."""
    assert view.seat is not None
    return _known(
        view.seat,
        view.trophies,
        view.rounds - view.round + 2,
        deck.jest(view.jest),
        view.past,
        view.hand,
        _Table(view.up, view.down, view.takes),
        [source for source, whole in enumerate(view.complete) if whole],
        view.waiting,
        view.seats,
    )


def of_state(state: State, seat: int) -> Known:
    """The same, read from a state without building the seat's view."""
    taking, seats = state.phase == "take", len(state.jests)
    return _known(
        seat,
        state.trophies,
        len(state.deck) // seats + 2,
        state.jests[seat],
        state.past,
        state.dealt[seat],
        _Table(state.up if taking else (), state.down, state.takes),
        state.complete if taking else (),
        state.waiting,
        seats,
    )


def _known(
    seat: int,
    trophies: tuple[int, ...],
    come: int,
    jest: int,
    past: Sequence[Round | RoundSeen],
    hand: tuple[int, ...],
    table: _Table,
    complete: Sequence[int],
    waiting: Sequence[int],
    seats: int,
) -> Known:
    jests = [0] * seats
    for row in past:
        _add_taken(jests, seat, row)
    if table.takes:
        _add_taken(jests, seat, table)
    jests[seat] = jest
    if come == 2 and table.takes:
        _add_left(jests, seat, table)
    seen = ONE[hand[0]] | ONE[hand[1]]
    for card in (*table.up, *trophies):
        seen |= ONE[card]
    for ends in jests:
        seen |= ends
    lurking = 0
    if past:
        rests = [0] * seats
        _add_left(rests, seat, past[-1])
        lurking = sum(rests) & ~seen
    down = table.down[seat] if table.up else None
    unseen = ALL & ~seen & ~lurking
    return Known(
        seat, trophies, come, jests, lurking, unseen, hand, table.up, -1 if down is None else down, complete, waiting
    )


def _add_taken(jests: list[int], seat: int, table: _Table | Round | RoundSeen) -> None:
    """The cards that the seat saw being taken (J8): those face up, and those of its own offer."""
    up, down = table.up, table.down
    for taker, source, was_up in table.takes:
        if was_up:
            jests[taker] |= ONE[up[source]]
        elif source == seat:
            jests[taker] |= ONE[down[seat]]  # type: ignore[index]  # one knows one's own


def _add_left(jests: list[int], seat: int, table: _Table | Round | RoundSeen) -> None:
    """The cards that the seat knows to be left over, with the seats that had offered them."""
    up, down = table.up, table.down
    for _, source, was_up in table.takes:
        if not was_up:
            jests[source] |= ONE[up[source]]
        elif source == seat:
            jests[source] |= ONE[down[seat]]  # type: ignore[index]  # one knows one's own
