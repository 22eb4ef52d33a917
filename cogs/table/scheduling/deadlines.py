"""Decisions whose time runs out: whoever is due is reminded once, and then the computer makes that one decision."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable

import discord

from cogs.table.channels.membership import has_left
from cogs.table.scheduling.computer_turns import INSTEAD, Computers
from cogs.table.scheduling.downtime import Absence
from cogs.table.state.server_lease import Held, still
from cogs.table.surfaces.reconciler import Keeper
from cogs.table.surfaces.reminders import waiting
from cogs.table.transport.background_tasks import Tasks, growing
from cogs.table.transport.network_errors import NETWORK, named
from cogs.table.wording.player_names import shown
from engines.hosting.match import Look, Refused
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Due, Info, NotHeld, StoreFailure
from players import levels

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
Act = Callable[[Due, Look], Awaitable[bool]]  # whether it is done; else it is tried again


class Deadlines:
    """What is done when somebody is to be called, when their time comes to its end, and when it has.

    Each time it is looked up whether they are still in the server; who is not loses the seat to the computer. Nothing
    is kept but the due times themselves: the move that is made takes its deadline away in one transaction.
    """

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        keeper: Keeper,
        computers: Computers,
        absence: Absence,
        announce: Callable[[Info, str], Awaitable[None]],
        tasks: Tasks,
        held: Held | None = None,
    ) -> None:
        self._held = held or Held()
        self._client = client
        self._matches = matches
        self._keeper = keeper
        self._computers = computers
        self._absence = absence
        self._announce = announce
        self._tasks = tasks

    def call(self, due: Due) -> None:
        """Somebody is to be called to a decision; returns at once."""
        self._keeper.call(due)
        self._start(self._look_up, due)

    def remind(self, due: Due) -> None:
        """The time of a decision will run out; returns at once."""
        self._start(self._remind, due)

    def run_out(self, due: Due) -> None:
        """The time of a decision has run out; returns at once."""
        self._start(self._play, due)

    def _start(self, act: Act, due: Due) -> None:
        self._tasks.start(f"{due.kind} {due.match} {due.seat} {due.at}", self._tried, act, due)

    async def _tried(self, act: Act, due: Due) -> None:
        """Do it as long as the match waits for that decision, however often it takes until all do their part."""
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            try:
                look = await self._matches.fresh(due.match)
                if waiting(look).get(due.seat) != due.decision:
                    return
                with self._held.acting(look.info.place.guild):
                    if self._absence.there_for(look.info.place.guild) and await act(
                        due, look
                    ):  # else deadlines are put off, as soon as it is
                        return
            except NotHeld:
                return
            except Refused as why:  # the decision was made, or the match has changed
                log.info("Match %s: nothing is done about a deadline: %s", due.match, why)
                return
            except StoreFailure:
                pass
            except NETWORK as error:
                log.info("Match %s: whether somebody is there cannot be looked up: %s", due.match, named(error))
            await sleep(pause)

    async def _look_up(self, due: Due, look: Look) -> bool:
        """Let go of whoever has left the server; who has only just come in, at the first turn, has not."""
        if look.info.moves and await has_left(self._client, look, due.seat):
            await self._let_go(look, due.seat)
        return True

    async def _remind(self, due: Due, look: Look) -> bool:
        """Remind somebody, unless they like never to be called."""
        if await has_left(self._client, look, due.seat):
            await self._let_go(look, due.seat)
        elif (await self._keeper.preferences(look.info.seats[due.seat].user)).call is None:
            await self._matches.done(due, still())
        else:
            self._keeper.call(due)
        return True

    async def _play(self, due: Due, look: Look) -> bool:
        """Make the decision, where it could have been made by whose it was."""
        if look.clocks.get(due.seat) != due:  # it was put off meanwhile, and will be due anew
            return True
        if await has_left(self._client, look, due.seat):
            await self._let_go(look, due.seat)
            return True
        notation = await self._computers.in_steps(look, due.seat, INSTEAD)
        if not self._absence.there_for(look.info.place.guild):
            return False
        still()
        await self._matches.run_out(due, INSTEAD, notation)
        return True

    async def _let_go(self, look: Look, seat: int) -> None:
        """The computer plays on for somebody who is not in the server any more; it is said."""
        level = INSTEAD if INSTEAD in levels(look.game) else ""
        gone = look.info.seats[seat]
        still()
        info = await self._matches.let_go(look.info.id, seat, gone.user, level)
        told = " The computer plays on in that seat." if level and info.status in LIVE else ""
        await self._announce(info, f"{shown(gone.name)} is not in this server any more.{told}")
