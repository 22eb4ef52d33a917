"""Handles what becomes due: pings, deadlines, requests that lapse, and lobbies, practice and rests that end."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial

import discord

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.computer_turns import SUBSTITUTE_LEVEL, ComputerPlayers, substitute_level
from cogs.table.scheduling.downtime import Downtime
from cogs.table.state.server_lease import check_lease
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.surfaces.reminders import awaited_answers, may_happen
from cogs.table.transport.background_tasks import exponential_backoff, retry_until_done
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from cogs.table.wording.player_names import markdown_name
from engines.hosting.match import MatchSnapshot, RequestRefused, status_sentence
from engines.store.match_store import LAPSE, LIVE, DueKind, DueTime, MatchInfo, Status

log = logging.getLogger(__name__)
DueAction = Callable[[DueTime, MatchSnapshot], Awaitable[bool]]  # returns whether it is done; if not, it is retried


class Deadlines:
    """Handles each due time in a task of its own; rests that end together share one. `handlers` start them, by kind.

    What is about a decision checks that the player is still in the server; the computer replaces players who left. Only
    the due times are stored: the transaction that stores a move also deletes its deadline.
    """

    def __init__(
        self,
        services: TableServices,
        reconciler: Reconciler,
        computers: ComputerPlayers,
        downtime: Downtime,
        announce: Callable[[MatchInfo, str], Awaitable[None]],
    ) -> None:
        self._services = services
        self._reconciler = reconciler
        self._computers = computers
        self._downtime = downtime
        self._announce = announce
        self._actions: Mapping[DueKind, DueAction] = {
            "call": self._send_turn_ping,
            "ask": self._send_turn_ping,
            "reminder": self._send_deadline_reminder,
            "clock": self._play_for_expired_seat,
        }
        self.handlers: Mapping[DueKind, Callable[[DueTime], None]] = {
            **dict.fromkeys(self._actions, partial(self._start, self._act_when_possible)),
            LAPSE: partial(self._start, self._lapse_request),
            "expiry": partial(self._start, self._close_expired),
            "break": partial(self._start, self._end_rests),
        }

    def _start(self, work: Callable[[DueTime], Awaitable[None]], due: DueTime) -> None:
        name = f"{due.kind} {due.match} {due.seat} {due.decision} {due.at}"
        if due.kind == "break":
            name = f"break {due.at}"  # one task ends all rests that are over
        self._services.tasks.start(name, retry_until_done, self._services.clock, work, due)

    async def _lapse_request(self, due: DueTime) -> None:
        with suppress(RequestRefused):  # it was answered since
            guild = (await self._services.matches.cache.get_fresh_snapshot(due.match)).info.place.guild
            with self._services.lease.acting_for(guild):
                # If time rests, it is handed out again when time runs; if it was postponed, when it is due again.
                if self._downtime.time_runs_for(guild) and await self._services.matches.due_times.is_due(due):
                    await self._services.matches.requests.lapse_request(due.match, due.decision)

    async def _close_expired(self, due: DueTime) -> None:
        """Close a lobby that nobody started within a day, or a practice match in which nobody played for one."""
        try:
            info = (await self._services.matches.cache.get_snapshot(due.match)).info
            if not self._downtime.time_runs_for(info.place.guild):  # it is handed out again when it does
                return
            lobbies, practice = self._services.matches.lobbies, self._services.matches.practice
            close = lobbies.expire_lobby if info.status is Status.LOBBY else practice.end_idle_practice
            with self._services.lease.acting_for(info.place.guild):
                info = await close(due.match)
        except RequestRefused as refusal:  # started, played or cancelled since, or written by a newer version
            log.info("Did not close match %s: %s", due.match, refusal)
            return
        if info.status is not Status.EXPIRED:  # the table says it
            return
        await self._reconciler.announce(
            info.place, f"{self._services.matches.lookup.game_title(info.game)} (`{info.id}`): {status_sentence(info)}"
        )

    async def _end_rests(self, due: DueTime) -> None:
        """End the rests whose time is over, if the clock is right. If not, they are due again when it is."""
        if self._downtime.is_clock_right:
            await self._services.matches.rests.end_expired_rests()

    async def _act_when_possible(self, due: DueTime) -> None:
        """Try the action with backoff until it is done or the match no longer waits for the decision."""
        for pause in exponential_backoff():
            try:
                snapshot = await self._services.matches.cache.get_fresh_snapshot(due.match)
                if (due.seat, due.decision) not in awaited_answers(snapshot) or not may_happen(snapshot, due):
                    return
                guild = snapshot.info.place.guild
                with self._services.lease.acting_for(guild):
                    # If people cannot reach the bot, their deadlines are postponed once they can.
                    is_reachable = self._downtime.time_runs_for(guild)
                    if may_happen(snapshot, due, is_reachable=is_reachable) and await self._actions[due.kind](
                        due, snapshot
                    ):
                        return
            except RequestRefused as why:  # the decision was made, or the match has changed
                log.info("Match %s: ignored a deadline: %s", due.match, why)
                return
            except NETWORK_ERRORS as error:
                log.info("Match %s: could not check a player's membership: %s", due.match, describe_error(error))
                if due.kind == "clock":  # the player cannot move either, so no time runs
                    self._reconciler.connectivity.note_outage(due.match)
            await self._services.clock.sleep(pause)

    async def _send_turn_ping(self, due: DueTime, snapshot: MatchSnapshot) -> bool:
        """Send a turn ping, and replace a player who left the server. Skip that before the first move, because everyone
        has just joined."""
        self._reconciler.add_reminder(due)
        if snapshot.info.moves and await has_left(self._services.client, snapshot, due.seat):
            await self._replace_departed(snapshot, due.seat)
        return True

    async def _send_deadline_reminder(self, due: DueTime, snapshot: MatchSnapshot) -> bool:
        """Send a deadline reminder unless the player chose never to be pinged."""
        if await has_left(self._services.client, snapshot, due.seat):
            await self._replace_departed(snapshot, due.seat)
        elif (await self._services.surfaces.preferences(snapshot.info.seats[due.seat].user)).call is None:
            await self._services.matches.due_times.mark_done(due, check_lease())
        else:
            self._reconciler.add_reminder(due)
        return True

    async def _play_for_expired_seat(self, due: DueTime, snapshot: MatchSnapshot) -> bool:
        """Make an expired decision if its player could have made it."""
        if snapshot.deadlines.get(due.seat) != due:  # it was postponed since and will be due again
            return True
        if await has_left(self._services.client, snapshot, due.seat):
            await self._replace_departed(snapshot, due.seat)
            return True
        notation = await self._computers.choose_paced(snapshot, due.seat, SUBSTITUTE_LEVEL)
        if not self._downtime.time_runs_for(snapshot.info.place.guild):
            return False
        check_lease()
        await self._services.matches.moves.play_for_expired_seat(due, SUBSTITUTE_LEVEL, notation)
        return True

    async def _replace_departed(self, snapshot: MatchSnapshot, seat: int) -> None:
        level = substitute_level(snapshot.game)
        departed = snapshot.info.seats[seat]
        check_lease()
        info = await self._services.matches.seating.remove_departed(snapshot.info.id, seat, departed.user, level)
        note = " The computer takes over their seat." if level and info.status in LIVE else ""
        await self._announce(info, f"{markdown_name(departed.name)} has left this server.{note}")


GONE_CODES = {10007, 10013}  # unknown member, unknown user


async def has_left(client: discord.Client, snapshot: MatchSnapshot, seat: int) -> bool:
    """Whether a seat's owner has left the server or closed their account. Raises transient errors."""
    guild = client.get_guild(snapshot.info.place.guild)
    if guild is None:  # the bot is not in the server
        return False
    try:
        await guild.fetch_member(snapshot.info.seats[seat].user)
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        return error.code in GONE_CODES
    return False
