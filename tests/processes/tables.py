"""Five games at once on the real bot, and whether all that people see of them is as it should be."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from cogs.features.registry import FEATURE_UIS
from cogs.system_clock import SystemClock
from cogs.table.channels import channel_access
from cogs.table.pages import match_pages
from cogs.table.pages.feature_pages import Additions
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.feature_rows import FeatureRows
from cogs.table.state.reader_preferences import ReaderPreferences
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport import discord_views
from cogs.table.wording.player_names import clean_name, markdown_name
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.store.forgetting import FullStorage
from engines.store.match_store import Status
from engines.store.surface_storage import Surface, SurfaceStorage
from playground.page.client import Player, PlaygroundClient, RequestRejected, SeenMessage
from playground.server import Playground
from playground.world import ids
from playground.world.messages import walk_components
from playground.world.world import Json, Message, World
from storage import Database, MatchStore, SurfaceStore
from tests.game_uis import SCREENS
from tests.messages import kind_of

SEATED_NAMES: dict[str, tuple[str, ...]] = {"wizard": ("Ada", "Bela", "Chidi", "Dora")}
SEATED_NAMES |= {"jest": ("Bela", "Chidi", "Dora"), "jokers": ("Chidi", "Ada")}
SEATED_NAMES |= {"court": ("Dora", "Ada", "Bela"), "jesters": ("Ada", "Dora")}
TIME_PATTERN = re.compile(r"<t:\d+:\w>")
SUIT_SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
SUIT_EMOJI = re.compile(rf"\u2060<:motley_({'|'.join(SUIT_SIGNS)})_\w+:\d+>(?:\u2060(?=[.,;:!?)]))?")
SHOWS_TEXT = ", though it shows what it should"  # that is stored some seconds later
MOVING_KINDS = frozenset("mcspofn")  # the kinds of custom_ids that lead to a move


@dataclass
class GameTables:
    playground: Playground
    client: PlaygroundClient
    chance: random.Random
    matches: dict[str, tuple[str, ...]] = field(default_factory=dict)  # who sits there, by the match's id
    clicks: int = 0
    refusals: list[str] = field(default_factory=list)  # what people were told for themselves

    async def open_tables(self) -> None:
        for game, (host, *others) in SEATED_NAMES.items():
            outcome = await self.client.player(host).run_command(f"{game} new", "games")
            for name in others:
                await self.client.player(name).click(outcome.reply, "Join")
            await self.client.player(host).click(outcome.reply, "Start")
            self.matches[outcome.reply.buttons[0].custom_id.split(":")[1]] = (host, *others)

    async def play_tables(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        players = [asyncio.create_task(self._play_forever(match), name=f"play {match}") for match in self.matches]
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until:
            await asyncio.sleep(min(seconds, 0.2))
            if enough():
                break
        for player in players:
            player.cancel()
        results = await asyncio.gather(*players, return_exceptions=True)
        wrong = [each for each in results if not isinstance(each, asyncio.CancelledError)]
        assert not wrong, wrong

    async def _play_forever(self, match: str) -> None:
        while True:
            await self._click_something(match)
            await asyncio.sleep(0.02)

    async def _click_something(self, match: str) -> None:
        hands = [(player, hand_of(player, match)) for player in map(self.client.player, self.matches[match])]
        offers = [(player, hand, one) for player, hand in hands if hand for one in offered_controls(hand)]
        if not offers:
            return
        player, hand, (custom_id, values) = self.chance.choice(offers)
        try:
            await (player.select(hand, custom_id, *values) if values else player.click(hand, custom_id))
        except (RequestRejected, TimeoutError, KeyError):  # the message was redrawn in between; the bot was out
            return
        self.clicks += 1
        self.refusals += [m.text for m in player.visible_messages("dm")[-3:] if m.is_ephemeral]

    def count_cuts(self) -> int:
        """How many requests were cut, as far back as the log goes."""
        return sum("cut" in entry for entry in self.playground.simulation.request_log.entries_since(0))

    async def find_wrong(self, database: Path, copy: Path) -> list[str]:
        """All that people see and should not, in words; what they should see is drawn again from a copy of the data."""
        copy_database(database, copy)
        async with Database.open(copy, clock=SystemClock().now) as file:
            return await self.find_differing(MatchStore(file), SurfaceStore(file))

    async def find_differing(self, store: FullStorage, stored: SurfaceStorage) -> list[str]:
        matches = Matches(store, GAMES, SystemClock().now, features=FEATURES)
        fresh = FreshPages(SurfaceCache(stored, SystemClock().now), matches)
        found: list[str] = []
        for match in self.matches:
            snapshot = await matches.cache.get_snapshot(match)
            surfaces = await stored.surfaces_of(match)
            record = await matches.records.build_record(match) if snapshot.info.status is Status.OVER else ""
            features, reading = await fresh.features_of(snapshot), await fresh.readers_of(snapshot)
            if self._has_all_surfaces(snapshot, surfaces):
                found += self._wrong_surfaces(snapshot, surfaces, record, features, reading)
            else:
                kinds = [(each.kind, each.seat) for each in surfaces]
                found.append(f"{snapshot.info.game} {match}, {snapshot.info.status}: shown is {kinds}")
            found += wrong_calls(self.playground.simulation.world, snapshot)
        return found

    def is_excused(self, stored: Sequence[object], wanted: Sequence[object]) -> bool:
        """Whether it is right that something stands there that differs from what is wanted."""
        return False

    def is_earlier_digest(self, digest: str, snapshot: MatchSnapshot, draw: Callable[[MatchSnapshot], Page]) -> bool:
        """Whether it is right that this digest is stored for what `draw` draws, though that has another."""
        return False

    def _has_all_surfaces(self, snapshot: MatchSnapshot, surfaces: Sequence[Surface]) -> bool:
        """Whether there is a lobby; a table once it has begun, and a hand for all whose direct messages are open.

        In a lobby somebody may have come in just before a crash, so that their direct messages are not opened yet.
        """
        users, surfaces_there = (
            self.playground.simulation.world.users,
            {(surface.kind, surface.seat) for surface in surfaces},
        )
        open_to = {
            n for n, seat in enumerate(snapshot.info.seats) if seat.has_owner and not users[seat.user].dms_closed
        }
        hands: set[tuple[str, int]] = {("hand", seat) for seat in open_to}
        if snapshot.info.status is Status.LOBBY:
            return {("lobby", -1)} <= surfaces_there <= {("lobby", -1), *hands}
        return surfaces_there == {("lobby", -1), ("table", -1), *hands}

    def _wrong_surfaces(
        self,
        snapshot: MatchSnapshot,
        surfaces: Sequence[Surface],
        record: str,
        features: Additions,
        readers: Sequence[Reader],
    ) -> Iterator[str]:
        world = self.playground.simulation.world
        setting = replace(page_setting(world, snapshot, surfaces, features), record=record)
        for surface in surfaces:
            name = f"{snapshot.info.game} {snapshot.info.id}: {surface.kind} {surface.seat}"
            message = world.messages.get(surface.channel, {}).get(surface.message)
            draw = partial(draw_surface, surface=surface, setting=setting, readers=readers)
            page = draw(snapshot)
            parts = [] if message is None else message_skeleton(message.data["components"])
            excused = self.is_excused(parts, page_skeleton(page))
            if surface.lost or surface.nonce or surface.old:
                yield f"{name} is kept as {surface}"
            elif not (
                excused or surface.digest == page.digest or self.is_earlier_digest(surface.digest, snapshot, draw)
            ):
                yield f"{name} is kept as {surface}{SHOWS_TEXT if parts == page_skeleton(page) else ''}"
            if message is None:
                yield f"{name} does not stand there"
            elif not excused and shows_something_else(message, page, snapshot, surface):
                yield f"{name} shows something else: {SeenMessage(message.data).text[:300]}"
            if stale := set(similar_messages(world, surface)) - {str(surface.message)}:
                yield f"{name} stands there elsewhere, too: {stale}"


def hand_of(player: Player, match: str) -> SeenMessage | None:
    def offers(message: SeenMessage) -> bool:
        return not message.is_ephemeral and f":{match}:" in next(iter(offered_controls(message)), ("",))[0]

    return player.newest_message("dm", offers)


def offered_controls(hand: SeenMessage) -> list[tuple[str, tuple[str, ...]]]:
    """What may lead to a move: custom_ids, and for lists each with what can be chosen together."""
    buttons = [each for each in hand.buttons if kind_of(each.custom_id) in MOVING_KINDS and not each.disabled]
    found: list[tuple[str, tuple[str, ...]]] = [(button.custom_id, ()) for button in buttons]
    for select in (each for each in hand.selects if kind_of(each.custom_id) in MOVING_KINDS):
        values, most = select.values, max(select.min_values, 1)
        found += [(select.custom_id, tuple(values[i : i + most])) for i in range(len(values) - most + 1)]
    return found


class FreshPages:
    """What pages of a match show besides it, as a bot loads it that has just been started."""

    def __init__(self, surfaces: SurfaceCache, matches: Matches) -> None:
        self._features = FeatureRows(FEATURE_UIS, SCREENS, matches, surfaces)
        self._readers = ReaderPreferences(surfaces, matches, features=self._features)

    async def features_of(self, snapshot: MatchSnapshot) -> Additions:
        return await self._features.additions(snapshot)

    async def readers_of(self, snapshot: MatchSnapshot) -> list[Reader]:
        """The readers of the hands of all seats."""
        return [await self._readers.reader_of(snapshot, seat) for seat in range(len(snapshot.info.seats))]


def page_setting(
    world: World, snapshot: MatchSnapshot, surfaces: Sequence[Surface], features: Additions
) -> match_pages.PageContext:
    """Where pages of a match stand, but for its record."""
    info, table = snapshot.info, next((each for each in surfaces if each.kind == "table"), None)
    server = markdown_name(clean_name(world.guilds[info.place.guild].name, 100, "a server"))
    if table is None:
        return match_pages.PageContext(SCREENS[info.game], server, features=features)
    url = channel_access.message_url(info.place.guild, table.channel, table.message) if table.message else ""
    return match_pages.PageContext(SCREENS[info.game], server, url, table.lost, features=features)


def shows_something_else(message: Message, page: Page, snapshot: MatchSnapshot, surface: Surface) -> bool:
    """Whether a message is neither the page nor a hand that shows a step on the way to the present decision."""
    if message_skeleton(message.data["components"]) == page_skeleton(page):
        return False
    return surface.kind != "hand" or is_stray_hand(message.data, snapshot, surface.seat)


def similar_messages(world: World, surface: Surface) -> dict[str, Json]:
    """All messages of the bot's, for everybody there, that are of the same match and kind, by their ids."""
    others = [each.data for each in world.messages.get(surface.channel, {}).values() if each.visible_to is None]
    own_messages = [each for each in others if each["author"]["id"] == str(ids.BOT)]
    return {each["id"]: each for each in own_messages if is_kind(each, surface.match, surface.kind)}


def wrong_calls(world: World, snapshot: MatchSnapshot) -> Iterator[str]:
    channels = {snapshot.info.place.channel, snapshot.info.place.thread} & world.messages.keys()
    all_there = [SeenMessage(m.data) for channel in channels for m in world.messages[channel].values()]
    own_messages = [m for m in all_there if f"t:{snapshot.info.id}:hand" in [button.custom_id for button in m.buttons]]
    called = sorted(int(user) for m in own_messages if "your turn" in m.content for user in m.mentions)
    due = sorted(snapshot.info.seats[seat].user for seat in snapshot.due_seats())
    if not set(called) <= set(due) or len(called) != len(set(called)):
        yield f"{snapshot.info.game} {snapshot.info.id}: {called} are called, and {due} are due"


def draw_surface(
    snapshot: MatchSnapshot, surface: Surface, setting: match_pages.PageContext, readers: Sequence[Reader]
) -> Page:
    if surface.kind == "hand":
        return match_pages.hand_page(snapshot, surface.seat, setting, readers[surface.seat])
    return (
        match_pages.table_page(snapshot, setting)
        if surface.kind == "table"
        else match_pages.lobby_page(snapshot, setting)
    )


def is_kind(message: Json, match: str, kind: str) -> bool:
    """Whether a message of the bot's is about that match, and of that kind rather than a mention or an announcement."""
    text = SeenMessage(message).text
    components = [c.get("custom_id") or "" for c in walk_components(message["components"])]
    is_about_match = match in text or any(f":{match}:" in each for each in components)
    lobby = "your turn" not in text and not message.get("content")
    return is_about_match and lobby and (kind != "table" or "At the table" not in text)


def without_suit_emoji(content: str | None) -> str | None:
    """A text with the signs of suits in place of the application's emoji, of which a page knows nothing."""
    return content and SUIT_EMOJI.sub(lambda found: SUIT_SIGNS[found[1]], content)


def message_skeleton(components: Sequence[Json]) -> list[tuple[object, ...]]:
    """Its words and controls, without the button that stands where somebody has just clicked."""
    found = [c for c in walk_components(components) if c["type"] in (2, 3, 10)]
    found = [c for c in found if not str(c.get("custom_id", "")).endswith(":clicked")]
    values = [tuple(o["value"] for o in c.get("options", ())) for c in found]
    contents = [without_suit_emoji(c.get("content")) for c in found]
    parts = [
        (c["type"], content, c.get("custom_id"), c.get("label")) for c, content in zip(found, contents, strict=True)
    ]
    return [(*part, offered) for part, offered in zip(parts, values, strict=True)]


def page_skeleton(page: Page) -> list[tuple[object, ...]]:
    components: list[Json] = discord_views.page_view(page).to_components()
    return message_skeleton(components)


def differ_only_in_time(stored: Sequence[object], wanted: Sequence[object]) -> bool:
    """Whether deadlines alone differ: those that a short absence puts off, by less than a 20th, are not told again."""
    return stored != wanted and TIME_PATTERN.sub("", str(stored)) == TIME_PATTERN.sub("", str(wanted))


def is_stray_hand(message: Json, snapshot: MatchSnapshot, seat: int) -> bool:
    """Whether a hand is none of the present decision: it may stand at a step, a question, or have a note on it."""
    decision = snapshot.decisions().get(seat)
    present = "" if decision is None else f":{decision.number}:"
    controls = [c.get("custom_id") or " " for c in walk_components(message["components"])]
    moves = [each for each in controls if kind_of(each) in MOVING_KINDS]
    return any(present not in each for each in moves) if present else bool(moves)


def copy_database(database: Path, copy: Path) -> None:
    copy.unlink(missing_ok=True)
    source = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(copy)) as target:
        source.backup(target)
