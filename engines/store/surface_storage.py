"""Stored surfaces, pings and preferences: plain values whose meaning belongs to the code that shows matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from engines.store.owner_storage import OwnerStorage
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import RowStorage

T = TypeVar("T")
SurfaceKind = Literal["table", "hand", "lobby"]
NO_DECISION = -1  # the mark for no decision
MentionState = Literal["sending", "sent", "removing"]


@dataclass(frozen=True, slots=True)
class Surface:
    """A message that is kept up to date with a match. There is one per match, kind and seat.

    `digest` identifies the screen on display, drawn at the match's revision `shown`. `posted` is the Unix second of
    posting. `lost` says why it can no longer be updated; `done` means that it shows its final state. During posting,
    `nonce` identifies the attempt and stays the same for retries; `old` is the message to delete afterwards. `called`
    is the mark of the decision that its newest posting pings for: the decision's number, or below −1 for a reminder.
    """

    match: str
    kind: SurfaceKind
    seat: int = -1  # -1: none
    channel: int = 0
    message: int = 0  # 0: not posted
    digest: str = ""
    shown: int = 0
    posted: int = 0
    lost: str = ""
    done: bool = False
    nonce: str = ""
    old: int = 0  # 0: none
    called: int = NO_DECISION


@dataclass(frozen=True, slots=True)
class Mention:
    """A message that pings a seat for its decision. It is stored before sending, so that it can be found again.

    Mentions with the same nonce are one message. `decision` is a mark as in Surface.
    """

    match: str
    seat: int
    decision: int
    nonce: str
    channel: int
    message: int = 0  # 0: not known to be sent
    state: MentionState = "sending"


class Inbox(NamedTuple):
    """A user's direct messages: the channel, and whether they turned out to be closed to the bot.

    `reached` says whether a message or a click has ever passed there. Until then, writing there is a first contact.
    """

    channel: int  # 0: not opened yet, or to be opened again
    closed: bool
    reached: bool


NOT_OPENED = Inbox(0, closed=False, reached=False)
"""Direct messages that could not be opened yet."""


class ContactChange(NamedTuple, Generic[T]):
    """A changed note, the second of a first contact with it, and what the change found out."""

    note: str
    contact: int
    result: T


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's preferences, with defaults.

    `call` is the delay of a turn ping in seconds, None for never. `met` are the keys of games whose rules were offered.
    """

    call: int | None = 60
    words: bool = False  # show hands as text
    worth: bool = True  # show values and odds with hands
    met: frozenset[str] = frozenset()
    requests: bool = True  # others may ask them to settle something


class SurfaceStorage(OwnerStorage, RowStorage, Protocol):
    """Durable storage of surfaces. A put replaces the entry with the same key; every method may raise StoreFailure.

    If several processes divide the servers, the owner of a server's partition writes with the `epoch` of its lease; an
    outdated epoch raises NotLeaseHolder. Without an epoch, the writer is a process that answers a click.
    """

    async def surfaces_of(self, match: str) -> list[Surface]:
        """Return the surfaces of a match."""

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the matches of these servers with surfaces that may be stale: changed since, or not finished."""

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return matches with a lost surface: running ones, and finished ones opened since then."""

    async def mark_stale(self, matches: Collection[str]) -> None:
        """Mark the surfaces of these matches as stale for the server's owner, if the matches exist."""

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """Note that it is uncertain what a message shows, and clear the reason for giving it up."""

    async def put_reply(self, surface: Surface) -> None:
        """Store that a process which does not own the server answered a click with this message, which shows that state
        now.

        If it was replaced or shows something newer, it is marked as uncertain.
        """

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """Note that these matches were fully shown at these revisions."""

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        """Store a surface."""

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Store what edited messages show, if they were not replaced and show nothing newer."""

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Delete a surface, if there is one."""

    async def mentions(self, match: str) -> list[Mention]:
        """Return the mentions of a match."""

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Store a mention."""

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Delete a mention, if there is one."""

    async def inbox(self, user: int) -> Inbox | None:
        """Return a user's direct messages, if known."""

    async def put_inbox(self, user: int, inbox: Inbox) -> None:
        """Store a user's direct messages."""

    async def first_contact(self, user: int) -> int:
        """Return the second in which writing to a person was counted as a first contact; 0 if none is known."""

    async def change_first_contact(
        self, user: int, key: str, change: Callable[[str | None, int], ContactChange[T]]
    ) -> T:
        """Change a note of the bot itself together with a person's first contact, and return `change`'s result.

        `change` gets the stored note, None if there is none, and the first contact, 0 if none is known. It must not
        fail. Concurrent changes, also by other processes, all count.
        """

    async def erase_first_contacts(self, before: int) -> None:
        """Delete the first contacts that were counted before this second."""

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences."""

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change a person's preferences. Concurrent changes all count. `change` must not fail."""

    async def forget_person(self, user: int) -> None:
        """Delete a person's preferences, rest, rows of features, and direct-message channel."""

    async def read_note(self, key: str) -> str | None:
        """Return a note of the bot itself."""

    async def put_note(self, key: str, value: str) -> None:
        """Store a note of the bot itself."""

    async def change_note(self, key: str, change: Callable[[str | None], tuple[str, T]]) -> T:
        """Change a note of the bot itself, and return what `change` returns beside it. `change` must not fail.

        It is called with the stored value, None if there is none. Concurrent changes, also by other processes, all
        count.
        """
