"""The one owner of what is shown: reads it once a match, keeps it in memory, and writes every change through."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from cogs.table.state.read_through_cache import Kept
from cogs.table.state.server_lease import Held, still
from engines.store.match_store import NotHeld, StoreFailure
from engines.store.partition import WHOLE, Part
from engines.store.surface_storage import Inbox, Kind, Mention, Preferences, Shown, Surface

log = logging.getLogger(__name__)
K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OnDisplay:
    """The messages about one match, by kind and seat, and its mentions, by seat and decision."""

    surfaces: Mapping[tuple[Kind, int], Surface]
    mentions: Mapping[tuple[int, int], Mention]


class Displays:
    """A `Shown` before the one that stores. What it says is what is stored: memory follows the store, never leads.

    Where it is not certain what was written, nothing is kept, and the next one who asks reads anew. So does somebody
    who answers a click in a match that another process looks after, and whoever was told that one has written.

    What a mere edit has a message show is the one thing of which memory knows first: the store is told some seconds
    later, and has the match marked as behind as long as it does not know. What is so marked before anything was read
    is therefore not relied on until all of it is shown. Where there are other processes it is told at once.
    """

    def __init__(self, store: Shown, clock: Callable[[], int], held: Held | None = None) -> None:
        self._store = store
        self._held = held or Held()
        self._matches: Kept[str, OnDisplay] = Kept(self._read, clock)
        self._inboxes: Kept[int, Inbox | None] = Kept(store.inbox, clock)
        self._preferences: Kept[int, Preferences] = Kept(store.preferences, clock)
        self._edited: dict[str, dict[tuple[Kind, int], Surface]] = {}  # of each match, what the store does not know
        self._unsure: set[str] | None = None  # those of which it may not know what a process before had them show
        self._asking = asyncio.Lock()
        self._marked: dict[str, int] = {}  # edits of matches at this revision or later: the store has them marked
        self.owing: Callable[[], None] = lambda: None  # told when there is something that the store does not know

    async def begin(self) -> None:
        """Ask what a process before this one left behind, while nothing of ours is there; where that fails, later."""
        with suppress(StoreFailure):
            await self._left_unsure()

    async def of(self, match: str) -> list[Surface]:
        """The surfaces of a match."""
        return _in_order((await self._of(match)).surfaces)

    async def one(self, match: str, kind: Kind, seat: int = -1) -> Surface | None:
        """A surface of a match, if there is one."""
        return (await self._of(match)).surfaces.get((kind, seat))

    async def behind(self, part: Part = WHOLE) -> list[str]:
        """The matches of these servers of which not all may be shown as it is."""
        return await self._store.behind(part)

    async def given_up(self, since: int, part: Part = WHOLE) -> list[str]:
        """The matches of which something was given up: those that go on, or were opened since and have a result."""
        return await self._store.given_up(since, part)

    async def mark(self, matches: Collection[str]) -> None:
        """Have these matches looked at by the one who looks after them."""
        await self._store.mark(matches)

    async def settled(self, shown: Mapping[str, int]) -> None:
        """All of these matches was shown as it is at these revisions, unless the store is still to be told of edits."""
        known = {match: revision for match, revision in shown.items() if match not in self._edited}
        for match, revision in known.items():  # before the first await: what is edited from now on is marked after this
            self._marked[match] = revision + 1
            (self._unsure or set()).discard(match)
        if known:
            await self._store.settled(known)

    async def answer(self, surface: Surface, *, new: bool = False) -> None:
        """A click was answered with this message, by one who does not look after the match perhaps."""
        if self._held.holds(surface.match):
            try:
                await self.put(surface)
            except NotHeld:  # not any more: whoever does is told to doubt it
                if not new:
                    return
            else:
                return
        await (self._store.put if new else self._store.answer)(surface)
        self._matches.renew(surface.match)

    async def put(self, surface: Surface) -> None:
        """Keep a surface. Where another process looks after it by now, that is told to doubt what it shows."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, surfaces={**old.surfaces, (surface.kind, surface.seat): surface})

        async def write() -> None:
            with self._told_otherwise(surface.match, surface.kind, surface.seat):
                try:
                    await self._store.put(surface, self._epoch(surface.match))
                except NotHeld:
                    await self._store.doubt(surface.match, surface.kind, surface.seat)
                    raise

        await self._matches.change(surface.match, write, after)

    async def edited(self, surfaces: Collection[Surface]) -> None:
        """Keep what messages show since they were edited. The store is told later; a crash costs one edit more."""
        for surface in surfaces:
            await (self._edit if self._held.alone else self.put)(surface)
        if self._edited:
            self.owing()

    def owes(self) -> bool:
        """Whether there is something that the store does not know."""
        return bool(self._edited)

    async def keep(self) -> None:
        """Tell the store what was edited. What it does not take now it is told later."""
        for done in await asyncio.gather(*map(self._keep, [*self._edited]), return_exceptions=True):
            if isinstance(done, StoreFailure):
                log.info("What was edited could not be kept: %s", done)
            elif isinstance(done, BaseException):
                raise done

    async def doubt(self, match: str, kind: Kind, seat: int = -1) -> None:
        """It is uncertain what a message shows, and why it was given up is forgotten: whoever is next finds out.

        Whatever else becomes of it at the same time is not undone.
        """

        async def write() -> None:
            await self._tell(match)
            await self._store.doubt(match, kind, seat)

        def after(old: OnDisplay) -> OnDisplay:
            known = old.surfaces.get((kind, seat))
            doubted = known and replace(known, lost="", digest="")
            return replace(old, surfaces={**old.surfaces, (kind, seat): doubted}) if doubted else old

        await self._matches.change(match, write, after)

    async def drop(self, match: str, kind: Kind, seat: int = -1) -> None:
        """Forget a surface, if there is one."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, surfaces=_without(old.surfaces, (kind, seat)))

        async def write() -> None:
            with self._told_otherwise(match, kind, seat):
                await self._store.drop(match, kind, seat, self._epoch(match))

        await self._matches.change(match, write, after)

    async def mentions(self, match: str) -> list[Mention]:
        """The mentions of a match."""
        return _in_order((await self._of(match)).mentions)

    async def put_mention(self, mention: Mention) -> None:
        """Keep a mention."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, mentions={**old.mentions, (mention.seat, mention.decision): mention})

        async def write() -> None:
            await self._store.put_mention(mention, self._epoch(mention.match))

        await self._matches.change(mention.match, write, after)

    async def drop_mention(self, match: str, seat: int, decision: int) -> None:
        """Forget a mention, if there is one."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, mentions=_without(old.mentions, (seat, decision)))

        async def write() -> None:
            await self._store.drop_mention(match, seat, decision, self._epoch(match))

        await self._matches.change(match, write, after)

    async def inbox(self, user: int) -> Inbox | None:
        """A user's direct messages, where they are known."""
        self._renew_for_answer(self._inboxes, user)
        return await self._inboxes.get(user)

    async def put_inbox(self, user: int, channel: int, closed: bool) -> None:
        """Keep where a user's direct messages are, and whether they are closed."""
        write = partial(self._store.put_inbox, user, channel, closed)
        await self._inboxes.change(user, write, lambda _: Inbox(channel, closed))

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""
        self._renew_for_answer(self._preferences, user)
        return await self._preferences.get(user)

    async def prefer(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes; several changes at once all count."""
        await self._preferences.change(user, partial(self._store.prefer, user, change), change)

    async def forget_person(self, user: int) -> None:
        """Forget what a person likes, and where their direct messages are."""
        write = partial(self._store.forget_person, user)
        await self._preferences.change(user, write, lambda _: Preferences())
        await self._inboxes.change(user, write, lambda _: None)

    async def note(self, key: str) -> str | None:
        """A note of the bot's own."""
        return await self._store.note(key)

    async def put_note(self, key: str, value: str) -> None:
        """Keep a note."""
        await self._store.put_note(key, value)

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self._matches.forget(match)
        self._marked.pop(match, None)

    def renew(self, match: str) -> None:
        """Another process has written of a match's messages."""
        self._matches.renew(match)

    def renew_people(self, users: Collection[int] | None = None) -> None:
        """Another process may have written what these people like, or where their messages are; None: all people."""
        for cells in (self._inboxes, self._preferences):
            cells.renew(*(cells.keys() if users is None else users))

    def renew_all(self) -> None:
        """Nothing that is kept counts any more."""
        self._matches.renew(*self._matches.keys())
        self.renew_people()

    # Inside

    def _epoch(self, match: str) -> int | None:
        """The number under which something of a match is written; None: there is no other process.

        Raises NotHeld where another one looks after it, or will: what was read of it here may be past.
        """
        epoch = still() or self._held.epoch(match)
        if not epoch and not self._held.alone:
            raise NotHeld
        return epoch or None

    async def _of(self, match: str) -> OnDisplay:
        if not self._held.alone and still() is None and not self._held.holds(match):
            self._matches.renew(match)
        return await self._matches.get(match)

    def _renew_for_answer(self, cells: Kept[int, Any], user: int) -> None:
        """Who looks after a match is told of what its people like, and who answers a click is not."""
        if not self._held.alone and still() is None:
            cells.renew(user)

    async def _read(self, match: str) -> OnDisplay:
        unsure = match in await self._left_unsure()
        surfaces = {(surface.kind, surface.seat): surface for surface in await self._store.of(match)}
        if unsure:
            surfaces = {key: replace(surface, digest="") for key, surface in surfaces.items()}
        for key, edited in self._edited.get(match, {}).items():
            if new := _with(surfaces.get(key), edited):
                surfaces[key] = new
        mentions = await self._store.mentions(match)
        return OnDisplay(surfaces, {(mention.seat, mention.decision): mention for mention in mentions})

    async def _left_unsure(self) -> set[str]:
        """What a process before this one left behind; of ours there is in it what came before it could be asked."""
        async with self._asking:
            if self._unsure is None:
                self._unsure = set(await self._store.behind()) if self._held.alone else set()
            return self._unsure

    async def _edit(self, surface: Surface) -> None:
        match, key = surface.match, (surface.kind, surface.seat)
        async with self._matches.kept(match) as cell:
            known = cell.value[0]
            if new := _with(known.surfaces.get(key), surface):
                await self._have_marked(match, surface.shown)
                cell.value = [replace(known, surfaces={**known.surfaces, key: new})]
                self._edited.setdefault(match, {})[key] = new

    async def _have_marked(self, match: str, revision: int) -> None:
        """The store has marked what was changed since all of it was shown; what is edited for else is marked here."""
        if match not in await self._left_unsure() and revision < self._marked.get(match, revision + 1):
            await self._store.mark([match])
            self._marked[match] = 0

    async def _keep(self, match: str) -> None:
        async with self._matches.alone(match):
            await self._tell(match)
        if not self._matches.knows(match):
            self._matches.forget(match)

    async def _tell(self, match: str) -> None:
        if edited := self._edited.get(match):
            await self._store.edited([*edited.values()])
            del self._edited[match]

    @contextmanager
    def _told_otherwise(self, match: str, kind: Kind, seat: int) -> Iterator[None]:
        """The store is told of a message by another way in here; where that fails, it is to doubt what was edited."""
        edited, key = self._edited.get(match, {}), (kind, seat)
        if key in edited:
            edited[key] = replace(edited[key], digest="")
        yield
        edited.pop(key, None)
        if not edited:
            self._edited.pop(match, None)


def _with(known: Surface | None, edited: Surface) -> Surface | None:
    """What is known of a message with what an edit has it show; None where it is another message by now."""
    if known is None or (known.channel, known.message) != (edited.channel, edited.message):
        return None
    return replace(known, digest=edited.digest, shown=edited.shown, done=edited.done)


def _in_order(items: Mapping[Any, T]) -> list[T]:
    return [items[key] for key in sorted(items)]


def _without(items: Mapping[K, T], key: K) -> dict[K, T]:
    return {each: item for each, item in items.items() if each != key}
