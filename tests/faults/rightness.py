"""Whether all that people see of a match is as it should be, and would be if the bot died just now.

What it should be is what a bot would draw that is started now, on a copy of the data. What the bot knows of its
messages is in its memory: of mere edits the store is told some seconds later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from cogs.table.channels import channel_access
from cogs.table.pages import match_pages
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.reader_preferences import ReaderPreferences
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.wording.player_names import clean_name, markdown_name
from engines import GAMES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Status
from engines.store.surface_storage import Surface
from playground.page.visible_message import SeenMessage
from playground.world import ids
from playground.world.clock import Clock
from playground.world.world import Message, World
from storage import Database, MatchStore, SurfaceStore
from tests.fronts import SCREENS
from tests.processes.tables import (
    copy_database,
    differ_only_in_time,
    draw_surface,
    is_kind,
    is_stray_hand,
    message_skeleton,
    page_skeleton,
)

CallCounts = dict[int, int]
FAREWELL_TEXT = "You are no longer at this table"


async def find_wrong(
    world: World, clock: Clock, matches: Collection[str], database: Path, copy: Path, known: SurfaceCache | None = None
) -> list[str]:
    """All that people see of these and should not, or should see and do not, in words.

    What shows it is `known`, or what is stored of it.
    """
    copy_database(database, copy)
    found: list[str] = []
    async with Database.open(copy, clock=lambda: int(clock.now())) as opened:
        there, stored = Matches(MatchStore(opened), GAMES, lambda: int(clock.now())), SurfaceStore(opened)
        readers, kept = ReaderPreferences(SurfaceCache(stored, lambda: int(clock.now())), there), known or stored
        for match in matches:
            look = await there.get_snapshot(match)
            record = await there.build_record(match) if look.info.status is Status.OVER else ""
            reading = [await readers.reader_of(look, seat) for seat in range(len(look.info.seats))]
            seen = _MatchCheck(world, look, await kept.surfaces_of(match), record, reading)
            found += [
                f"{look.info.game} {match}: {each}"
                for each in (*seen.find_missing(), *seen.wrong_surfaces(), *seen.wrong_calls())
            ]
    return found


async def find_mistaken(
    clock: Clock, matches: Collection[str], known: SurfaceCache, database: Path, copy: Path
) -> list[str]:
    """What a bot that is started now, as after a crash, would take messages of these for that show something else.

    It may doubt them, and edit them once more.
    """
    before = {match: await _known_digests(known, match) for match in matches}
    copy_database(database, copy)
    found: list[str] = []
    async with Database.open(copy, clock=lambda: int(clock.now())) as opened:
        started = SurfaceCache(SurfaceStore(opened), lambda: int(clock.now()))
        for match in matches:
            possible = before[match].items() | (await _known_digests(known, match)).items()  # what is written just now
            messages = {message for message, _ in possible}
            taken = {each for each in (await _known_digests(started, match)).items() if each[0] in messages and each[1]}
            found += [f"{match}: {each} is taken for that, of {possible}" for each in taken - possible]
    return found


async def _known_digests(displays: SurfaceCache, match: str) -> dict[int, str]:
    """What the messages of a match are known to show."""
    return {surface.message: surface.digest for surface in await displays.surfaces_of(match)}


class _MatchCheck:
    """One match, and what is shown of it."""

    def __init__(
        self, world: World, look: MatchSnapshot, kept: Sequence[Surface], record: str, readers: Sequence[Reader]
    ) -> None:
        self._world = world
        self._look = look
        self._kept = kept
        self._readers = readers
        table = next((each for each in kept if each.kind == "table"), None)
        self._homeless = look.info.place.channel not in world.channels
        server = markdown_name(clean_name(world.guilds[look.info.place.guild].name, 100, "a server"))
        url = (
            channel_access.message_url(look.info.place.guild, table.channel, table.message)
            if table and table.message
            else ""
        )
        self._setting = match_pages.PageContext(
            SCREENS[look.info.game], server, url, table.lost if table else "", record
        )

    def find_missing(self) -> Iterator[str]:
        """What has to be shown and is not, and whatever is besides."""
        info = self._look.info
        due = {("lobby", -1)}
        if self._look.state is not None:
            due.add(("table", -1))
        if info.status in LIVE:
            due |= {
                ("hand", i)
                for i, seat in enumerate(info.seats)
                if seat.has_owner and not self._is_unreachable(seat.user)
            }
        there = {(each.kind, each.seat) for each in self._kept}
        if due - there:
            yield f"{sorted(due - there)} is not shown"
        if strays := {(kind, seat) for kind, seat in there - due if kind != "hand" or not info.seats[seat].has_owner}:
            yield f"{strays} is shown"

    def wrong_surfaces(self) -> Iterator[str]:
        """What is wrong with the messages."""
        for surface in self._kept:
            for each in self._wrong_surface(surface):
                yield f"{surface.kind} {surface.seat} {each}"

    def _wrong_surface(self, surface: Surface) -> Iterator[str]:
        if self._homeless and surface.kind != "hand":
            if not surface.lost and surface.kind == "table" and self._look.info.status in LIVE:
                yield "is not known to be lost, as its channel is"
            return
        page = draw_surface(self._look, surface, self._setting, self._readers)
        stands = self._world.messages.get(surface.channel, {}).get(surface.message)
        parts = [] if stands is None else message_skeleton(stands.data["components"])
        excused = differ_only_in_time(parts, page_skeleton(page))
        if surface.lost or surface.nonce or surface.old or (surface.digest != page.digest and not excused):
            yield f"is kept as {surface}"
        if stands is None:
            if self._look.info.status in LIVE:  # whoever deletes a result wants it gone
                yield "does not stand there"
        elif (
            parts != page_skeleton(page)
            and not excused
            and (surface.kind != "hand" or self._is_stray_hand(stands, surface.seat))
        ):
            yield f"shows something else: {SeenMessage(stands.data).text[:300]}"
        about = [each.data for each in self._world.messages.get(surface.channel, {}).values() if not each.visible_to]
        mine = [each for each in about if each["author"]["id"] == str(ids.BOT)]
        own = {str(each.message) for each in self._kept}
        for each in mine:
            if FAREWELL_TEXT in SeenMessage(each).text:
                continue  # to who has left, and may be back
            if each["id"] not in own and is_kind(each, surface.match, surface.kind):
                yield f"stands there elsewhere, too: {SeenMessage(each).text[:300]}"

    def wrong_calls(self) -> Iterator[str]:
        """Who is called and should not be."""
        info = self._look.info
        channels = {info.place.channel, info.place.thread} & self._world.messages.keys()
        all_there = [SeenMessage(each.data) for channel in channels for each in self._world.messages[channel].values()]
        mine = [each for each in all_there if f"t:{info.id}:hand" in [button.custom_id for button in each.buttons]]
        called = sorted(int(user) for each in mine if "your turn" in each.content for user in each.mentions)
        due = sorted(info.seats[seat].user for seat in self._look.due_seats())
        if not set(called) <= set(due) or len(called) != len(set(called)):
            yield f"{called} are called, and {due} are due"

    def _is_stray_hand(self, hand: Message, seat: int) -> bool:
        """Whether a hand is none of the present decision."""
        return is_stray_hand(hand.data, self._look, seat)

    def _is_unreachable(self, user: int) -> bool:
        """Whether nothing can be sent to somebody."""
        return self._world.users[user].dms_closed or not self._world.shared_guilds(user)
