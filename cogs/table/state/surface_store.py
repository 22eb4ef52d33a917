"""The surface cache: reads stored surfaces once per match, and writes changes through to the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from cogs.table.state import hand_rows
from cogs.table.state.hand_rows import SurfacePlace
from cogs.table.state.read_through_cache import ReadThroughCache
from cogs.table.state.server_lease import ServerLease, check_lease
from engines.features.registry import TABLES
from engines.store.listeners import Listeners
from engines.store.match_store import NotLeaseHolder, StoreFailure
from engines.store.rows import Rows, RowTable, RowWrite, rows_after
from engines.store.surface_storage import (
    NOT_OPENED,
    Inbox,
    Mention,
    Preferences,
    Surface,
    SurfaceKind,
    SurfaceStorage,
)

log = logging.getLogger(__name__)
K = TypeVar("K")
R = TypeVar("R")
T = TypeVar("T")
HAND_TABLES = tuple(table for table in TABLES if table.seen == "hand")


@dataclass(frozen=True, slots=True)
class MatchSurfaces:
    """The surfaces of one match by kind and seat, its mentions by seat and decision.

    `rows` are those of features that hands show, by table.
    """

    surfaces: Mapping[SurfacePlace, Surface]
    mentions: Mapping[tuple[int, int], Mention]
    rows: Mapping[str, tuple[Any, ...]]


class SurfaceCache:
    """A cache in front of a `SurfaceStorage`. A value is cached only after the store has it. `store` has the rest.

    If a write may have failed, the cached value is dropped and loaded again. The same holds for a match that another
    process looks after, and after another process has written.

    Edits are the exception in a single process: they are cached first and stored some seconds later, and until then
    the store has the match marked stale. So the digests of a match that an earlier process left stale are not
    trusted until all of it is shown. With several processes, edits are stored at once.
    """

    def __init__(self, store: SurfaceStorage, clock: Callable[[], int], lease: ServerLease | None = None) -> None:
        self.store = store
        self._lease = lease or ServerLease()
        self._matches: ReadThroughCache[str, MatchSurfaces] = ReadThroughCache(self._load_surfaces, clock)
        self._inboxes: ReadThroughCache[int, Inbox | None] = ReadThroughCache(store.inbox, clock)
        self._preferences: ReadThroughCache[int, Preferences] = ReadThroughCache(store.preferences, clock)
        self._unsaved_edits: dict[str, dict[SurfacePlace, Surface]] = {}  # edits not stored yet, by match
        self._unsure_matches: set[str] | None = None  # matches an earlier process left stale; None: not loaded
        self._unsure_lock = asyncio.Lock()
        self._marked_revisions: dict[str, int] = {}  # the store marks a match stale by itself from this revision on
        self.on_unsaved = Listeners[[]]()  # called when there are edits to store

    async def preload_unsure(self) -> None:
        """Load the matches that an earlier process left stale, before this one marks any. Ignores store failures."""
        with suppress(StoreFailure):
            await self._load_unsure()

    async def surfaces_of(self, match: str) -> list[Surface]:
        """The surfaces of a match."""
        return _values_in_order((await self._match_surfaces(match)).surfaces)

    async def find_surface(self, match: str, kind: SurfaceKind, seat: int = -1) -> Surface | None:
        """A surface of a match, if there is one."""
        return (await self._match_surfaces(match)).surfaces.get((kind, seat))

    async def find_hand(self, match: str, channel: int) -> Surface | None:
        """The hand of a match in these direct messages, under whatever seat it is stored."""
        return hand_rows.hand_in((await self._match_surfaces(match)).surfaces, channel)

    async def find_row(self, surface: Surface) -> Surface | None:
        """What is stored of a surface now: a hand is known by its direct messages, because seats move in a lobby."""
        if surface.kind == "hand":
            return await self.find_hand(surface.match, surface.channel)
        return await self.find_surface(surface.match, surface.kind, surface.seat)

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """Mark matches fully shown at these revisions, except those with unsaved edits."""
        known = {match: revision for match, revision in revisions.items() if match not in self._unsaved_edits}
        for match, revision in known.items():  # before the first await, so that later edits mark it again
            self._marked_revisions[match] = revision + 1
            (self._unsure_matches or set()).discard(match)
        if known:
            await self.store.mark_current(known)

    async def put_reply(self, surface: Surface, *, new: bool = False) -> None:
        """Store a surface that answered a click, perhaps in a match that another process looks after."""
        if self._lease.holds_match(surface.match):
            try:
                await self.put(surface)
            except NotLeaseHolder:  # lost since: `put` marked the surface uncertain
                if not new:
                    return
            else:
                return
        await (self.store.put if new else self.store.put_reply)(surface)
        self._matches.invalidate(surface.match)

    async def put(self, surface: Surface) -> None:
        """Store a surface. If another process holds the lease by now, mark it uncertain and raise NotLeaseHolder.

        A hand is stored where the hand in the same direct messages is, and never in the place of another person's:
        that raises SeatInUse.
        """
        placed = surface

        def apply(old: MatchSurfaces) -> MatchSurfaces:
            return replace(old, surfaces={**old.surfaces, (placed.kind, placed.seat): placed})

        async def write() -> None:
            nonlocal placed
            if surface.kind == "hand":
                placed = hand_rows.place_hand(await self._stored_surfaces(surface.match), surface)
            with self._superseding_edit(placed.match, placed.kind, placed.seat):
                try:
                    await self.store.put(placed, self._write_epoch(placed.match))
                except NotLeaseHolder:
                    await self.store.doubt(placed.match, placed.kind, placed.seat)
                    raise

        await self._matches.change(surface.match, write, apply)

    async def move_hands(self, match: str, seats: Mapping[int, int]) -> None:
        """Store each hand under the seat that its direct messages belong to now; `seats` are seats by channel.

        A hand whose new seat holds the hand of somebody else stays where it is.
        """
        moved = (await self._match_surfaces(match)).surfaces
        if hand_rows.next_move(moved, seats) is None:
            return

        async def write() -> None:
            nonlocal moved
            moved = await self._stored_surfaces(match)
            while step := hand_rows.next_move(moved, seats):
                with self._superseding_edit(match, *step.leaves):
                    if step.hand:
                        with self._superseding_edit(match, "hand", step.hand.seat):
                            await self.store.put(step.hand, self._write_epoch(match))
                    await self.store.drop(match, *step.leaves, self._write_epoch(match))
                moved = step.apply(moved)

        await self._matches.change(match, write, lambda old: replace(old, surfaces=moved))

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Note what edited messages show. A single process stores it later; a crash costs one extra edit."""
        for surface in surfaces:
            await (self._apply_edit if self._lease.is_only_process else self.put)(surface)
        if self._unsaved_edits:
            self.on_unsaved()

    def has_unsaved(self) -> bool:
        """Whether there are edits to store."""
        return bool(self._unsaved_edits)

    async def save_edits(self) -> None:
        """Store all unsaved edits. Those that fail are retried later."""
        for done in await asyncio.gather(*map(self._save_match_edits, [*self._unsaved_edits]), return_exceptions=True):
            if isinstance(done, StoreFailure):
                log.info("Edits could not be saved: %s", done)
            elif isinstance(done, BaseException):
                raise done

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """Mark a message's content as uncertain and not given up, so that the next update edits it.

        Concurrent changes to the surface are kept.
        """

        async def write() -> None:
            await self._write_edits(match)
            await self.store.doubt(match, kind, seat)

        def apply(old: MatchSurfaces) -> MatchSurfaces:
            known = old.surfaces.get((kind, seat))
            doubted = known and replace(known, lost="", digest="")
            return replace(old, surfaces={**old.surfaces, (kind, seat): doubted}) if doubted else old

        await self._matches.change(match, write, apply)

    async def drop_hand(self, match: str, channel: int) -> None:
        """Drop the hand in these direct messages, if there is one."""
        key: SurfacePlace = "hand", -1

        def apply(old: MatchSurfaces) -> MatchSurfaces:
            return replace(old, surfaces=_without_key(old.surfaces, key))

        async def write() -> None:
            nonlocal key
            known = hand_rows.hand_in(await self._stored_surfaces(match), channel)
            if known is not None:
                key = "hand", known.seat
                with self._superseding_edit(match, *key):
                    await self.store.drop(match, *key, self._write_epoch(match))

        await self._matches.change(match, write, apply)

    async def mentions(self, match: str) -> list[Mention]:
        """The mentions of a match."""
        return _values_in_order((await self._match_surfaces(match)).mentions)

    async def put_mention(self, mention: Mention) -> None:
        """Store a mention."""

        def apply(old: MatchSurfaces) -> MatchSurfaces:
            return replace(old, mentions={**old.mentions, (mention.seat, mention.decision): mention})

        async def write() -> None:
            await self.store.put_mention(mention, self._write_epoch(mention.match))

        await self._matches.change(mention.match, write, apply)

    async def drop_mention(self, match: str, seat: int, decision: int) -> None:
        """Drop a mention, if there is one."""

        def apply(old: MatchSurfaces) -> MatchSurfaces:
            return replace(old, mentions=_without_key(old.mentions, (seat, decision)))

        async def write() -> None:
            await self.store.drop_mention(match, seat, decision, self._write_epoch(match))

        await self._matches.change(match, write, apply)

    async def rows(self, table: RowTable[R], match: str) -> tuple[R, ...]:
        """The rows of a feature about a match, if hands show them."""
        return (await self._match_surfaces(match)).rows[table.name]

    async def write_row(self, match: str, write: RowWrite) -> None:
        """Make a write of a feature whose rows hands show."""
        name = write.table.name

        def apply(old: MatchSurfaces) -> MatchSurfaces:
            return replace(old, rows={**old.rows, name: rows_after(old.rows[name], write)})

        await self._matches.change(match, partial(self.store.write_rows, (write,), match), apply)

    async def hand_rows(self, match: str, tables: Sequence[RowTable[Any]], *, fresh: bool = False) -> Rows:
        """The rows of a match in tables that hands show; as stored if `fresh`, also by other processes."""
        if fresh and not self._lease.is_only_process:
            self._matches.invalidate(match)
        known = (await self._match_surfaces(match)).rows
        return Rows(tuple([(table, known[table.name]) for table in tables]))

    def may_have_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> bool:
        """Whether a match is not cached, or has rows in these tables, which hands show."""
        known = self._matches.peek(match)
        return known is None or any(known.rows[table.name] for table in tables)

    async def inbox(self, user: int) -> Inbox | None:
        """A user's direct messages, or None if unknown."""
        self._invalidate_for_reply(self._inboxes, user)
        return await self._inboxes.get(user)

    async def put_inbox(self, user: int, inbox: Inbox) -> None:
        """Store a user's direct messages."""
        await self._inboxes.change(user, partial(self.store.put_inbox, user, inbox), lambda _: inbox)

    async def close_inbox(self, user: int) -> None:
        """Store that a user's direct messages are closed."""
        await self.put_inbox(user, (await self.inbox(user) or NOT_OPENED)._replace(closed=True))

    async def reopen_inbox(self, user: int) -> None:
        """Try a user's closed direct messages again. If nothing ever passed there, open them again."""
        inbox = await self.inbox(user)
        if inbox is not None and inbox.closed:
            await self.put_inbox(user, inbox._replace(closed=False) if inbox.reached else NOT_OPENED)

    async def note_unopened_inbox(self, user: int) -> Inbox:
        """Note that a user's direct messages are not open yet. A channel that is known stays known."""
        noted = NOT_OPENED

        async def write() -> None:
            nonlocal noted
            if known := self._inboxes.peek(user) or await self.store.inbox(user):
                noted = known._replace(closed=False)
            await self.store.put_inbox(user, noted)

        await self._inboxes.change(user, write, lambda _: noted)
        return noted

    async def preferences(self, user: int) -> Preferences:
        """A person's preferences."""
        self._invalidate_for_reply(self._preferences, user)
        return await self._preferences.get(user)

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change a person's preferences; concurrent changes all apply."""
        await self._preferences.change(user, partial(self.store.change_preferences, user, change), change)

    async def forget_person(self, user: int) -> None:
        """Erase what is stored about a person outside of matches: see `SurfaceStorage.forget_person`."""
        write = partial(self.store.forget_person, user)
        await self._preferences.change(user, write, lambda _: Preferences())
        await self._inboxes.change(user, write, lambda _: None)
        self._matches.invalidate(*self._matches.keys())

    def forget(self, match: str) -> None:
        """Drop a closed match from memory."""
        self._matches.forget(match)
        self._marked_revisions.pop(match, None)

    def invalidate(self, match: str) -> None:
        """Drop the cached surfaces of a match that another process wrote."""
        self._matches.invalidate(match)

    def invalidate_people(self, users: Collection[int] | None = None) -> None:
        """Drop cached preferences and inboxes that another process may have written; None means all people."""
        for cells in (self._inboxes, self._preferences):
            cells.invalidate(*(cells.keys() if users is None else users))

    def invalidate_all(self) -> None:
        """Drop all cached values."""
        self._matches.invalidate(*self._matches.keys())
        self.invalidate_people()

    # Inside

    def _write_epoch(self, match: str) -> int | None:
        """The lease epoch for a write about a match; None if there is no other process.

        Raises NotLeaseHolder if this process does not hold the lease: its cached values may be outdated.
        """
        epoch = check_lease() or self._lease.epoch(match)
        if not epoch and not self._lease.is_only_process:
            raise NotLeaseHolder
        return epoch or None

    async def _match_surfaces(self, match: str) -> MatchSurfaces:
        if not self._lease.is_only_process and check_lease() is None and not self._lease.holds_match(match):
            self._matches.invalidate(match)
        return await self._matches.get(match)

    async def _stored_surfaces(self, match: str) -> Mapping[SurfacePlace, Surface]:
        """The surfaces of a match while its entry is locked."""
        known = self._matches.peek(match)
        return (known or await self._load_surfaces(match)).surfaces

    def _invalidate_for_reply(self, cells: ReadThroughCache[int, Any], user: int) -> None:
        """Drop a cached value before a reply: only the lease holder hears about changes by other processes."""
        if not self._lease.is_only_process and check_lease() is None:
            cells.invalidate(user)

    async def _load_surfaces(self, match: str) -> MatchSurfaces:
        unsure = match in await self._load_unsure()
        surfaces = {(surface.kind, surface.seat): surface for surface in await self.store.surfaces_of(match)}
        if unsure:
            surfaces = {key: replace(surface, digest="") for key, surface in surfaces.items()}
        for key, edited in self._unsaved_edits.get(match, {}).items():
            if new := _merge_edit(surfaces.get(key), edited):
                surfaces[key] = new
        mentions = await self.store.mentions(match)
        mentions_by_key = {(mention.seat, mention.decision): mention for mention in mentions}
        return MatchSurfaces(
            surfaces,
            mentions_by_key,
            {table.name: tuple(await self.store.load_rows(table, match)) for table in HAND_TABLES},
        )

    async def _load_unsure(self) -> set[str]:
        """The matches that an earlier process left stale, plus any marked by this one before the first load."""
        async with self._unsure_lock:
            if self._unsure_matches is None:
                self._unsure_matches = set(await self.store.stale_matches()) if self._lease.is_only_process else set()
            return self._unsure_matches

    async def _apply_edit(self, surface: Surface) -> None:
        match = surface.match
        async with self._matches.lock_value(match) as cell:
            known = cell.value[0]
            known_hand = hand_rows.hand_in(known.surfaces, surface.channel) if surface.kind == "hand" else None
            key = surface.kind, known_hand.seat if known_hand else surface.seat
            if new := _merge_edit(known.surfaces.get(key), surface):
                await self._ensure_marked(match, surface.shown)
                cell.value = [replace(known, surfaces={**known.surfaces, key: new})]
                self._unsaved_edits.setdefault(match, {})[key] = new

    async def _ensure_marked(self, match: str, revision: int) -> None:
        """Mark a match stale for an edit, unless the store has marked it because the match changed."""
        if match not in await self._load_unsure() and revision < self._marked_revisions.get(match, revision + 1):
            await self.store.mark_stale([match])
            self._marked_revisions[match] = 0

    async def _save_match_edits(self, match: str) -> None:
        async with self._matches.lock_entry(match):
            await self._write_edits(match)
        if self._matches.peek(match) is None:
            self._matches.forget(match)

    async def _write_edits(self, match: str) -> None:
        if edited := self._unsaved_edits.get(match):
            await self.store.put_edits([*edited.values()])
            del self._unsaved_edits[match]

    @contextmanager
    def _superseding_edit(self, match: str, kind: SurfaceKind, seat: int) -> Iterator[None]:
        """Drop a surface's unsaved edit if the write in this context succeeds; if it fails, mark the edit uncertain."""
        edited, key = self._unsaved_edits.get(match, {}), (kind, seat)
        if key in edited:
            edited[key] = replace(edited[key], digest="")
        yield
        edited.pop(key, None)
        if not edited:
            self._unsaved_edits.pop(match, None)


def _merge_edit(known: Surface | None, edited: Surface) -> Surface | None:
    """The known surface with an edit's content; None if it is another message by now."""
    if known is None or (known.channel, known.message) != (edited.channel, edited.message):
        return None
    return replace(known, digest=edited.digest, shown=edited.shown, done=edited.done)


def _values_in_order(items: Mapping[Any, T]) -> list[T]:
    return [items[key] for key in sorted(items)]


def _without_key(items: Mapping[K, T], key: K) -> dict[K, T]:
    return {each: item for each, item in items.items() if each != key}
