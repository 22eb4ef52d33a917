"""Forgetting people, matches and servers: the stored personal data, and the storage protocol."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from engines.store.match_store import Action, MatchStorage, Move, Place, Seat, Status
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import NO_ROWS, Rows, RowStorage


@dataclass(frozen=True, slots=True)
class PersonalTrace:
    """Everything stored about a person in one match, and nothing about anybody else. Times are Unix seconds.

    A running match has `closed` 0, because the time of its last change could reveal a secret choice.
    """

    match: str
    game: str
    status: Status
    place: Place
    opened_at: int
    closed_at: int
    was_host: bool
    has_voted: bool
    seats: tuple[tuple[int, Seat], ...]  # seat numbers: where they sit, or sat until somebody took the seat
    moves: tuple[tuple[Move, int, int], ...]
    """Their moves, and moves made for them after a deadline; each with its time and the id of the click."""
    actions: tuple[Action, ...]  # without reasons, which name other people
    messages: tuple[tuple[int, int], ...]  # channel and message of their hand
    rows: Rows = NO_ROWS  # those of features


class ForgettingStorage(Protocol):
    """The storage of personal data and servers. Methods raise StoreFailure."""

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """Return what is stored about a person in the matches they took part in, oldest first."""

    async def request_forgetting(self, user: int) -> None:
        """Store that a person wants to be forgotten, in every current match and in everything else."""

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Return the people who are still to be forgotten and in which match; '' means everything else, which comes
        last."""

    async def scrub_user(self, match: str, user: int) -> bool:
        """Erase a person's name and id from a match in which they do not play.

        Return whether surfaces of the match still need an update. Raises WriteConflict if the person plays in it.
        """

    async def finish_forgetting(self, user: int) -> None:
        """Store that only matches still name this person."""

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Return matches that ended before that second, oldest first, up to a limit."""

    async def record_servers(self, guilds: Collection[int], at: int, partition: Partition = ALL_SERVERS) -> None:
        """Store since when the bot is absent from the other servers of that partition. Data of the given servers is not
        erased."""

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Return matches of servers that the bot left before that second, up to a limit.

        If there are none, the data of those servers is erased.
        """

    async def erase_match(self, match: str) -> None:
        """Erase all data of a match."""

    async def wipe_deleted(self) -> bool:
        """Remove all deleted data from the store's files. Return whether that was possible now."""


class FullStorage(MatchStorage, ForgettingStorage, RowStorage, Protocol):
    """The complete storage that matches need."""
