"""The budget of first contacts: to how many people the bot writes for the first time, in all processes together.

Discord quarantines bots that open direct messages with many people. The budget is one stored note without any person.
For a day, the store also keeps when each person was counted, so that they count once in that time. Anyone for whom
there is no room is on a waiting list.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

import discord
from pydantic import TypeAdapter

from cogs.table.channels.table_services import TableServices
from cogs.table.state.match_notes import parse_note
from cogs.table.transport.network_errors import QUARANTINED, TOO_FAST_WAIT
from engines.store.surface_storage import ContactChange

log = logging.getLogger(__name__)
NOTE = "first contacts"
TEN_MINUTES, DAY = 10 * 60, 24 * 60 * 60  # seconds
QUARANTINE_SECONDS = 60 * 60  # without first contacts, after Discord said that the bot is quarantined
LONGEST_WAIT = 10 * 60  # seconds after which the budget is asked again at the latest
NEXT_SECONDS = 5  # seconds in which the next of a rank asks, after one was served
HEAD_START = 60  # seconds for which a better rank is waited for, once there may be room
APPEAL_URL = "https://discord.com/developers/applications"
QUARANTINE_ERROR = (
    "Discord has quarantined this bot because it wrote to many new people (error 20026). The bot writes to nobody new "
    "for an hour, then tries again by itself; until then, hands are behind “Show my hand”. Appeal on the application's "
    "page at %s. See docs/incident.md."
)


class ContactRank(IntEnum):
    """Whose first contact comes first; a lower rank is served before a higher one."""

    DUE = 1  # the hand of a player for whom the match waits
    DEALT = 2  # another hand of a started match
    GREETING = 3  # a seat in a lobby


@dataclass(frozen=True, slots=True)
class ContactLimits:
    """How many first contacts there may be."""

    per_ten_minutes: int = 20
    per_day: int = 200


@dataclass(frozen=True, slots=True)
class ContactBook:
    """The first contacts of the last day and until when others wait, in Unix seconds.

    `holds` says until when ranks above one wait for it. Nobody is written to until `stopped_until`, which is also
    `quarantined_until` if Discord said so.
    """

    contacts: Sequence[int] = ()
    holds: Mapping[int, int] = field(default_factory=dict)
    stopped_until: int = 0
    quarantined_until: int = 0

    def at(self, now: int) -> ContactBook:
        """The book without what is past. What a wrong clock wrote about the future counts as of now."""
        return ContactBook(
            tuple(sorted(min(at, now) for at in self.contacts if at > now - DAY)),
            {rank: min(until, now + LONGEST_WAIT + HEAD_START) for rank, until in self.holds.items() if until > now},
            min(self.stopped_until, now + QUARANTINE_SECONDS),
            min(self.quarantined_until, now + QUARANTINE_SECONDS),
        )

    def take(self, now: int, rank: ContactRank, limits: ContactLimits) -> tuple[ContactBook, int]:
        """Count a first contact if there may be one now; else say from when to ask again (0: it is counted)."""
        book = self.at(now)
        if book.stopped_until > now:
            return book, book.stopped_until
        if better := [until for each, until in book.holds.items() if each < rank]:
            return book, max(better)
        room = max(
            _room_from(book.contacts, now, TEN_MINUTES, limits.per_ten_minutes),
            _room_from(book.contacts, now, DAY, limits.per_day),
        )
        if room <= now:  # the next of this rank asks soon, or there is none
            holds = {
                each: min(until, now + NEXT_SECONDS) if each == rank else until for each, until in book.holds.items()
            }
            return replace(book, contacts=(*book.contacts, now), holds=holds), 0
        retry_at = min(room, now + LONGEST_WAIT)
        return replace(book, holds={**book.holds, rank: retry_at + HEAD_START}), retry_at

    def stop(self, now: int, *, quarantined: bool) -> tuple[ContactBook, ContactBook]:
        """Stop all first contacts for a while; also return the book as it was."""
        book = self.at(now)
        until = max(book.stopped_until, now + (QUARANTINE_SECONDS if quarantined else TOO_FAST_WAIT))
        return replace(
            book, stopped_until=until, quarantined_until=until if quarantined else book.quarantined_until
        ), book


BOOK: TypeAdapter[ContactBook] = TypeAdapter(ContactBook)


class ContactBudget:
    """Grants first contacts. Methods raise StoreFailure."""

    def __init__(self, services: TableServices, limits: ContactLimits) -> None:
        self.limits = limits
        self._services = services
        self._quarantined_until = 0  # as this process knows it

    @property
    def is_quarantined(self) -> bool:
        """Whether Discord has quarantined the bot, as far as this process knows."""
        return self._quarantined_until > self._services.clock.now()

    async def take(self, user: int, rank: ContactRank) -> int:
        """Count a person's first contact and return 0; or return the seconds after which to ask again.

        A person counts once a day, in all processes together, and may be tried in that time as often as needed.
        """
        now = self._services.clock.now()

        def take(text: str | None, contact: int) -> ContactChange[tuple[ContactBook, int]]:
            book = _parse_book(text)
            if _is_counted(contact, now):
                book = book.at(now)
                retry_at = book.stopped_until if book.stopped_until > now else 0
            else:
                book, retry_at = book.take(now, rank, self.limits)
                contact = contact if retry_at else now
            return ContactChange(_format_book(book), contact, (book, retry_at))

        book, retry_at = await self._services.surfaces.store.change_first_contact(user, NOTE, take)
        self._quarantined_until = book.quarantined_until
        return max(1, retry_at - now) if retry_at else 0

    async def may_retry(self, user: int) -> bool:
        """Whether a person's first contact is counted, and first contacts are not stopped."""
        is_counted = _is_counted(await self._services.surfaces.store.first_contact(user), self._services.clock.now())
        return is_counted and not await self.seconds_stopped()

    async def seconds_stopped(self) -> int:
        """For how many seconds nobody is written to for the first time."""
        return max(0, (await self._read()).stopped_until - self._services.clock.now())

    async def quarantined_until(self) -> int:
        """The Unix second until which Discord's quarantine stops all first contacts; 0 if there is none."""
        await self._read()
        return self._quarantined_until if self.is_quarantined else 0

    async def stop(self, refusal: discord.HTTPException) -> None:
        """Stop all first contacts for a while, because Discord refused one."""
        now, quarantined = self._services.clock.now(), refusal.code == QUARANTINED

        def stop(text: str | None) -> tuple[str, tuple[ContactBook, ContactBook]]:
            book, before = _parse_book(text).stop(now, quarantined=quarantined)
            return _format_book(book), (book, before)

        book, before = await self._services.surfaces.store.change_note(NOTE, stop)
        self._quarantined_until = book.quarantined_until
        if quarantined and before.quarantined_until <= now - LONGEST_WAIT:
            log.error(QUARANTINE_ERROR, APPEAL_URL)
        elif before.stopped_until <= now:
            log.warning(
                "Discord lets the bot write to nobody new for a while (error %s); it tries again by itself",
                refusal.code,
            )

    async def _read(self) -> ContactBook:
        book = _parse_book(await self._services.surfaces.store.read_note(NOTE)).at(self._services.clock.now())
        self._quarantined_until = book.quarantined_until
        return book


def _is_counted(contact: int, now: int) -> bool:
    """Whether a first contact of that second still counts."""
    return contact > now - DAY


def _parse_book(text: str | None) -> ContactBook:
    return parse_note(BOOK, NOTE, text) or ContactBook()


def _format_book(book: ContactBook) -> str:
    return BOOK.dump_json(book).decode()


def _room_from(contacts: Sequence[int], now: int, seconds: int, limit: int) -> int:
    """The second from which a window of that many seconds has room for another contact."""
    recent = [at for at in contacts if at > now - seconds]
    return now if len(recent) < limit else recent[-limit] + seconds


class WaitingList:
    """People who wait, each with a rank and the matches whose hands they wait for. Every method is quick."""

    def __init__(self) -> None:
        self._ranks: dict[int, ContactRank] = {}
        self._queues: dict[ContactRank, OrderedDict[int, None]] = {rank: OrderedDict() for rank in ContactRank}
        self._matches: dict[int, dict[str, None]] = {}
        self._people: dict[str, set[int]] = {}  # those who wait, by match

    def __len__(self) -> int:
        return len(self._matches)

    def __contains__(self, user: int) -> bool:
        return user in self._matches

    def __iter__(self) -> Iterator[int]:
        return iter([*self._matches])

    def has_match(self, match: str) -> bool:
        """Whether anybody waits for a hand of this match."""
        return match in self._people

    def matches_of(self, user: int) -> Collection[str]:
        """The matches whose hands a person waits for."""
        return [*self._matches.get(user, ())]

    def add(self, user: int, match: str) -> None:
        """Have a person wait for a hand of this match. They are in no queue until they get a rank."""
        self._matches.setdefault(user, {})[match] = None
        self._people.setdefault(match, set()).add(user)

    def rank_of(self, user: int) -> ContactRank | None:
        """The rank of a person as it was last looked up; None if they do not wait."""
        return self._ranks.get(user)

    def set_rank(self, user: int, rank: ContactRank) -> None:
        """Move a person who waits to the end of another rank; in their own one they keep their place."""
        old = self._ranks.get(user)
        if user not in self._matches or rank is old:
            return
        if old is not None:
            del self._queues[old][user]
        self._ranks[user] = rank
        self._queues[rank][user] = None

    def remove(self, user: int) -> Collection[str]:
        """Let a person wait no longer, and return their matches."""
        if user in self._ranks:
            del self._queues[self._ranks.pop(user)][user]
        matches = self._matches.pop(user, {})
        for match in matches:
            self._people[match].discard(user)
            if not self._people[match]:
                del self._people[match]
        return matches

    def first(self, rank: ContactRank) -> int | None:
        """The person of this rank who has waited longest."""
        return next(iter(self._queues[rank]), None)
