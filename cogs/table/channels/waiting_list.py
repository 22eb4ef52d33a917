"""Who waits for their first direct message: by urgency, and in each rank in the order in which they came."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator

from cogs.table.channels.contact_budget import ContactRank


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
