"""What has been shown where, and how people like it: plain values that mean something to the one who shows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from engines.store.partition import ALL_SERVERS, Partition

SurfaceKind = Literal["table", "hand", "lobby"]
NO_DECISION = -1  # the mark of no decision
MentionState = Literal["sending", "sent", "removing"]


@dataclass(frozen=True, slots=True)
class Surface:
    """A message that is kept up to date with a match; one a match, kind and seat.

    `digest` is that of the screen it shows, drawn after the match's revision `shown`; `posted` is the Unix second of
    its posting; `lost` says why it can no longer be shown; `done`: it shows the last there will be. While it is being
    posted, `nonce` names that posting, and stays the same for every try; `old` is the message to take away after it.
    `called` is a mark of the decision to which its newest posting calls: its number, or as a reminder one below −1.
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
    """A message that calls a seat to its decision. Kept before it is sent, so that it can be found again.

    Several of one nonce are one message. `decision` is a mark, as a surface has it.
    """

    match: str
    seat: int
    decision: int
    nonce: str
    channel: int
    message: int = 0  # 0: not known to be sent
    state: MentionState = "sending"


class Inbox(NamedTuple):
    """A user's direct messages: the channel, and whether they turned out to be closed to the bot."""

    channel: int  # 0: not opened yet, and to be tried again
    closed: bool


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person likes; everybody begins with these.

    `call` is how many seconds after they became due they are called, None for never; `met` are the games, by key, whose
    rules were offered to them.
    """

    call: int | None = 60
    words: bool = False  # hands in words
    worth: bool = True  # hands say what things are worth
    met: frozenset[str] = frozenset()


class SurfaceStorage(Protocol):
    """Durable storage of all this. A put replaces what has the same key; every method may raise StoreFailure.

    Where several processes divide the servers among them, the one that holds a server's part writes with the `epoch`
    under which it does, and NotHeld is raised where that is past. Without one somebody writes who answers a click.
    """

    async def surfaces_of(self, match: str) -> list[Surface]:
        """The surfaces of a match."""

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """The matches of these servers of which not all may be shown as it is: changed since, or left half done."""

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """The matches of which something was given up: those that go on, or were opened since and have a result."""

    async def mark_stale(self, matches: Collection[str]) -> None:
        """Have these matches, as far as there are such, looked at by the one who looks after them."""

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """It is uncertain what a message shows, and why it was given up is forgotten. Whoever finds out may do so."""

    async def put_reply(self, surface: Surface) -> None:
        """A click was answered with this message by one who does not look after it. It shows that then.

        Where it was replaced meanwhile, or shows something newer, it is doubted.
        """

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """All of these matches was shown as it is at these revisions."""

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        """Keep a surface."""

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Keep what messages show since they were edited, where they are still these and show nothing newer."""

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Forget a surface, if there is one."""

    async def mentions(self, match: str) -> list[Mention]:
        """The mentions of a match."""

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Keep a mention."""

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Forget a mention, if there is one."""

    async def inbox(self, user: int) -> Inbox | None:
        """A user's direct messages, where they are known."""

    async def put_inbox(self, user: int, channel: int, closed: bool) -> None:
        """Keep where a user's direct messages are, and whether they are closed."""

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes; several changes at once all count. `change` cannot fail."""

    async def forget_person(self, user: int) -> None:
        """Forget what a person likes, and where their direct messages are."""

    async def read_note(self, key: str) -> str | None:
        """A note of the bot's own."""

    async def put_note(self, key: str, value: str) -> None:
        """Keep a note."""
