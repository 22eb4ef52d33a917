"""A store in memory that can be told to fail, to wait, or to have been written by somebody else."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engines.hosting.timing.due_times import (
    FUTURE_SECONDS,
    RETURN_SECONDS,
    PendingDue,
    delayed_call_time,
    due_after_rest,
    stays,
)
from engines.store import match_store
from engines.store.match_store import LIVE, Action, Change, DueRule, DueTime, MatchInfo, Move, Status, WriteConflict
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from tests.engines.memory_forgetting import MemoryForgetting

MINUTE = 60  # after which everybody likes to be called


@dataclass
class MemoryStore(MemoryForgetting):
    """Keeps what a MatchStorage keeps, whose docstrings hold here.

    `fail` raises at the next write; `gate` holds every write until it is set.
    """

    is_shared: bool = True
    loads: list[str] = field(default_factory=list)
    compared: int = 0  # how often somebody asked for a revision
    openings: dict[int, str] = field(default_factory=dict)  # matches, by the clicks that opened them
    awaited: dict[tuple[str, str, int], tuple[DueRule, DueTime]] = field(default_factory=dict)
    done_dues: list[DueTime] = field(default_factory=list)
    went: dict[tuple[str, int], tuple[int, str]] = field(default_factory=dict)  # ways, with the decisions they lead to
    servers: dict[int, ServerSettings] = field(default_factory=dict)
    fail: match_store.StoreFailure | None = None
    gate: asyncio.Event | None = None
    last_alive: dict[int, int] = field(default_factory=dict)  # when the bot was last there for each part
    deals: dict[str, match_store.SavedDeal] = field(default_factory=dict)
    writing: int = 0
    most_writing: int = 0

    async def insert(
        self,
        info: MatchInfo,
        by: int,
        limits: match_store.TableLimits | None = None,
        due_rules: Sequence[DueRule] = (),
        click: int = 0,
        secret: str = "",
    ) -> int | None:
        self._maybe_fail()
        await asyncio.sleep(0)
        assert click < 1 << 63, "no database has such a number"
        if click in self.openings:
            raise WriteConflict("That click has opened a match.")
        if info.follows and any(i.follows == info.follows and i.status in LIVE for i in self.infos.values()):
            raise WriteConflict("That match is being played again already.")
        if limits is not None:
            live_matches = [i for i in self.infos.values() if i.place.guild == info.place.guild and i.status in LIVE]
            _check_room(
                info,
                [i for i in live_matches if i.status is Status.LOBBY],
                limits.per_person,
                limits.per_server,
                going=False,
            )
            live = [i for i in self.infos.values() if i.status in LIVE and not _is_replaced(i, info)]
            if sum(i.host == info.host for i in live) >= limits.matches_per_person:
                raise match_store.TableLimitReached(is_host_limit=True, counts_running=True, is_everywhere=True)
            live_matches = [i for i in live if i.place.guild == info.place.guild]
            _check_room(info, live_matches, limits.tables_per_person, limits.tables_per_server, going=True)
        self.infos[info.id] = info
        if secret:
            self.deals[info.id] = match_store.SavedDeal(secret)
        if click:
            self.openings[click] = info.id
        return self._await(info.id, due_rules)

    async def revision(self, match: str) -> int | None:
        self.compared += 1
        return self.infos[match].revision if match in self.infos else None

    async def recent_clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        clicks = [change for change in self.changes if change.info.id == match and change.click]
        moves, others = [c for c in clicks if c.move], [c for c in clicks if not c.move]
        lately = {
            change.click for change in (*moves[-match_store.RECENT_CLICKS :], *others[-match_store.RECENT_CLICKS :])
        }
        lately |= {click for click, match_of_click in self.openings.items() if match_of_click == match}
        return self.infos[match].revision if match in self.infos else 0, tuple(sorted(lately))

    async def match_opened_by(self, click: int) -> str | None:
        return self.openings.get(click)

    async def commit(self, change: Change) -> int | None:
        self.writing += 1
        self.most_writing = max(self.most_writing, self.writing)
        try:
            await asyncio.sleep(0)
            if self.gate is not None:
                await self.gate.wait()
            return self._commit(change)
        finally:
            self.writing -= 1

    async def server_settings(self, guild: int) -> ServerSettings:
        return self.servers.get(guild, DEFAULT_SERVER_SETTINGS)

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        await asyncio.sleep(0)
        if self.gate is not None:
            await self.gate.wait()
        self._maybe_fail()
        self.servers[guild] = change(await self.server_settings(guild))
        return self.servers[guild]

    async def before_row(self, match: str, revision: int | None) -> None:
        if self.gate is not None:
            await self.gate.wait()
        self._maybe_fail()
        if revision is not None and self.infos[match].revision != revision:
            raise WriteConflict("The match has moved on.")

    async def set_aside(self, info: MatchInfo) -> None:
        await self.commit(Change(info, "set aside"))

    def _commit(self, change: Change) -> int | None:
        self._maybe_fail()
        info = change.info
        if self.infos[info.id].revision != info.revision - 1:
            raise WriteConflict("The match has moved on.")
        if change.old_deadlines is not None and change.old_deadlines != {*self._deadlines(info.id)}:
            raise WriteConflict("Its deadlines were postponed.")
        old = self.saved.get(info.id)
        if change.checkpoint is not None and change.seed is None and old is None:
            raise match_store.StoreFailure("The match was never started.")
        self.infos[info.id] = info
        self.changes.append(change)
        for row in change.rows:
            self.put_row(row)
        if change.cuts:
            self.deals[info.id] = replace(self.deals[info.id], cuts=change.cuts)
        if change.base is not None:
            seed = change.seed or (old.seed if old else "")
            old = match_store.SavedMatch(info, seed, change.base, info.moves, change.checkpoint or change.base, ())
        elif old is not None:
            moves: tuple[Move, ...] = (*old.moves, change.move) if change.move else old.moves
            old = replace(old, info=info, moves=moves, checkpoint=change.checkpoint or old.checkpoint)
        if old is not None:
            self.saved[info.id] = replace(old, info=info)
        if change.forgotten_user:
            self._scrub_actions(info.id, change.forgotten_user, change.by)
        if change.rest:
            self._postpone_after_rest(info.id, change.rest)
        return self._await(info.id, change.due_rules)

    def _postpone_after_rest(self, match: str, rest: int) -> None:
        for key, (each, due) in [*self.awaited.items()]:
            if key[0] == match and each.kind in match_store.DECISION_KINDS and due not in self.done_dues:
                self.awaited[key] = replace(each, since=each.since + rest), replace(due, at=due.at + rest)

    def _await(self, match: str, due_rules: Sequence[DueRule]) -> int | None:
        """Keep that the match awaits this and nothing else; what it awaited before keeps its time."""
        before = {key: entry for key, entry in self.awaited.items() if key[0] == match}
        for key in before:
            del self.awaited[key]
        decisions = {each.seat: each.decision for each in due_rules if each.kind == "call"}
        for (of, seat), (decision, _) in [*self.went.items()]:
            if of == match and decisions.get(seat) != decision and not stays(self.infos[match], "call", seat):
                del self.went[of, seat]
        times = []
        for each in due_rules:
            wait = max(MINUTE, each.min_delay) if each.delay is None else each.delay
            key = (match, each.kind, each.seat)
            new = each, DueTime(each.kind, match, each.seat, each.decision, each.since + wait)
            old = before.get(key)
            is_same = old is not None and old[0].decision == each.decision
            self.awaited[key] = old if old and is_same else new
            times += [] if is_same else [new[1].at]
        return min(times, default=None)

    def of(self, partition: Partition, match: str) -> bool:
        return partition.has_server(self.infos[match].place.guild)

    async def live_matches_after(self, after: str, limit: int, partition: Partition = ALL_SERVERS) -> list[str]:
        infos = (info for info in self.infos.values() if self.of(partition, info.id))
        return sorted(info.id for info in infos if info.status in LIVE and info.id > after)[:limit]

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        called = {match for match, kind, _ in self.awaited if kind == "call"}
        running = [info for info in self.infos.values() if info.status is Status.RUNNING and info.id not in called]
        return [info.id for info in running if self.of(partition, info.id)]

    async def load_due(self, until: int, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        dues = (due for _, due in self.awaited.values() if due not in self.done_dues and self.of(partition, due.match))
        found = sorted(dues, key=lambda due: due.at)
        return [due for due in found if due.at <= until], next((due.at for due in found if due.at > until), None)

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        self.done_dues.append(due)

    async def record_alive(self, at: int, partition: Partition = ALL_SERVERS) -> None:
        self.last_alive |= dict.fromkeys(partition.numbers, at)

    async def postpone_deadlines(
        self, since: int | None, until: int, partition: Partition = ALL_SERVERS
    ) -> dict[str, bool]:
        alive = {number: self.last_alive.get(number, until) if since is None else since for number in partition.numbers}
        await self.record_alive(until, partition)
        entries = {key: found for key, found in self.awaited.items() if self.of(partition, key[0])}
        requested = {key[0]: each.since for key, (each, _) in entries.items() if key[1] == "take back"}
        for key, (each, due) in entries.items():
            end = min(until, requested.get(key[0], until)) if each.kind != "take back" else until
            later = end - max(each.since, alive[partition.number_of(self.infos[key[0]].place.guild)])
            if each.kind in ("clock", "reminder", "expiry", "take back") and later > 0:
                at = max(due.at + later, end + RETURN_SECONDS if each.kind != "reminder" else 0)
                self.awaited[key] = replace(each, since=each.since + later), replace(due, at=at)
        return {match: True for match, kind, _ in entries if kind == "clock"}

    async def put_times_right(self, now: int, partition: Partition = ALL_SERVERS) -> list[str]:
        latest, found = now + FUTURE_SECONDS, set[str]()
        for key, (each, due) in self.awaited.items():
            rests = each.kind == "call" and each.since <= self.breaks.get(self.infos[key[0]].seats[each.seat].user, 0)
            if each.since > latest and each.kind != "break" and not rests and self.of(partition, key[0]):
                self.awaited[key] = replace(each, since=now), replace(due, at=due.at - each.since + now)
                found.add(key[0])
        for match, info in self.infos.items():
            if max(info.created, info.changed) > latest and self.of(partition, match):
                found.add(match)
        for match in found:
            info = self.infos[match]
            created, changed = min(info.created, now), min(info.changed, now)
            self.infos[match] = replace(info, revision=info.revision + 1, created=created, changed=changed)
            if match in self.saved:
                self.saved[match] = replace(self.saved[match], info=self.infos[match])
        return sorted(found)

    async def load_deadlines(self, match: str) -> list[DueTime]:
        return self._deadlines(match)

    async def load_lapse(self, match: str) -> DueTime | None:
        return self._lapse(match)

    def _lapse(self, match: str) -> DueTime | None:
        return next(
            (due for (of, kind, _), (_, due) in self.awaited.items() if (of, kind) == (match, "take back")), None
        )

    def _deadlines(self, match: str) -> list[DueTime]:
        return [due for (of, kind, _), (_, due) in self.awaited.items() if (of, kind) == (match, "clock")]

    async def postpone_call(self, match: str, seat: int, since: int, step_text: str | None = None) -> int | None:
        key = (match, "call", seat)
        if step_text is not None and key in self.awaited:
            self.went[match, seat] = self.awaited[key][0].decision, step_text
        if key not in self.awaited or self.awaited[key][1] in self.done_dues:
            return None
        each, due = self.awaited[key]
        rule, clock = self.awaited.get((match, "clock", seat), (None, None))
        times = (rule.since if rule else None, clock.at if clock else None)
        at = delayed_call_time(due.at, since, MINUTE, self.infos[match].changed, times)
        self.awaited[key] = replace(each, since=max(each.since, since)), replace(due, at=at)
        return at

    async def rest_until(self, user: int) -> int:
        return self.breaks.get(user, 0)

    async def change_rest(self, user: int, until: int, now: int) -> list[str]:
        self._maybe_fail()
        old = self.breaks.pop(user, 0)
        if until:
            self.breaks[user] = until
        own_matches = [info for info in self.infos.values() if info.seat_of(user) is not None and info.status in LIVE]
        for info in own_matches:
            seat = info.seat_of(user)
            assert seat is not None
            self._move_due(info, seat, old, until or min(old, now), now)
            self.awaited.pop((info.id, "break", seat), None)
            if until and info.status is not Status.PAUSED:
                rule = DueRule("break", until, seat, until, 0)
                self.awaited[info.id, "break", seat] = rule, DueTime("break", info.id, seat, until, until)
            seats = tuple(replace(each, rest_until=until) if each.user == user else each for each in info.seats)
            self.infos[info.id] = new = replace(info, seats=seats, revision=info.revision + 1)
            if info.id in self.saved:
                self.saved[info.id] = replace(self.saved[info.id], info=new)
        return sorted(info.id for info in own_matches)

    async def end_expired_rests(self, now: int) -> list[str]:
        ended = [user for user, until in self.breaks.items() if until <= now]
        return sorted({match for user in ended for match in await self.change_rest(user, 0, now)})

    def _move_due(self, info: MatchInfo, seat: int, old: int, new: int, now: int) -> None:
        """Move what is still to come for a seat because a break ends at another time."""
        entries = {
            kind: found
            for kind in ("call", "reminder", "clock")
            if (found := self.awaited.get((info.id, kind, seat))) and found[1] not in self.done_dues
        }
        pending = [PendingDue(rule.kind, rule.since, due.at) for rule, due in entries.values()]
        for each in due_after_rest(pending, info.table_options, old, new, now):
            rule, due = entries[each.kind]
            assert each.at is not None
            self.awaited[info.id, each.kind, seat] = replace(rule, since=each.since), replace(due, at=each.at)

    async def load_move_steps(self, match: str) -> dict[int, str]:
        return {seat: way for (of, seat), (_, way) in self.went.items() if of == match and way}

    def _maybe_fail(self) -> None:
        if self.fail is not None:
            failure, self.fail = self.fail, None
            raise failure

    async def load_info(self, match: str) -> MatchInfo | None:
        return self.infos.get(match)

    async def load(self, match: str) -> match_store.SavedMatch | None:
        self.loads.append(match)
        await asyncio.sleep(0)
        found = self.saved.get(match)
        return found and replace(found, deadlines=tuple(self._deadlines(match)), lapse=self._lapse(match))

    async def load_deal(self, match: str) -> match_store.SavedDeal | None:
        return self.deals.get(match)

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        return Counter(info.status for info in self.infos.values() if info.place.guild == guild)

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        stored = [*self.infos.values()][::-1]
        found = [info for info in stored if info.place.guild == guild and info.status in statuses]
        newest = sorted(found, key=lambda info: -info.changed)
        return [info.id for info in newest if game in ("", info.game)][:limit]

    async def load_history(self, match: str) -> list[Action]:
        changes = [change for change in self.changes if change.info.id == match]
        known = [  # a secret move has no event that goes to everybody
            each
            for each in changes
            if each.action != "play" or any(event["to"] is None for event in json.loads(each.events))
        ]
        return [
            Action(
                change.action,
                change.by,
                match_store.FORCED if change.move and change.move.is_forced else change.info.reason,
                change.info.changed,
            )
            for change in known
        ]

    async def find(
        self,
        *,
        statuses: frozenset[Status] = LIVE,
        guild: int | None = None,
        user: int | None = None,
        follows: str | None = None,
    ) -> list[MatchInfo]:
        last_first = [*self.infos.values()][::-1]
        return [
            info
            for info in sorted(last_first, key=lambda info: -info.created)
            if info.status in statuses
            and (guild is None or info.place.guild == guild)
            and (user is None or info.seat_of(user) is not None)
            and (follows is None or info.follows == follows)
        ]


def _is_replaced(old: MatchInfo, new: MatchInfo) -> bool:
    """Whether a new practice match takes its place."""
    return new.practice and old.practice and not old.seal and old.host == new.host


def _check_room(
    info: MatchInfo, matches: Sequence[MatchInfo], person: int | None, server: int | None, *, going: bool
) -> None:
    """Whether there is room for one more."""
    full = person is not None and sum(other.host == info.host for other in matches) >= person
    if full or (server is not None and len(matches) >= server):
        raise match_store.TableLimitReached(is_host_limit=full, counts_running=going)
