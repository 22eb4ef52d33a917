"""The Discord client. It builds and connects the cogs, the commands and the background services of the matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.admin_commands import AdminCog
from cogs.command_sync import register, register_at_last
from cogs.features.registry import FEATURE_UIS, FURTHER_HELP
from cogs.motley_commands import MotleyCog
from cogs.pictures.emoji_names import all_emoji
from cogs.pictures.studio import Studio
from cogs.system_clock import SystemClock
from cogs.table.actions.context import ActionContext
from cogs.table.actions.first_steps import FirstSteps
from cogs.table.actions.rights import Who, access_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.channels.table_services import PageMakers, TableServices
from cogs.table.commands.component_router import ComponentRouter
from cogs.table.commands.feature_ui import FeatureUI
from cogs.table.game_ui import GameUIs
from cogs.table.scheduling.change_feed import ChangeFeed, MatchWaker
from cogs.table.scheduling.computer_turns import ComputerPlayers
from cogs.table.scheduling.deadlines import Deadlines
from cogs.table.scheduling.discord_time import DiscordTime
from cogs.table.scheduling.downtime import Downtime
from cogs.table.scheduling.feature_due_times import FeatureDueTimes
from cogs.table.scheduling.late_reactions import retry_late_reactions
from cogs.table.scheduling.owner_requests import OwnerRequests
from cogs.table.scheduling.retention import Retention
from cogs.table.scheduling.scheduler import Scheduler
from cogs.table.state.block_list import BlockList
from cogs.table.state.person_shares import PersonShares
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.surfaces.reposting import Reposting
from cogs.table.transport.application_access import ApplicationAccess
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.deduplication import Deduplicator
from cogs.table.transport.discord_internals import ClosableBot, change_interactions, dispatch, interaction_tasks
from cogs.table.transport.discord_views import find_place
from cogs.table.transport.emoji_reader import EmojiReader
from cogs.table.transport.interaction_response import PLACE_FIELD, InteractionReply, reply_boundary
from cogs.table.transport.multipart import send_bodies_in_one_piece
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from cogs.table.transport.rate_limiter import CountingConnector, RateLimiter
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.store.clock import Clock
from engines.store.match_store import LIVE
from engines.store.partition import Partition
from engines.store.server_ownership import ServerOwnership, SoleOwnership
from engines.store.surface_storage import SurfaceStorage
from worker_pool.pool import WorkerPool

log = logging.getLogger(__name__)
CHECK_PAUSE_SECONDS = 0.02  # seconds between two matches of the background check
FINISH_SECONDS = 3  # seconds that replies under way have at the end of the bot
OTHER_VERSION_TEXT = (
    "This command is out of date. Reload Discord to see my current commands; `/motley help` explains how to start."
)


MESSAGE_FIELDS = ("id", "type", "flags", "content")
"""The fields of a clicked message that are kept. discord.py needs `content`."""


class MotleyCommandTree(app_commands.CommandTree["MotleyBot"]):
    """The command tree. It also answers errors that occur before a command runs, such as a bad argument."""

    async def interaction_check(self, interaction: discord.Interaction[MotleyBot]) -> bool:
        """Return whether to handle the interaction. It answers autocomplete for unknown options with no choices."""
        if not self.client.deduplicator.is_first(interaction.id, interaction.user.id):
            return False
        try:
            self.client.shares.require_room(interaction.user.id)
            self.client.block_list.require_allowed(
                interaction.user.id,
                interaction.guild_id,
                is_own_data=access_of(interaction.command).who is Who.ABOUT_SELF,
            )
        except RequestRefused as refusal:
            if interaction.type is not discord.InteractionType.autocomplete:
                async with reply_boundary(
                    interaction, self.client.studio, self.client.clock, self.client.shares
                ) as reply:
                    await reply.send_text(str(refusal))
                return False
        else:
            if interaction.type is not discord.InteractionType.autocomplete:
                await self.client.actions.context.note_private_use(interaction)
                return True
            if _has_autocomplete(interaction):
                return True
        await _answer_no_choices(interaction)
        return False

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        """Answer an error that no command has handled."""
        async with reply_boundary(interaction, self.client.studio, self.client.clock, self.client.shares):
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
    """Return an interaction event with its clicked message cut down to the fields that are read.

    The place of the clicked control is added, because it cannot be found without the message's components.
    """
    message, data = event.get("message"), event.get("data") or {}
    if not message:
        return event
    trimmed = {**event, "message": {key: message[key] for key in MESSAGE_FIELDS if key in message}}
    place = find_place(message.get("components", ()), str(data.get("custom_id")))
    return trimmed if place is None else {**trimmed, "data": {**data, PLACE_FIELD: place}}


async def _answer_no_choices(interaction: discord.Interaction[MotleyBot]) -> None:
    try:
        await interaction.response.autocomplete([])
    except NETWORK_ERRORS as error:
        log.info("Could not answer an autocomplete request: %s", describe_error(error))


DEFAULT_SETTINGS = BotSettings()


@dataclass(frozen=True, slots=True)
class BotStores:
    """What the bot stores: the matches and their messages; and which servers this process looks after."""

    matches: Matches
    surfaces: SurfaceStorage
    ownership: ServerOwnership = field(default_factory=SoleOwnership)


class MotleyBot(ClosableBot):
    """The bot. It receives the matches and stores, and owns everything that concerns Discord."""

    def __init__(
        self,
        stores: BotStores,
        game_uis: GameUIs,
        worker_pool: WorkerPool,
        clock: Clock | None = None,
        settings: BotSettings = DEFAULT_SETTINGS,
    ) -> None:
        self.clock = clock = clock or SystemClock()
        self.rate_limiter = RateLimiter(clock)
        self.warnings: dict[str, str] = {}  # what only the people who run the bot can fix: a sentence by kind
        self.discord_time = DiscordTime(clock, self.warnings)
        self.access = ApplicationAccess(self.warnings, clock, self._end_without_token)
        self.request_trace = self.discord_time.read_dates(self.access.trace_config())
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            tree_cls=MotleyCommandTree,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            max_ratelimit_timeout=60,
            connector=CountingConnector(self.rate_limiter, self.access.require_open),
            http_trace=self.request_trace,
        )
        change_interactions(self, _trim_interaction)
        self.settings = settings
        self.matches = matches = stores.matches
        self.ownership = stores.ownership
        lease = self._lease = ServerLease(self.ownership, matches.cache.server_of)
        self.surfaces = SurfaceCache(stores.surfaces, clock.now, lease)
        self.game_uis = game_uis
        drawn = [*(ui.layouts for ui in game_uis.values()), *(ui.layouts for ui in FEATURE_UIS)]
        self.studio = Studio(drawn, settings.command_names.in_text)
        self.tasks = BackgroundTasks()
        self._services = services = TableServices(self, matches, self.surfaces, clock, self.tasks, lease)
        drawings = all_emoji(game_ui.emoji for game_ui in game_uis.values())
        self.emoji_reader = EmojiReader(self, self.studio, drawings, self.tasks, clock)
        self.deduplicator = Deduplicator()
        self.shares = PersonShares(clock.monotonic, settings.posts_per_person)
        screens = {key: game_ui.screen for key, game_ui in game_uis.items()}
        makers = PageMakers(screens, self.studio, FEATURE_UIS)
        self.reconciler = Reconciler(services, makers, self.rate_limiter, self.access, settings.contact_limits)
        rules = {key: game_ui.rules for key, game_ui in game_uis.items()}
        self.reposting = Reposting(services, self.reconciler)
        self.block_list = BlockList(settings.operator.contact or settings.operator.support)
        context = ActionContext(services, self.reconciler, self.shares, self.block_list, settings, self.deduplicator)
        docs_folders = {key: game_ui.docs_folder for key, game_ui in game_uis.items()}
        layouts = {key: game_ui.layouts for key, game_ui in game_uis.items()}
        self.actions = TableActions(context, rules, worker_pool, docs_folders, layouts)
        introductions = [(game_ui.game, game_ui.intro) for game_ui in game_uis.values()]
        self.first_steps = FirstSteps(self.actions, introductions, FURTHER_HELP)
        self.worker_pool = worker_pool
        self.computers = ComputerPlayers(services, worker_pool, self.reconciler)
        self.waker = MatchWaker(services, self.reconciler, self.computers)
        self.downtime = Downtime(services, self.discord_time, self.reconciler.connectivity)
        self.deadlines = Deadlines(
            services, self.reconciler, self.computers, self.downtime, self.actions.announce_change
        )
        self.retention = Retention(
            services,
            self._present_servers,
            self.actions.announce_change,
            lambda: self.downtime.is_clock_right,
            settings.retention_days,
        )
        self.owner_requests = OwnerRequests(
            services, stores.surfaces, self.block_list, self.reconciler, self.rate_limiter, self.retention
        )
        self.feature_due_times = FeatureDueTimes(
            services, [due for ui in FEATURE_UIS for due in ui.due_rows(self.actions)], self.downtime.time_runs_for
        )
        self.scheduler = Scheduler(services, self.deadlines.handlers, self.downtime)
        self._gain_numbers = count()
        self.change_feed = ChangeFeed(services, self.reconciler, self.waker, self.downtime, self.retention)
        self._has_resumed = False

    @property
    def partition(self) -> Partition:
        """The partition that this process looks after."""
        return self.ownership.partition

    async def setup_hook(self) -> None:
        """Connect the services, add the cogs, and start to register the commands."""
        send_bodies_in_one_piece(self)
        await self.emoji_reader.read()
        await self.surfaces.preload_unsure()
        await self.owner_requests.read_blocks()
        self.ownership.on_ownership_changed.append(self.apply_partition_change)
        self.ownership.on_match_changed.append(self.change_feed.receive_change)
        await self.add_cog(self.reposting)
        admin_cog = AdminCog(self.actions, self.owner_requests)
        controls = ComponentRouter(
            self.actions,
            self.first_steps,
            FEATURE_UIS,
            admin_cog.handle_confirmation,
        )
        await self.add_cog(controls)
        groups: list[commands.GroupCog] = [
            *(game_ui.cog_class(self.actions, game_ui.screen) for game_ui in self.game_uis.values()),
            MotleyCog(
                self.actions,
                self.first_steps,
                self.settings.version,
                self.warnings,
                [ui.motley_commands(self.actions) for ui in FEATURE_UIS if ui.motley_commands],
            ),
            admin_cog,
        ]
        for ui in FEATURE_UIS:
            await self._add_feature_commands(ui)
        for cog in groups:
            assert cog.app_command is not None, "a GroupCog has one"
            cog.app_command.name = self.settings.command_names.name_of(cog.app_command.name)
            await self.add_cog(cog)
        self.tasks.start_loop(self.clock, "commands", register_at_last, self.clock, self._sync_commands)

    async def _add_feature_commands(self, ui: FeatureUI) -> None:
        """Add the commands of a feature beside `/motley`, under the names that the owner has chosen."""
        for make_cog in ui.own_commands:
            cog = make_cog(self.actions)
            for command in cog.get_app_commands():
                command.name = self.settings.command_names.name_of(command.name)
            await self.add_cog(cog)
        for menu in ui.context_menus(self.actions):
            self.tree.add_command(menu)

    async def on_ready(self) -> None:
        """Resume the matches after the first session; report every session, because events before it may be lost."""
        self.resume_matches()
        self.emoji_reader.start_reading()
        dispatch(self, "session", self.partition)

    def resume_matches(self) -> None:
        """Resume every match and update every stale message. Only the first call has an effect."""
        if self._has_resumed:
            return
        self._has_resumed = True
        self.reposting.begin()
        self.tasks.start_loop(self.clock, "resume", self._resume_partition, self.partition)
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
                self.tasks.start_loop(self.clock, f"resume {next(self._gain_numbers)}", self._resume_partition, gained)

    async def _resume_partition(self, gained: Partition) -> None:
        """Wake the matches with stale messages, and those with a seal to post or a move that needs no click.

        The scheduler handles everything that has a due time.
        """
        partition = Partition(gained.numbers & self.partition.numbers, gained.count)  # some may have been lost since
        await self.downtime.start_watching(partition)
        behind = await self.surfaces.store.stale_matches(partition)
        unsealed = await self.reconciler.surface_sync.deal_messages.find_unposted(partition)
        waiting = await self.computers.find_waiting(partition)
        due, _ = await self.matches.due_times.load_due(partition)
        self.reconciler.surface_sync.readers.inherit_matches(behind)
        for match in {*behind, *unsealed}:
            self.waker.wake(match)
        for match in waiting:
            self.computers.wake(match)
        self.scheduler.hand_out_again(due)
        log.info("Ready: %d matches woken", len({*behind, *unsealed, *waiting}))
        self.tasks.start_loop(self.clock, f"check {sorted(partition.numbers)}", self._check_live_matches, partition)
        self.retention.start()
        self.tasks.start_loop(
            self.clock, "late reactions", retry_late_reactions, self._services, self.reconciler.wake, self.warnings
        )
        self.feature_due_times.start()
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
            self.tasks.start_loop(self.clock, f"renamed {after.id}", self._redraw_renamed_server, after.id)

    async def _redraw_renamed_server(self, guild: int) -> None:
        if self._lease.holds_server(guild):
            for info in await self.matches.lookup.find(guild=guild):
                self.reconciler.wake(info.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a server. An unavailable server is a different event."""
        self.retention.start_noting_servers()

    async def _check_live_matches(self, partition: Partition) -> None:
        """Read every live match, slowly, so that damaged ones are set aside and say so before anyone opens them.

        Also check for deleted channels and threads.
        """
        checked = 0
        async for info in self.matches.lookup.verify_matches(partition):
            if not self._lease.holds_server(info.place.guild):
                return
            checked += 1
            if info.status in LIVE:
                self.reposting.deleted_channels.check_match(info)
            else:
                self.waker.wake(info.id)
            await self.clock.sleep(CHECK_PAUSE_SECONDS)
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

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Note the time in its id, and look for new requests of the owner, if that was not done lately."""
        self.discord_time.note_id(interaction.id)
        self.owner_requests.look_soon()

    async def on_motley_answer(self, reply: InteractionReply) -> None:
        """Note an interaction that a process with the same token has answered, of which this one knows nothing."""
        if reply.was_answered_elsewhere and await self.is_foreign_answer(reply.interaction):
            self.access.note_foreign_answer()

    async def is_foreign_answer(self, interaction: discord.Interaction) -> bool:
        """Return whether no other process of this bot can have answered an interaction."""
        return True

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Note an answered command: it shows that Discord is reachable."""
        if interaction.response.is_done():
            self.reconciler.connectivity.note_contact()

    def _end_without_token(self) -> None:
        """Start to close, because Discord does not accept the token any more. `access` says so to the main program."""
        self._ending = asyncio.create_task(self.close(), name="end")

    async def close(self) -> None:
        """Finish replies that are under way, then end the background tasks and the connection."""
        self.ownership.on_ownership_changed.clear()
        self.ownership.on_match_changed.clear()
        self.deduplicator.close()
        await self.downtime.record_alive()
        await self._finish_replies()
        await self.tasks.close()
        await self.reconciler.stale_tracker.save_state()
        await super().close()

    async def _finish_replies(self) -> None:
        """Wait for the handlers of interactions: after the end of the connection, each would end in an error."""
        if handlers := interaction_tasks() - {asyncio.current_task()}:
            await asyncio.wait(handlers, timeout=FINISH_SECONDS)

    async def _sync_commands(self) -> None:
        """Register the commands unless Discord already has them."""
        await register(self.tree, self.surfaces.store)
