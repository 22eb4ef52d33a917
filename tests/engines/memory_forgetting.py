"""The part of the store in memory that knows how to forget."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from engines.features.registry import TABLES
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import FORGOTTEN_NAME, LIVE, Action, Change, MatchInfo, SavedMatch, Status, WriteConflict
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import Rows
from tests.engines.memory_rows import MemoryRows


@dataclass
class MemoryForgetting(MemoryRows):
    """Forgets people, matches and servers, as a ForgettingStorage does; there is no file."""

    infos: dict[str, MatchInfo] = field(default_factory=dict)
    saved: dict[str, SavedMatch] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    to_forget: list[tuple[int, str]] = field(default_factory=list)
    departed: dict[int, int] = field(default_factory=dict)
    breaks: dict[int, int] = field(default_factory=dict)  # the seconds at which they end, by person

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        found = sorted(self.infos.values(), key=lambda info: (info.created, info.id))
        traces = [trace for info in found if (trace := self._trace_of(info, user))]
        return traces[skip : skip + limit]

    async def request_forgetting(self, user: int) -> None:
        self.to_forget = sorted({*self.to_forget, *((user, match) for match in self.infos), (user, "")})

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        return sorted(self.to_forget, key=lambda each: (each[0], not each[1], each[1]))

    async def scrub_user(self, match: str, user: int) -> bool:
        info = self.infos[match]
        if user in (info.host, *info.votes, *(seat.user for seat in info.seats)):
            if info.status in LIVE:
                raise WriteConflict("They play there.")
            nobody = -(info.revision + 1)
            self.infos[match] = info = replace(
                info,
                seats=tuple(
                    replace(seat, user=nobody, name=FORGOTTEN_NAME) if seat.user == user else seat
                    for seat in info.seats
                ),
                host=nobody if info.host == user else info.host,
                votes=tuple(nobody if vote == user else vote for vote in info.votes),
                reason="" if info.status is Status.RESET else info.reason,
                revision=info.revision + 1,
            )
            if match in self.saved:
                self.saved[match] = replace(self.saved[match], info=info)
        self._scrub_actions(match, user, -(10**9) - 1 - len(self.changes))
        return False

    async def finish_forgetting(self, user: int) -> None:
        self.to_forget = [each for each in self.to_forget if each != (user, "")]
        self.breaks.pop(user, None)

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        exempt = LIVE | {Status.ASIDE}
        return [i.id for i in self.infos.values() if i.status not in exempt and i.changed < before][:limit]

    async def record_servers(self, guilds: Collection[int], at: int, partition: Partition = ALL_SERVERS) -> None:
        known = {info.place.guild for info in self.infos.values() if partition.has_server(info.place.guild)} - {*guilds}
        others = {guild: then for guild, then in self.departed.items() if not partition.has_server(guild)}
        self.departed = others | {guild: self.departed.get(guild, at) for guild in known}

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        return [i.id for i in self.infos.values() if self.departed.get(i.place.guild, before) < before][:limit]

    async def erase_match(self, match: str) -> None:
        self.infos.pop(match, None)
        self.saved.pop(match, None)
        self.changes = [change for change in self.changes if change.info.id != match]
        self.forget_rows(0, match=match)

    async def wipe_deleted(self) -> bool:
        return True

    def _scrub_actions(self, match: str, user: int, nobody: int) -> None:
        """Have what somebody did in a match have been done by a number that is nobody's."""
        for number, change in enumerate(self.changes):
            if change.info.id == match and change.by == user:
                self.changes[number] = replace(change, by=nobody, click=0, info=replace(change.info, reason=""))
        if (saved := self.saved.get(match)) is not None and any(move.user == user for move in saved.moves):
            moves = (replace(move, user=nobody) if move.user == user else move for move in saved.moves)
            self.saved[match] = replace(saved, moves=tuple(moves))
        self.forget_rows(nobody, match=match, user=user)
        self.to_forget = [each for each in self.to_forget if each != (user, match)]

    def _trace_of(self, info: MatchInfo, user: int) -> PersonalTrace | None:
        """What is kept of a person in a match; None if they had no part in it."""
        changes = [change for change in self.changes if change.info.id == info.id and change.by == user]
        seats = tuple((number, seat) for number, seat in enumerate(info.seats) if seat.user == user)
        personal = [table for table in TABLES if {"match", "user"} <= {*table.columns}]
        rows = Rows(
            tuple((each, _rows_of_user(self.rows.get(each.name, {}).values(), info.id, user)) for each in personal)
        )
        if not changes and not seats and not any(found for _, found in rows):
            return None
        return PersonalTrace(
            info.id,
            info.game,
            info.status,
            info.place,
            info.created,
            0 if info.status in LIVE else info.changed,
            info.host == user,
            user in info.votes,
            seats,
            tuple((change.move, change.info.changed, change.click) for change in changes if change.move),
            tuple(Action(c.action, user, "", c.info.changed, c.click) for c in changes if not c.move),
            (),
            rows=rows,
        )


def _rows_of_user(rows: Iterable[Any], match: str, user: int) -> tuple[Any, ...]:
    return tuple(row for row in rows if (row.match, row.user) == (match, user))
