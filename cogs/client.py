"""The Discord client: its cogs, its commands, and the clockwork around the matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.admin_commands import AdminCog
from cogs.command_sync import register, register_at_last
from cogs.motley_commands import MotleyCog
from cogs.pictures.studio import Studio
from cogs.table.actions.table_actions import Desk
from cogs.table.commands.component_router import Controls
from cogs.table.game_ui import Fronts
from cogs.table.scheduling.change_feed import News
from cogs.table.scheduling.computer_turns import Computers
from cogs.table.scheduling.deadlines import Deadlines
from cogs.table.scheduling.downtime import Absence
from cogs.table.scheduling.retention import Housekeeping
from cogs.table.scheduling.scheduler import Alarm
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.reconciler import Keeper
from cogs.table.surfaces.reposting import Mending
from cogs.table.transport.background_tasks import Tasks, growing
from cogs.table.transport.deduplication import Once
from cogs.table.transport.interaction_response import answering
from cogs.table.transport.multipart import in_one_piece
from cogs.table.transport.network_errors import NETWORK, named
from cogs.table.transport.rate_limiter import Counted, Traffic
from engines.hosting.match import Refused, standing
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Due, DueKind, NotHeld, StoreFailure
from engines.store.partition import Part
from engines.store.server_ownership import Alone, Holding
from engines.store.surface_storage import Shown
from worker_pool.pool import Thinkers

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
CHECK_PAUSE = 0.02  # seconds between two matches that nobody asked for
OTHER_VERSION = (
    "This command is of another version of me. Reload Discord to see the commands there are now; "
    "`/motley help` tells how to begin."
)


READ = ("id", "type", "flags", "content")
"""Of a message that was clicked; the last of these discord.py wants to have."""


def now() -> int:
    """The time in Unix seconds, by the clock of discord.py, which tests can set."""
    return int(discord.utils.utcnow().timestamp())


class Tree(app_commands.CommandTree["Motley"]):
    """Errors before a command's own boundary (a bad argument, a failed check) become a sentence, too."""

    async def interaction_check(self, interaction: discord.Interaction[Motley]) -> bool:
        """Whether it is to be gone on with: nothing is offered for what is typed in an option of another version."""
        if not self.client.once.first(interaction.id):
            return False
        if interaction.type is not discord.InteractionType.autocomplete or _offers(interaction):
            return True
        await _offer_nothing(interaction)
        return False

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        """The last resort of commands."""
        async with answering(interaction, self.client.studio):
            if isinstance(error, app_commands.TransformerError | app_commands.CheckFailure):
                raise Refused("I could not understand that. Please pick from what the command offers.")
            if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                raise Refused(OTHER_VERSION)
            raise error


def _offers(interaction: discord.Interaction[Motley]) -> bool:
    """Whether there is something to offer for the option in which somebody is typing."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    typed = next(_focused(interaction.data), "")
    return any(each.autocomplete for each in command.parameters if each.display_name == typed)


def _focused(part: Any) -> Iterator[str]:
    """The name of the option in which somebody is typing, somewhere in what Discord says of a command."""
    for option in part.get("options", ()):
        if option.get("focused"):
            yield str(option["name"])
        yield from _focused(option)


def _brief(event: dict[str, Any]) -> dict[str, Any]:
    """What Discord tells of an interaction, with no more of the message that was clicked than is read of it."""
    message = event.get("message")
    return {**event, "message": {key: message[key] for key in READ if key in message}} if message else event


async def _offer_nothing(interaction: discord.Interaction[Motley]) -> None:
    """All that somebody can be told who is typing: that there is nothing to choose from."""
    try:
        await interaction.response.autocomplete([])
    except NETWORK as error:
        log.info("Nothing could be offered: %s", named(error))


class Motley(commands.Bot):
    """The bot. Matches and stores come from outside; everything of Discord is in here."""

    def __init__(
        self,
        matches: Matches,
        shown: Shown,
        fronts: Fronts,
        thinkers: Thinkers,
        clock: Callable[[], int] = now,
        *,
        version: str = "",
        days: int = 0,
        holding: Holding | None = None,
    ) -> None:
        self.traffic = Traffic()
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            tree_cls=Tree,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            max_ratelimit_timeout=60,
            connector=Counted(self.traffic),
        )
        told = self._connection.parsers["INTERACTION_CREATE"]
        self._connection.parsers["INTERACTION_CREATE"] = lambda event: told(_brief(event))
        self.matches = matches
        self.holding: Holding = holding or Alone()
        held = self._held = Held(self.holding, matches.server_of)
        self.shown = Displays(shown, clock, held)
        self.fronts = fronts
        self.clock = clock
        self.version = version
        self.studio = Studio(front.layouts for front in fronts.values())
        screens = {key: front.screen for key, front in fronts.items()}
        self.tasks = Tasks()
        self.once = Once()
        self.keeper = Keeper(self, matches, self.shown, screens, self.studio, clock, self.tasks, self.traffic, held)
        rules = {key: front.rules for key, front in fronts.items()}
        self.mending = Mending(self, matches, self.shown, self.keeper, clock, self.tasks, held)
        self.desk = Desk(self, matches, self.keeper, rules, clock, thinkers)
        self.thinkers = thinkers
        self.computers = Computers(matches, self.shown, self.tasks, thinkers, self.keeper.wake, held)
        self.absence = Absence(matches, clock, self.tasks)
        self.deadlines = Deadlines(
            self, matches, self.keeper, self.computers, self.absence, self.desk.announce, self.tasks, held
        )
        self.housekeeping = Housekeeping(
            matches, self.shown, self._servers, self.desk.announce, clock, self.tasks, days, held
        )
        acts: dict[DueKind, Callable[[Due], None]] = {
            "call": self.deadlines.call,
            "reminder": self.deadlines.remind,
            "clock": self.deadlines.run_out,
            "expiry": self._close_lobby,
        }
        self.alarm = Alarm(lambda: matches.due(self.part), acts, clock, self.tasks, self.absence.note)
        self._gains = count()
        self.news = News(
            held,
            matches,
            self.shown,
            self.keeper,
            self._changed,
            self.alarm.look,
            self._rarely,
            self.tasks,
        )
        self._woken = False

    @property
    def part(self) -> Part:
        """The servers that this process looks after."""
        return self.holding.part

    async def setup_hook(self) -> None:
        """Add the cogs, and begin to register the commands."""
        in_one_piece(self.http)
        await self.shown.begin()
        self.matches.changed = self._changed
        self.matches.due_from = self.alarm.look
        self.keeper.outage.changed = self._reachable
        self.desk.due_changed = self.alarm.look
        self.desk.privacy.wanted = self.housekeeping.forget
        self.holding.changed, self.holding.told = self.held, self.news.told
        await self.add_cog(self.mending)
        controls = Controls(self.desk, self.once)
        await self.add_cog(controls)
        for front in self.fronts.values():
            await self.add_cog(front.cog(self.desk, front.screen))
        await self.add_cog(MotleyCog(self.desk, self.version, self.fronts))
        await self.add_cog(AdminCog(self.desk, controls))
        self.tasks.start("commands", register_at_last, self._sync)

    async def on_ready(self) -> None:
        """A session has begun: matches resume after the first; of what went before any other nobody was told."""
        self.resume_matches()
        self.dispatch("session", self.part)

    def resume_matches(self) -> None:
        """After the first connection: every match resumes, and every message that is behind is brought up to date."""
        if self._woken:
            return
        self._woken = True
        self.mending.begin()
        self.tasks.start("resume", self._resume, self.part)
        self.news.begin()

    def held(self, gained: Part, lost: Part) -> None:
        """These servers are looked after by this process from now on, and those no longer. Returns at once."""
        if lost.numbers:
            log.info("Parts lost: %s of %d", sorted(lost.numbers), lost.of)
            self.absence.lost(lost)
            self.keeper.lost(lost)
        if gained.numbers:
            log.info("Parts gained: %s of %d", sorted(gained.numbers), gained.of)
            self.news.gained(gained)
            if self._woken:
                self.tasks.start(f"resume {next(self._gains)}", self._resume, gained)

    async def _rarely(self) -> None:
        """Now and then, where there are several processes: note that this is there, and see whom others were asked to
        forget.
        """
        await self.absence.note()
        self.housekeeping.forget()

    async def _resume(self, gained: Part) -> None:
        """Wake the matches of which something is to be shown, and those that wait for a computer. No other is touched.

        Whatever waits for its time is handed out by the alarm.
        """
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            part = Part(gained.numbers & self.part.numbers, gained.of)  # some may have been lost meanwhile
            try:
                await self.absence.begin(part)
                behind, computing = await self.shown.behind(part), await self.matches.computing(part)
                due, _ = await self.matches.due(part)
                break
            except StoreFailure:
                log.error("The matches cannot be read: trying again in %d s", pause)
                await asyncio.sleep(pause)
        self.keeper.showing.readers.left(behind)
        for match in behind:
            self._changed(match)
        for match in computing:
            self.computers.wake(match)
        self.alarm.anew(due)
        log.info("Ready: %d matches are looked at", len({*behind, *computing}))
        self.tasks.start(f"check {sorted(part.numbers)}", self._check, part)
        self.housekeeping.begin()

    def _servers(self) -> tuple[frozenset[int], Part]:
        """The servers that the bot is in, those among them that cannot be reached just now, too; and of which part.

        Of other parts it is not told in which it is.
        """
        return frozenset(guild.id for guild in self.guilds), self.part

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot is in another server, or in one again."""
        self.housekeeping.moved()

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """A server is called otherwise, which stands on every message."""
        if before.name != after.name:
            self.tasks.start(f"renamed {after.id}", self._renamed, after.id)

    async def _renamed(self, guild: int) -> None:
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            if not self._held.has(guild):
                return
            try:
                found = await self.matches.find(guild=guild)
            except StoreFailure:
                await asyncio.sleep(pause)
            else:
                for info in found:
                    self.keeper.wake(info.id)
                return

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has put the bot out; one that cannot be reached is another event."""
        self.housekeeping.moved()

    async def _check(self, part: Part) -> None:
        """Read every live match, slowly: one that is damaged is set aside before somebody asks for it, and says so.

        One whose channel or thread may be gone is looked at more closely.
        """
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            checked = 0
            try:
                async for info in self.matches.check(part):
                    if not self._held.has(info.place.guild):
                        return
                    checked += 1
                    if info.status in LIVE:
                        self.mending.missing.look(info)
                    else:
                        self._changed(info.id)
                    await asyncio.sleep(CHECK_PAUSE)
                break
            except StoreFailure:
                await asyncio.sleep(pause)
        log.info("%d live matches checked", checked)

    async def on_disconnect(self) -> None:
        """No click gets through from now on."""
        self.absence.gone("gateway")

    async def on_connect(self) -> None:
        """They do again."""
        self.absence.back("gateway")

    async def on_resumed(self) -> None:
        """They do again."""
        self.absence.back("gateway")

    def _reachable(self, down: bool) -> None:
        """Discord has stopped to answer, or does again."""
        (self.absence.gone if down else self.absence.back)("discord")

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """A command was answered: Discord can be reached."""
        if interaction.response.is_done():
            self.keeper.outage.reached()

    async def close(self) -> None:
        """End the background tasks, then the connection."""
        await self.absence.note()
        await self.tasks.close()
        await self.keeper.settling.keep()
        await super().close()

    async def _sync(self) -> None:
        """Register the commands, unless Discord has them just so."""
        await register(self.tree, self.shown)

    def _changed(self, match: str) -> None:
        """A match has changed, or may have while nobody looked. Whoever else looks after it is told by the store."""
        if self.matches.server_of(match) is not None and not self._held.holds(match):
            self.keeper.refresh(match)
            return
        if not self.computers.moving(match):
            self.keeper.wake(match)
        self.computers.wake(match)

    def _close_lobby(self, due: Due) -> None:
        self.tasks.start(f"close {due.match}", self._expire, due.match)

    async def _expire(self, match: str) -> None:
        """Close a lobby that nobody has started within a day."""
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            try:
                with self._held.acting((await self.matches.look(match)).info.place.guild):
                    info = await self.matches.expire(match)
                break
            except NotHeld:
                return
            except Refused as refusal:  # started or cancelled meanwhile, or of a newer version
                log.info("Lobby %s is not closed: %s", match, refusal)
                return
            except StoreFailure:
                await asyncio.sleep(pause)
        await self.keeper.announce(info.place, f"{self.matches.title(info.game)} (`{info.id}`): {standing(info)}")
