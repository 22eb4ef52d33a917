"""What is kept of a person, and how people, matches and servers are forgotten: values, and what a store does for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from engines.store.match_store import Action, MatchStorage, Move, Place, Seat, Status
from engines.store.partition import ALL_SERVERS, Partition


@dataclass(frozen=True, slots=True)
class PersonalTrace:
    """All that is kept of a person in one match, and nothing of anybody else. Times are Unix seconds.

    A match that goes on was `closed` at 0: when it last changed may tell of a secret choice.
    """

    match: str
    game: str
    status: Status
    place: Place
    opened_at: int
    closed_at: int
    was_host: bool
    has_voted: bool
    seats: tuple[tuple[int, Seat], ...]  # by number: where they sit, or have sat until nobody took it
    moves: tuple[tuple[Move, int, int], ...]
    """Theirs, and those made since their time had run out; each with its time, and the number of the click."""
    actions: tuple[Action, ...]  # without reasons, which name others
    messages: tuple[tuple[int, int], ...]  # channel and message of their hand


class ForgettingStorage(Protocol):
    """What a store knows of people and servers. Methods raise StoreFailure."""

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """What is kept of a person in the matches in which they had a part, oldest first."""

    async def request_forgetting(self, user: int) -> None:
        """Keep that somebody wants to be forgotten: in every match there is now, and in all else."""

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Who is still to be forgotten, and in which match; '': in all else, which comes last."""

    async def scrub_user(self, match: str, user: int) -> bool:
        """Take somebody's name and number out of a match, where they are not among those who play it.

        Whether some of that match is still to be shown. Raises Conflict where they are.
        """

    async def finish_forgetting(self, user: int) -> None:
        """Keep that nothing outside of matches names somebody any more."""

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Matches that came to their end before that second, the oldest first, so many at most."""

    async def record_servers(self, guilds: Collection[int], at: int, partition: Partition = ALL_SERVERS) -> None:
        """Keep since when the bot is in none of the other servers of that part; of these nothing is to be forgotten."""

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Matches of servers that the bot has not been in since before that second, so many at most.

        Where there are none left, the servers themselves are forgotten.
        """

    async def erase_match(self, match: str) -> None:
        """Forget all of a match."""

    async def wipe_deleted(self) -> bool:
        """Have nothing that was forgotten left in the store's files. Whether that could be done just now."""


class FullStorage(MatchStorage, ForgettingStorage, Protocol):
    """All that matches need of a store."""
