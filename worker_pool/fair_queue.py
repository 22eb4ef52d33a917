"""The fair queue: it serves all who wait in turn, so that nobody's many requests hold up those of others."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum

from engines.store.listeners import Listeners


@dataclass(frozen=True, slots=True)
class Person:
    """A person who requested something."""

    user: int


@dataclass(frozen=True, slots=True)
class TableTurn:
    """A match in which it is a computer's turn."""

    match: str


JobOwner = Person | TableTurn
"""Whose a job is. Each owner has one job in progress at a time."""


class Rank(IntEnum):
    """How urgent a job is; a lower number goes first."""

    TURN = 0
    REQUEST = 1
    BACKGROUND = 2


PATIENCE = {Rank.TURN: 0, Rank.REQUEST: 3, Rank.BACKGROUND: 15}
"""How often in a row a rank lets more urgent jobs go first; then one of its own goes before them."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A place in the queue. Its future is done when it is served."""

    owner: JobOwner
    rank: Rank
    since: float  # seconds of the loop's clock
    served: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Lets so many jobs go on at once. Owners of one rank take turns, and each has one job in progress at a time.

    Only one background job goes on at a time, and it begins when nothing more urgent can.
    """

    def __init__(self, slots: int) -> None:
        self._free_slots = slots
        self._lines: dict[Rank, OrderedDict[JobOwner, deque[Ticket]]] = {rank: OrderedDict() for rank in Rank}
        self._busy_owners: set[JobOwner] = set()
        self._is_background_busy = False
        self._passed_over = dict.fromkeys(Rank, 0)
        self.on_served = Listeners[[Rank, float]]()
        """Called with the rank of a served job, and the seconds for which it waited."""

    def waiting(self) -> int:
        """Return the number of jobs that wait."""
        return sum(len(tickets) for line in self._lines.values() for tickets in line.values())

    @asynccontextmanager
    async def turn(self, owner: JobOwner, rank: Rank) -> AsyncIterator[None]:
        """Wait for a turn of this owner, and hold it inside this block. Anyone who is cancelled gives it back."""
        ticket = Ticket(owner, rank, asyncio.get_running_loop().time())
        self._lines[rank].setdefault(owner, deque()).append(ticket)
        self._serve()
        try:
            await ticket.served
            yield
        finally:
            self._leave(ticket)
            self._serve()

    def _serve(self) -> None:
        """Serve as many as can go on now."""
        while self._free_slots and (ticket := self._take_next()) is not None:
            if ticket.served.cancelled():  # its task has not left yet
                continue
            self._free_slots -= 1
            self._busy_owners.add(ticket.owner)
            self._is_background_busy |= ticket.rank is Rank.BACKGROUND
            ticket.served.set_result(None)
            self.on_served(ticket.rank, asyncio.get_running_loop().time() - ticket.since)

    def _take_next(self) -> Ticket | None:
        """Remove and return the ticket that is served next, if any can be."""
        owners = {rank: owner for rank in Rank if (owner := self._next_owner(rank)) is not None}
        if not owners:
            return None
        impatient = (rank for rank in owners if rank is not Rank.TURN and self._passed_over[rank] >= PATIENCE[rank])
        rank = next(impatient, min(owners))
        for other in owners:
            self._passed_over[other] += other > rank
        self._passed_over[rank] = 0
        line, owner = self._lines[rank], owners[rank]
        ticket = line[owner].popleft()
        if not line[owner]:
            del line[owner]
        return ticket

    def _next_owner(self, rank: Rank) -> JobOwner | None:
        """Return whose turn it is among those of this rank who have no job in progress."""
        if rank is Rank.BACKGROUND and self._is_background_busy:
            return None
        return next((owner for owner in self._lines[rank] if owner not in self._busy_owners), None)

    def _leave(self, ticket: Ticket) -> None:
        """Give the turn back, or leave the line."""
        if ticket.served.done() and not ticket.served.cancelled():
            self._free_slots += 1
            self._busy_owners.discard(ticket.owner)
            self._is_background_busy &= ticket.rank is not Rank.BACKGROUND
            for line in self._lines.values():
                if ticket.owner in line:  # anyone who waited meanwhile goes first
                    line.move_to_end(ticket.owner)
            return
        line = self._lines[ticket.rank]
        if ticket in (tickets := line.get(ticket.owner, deque())):
            tickets.remove(ticket)
            if not tickets:
                del line[ticket.owner]
