"""Whether all that people see of a match is as it should be: what a bot would draw that is started now, on a copy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from cogs.table import pages, places
from cogs.table.kept import Displays
from cogs.table.layout import Reader
from cogs.table.names import clean, shown
from cogs.table.readers import Readers
from engines import GAMES
from engines.match import Look
from engines.matches import Matches
from engines.shown import Surface
from engines.store import LIVE, Status
from playground import ids, payloads
from playground.clock import Clock
from playground.seen import SeenMessage
from playground.world import World
from storage import Database, MatchStore, SurfaceStore
from tests.fronts import SCREENS
from tests.processes.tables import copied, drawn, is_kind, skeleton, stray, wanted

Calls = dict[int, int]


async def wrong(world: World, clock: Clock, matches: Collection[str], database: Path, copy: Path) -> list[str]:
    """All that people see of these and should not, or should see and do not, in words."""
    copied(database, copy)
    found: list[str] = []
    async with Database.open(copy, clock=lambda: int(clock.now())) as opened:
        there, kept = Matches(MatchStore(opened), GAMES, lambda: int(clock.now())), SurfaceStore(opened)
        readers = Readers(Displays(kept, lambda: int(clock.now())), there)
        for match in matches:
            look = await there.look(match)
            record = await there.record(match) if look.info.status is Status.OVER else ""
            reading = [await readers.of(look, seat) for seat in range(len(look.info.seats))]
            seen = _Seen(world, look, await kept.of(match), record, reading)
            found += [
                f"{look.info.game} {match}: {each}" for each in (*seen.missing(), *seen.surfaces(), *seen.calls())
            ]
    return found


class _Seen:
    """One match, and what is shown of it."""

    def __init__(
        self, world: World, look: Look, kept: Sequence[Surface], record: str, readers: Sequence[Reader]
    ) -> None:
        self._world = world
        self._look = look
        self._kept = kept
        self._readers = readers
        table = next((each for each in kept if each.kind == "table"), None)
        self._homeless = look.info.place.channel not in world.channels
        server = shown(clean(payloads.gateway_guild(world)["name"], 100, "a server"))
        url = places.message_url(look.info.place.guild, table.channel, table.message) if table and table.message else ""
        self._setting = pages.Setting(SCREENS[look.info.game], server, url, table.lost if table else "", record)

    def missing(self) -> Iterator[str]:
        """What has to be shown and is not, and whatever is besides."""
        info = self._look.info
        due = {("lobby", -1)}
        if self._look.state is not None:
            due.add(("table", -1))
        if info.status in LIVE:
            due |= {("hand", i) for i, seat in enumerate(info.seats) if seat.here and not self._unreachable(seat.user)}
        there = {(each.kind, each.seat) for each in self._kept}
        if due - there:
            yield f"{sorted(due - there)} is not shown"
        if strays := {(kind, seat) for kind, seat in there - due if kind != "hand" or not info.seats[seat].here}:
            yield f"{strays} is shown"

    def surfaces(self) -> Iterator[str]:
        """What is wrong with the messages."""
        for surface in self._kept:
            for each in self._surface(surface):
                yield f"{surface.kind} {surface.seat} {each}"

    def _surface(self, surface: Surface) -> Iterator[str]:
        if self._homeless and surface.kind != "hand":
            if not surface.lost and surface.kind == "table" and self._look.info.status in LIVE:
                yield "is not known to be lost, as its channel is"
            return
        page = drawn(self._look, surface, self._setting, self._readers)
        stands = self._world.messages.get(surface.channel, {}).get(surface.message)
        if surface.lost or surface.nonce or surface.old or surface.digest != page.digest:
            yield f"is kept as {surface}"
        if stands is None:
            if self._look.info.status in LIVE:  # whoever deletes a result wants it gone
                yield "does not stand there"
        elif skeleton(stands.data["components"]) != wanted(page) and (
            surface.kind != "hand" or stray(stands.data, self._look, surface.seat)
        ):
            yield f"shows something else: {SeenMessage(stands.data).text[:300]}"
        about = [each.data for each in self._world.messages.get(surface.channel, {}).values() if not each.visible_to]
        mine = [each for each in about if each["author"]["id"] == str(ids.BOT)]
        own = {str(each.message) for each in self._kept}
        for each in mine:
            if each["id"] not in own and is_kind(each, surface.match, surface.kind):
                yield f"stands there elsewhere, too: {SeenMessage(each).text[:300]}"

    def calls(self) -> Iterator[str]:
        """Who is called and should not be."""
        info = self._look.info
        channels = {info.place.channel, info.place.thread} & self._world.messages.keys()
        all_there = [SeenMessage(each.data) for channel in channels for each in self._world.messages[channel].values()]
        mine = [each for each in all_there if f"t:{info.id}:hand" in [button.custom_id for button in each.buttons]]
        called = sorted(int(user) for each in mine if "your turn" in each.content for user in each.mentions)
        due = sorted(info.seats[seat].user for seat in self._look.due())
        if not set(called) <= set(due) or len(called) != len(set(called)):
            yield f"{called} are called, and {due} are due"

    def _unreachable(self, user: int) -> bool:
        """Whether nothing can be sent to somebody."""
        return self._world.users[user].dms_closed or user not in self._world.members
