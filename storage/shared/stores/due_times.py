"""Due times: read by the scheduler, and moved after outages and activity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from engines.hosting.timing.due_times import (
    BRIEF_ABSENCE_SECONDS,
    FUTURE_SECONDS,
    LONG_DECISION_SECONDS,
    REMINDER_FRACTION,
    RETURN_SECONDS,
    delayed_call_time,
    is_noticeable,
)
from engines.store.match_store import DECISION_KINDS, LAPSE, PING_KINDS, DueRule, DueTime, MatchInfo
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import Preferences
from storage.shared.partition_queries import (
    ALIVE_KEY,
    ALIVE_KEY_END,
    alive_note_keys,
    group_by_time,
    last_alive_times,
    match_partition_condition,
    partition_condition,
)
from storage.shared.stores.rows import put_rows_right
from storage.shared.stores.statements import MARK_STALE, PUT_NOTE, Dialect, SharedStore, Statements

NO_DECISION = -1  # the decision of a row that awaits nothing while its match is paused
MARK_DONE = "UPDATE due SET at = NULL, done = TRUE WHERE match = $1 AND kind = $2 AND seat = $3 AND decision = $4"
DECISIONS = ", ".join(f"'{kind}'" for kind in DECISION_KINDS)
CHANGE_CALL_DELAY = """
UPDATE due SET at = since + CAST($2 AS bigint) WHERE kind = 'call' AND NOT done AND (match, seat) IN (
    SELECT match, seat FROM seats WHERE "user" = $1 AND gone = ''
)
"""
_COLUMNS = "kind, match, seat, decision, at"
_DEADLINES = f"SELECT {_COLUMNS} FROM due WHERE match = $1 AND kind = 'clock' AND decision >= 0 ORDER BY seat"
_LAPSE = f"SELECT {_COLUMNS} FROM due WHERE match = $1 AND kind = '{LAPSE}' AND at IS NOT NULL"
_PREFERRED_DELAY = 'SELECT call FROM preferences WHERE "user" = $1'
_PENDING_CALLS = """
SELECT call.at, seats."user", matches.changed, clock.since, clock.at
FROM due AS call JOIN matches ON matches.match = call.match
    JOIN seats ON seats.match = call.match AND seats.seat = call.seat
    LEFT JOIN due AS clock ON clock.match = call.match AND clock.kind = 'clock' AND clock.seat = call.seat
WHERE call.match = $1 AND call.kind = 'call' AND call.seat = $2 AND call.at IS NOT NULL
"""
# A ping that rests counts from the end of the rest.
_POSTPONE_CALL = """
UPDATE due SET since = CASE WHEN since > $3 THEN since ELSE $3 END, at = $4
WHERE match = $1 AND kind = 'call' AND seat = $2 AND at IS NOT NULL
"""
_GO = "UPDATE due SET way = $3 WHERE match = $1 AND kind = 'call' AND seat = $2 AND decision >= 0"
_MOVE_STEPS = "SELECT seat, way FROM due WHERE match = $1 AND kind = 'call' AND way <> ''"
_ENDING = f"SELECT DISTINCT match FROM due WHERE kind IN ('clock', 'reminder', 'expiry', '{LAPSE}') AND at IS NOT NULL"
# While a request is open, no clock runs: its own end gives back the time since it was made.
_ASKED_AT = f"""(SELECT asked.since FROM due AS asked
    WHERE asked.match = due.match AND asked.kind = '{LAPSE}' AND asked.at IS NOT NULL)"""
_POSTPONE = """
UPDATE due SET since = since + {end} - {greatest}(since, $1),
    at = {greatest}(at + {end} - {greatest}(since, $1), CASE kind WHEN 'reminder' THEN 0 ELSE {end} + $5 END)
WHERE kind IN ({kinds}) AND at IS NOT NULL AND {greatest}(since, $1) < {end}
    AND ({end} - {greatest}(since, $1) >= $3 OR at - since < $4)
"""
# The rest of its player explains a ping that counts from a later time.
_FUTURE_DUE = """since > $1 AND kind <> 'break' AND NOT (kind = 'call' AND EXISTS (
    SELECT 1 FROM seats JOIN breaks USING ("user")
    WHERE seats.match = due.match AND seats.seat = due.seat AND until >= due.since
))"""
_FUTURE_MATCHES = "SELECT match FROM matches WHERE (created > $1 OR changed > $1)"
_PUT_DUE_RIGHT = f"UPDATE due SET at = at - since + $2, since = $2 WHERE match = $3 AND {_FUTURE_DUE}"
_PUT_MATCH_RIGHT = """
UPDATE matches SET created = CASE WHEN created > $2 THEN $2 ELSE created END,
    changed = CASE WHEN changed > $2 THEN $2 ELSE changed END, revision = revision + 1
WHERE match = $1
"""
_ALIVE_NOTES = f"SELECT key, value FROM notes WHERE key >= '{ALIVE_KEY}' AND key < '{ALIVE_KEY_END}' ORDER BY key"
_LAST_CHANGE = "SELECT MAX(changed) FROM matches WHERE changed <= $1"


class DueStore(SharedStore):
    """The part of the match store that knows what is due."""

    async def load_due(self, until: int, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """Return the open due times of these servers up to that second, oldest first, and the next one."""
        condition = match_partition_condition(partition, "due.match")

        async def load(raw: Statements) -> tuple[list[DueTime], int | None]:
            then = await raw.fetchval(f"SELECT at FROM due WHERE at > $1{condition} ORDER BY at LIMIT 1", until)
            sql = f"SELECT {_COLUMNS} FROM due WHERE at <= $1{condition} ORDER BY at, match, seat"
            return [DueTime(*row) for row in await raw.fetch(sql, until)], then

        return await self._read(load, "due times", consistent=True)

    async def load_deadlines(self, match: str) -> list[DueTime]:
        """Return the deadlines of a match's open decisions."""
        return await self._read(partial(find_deadlines, match), f"deadlines of match {match}")

    async def load_lapse(self, match: str) -> DueTime | None:
        """Return when a match's open request lapses."""
        return await self._read(partial(find_lapse, match), f"deadlines of match {match}")

    async def load_move_steps(self, match: str) -> dict[int, str]:
        """Return the unfinished move steps of each seat."""
        return dict(await self._fetch(f"move steps in match {match}", _MOVE_STEPS, match))

    async def record_alive(self, at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record that the bot was alive at that second for these servers."""
        await self._write(partial(_record_alive, at, partition), "the time at which the bot was alive")

    async def postpone_call(self, match: str, seat: int, since: int, step_text: str | None = None) -> int | None:
        """Restart the wait for a seat's pending reminder, save its unfinished steps, and return when it comes."""

        async def postpone(raw: Statements) -> int | None:
            if step_text is not None:
                await raw.execute(_GO, match, seat, step_text)
            for at, user, changed, started, deadline in await raw.fetch(_PENDING_CALLS, match, seat):
                call = await preferred_call_delay(user, raw)
                if call is not None:
                    later = delayed_call_time(at, since, call, changed, (started, deadline))
                    await raw.execute(_POSTPONE_CALL, match, seat, since, later)
                    return later
            return None

        return await self._write(postpone, f"reminder of match {match}", match=match)

    async def postpone_deadlines(
        self, since: int | None, until: int, partition: Partition = ALL_SERVERS
    ) -> dict[str, bool]:
        """Postpone deadlines by the part of a span in which they ran but nobody could move.

        A `since` of None: since the bot was last alive. Each deadline leaves at least some seconds, because an outage
        may be noticed after it began. Return the matches, and for each whether the change is large enough to show.
        """
        greatest, least = self._dialect.greatest, self._dialect.least
        clocks = _POSTPONE.format(
            kinds="'clock', 'reminder', 'expiry'", end=f"{least}($2, COALESCE({_ASKED_AT}, $2))", greatest=greatest
        )
        requests = _POSTPONE.format(kinds=f"'{LAPSE}'", end="$2", greatest=greatest)
        long = LONG_DECISION_SECONDS - LONG_DECISION_SECONDS // REMINDER_FRACTION

        async def postpone(raw: Statements) -> dict[str, bool]:
            if since is None:
                times = await self._last_alive(partition, until, raw)
            else:
                times = dict.fromkeys(partition.numbers, since)
            await _record_alive(until, partition, raw)
            later: dict[str, bool] = {}
            for then, share in group_by_time(times, partition.count).items():
                if then < until:
                    those = f"{match_partition_condition(share, 'due.match')} RETURNING match, at - since"
                    values = then, until, BRIEF_ABSENCE_SECONDS, long, RETURN_SECONDS
                    for sql in (clocks, requests):
                        for match, time in await raw.fetch(f"{sql}{those}", *values):
                            later[match] = later.get(match, False) or is_noticeable(until - then, time)
            await raw.executemany(MARK_STALE, [(match,) for match in sorted(later) if later[match]])
            return later

        return await self._write(postpone, "deadlines", find=partial(_matches_with_deadlines, partition))

    async def put_times_right(self, now: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Put times right that a wrong clock wrote, and return their matches."""
        future = _FutureTimes(now, partition, self._dialect)
        return await self._write(future.put_right, "times", find=future.find_matches)

    async def _last_alive(self, partition: Partition, until: int, raw: Statements) -> dict[int, int]:
        """Return when the bot was last alive for each of these partitions."""
        notes: dict[str, str] = dict(await raw.fetch(f"{_ALIVE_NOTES} {self._dialect.lock_rows}"))
        times, filled = last_alive_times(notes, partition, until)
        if filled:
            await raw.executemany("DELETE FROM notes WHERE key = $1", [(key,) for key in notes])
            await raw.executemany(PUT_NOTE, sorted(filled.items()))
        return times


class _FutureTimes:
    """The times of these servers that lie over a minute after `now`. Only matches that were locked are changed."""

    def __init__(self, now: int, partition: Partition, dialect: Dialect) -> None:
        self._now, self._latest = now, now + FUTURE_SECONDS
        self._partition = partition
        self._dialect = dialect
        self._matches: list[str] = []

    async def find_matches(self, raw: Statements) -> list[str]:
        """Find the matches."""
        due = f"SELECT match FROM due WHERE {_FUTURE_DUE}{match_partition_condition(self._partition, 'due.match')}"
        written = f"{_FUTURE_MATCHES}{partition_condition(self._partition)}"
        self._matches = sorted({row[0] for sql in (due, written) for row in await raw.fetch(sql, self._latest)})
        return self._matches

    async def put_right(self, raw: Statements) -> list[str]:
        """Put the times right, and return the matches."""
        newest = await raw.fetchval(_LAST_CHANGE, self._now)
        for key, value in await raw.fetch(f"{_ALIVE_NOTES} {self._dialect.lock_rows}"):
            if value.isdecimal() and int(value) > self._latest:
                await raw.execute(PUT_NOTE, key, str(self._now if newest is None else newest))
        for table in ("departed", "first_contacts"):
            await raw.execute(f"UPDATE {table} SET at = $2 WHERE at > $1", self._latest, self._now)
        await put_rows_right(self._now, self._latest, raw)
        for match in self._matches:
            await raw.execute(_PUT_DUE_RIGHT, self._latest, self._now, match)
            await raw.execute(_PUT_MATCH_RIGHT, match, self._now)
            await raw.execute(self._dialect.announce, match)
        return self._matches


async def find_deadlines(match: str, raw: Statements) -> list[DueTime]:
    """Return the deadlines of a match's open decisions."""
    return [DueTime(*row) for row in await raw.fetch(_DEADLINES, match)]


async def find_lapse(match: str, raw: Statements) -> DueTime | None:
    """Return when a match's open request lapses."""
    row = await raw.fetchrow(_LAPSE, match)
    return DueTime(*row) if row else None


async def preferred_call_delay(user: int, raw: Statements) -> int | None:
    """Return after how many seconds a person wants a reminder; None: never."""
    row = await raw.fetchrow(_PREFERRED_DELAY, user)
    call: int | None = row[0] if row else Preferences().call
    return call


def due_time_of(info: MatchInfo, due_rule: DueRule, call_delays: Mapping[int, int | None]) -> int | None:
    """Return the second at which a rule comes due; None: never. `call_delays` are what people prefer."""
    if due_rule.kind not in PING_KINDS:
        return due_rule.since + (due_rule.delay or 0)
    call = call_delays[info.seats[due_rule.seat].user]
    if call is None:
        return None
    return due_rule.since + (max(call, due_rule.min_delay) if due_rule.delay is None else due_rule.delay)


def called_people(info: MatchInfo, due_rules: Sequence[DueRule]) -> set[int]:
    """Return the people whose reminder preference is needed."""
    return {info.seats[each.seat].user for each in due_rules if each.kind in PING_KINDS}


async def _record_alive(at: int, partition: Partition, raw: Statements) -> None:
    keys = sorted(alive_note_keys(partition).values())
    await raw.executemany(PUT_NOTE, [(key, str(at)) for key in keys])


async def _matches_with_deadlines(partition: Partition, raw: Statements) -> list[str]:
    """Return the matches of these servers in which something ends by itself."""
    return [row[0] for row in await raw.fetch(f"{_ENDING}{match_partition_condition(partition, 'due.match')}")]
