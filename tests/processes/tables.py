"""Five games at once on the real bot, and whether all that people see of them is as it should be."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from cogs.client import now
from cogs.table.channels import channel_access
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.reader_preferences import Readers
from cogs.table.transport import discord_views
from cogs.table.wording.player_names import clean, shown
from engines import GAMES
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.store.forgetting import Records
from engines.store.match_store import Status
from engines.store.surface_storage import Shown, Surface
from playground.page.client import Player, SeenMessage, TurnedDown, Visitor
from playground.server import Playground
from playground.world import ids
from playground.world.messages import walk
from playground.world.world import Json
from storage import Database, MatchStore, SurfaceStore
from tests.fronts import SCREENS

SEATED = {
    "wizard": ("Ada", "Bela", "Chidi", "Dora"),
    "jest": ("Bela", "Chidi", "Dora"),
    "jokers": ("Chidi", "Ada"),
    "court": ("Dora", "Ada", "Bela"),
    "jesters": ("Ada", "Dora"),
}
TIMES = re.compile(r"<t:\d+:\w>")
SHOWS = ", though it shows what it should"  # that is stored some seconds later
MOVING = "mcspofn"  # the kinds of custom_ids that lead to a move


@dataclass
class Tables:
    """Five matches, and people who click on whatever their hands offer."""

    playground: Playground
    visitor: Visitor
    chance: random.Random
    matches: dict[str, tuple[str, ...]] = field(default_factory=dict)  # who sits there, by the match's id
    clicks: int = 0
    told: list[str] = field(default_factory=list)  # what people were told for themselves

    async def open(self) -> None:
        """Every game has its table."""
        for game, (host, *others) in SEATED.items():
            opened = await self.visitor.player(host).command(f"{game} new", "games")
            for name in others:
                await self.visitor.player(name).click(opened.shown, "Join")
            await self.visitor.player(host).click(opened.shown, "Start")
            self.matches[opened.shown.buttons[0].custom_id.split(":")[1]] = (host, *others)

    async def play(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        """People at all tables click side by side, for so long or until it is enough."""
        players = [asyncio.create_task(self._play(match), name=f"play {match}") for match in self.matches]
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            await asyncio.sleep(min(seconds, 0.2))
            if enough():
                break
        for player in players:
            player.cancel()
        done = await asyncio.gather(*players, return_exceptions=True)
        wrong = [each for each in done if not isinstance(each, asyncio.CancelledError)]
        assert not wrong, wrong

    async def _play(self, match: str) -> None:
        while True:
            await self._step(match)
            await asyncio.sleep(0.02)

    async def _step(self, match: str) -> None:
        """Somebody clicks on something that may lead to a move."""
        offers = [
            (player, hand, one)
            for player in map(self.visitor.player, self.matches[match])
            if (hand := hand_of(player, match))
            for one in offered(hand)
        ]
        if not offers:
            return
        player, hand, (custom_id, values) = self.chance.choice(offers)
        try:
            await (player.select(hand, custom_id, *values) if values else player.click(hand, custom_id))
        except (TurnedDown, TimeoutError, KeyError):  # the message was redrawn in between; the bot was out
            return
        self.clicks += 1
        self.told += [m.text for m in player.messages("dm")[-3:] if m.ephemeral]

    def cuts(self) -> int:
        """How many requests were cut, as far back as the log goes."""
        return sum("cut" in entry for entry in self.playground.house.log.since(0))

    async def wrong(self, database: Path, copy: Path) -> list[str]:
        """All that people see and should not, in words; what they should see is drawn anew from a copy of the data."""
        copied(database, copy)
        async with Database.open(copy, clock=now) as opened:
            return await self.differing(MatchStore(opened), SurfaceStore(opened))

    async def differing(self, store: Records, kept: Shown) -> list[str]:
        """All that people see and should not, in words; what they should see is drawn anew from that store."""
        matches = Matches(store, GAMES, now)
        readers = Readers(Displays(kept, now), matches)
        found: list[str] = []
        for match in self.matches:
            look = await matches.look(match)
            surfaces = await kept.of(match)
            record = await matches.record(match) if look.info.status is Status.OVER else ""
            reading = [await readers.of(look, seat) for seat in range(len(look.info.seats))]
            if self._all_there(look, surfaces):
                found += self._wrong_surfaces(look, surfaces, record, reading)
            else:
                found.append(
                    f"{look.info.game} {match}, {look.info.status}: shown is {[(s.kind, s.seat) for s in surfaces]}"
                )
            found += self._wrong_calls(look)
        return found

    def excused(self, stands: Sequence[object], wanted: Sequence[object]) -> bool:
        """Whether it is right that something stands there that differs from what is wanted."""
        return False

    def _all_there(self, look: Look, surfaces: Sequence[Surface]) -> bool:
        """Whether there is a lobby; a table once it has begun, and a hand for all whose direct messages are open.

        In a lobby somebody may have come in just before a crash, so that their direct messages are not opened yet.
        """
        users, there = self.playground.house.world.users, {(surface.kind, surface.seat) for surface in surfaces}
        open_to = {n for n, seat in enumerate(look.info.seats) if seat.here and not users[seat.user].dms_closed}
        hands: set[tuple[str, int]] = {("hand", seat) for seat in open_to}
        if look.info.status is Status.LOBBY:
            return {("lobby", -1)} <= there <= {("lobby", -1), *hands}
        return there == {("lobby", -1), ("table", -1), *hands}

    def _wrong_surfaces(
        self, look: Look, surfaces: Sequence[Surface], record: str, readers: Sequence[Reader]
    ) -> Iterator[str]:
        world, match = self.playground.house.world, look.info.id
        server = shown(clean(world.guilds[look.info.place.guild].name, 100, "a server"))
        setting = match_pages.Setting(SCREENS[look.info.game], server, record=record)
        if table := next((s for s in surfaces if s.kind == "table"), None):
            url = channel_access.message_url(look.info.place.guild, table.channel, table.message)
            setting = replace(setting, table_url=url, trouble=table.lost)
        for surface in surfaces:
            what = f"{look.info.game} {match}: {surface.kind} {surface.seat}"
            page = drawn(look, surface, setting, readers)
            stands = world.messages.get(surface.channel, {}).get(surface.message)
            parts = [] if stands is None else skeleton(stands.data["components"])
            excused = self.excused(parts, wanted(page))
            if surface.lost or surface.nonce or surface.old:
                yield f"{what} is kept as {surface}"
            elif surface.digest != page.digest and not excused:
                yield f"{what} is kept as {surface}{SHOWS if parts == wanted(page) else ''}"
            if stands is None:
                yield f"{what} does not stand there"
            elif (
                parts != wanted(page)
                and not excused
                and (surface.kind != "hand" or stray(stands.data, look, surface.seat))
            ):
                yield f"{what} shows something else: {SeenMessage(stands.data).text[:300]}"
            about = [m.data for m in world.messages[surface.channel].values() if m.visible_to is None]
            mine = [m["id"] for m in about if m["author"]["id"] == str(ids.BOT) and is_kind(m, match, surface.kind)]
            if stale := set(mine) - {str(surface.message)}:
                yield f"{what} stands there elsewhere, too: {stale}"

    def _wrong_calls(self, look: Look) -> Iterator[str]:
        world, place = self.playground.house.world, look.info.place
        channels = {place.channel, place.thread} & world.messages.keys()
        all_there = [SeenMessage(m.data) for channel in channels for m in world.messages[channel].values()]
        mine = [m for m in all_there if f"t:{look.info.id}:hand" in [button.custom_id for button in m.buttons]]
        called = sorted(int(user) for m in mine if "your turn" in m.content for user in m.mentions)
        due = sorted(look.info.seats[seat].user for seat in look.due())
        if not set(called) <= set(due) or len(called) != len(set(called)):
            yield f"{look.info.game} {look.info.id}: {called} are called, and {due} are due"


def hand_of(player: Player, match: str) -> SeenMessage | None:
    """The hand that somebody has for that match."""
    return player.newest("dm", lambda m: not m.ephemeral and bool(offered(m)) and f":{match}:" in offered(m)[0][0])


def offered(hand: SeenMessage) -> list[tuple[str, tuple[str, ...]]]:
    """What may lead to a move: custom_ids, and for lists each with what can be chosen together."""
    found: list[tuple[str, tuple[str, ...]]] = [
        (button.custom_id, ()) for button in hand.buttons if button.custom_id[0] in MOVING and not button.disabled
    ]
    for select in hand.selects:
        if select.custom_id[0] in MOVING:
            most = max(select.least, 1)
            found += [
                (select.custom_id, tuple(select.values[i : i + most])) for i in range(len(select.values) - most + 1)
            ]
    return found


def drawn(look: Look, surface: Surface, setting: match_pages.Setting, readers: Sequence[Reader]) -> Page:
    """What a message should show."""
    if surface.kind == "hand":
        return match_pages.hand(look, surface.seat, setting, readers[surface.seat])
    return match_pages.table(look, setting) if surface.kind == "table" else match_pages.lobby(look, setting)


def is_kind(message: Json, match: str, kind: str) -> bool:
    """Whether a message of the bot's is about that match, and of that kind rather than a mention or an announcement."""
    said, components = SeenMessage(message).text, [c.get("custom_id") or "" for c in walk(message["components"])]
    about = match in said or any(f":{match}:" in each for each in components)
    lobby = "your turn" not in said and not message.get("content")
    return about and lobby and (kind != "table" or "At the table" not in said)


def skeleton(components: Sequence[Json]) -> list[tuple[object, ...]]:
    """What counts of a message: words, and controls with their values."""
    return [
        (
            c["type"],
            c.get("content"),
            c.get("custom_id"),
            c.get("label"),
            tuple(o["value"] for o in c.get("options", ())),
        )
        for c in walk(components)
        if c["type"] in (2, 3, 10)
    ]


def wanted(page: Page) -> list[tuple[object, ...]]:
    """The same of a page that should be shown."""
    components: list[Json] = discord_views.view(page).to_components()
    return skeleton(components)


def late(stands: Sequence[object], wanted: Sequence[object]) -> bool:
    """Whether deadlines alone differ: those that a short absence puts off, by less than a 20th, are not told anew."""
    return stands != wanted and TIMES.sub("", str(stands)) == TIMES.sub("", str(wanted))


def stray(message: Json, look: Look, seat: int) -> bool:
    """Whether a hand is none of the present decision: it may stand at a step, a question, or have a note on it."""
    decision = look.decisions().get(seat)
    present = "" if decision is None else f":{decision.number}:"
    moves = [c["custom_id"] for c in walk(message["components"]) if (c.get("custom_id") or " ")[0] in MOVING]
    return any(present not in each for each in moves) if present else bool(moves)


def copied(database: Path, copy: Path) -> None:
    """Copy the data of a bot that runs."""
    copy.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
