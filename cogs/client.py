"""The Discord client. It builds and connects the cogs, the commands and the background services of the matches."""

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
from cogs.pictures.emoji_names import all_emoji
from cogs.pictures.studio import Studio
from cogs.table.actions.context import ActionContext
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.component_router import ComponentRouter
from cogs.table.game_ui import GameUIs
from cogs.table.learning.first_steps import FirstSteps
from cogs.table.learning.lesson_actions import LessonActions
from cogs.table.learning.puzzle_actions import PuzzleActions
from cogs.table.pages.custom_ids import names_leader
from cogs.table.replaying.clip_actions import ClipActions
from cogs.table.replaying.replay_actions import ReplayActions
from cogs.table.reporting.report_actions import ReportActions
from cogs.table.scheduling.change_feed import ChangeFeed
from cogs.table.scheduling.computer_turns import ComputerPlayers
from cogs.table.scheduling.deadlines import Deadlines
from cogs.table.scheduling.downtime import Downtime
from cogs.table.scheduling.owner_requests import OwnerRequests
from cogs.table.scheduling.retention import Retention
from cogs.table.scheduling.scheduler import Scheduler
from cogs.table.state.block_list import BlockList
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.surfaces.reposting import Reposting
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff, retry_on_store_failure
from cogs.table.transport.deduplication import Deduplicator
from cogs.table.transport.emoji_reader import EmojiReader
from cogs.table.transport.interaction_response import reply_boundary
from cogs.table.transport.multipart import send_bodies_in_one_piece
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from cogs.table.transport.rate_limiter import CountingConnector, RateLimiter
from cogs.table.wording.command_names import CommandNames
from cogs.table.wording.operator_info import NOBODY_NAMED, OperatorInfo
from engines.hosting.match import RequestRefused, status_sentence
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, DueKind, DueTime, NotLeaseHolder, StoreFailure
from engines.store.partition import Partition
from engines.store.server_ownership import ServerOwnership, SoleOwnership
from engines.store.surface_storage import SurfaceStorage
from worker_pool.pool import WorkerPool

log = logging.getLogger(__name__)
FIRST_PAUSE, MAX_PAUSE = 1, 60  # seconds
CHECK_PAUSE_SECONDS = 0.02  # seconds between two matches of the background check
OTHER_VERSION_TEXT = (
    "This command belongs to another version of me. Reload Discord to see my current commands; "
    "`/motley help` explains how to start."
)


MESSAGE_FIELDS = ("id", "type", "flags", "content")
"""The fields of a clicked message that are kept. discord.py needs `content`. A control that names who leads also needs
the message's components, which prove it."""


def now() -> int:
    """Return the time in Unix seconds. It uses discord.py's clock, which tests can set."""
    return int(discord.utils.utcnow().timestamp())


class MotleyCommandTree(app_commands.CommandTree["MotleyBot"]):
    """The command tree. It also answers errors that occur before a command runs, such as a bad argument."""

    async def interaction_check(self, interaction: discord.Interaction[MotleyBot]) -> bool:
        """Return whether to handle the interaction. It answers autocomplete for unknown options with no choices."""
        if not self.client.deduplicator.is_first(interaction.id, interaction.user.id):
            return False
        try:
            self.client.block_list.require_allowed(interaction.user.id, interaction.guild_id)
        except RequestRefused as refusal:
            if interaction.type is not discord.InteractionType.autocomplete:
                async with reply_boundary(interaction, self.client.studio) as reply:
                    await reply.send_text(str(refusal))
                return False
        else:
            if interaction.type is not discord.InteractionType.autocomplete or _has_autocomplete(interaction):
                return True
        await _answer_no_choices(interaction)
        return False

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        """Answer an error that no command has handled."""
        async with reply_boundary(interaction, self.client.studio):
            if isinstance(error, app_commands.TransformerError | app_commands.CheckFailure):
                raise RequestRefused(
                    "I did not understand that. Please pick one of the choices that the command offers."
                )
            if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                raise RequestRefused(OTHER_VERSION_TEXT)
            raise error


def _has_autocomplete(interaction: discord.Interaction[MotleyBot]) -> bool:
    """Return whether the option that the user is typing in has autocomplete."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    typed = next(_focused_options(interaction.data), "")
    return any(each.autocomplete for each in command.parameters if each.display_name == typed)


def _focused_options(data: Any) -> Iterator[str]:
    """Yield the name of the option that has the focus, at any depth of a command's data."""
    for option in data.get("options", ()):
        if option.get("focused"):
            yield str(option["name"])
        yield from _focused_options(option)


def _trim_interaction(event: dict[str, Any]) -> dict[str, Any]:
    """Return an interaction event with its clicked message cut down to the fields that are read."""
    message, data = event.get("message"), event.get("data") or {}
    fields = (*MESSAGE_FIELDS, "components") if names_leader(str(data.get("custom_id"))) else MESSAGE_FIELDS
    return {**event, "message": {key: message[key] for key in fields if key in message}} if message else event


async def _answer_no_choices(interaction: discord.Interaction[MotleyBot]) -> None:
    """Answer an autocomplete request with no choices."""
    try:
        await interaction.response.autocomplete([])
    except NETWORK_ERRORS as error:
        log.info("Could not answer an autocomplete request: %s", describe_error(error))


class MotleyBot(commands.Bot):
    """The bot. It receives the matches and stores, and owns everything that concerns Discord."""

    def __init__(
        self,
        matches: Matches,
        storage: SurfaceStorage,
        game_uis: GameUIs,
        worker_pool: WorkerPool,
        clock: Callable[[], int] = now,
        *,
        version: str = "",
        retention_days: int = 0,
        ownership: ServerOwnership | None = None,
        report_channel: int = 0,
        operator: OperatorInfo = NOBODY_NAMED,
        command_names: CommandNames | None = None,
    ) -> None:
        self.rate_limiter = RateLimiter()
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            tree_cls=MotleyCommandTree,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            max_ratelimit_timeout=60,
            connector=CountingConnector(self.rate_limiter),
        )
        parse_interaction = self._connection.parsers["INTERACTION_CREATE"]
        self._connection.parsers["INTERACTION_CREATE"] = lambda event: parse_interaction(_trim_interaction(event))
        self.matches = matches
        self.ownership: ServerOwnership = ownership or SoleOwnership()
        lease = self._lease = ServerLease(self.ownership, matches.server_of)
        self.surfaces = SurfaceCache(storage, clock, lease)
        self.game_uis = game_uis
        self.clock = clock
        self.version = version
        self.command_names = command_names or CommandNames({})
        self.studio = Studio(front.layouts for front in game_uis.values())
        self.studio.name_commands = self.command_names.in_text
        screens = {key: front.screen for key, front in game_uis.items()}
        self.tasks = BackgroundTasks()
        drawings = all_emoji(front.emoji for front in game_uis.values())
        self.emoji_reader = EmojiReader(self, self.studio, drawings, self.tasks)
        self.deduplicator = Deduplicator()
        self.reconciler = Reconciler(
            self, matches, self.surfaces, screens, self.studio, clock, self.tasks, self.rate_limiter, lease
        )
        rules = {key: front.rules for key, front in game_uis.items()}
        self.reposting = Reposting(self, matches, self.surfaces, self.reconciler, clock, self.tasks, lease)
        lessons = {key: front.lesson for key, front in game_uis.items()}
        puzzles = {key: front.puzzles for key, front in game_uis.items()}
        self.block_list = BlockList(operator.contact or operator.support)
        context = ActionContext(self, matches, self.reconciler, clock, self.block_list, operator)
        self.actions = TableActions(context, rules, worker_pool)
        self.lessons = LessonActions(self.actions, lessons)
        self.first_steps = FirstSteps(self.actions, [(front.game, front.intro) for front in game_uis.values()])
        self.puzzles = PuzzleActions(context, puzzles, worker_pool)
        self.replays = ReplayActions(self.actions)
        self.clips = ClipActions(context, {key: front.layouts for key, front in game_uis.items()}, worker_pool)
        self.reports = ReportActions(context, storage, version, self.deduplicator.last_of, report_channel)
        self.worker_pool = worker_pool
        self.computers = ComputerPlayers(matches, self.surfaces, self.tasks, worker_pool, self.reconciler.wake, lease)
        self.downtime = Downtime(matches, clock, self.tasks)
        self.owner_requests = OwnerRequests(
            self, storage, self.block_list, matches, self.reconciler, self.rate_limiter, clock, self.tasks, lease
        )
        self.deadlines = Deadlines(
            self,
            matches,
            self.reconciler,
            self.computers,
            self.downtime,
            self.actions.announce_change,
            self.tasks,
            lease,
        )
        self.retention = Retention(
            matches,
            self.surfaces,
            self._present_servers,
            self.actions.announce_change,
            clock,
            self.tasks,
            retention_days,
            lease,
        )
        due_handlers: dict[DueKind, Callable[[DueTime], None]] = {
            "call": self.deadlines.start_turn_ping,
            "reminder": self.deadlines.start_deadline_reminder,
            "clock": self.deadlines.start_expired_move,
            "expiry": self._start_closing_lobby,
            "break": self._start_ending_breaks,
            "ask": self.deadlines.start_turn_ping,
            "take back": self.deadlines.start_lapse,
        }
        self.scheduler = Scheduler(
            lambda: matches.load_due(self.partition), due_handlers, clock, self.tasks, self.downtime.record_alive
        )
        self._gain_numbers = count()
        self.change_feed = ChangeFeed(
            lease,
            matches,
            self.surfaces,
            self.reconciler,
            self._wake_match,
            self.scheduler.reschedule,
            self._run_rare_tasks,
            self.tasks,
        )
        self._has_resumed = False

    @property
    def partition(self) -> Partition:
        """The partition that this process looks after."""
        return self.ownership.partition

    async def setup_hook(self) -> None:
        """Connect the services, add the cogs, and start to register the commands."""
        send_bodies_in_one_piece(self.http)
        await self.emoji_reader.read()
        await self.surfaces.preload_unsure()
        await self.owner_requests.read_blocks()
        self.matches.on_changed = self._wake_match
        self.matches.on_due = self.scheduler.reschedule
        self.reconciler.connectivity.on_changed = self._note_connectivity
        self.actions.context.on_due_changed = self.scheduler.reschedule
        self.actions.context.on_planned = self._wake_planned_move
        self.actions.privacy.on_forget = self.retention.start_forgetting
        self.ownership.on_ownership_changed, self.ownership.on_match_changed = (
            self.apply_partition_change,
            self.change_feed.receive_change,
        )
        await self.add_cog(self.reposting)
        controls = ComponentRouter(
            self.actions,
            self.lessons,
            self.puzzles,
            self.first_steps,
            self.replays,
            self.clips,
            self.deduplicator,
            self.reports,
        )
        await self.add_cog(controls)
        groups: list[commands.GroupCog] = [
            *(front.cog_class(self.actions, front.screen) for front in self.game_uis.values()),
            MotleyCog(self.actions, self.lessons, self.puzzles, self.first_steps, self.replays, self.version),
            AdminCog(self.actions, controls, self.owner_requests),
        ]
        for cog in groups:
            assert cog.app_command is not None, "a GroupCog has one"
            cog.app_command.name = self.command_names.name_of(cog.app_command.name)
            await self.add_cog(cog)
        self.tasks.start("commands", register_at_last, self._sync_commands)

    async def on_ready(self) -> None:
        """Resume the matches after the first session; report every session, because events before it may be lost."""
        self.resume_matches()
        self.emoji_reader.start_reading()
        self.dispatch("session", self.partition)

    def resume_matches(self) -> None:
        """Resume every match and update every stale message. Only the first call has an effect."""
        if self._has_resumed:
            return
        self._has_resumed = True
        self.reposting.begin()
        self.tasks.start("resume", self._resume_partition, self.partition)
        self.change_feed.start()

    def apply_partition_change(self, gained: Partition, lost: Partition) -> None:
        """Take over the gained partition and release the lost one. Returns at once."""
        if lost.numbers:
            log.info("Partitions lost: %s of %d", sorted(lost.numbers), lost.count)
            self.downtime.stop_watching(lost)
            self.reconciler.release_partition(lost)
        if gained.numbers:
            log.info("Partitions gained: %s of %d", sorted(gained.numbers), gained.count)
            self.change_feed.gain_partition(gained)
            self.owner_requests.forget_applied()
            if self._has_resumed:
                self.tasks.start(f"resume {next(self._gain_numbers)}", self._resume_partition, gained)

    async def _run_rare_tasks(self) -> None:
        """Record that this process is alive, and handle forget requests that other processes received."""
        await self.downtime.record_alive()
        self.retention.start_forgetting()

    async def _resume_partition(self, gained: Partition) -> None:
        """Wake the matches with stale messages and those that wait for a computer or have
        planned moves, and no others.

        The scheduler handles everything that has a due time.
        """
        for pause in exponential_backoff(FIRST_PAUSE, MAX_PAUSE):
            # Some partitions may have been lost since.
            partition = Partition(gained.numbers & self.partition.numbers, gained.count)
            try:
                await self.downtime.start_watching(partition)
                behind, computing, planned = (
                    await self.surfaces.stale_matches(partition),
                    await self.matches.matches_awaiting_computers(partition),
                    await self.surfaces.matches_with_plans(partition),
                )
                due, _ = await self.matches.load_due(partition)
                break
            except StoreFailure:
                log.error("Could not read the matches. Retrying in %d s.", pause)
                await asyncio.sleep(pause)
        self.reconciler.surface_sync.readers.inherit_matches(behind)
        for match in behind:
            self._wake_match(match)
        for match in {*computing, *planned}:
            self.computers.wake(match)
        self.scheduler.hand_out_again(due)
        log.info("Ready: %d matches woken", len({*behind, *computing}))
        self.tasks.start(f"check {sorted(partition.numbers)}", self._check_live_matches, partition)
        self.retention.start()
        self.owner_requests.start()

    def _present_servers(self) -> tuple[frozenset[int], Partition]:
        """Return the bot's servers, including unavailable ones, and the partition that this list covers."""
        return frozenset(guild.id for guild in self.guilds), self.partition

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the bot joined a server."""
        self.retention.start_noting_servers()

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """Redraw a renamed server's messages, because each shows the server's name."""
        if before.name != after.name:
            self.tasks.start(f"renamed {after.id}", self._redraw_renamed_server, after.id)

    async def _redraw_renamed_server(self, guild: int) -> None:
        for pause in exponential_backoff(FIRST_PAUSE, MAX_PAUSE):
            if not self._lease.holds_server(guild):
                return
            try:
                found = await self.matches.find(guild=guild)
            except StoreFailure:
                await asyncio.sleep(pause)
            else:
                for info in found:
                    self.reconciler.wake(info.id)
                return

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a server. An unavailable server is a different event."""
        self.retention.start_noting_servers()

    async def _check_live_matches(self, partition: Partition) -> None:
        """Read every live match, slowly, so that damaged ones are set aside and say so before anyone opens them.

        Also check for deleted channels and threads.
        """
        for pause in exponential_backoff(FIRST_PAUSE, MAX_PAUSE):
            checked = 0
            try:
                async for info in self.matches.verify_matches(partition):
                    if not self._lease.holds_server(info.place.guild):
                        return
                    checked += 1
                    if info.status in LIVE:
                        self.reposting.deleted_channels.check_match(info)
                    else:
                        self._wake_match(info.id)
                    await asyncio.sleep(CHECK_PAUSE_SECONDS)
                break
            except StoreFailure:
                await asyncio.sleep(pause)
        log.info("%d live matches checked", checked)

    async def on_disconnect(self) -> None:
        """Count the bot as unreachable."""
        self.downtime.mark_unreachable("gateway")

    async def on_connect(self) -> None:
        """Count the bot as reachable."""
        self.downtime.mark_reachable("gateway")

    async def on_resumed(self) -> None:
        """Count the bot as reachable."""
        self.downtime.mark_reachable("gateway")

    def _note_connectivity(self, is_down: bool) -> None:
        """Apply a change of Discord's reachability."""
        (self.downtime.mark_unreachable if is_down else self.downtime.mark_reachable)("discord")

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Look for new requests of the owner, if that was not done lately."""
        self.owner_requests.look_soon()

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Note an answered command: it shows that Discord is reachable."""
        if interaction.response.is_done():
            self.reconciler.connectivity.note_contact()

    async def close(self) -> None:
        """End the background tasks, then the connection."""
        await self.downtime.record_alive()
        await self.tasks.close()
        await self.reconciler.stale_tracker.save_state()
        await super().close()

    async def _sync_commands(self) -> None:
        """Register the commands unless Discord already has them."""
        await register(self.tree, self.surfaces)

    def _wake_match(self, match: str) -> None:
        """Wake a match that may have changed. If another process looks after it, the store notifies that one."""
        if self.matches.server_of(match) is not None and not self._lease.holds_match(match):
            self.reconciler.start_ephemeral_refresh(match)
            return
        if not self.computers.is_moving(match):
            self.reconciler.wake(match)
        self.computers.wake(match)

    def _wake_planned_move(self, match: str) -> None:
        """Continue a match in which somebody planned a move. The store notifies the process that looks after it."""
        if self._lease.holds_match(match):
            self.computers.wake(match)

    def _start_ending_breaks(self, due: DueTime) -> None:
        self.tasks.start(f"breaks {due.at}", retry_on_store_failure, self.matches.end_expired_breaks)

    def _start_closing_lobby(self, due: DueTime) -> None:
        self.tasks.start(f"close {due.match}", self._close_expired_lobby, due.match)

    async def _close_expired_lobby(self, match: str) -> None:
        """Close a lobby that nobody has started within a day."""
        for pause in exponential_backoff(FIRST_PAUSE, MAX_PAUSE):
            try:
                with self._lease.acting_for((await self.matches.get_snapshot(match)).info.place.guild):
                    info = await self.matches.expire_lobby(match)
                break
            except NotLeaseHolder:
                return
            except RequestRefused as refusal:  # started or cancelled since, or written by a newer version
                log.info("Did not close lobby %s: %s", match, refusal)
                return
            except StoreFailure:
                await asyncio.sleep(pause)
        await self.reconciler.announce(
            info.place, f"{self.matches.game_title(info.game)} (`{info.id}`): {status_sentence(info)}"
        )
