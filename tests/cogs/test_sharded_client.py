"""The start and end of shards, and the effects of a lost one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs import sharded_client
from cogs.client import BotStores, MotleyBot
from cogs.sharded_client import DIRECT_MESSAGE_SHARD, SIBLING_SECONDS, ShardedBot
from cogs.system_clock import SystemClock
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.transport.network_errors import describe_error
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from engines.store.partition import GUILD_SHIFT, Partition
from engines.store.process_group import GroupStatus, ProcessStatus
from engines.store.server_ownership import SoleOwnership
from tests.cogs.discord_errors import http_error
from tests.cogs.waiting import let_tasks_run, wait_until
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.game_uis import GAME_UIS
from tests.manual_time import SetClock
from tests.worker_pool.immediate_pool import ImmediatePool

RECOMMENDED = 4
LEARN_REAL_SECONDS = 0.2  # in which the staged processes exchange their status several times
GATEWAY = RECOMMENDED, "", {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 2}


async def set_up(bot: ShardedBot, monkeypatch: pytest.MonkeyPatch, refusal: Exception | None = None) -> None:
    """Set a bot up before any shard has started."""

    async def gateway() -> Any:
        if isinstance(refusal, discord.HTTPException):  # as discord.py reports it
            raise discord.GatewayNotFound from refusal
        if refusal:
            raise refusal
        return GATEWAY

    async def hook(bot: MotleyBot) -> None:
        bot.ownership.on_ownership_changed.append(bot.apply_partition_change)

    monkeypatch.setattr(MotleyBot, "setup_hook", hook)
    monkeypatch.setattr(bot.http, "get_bot_gateway", gateway)
    await bot.setup_hook()
    bot.discord_time.note_date(bot.clock.now(), bot.discord_time.moment())
    await bot.downtime.start_watching()


async def make_bot(
    monkeypatch: pytest.MonkeyPatch, partition: Partition | None, refusal: Exception | None = None
) -> ShardedBot:
    bot = ShardedBot(*parts_of_bot(), partition=partition)
    await set_up(bot, monkeypatch, refusal)
    return bot


def parts_of_bot() -> Any:
    matches = Matches(MemoryStore(), GAMES, lambda: 1000, features=FEATURES)
    return BotStores(matches, MemoryShown()), GAME_UIS, ImmediatePool(), SetClock()


def reached_partitions(bot: ShardedBot) -> list[int]:
    """Return the partition numbers whose people can reach the bot."""
    return [number for number in range(bot.partition.count) if bot.downtime.time_runs_for(number << GUILD_SHIFT)]


@pytest.mark.parametrize(
    ("part", "ids", "count"), [(None, [0, 1, 2, 3], RECOMMENDED), (Partition.parse("2-4/16"), [2, 3, 4], 16)]
)
async def test_there_are_as_many_shards_as_is_said_or_else_recommended(
    part: Partition | None, ids: list[int], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await make_bot(monkeypatch, part)
    assert (bot.shard_ids, bot.shard_count) == (ids, count)
    assert reached_partitions(bot) == ids


@pytest.mark.parametrize("refusal", [http_error(403), http_error(503), discord.RateLimited(100.0)], ids=str)
async def test_if_discord_recommends_nothing_those_that_are_named_begin_or_else_its_refusal_is_told(
    refusal: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bot = await make_bot(monkeypatch, Partition.parse("2-4/16"), refusal)
    assert (bot.shard_ids, bot.shard_count) == ([2, 3, 4], 16)
    assert [record.levelname for record in caplog.records if describe_error(refusal) in record.message] == ["WARNING"]
    with pytest.raises(type(refusal)) as caught:
        await make_bot(monkeypatch, None, refusal)
    assert caught.value is refusal


async def test_servers_of_lost_shards_cannot_reach_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = await make_bot(monkeypatch, None)
    await bot.on_disconnect()
    await bot.on_shard_disconnect(3)
    assert reached_partitions(bot) == [0, 1, 2]
    await bot.on_connect()
    await let_tasks_run()
    assert reached_partitions(bot) == [0, 1, 2], "it was another one that came"
    await bot.on_shard_resumed(3)
    await let_tasks_run()
    assert reached_partitions(bot) == [0, 1, 2, 3]
    await bot.on_shard_disconnect(0)
    await bot.on_shard_disconnect(1)
    assert reached_partitions(bot) == []
    await bot.on_shard_connect(0)
    await let_tasks_run()
    assert reached_partitions(bot) == [0, 2, 3]


async def test_matches_resume_once_and_each_session_is_told_by_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = await make_bot(monkeypatch, None)
    events: list[Any] = []
    monkeypatch.setattr(bot, "dispatch", lambda event, *args: events.append((event, *args)))
    monkeypatch.setattr(bot, "tasks", SimpleNamespace(start_loop=lambda clock, name, *_: events.append(name)))
    await bot.on_shard_ready(2)
    await bot.on_ready()
    await bot.on_ready()
    assert events == [("session", Partition(frozenset({2}), 4)), "resume"]


class SetMonotonic(SystemClock):
    """A clock that stands where a test sets it; a sleep gives the others a moment."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(LEARN_REAL_SECONDS)


class FakeLeases(SoleOwnership):
    def __init__(self) -> None:
        super().__init__(Partition(frozenset(), RECOMMENDED))
        self.given_back = False

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        return partition or Partition.all_of(recommended)

    async def release_all(self) -> None:
        self.given_back = True
        self.hold()

    def hold(self, *numbers: int) -> None:
        before, self.partition = self.partition, Partition(frozenset(numbers), RECOMMENDED)
        now, then = self.partition.numbers, before.numbers
        self.on_ownership_changed(Partition(now - then), Partition(then - now))


@dataclass
class FakeGroup:
    """A fake process group whose other processes the test sets."""

    group_status: GroupStatus = field(default_factory=lambda: GroupStatus(0.5, 2))
    statuses: list[ProcessStatus] = field(default_factory=list)
    turns: list[tuple[int, float]] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)
    away: bool = False

    def hear(self, *numbers: int, passing: tuple[int, ...] = ()) -> None:
        """Let another process keep these shards. It hears the others only until somebody takes them over."""
        self.group_status = GroupStatus(
            0.5, 2, frozenset({*numbers, *passing}), frozenset(numbers), self.group_status.versions
        )

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        self._look()
        self.turns.append((bucket, min_wait))

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        self._look()
        self.statuses.append(status)
        return self.group_status

    @asynccontextmanager
    async def exclusive_section(self, task_name: str) -> AsyncIterator[None]:
        self.sections.append(task_name)
        yield

    async def leave_group(self) -> None: ...

    def _look(self) -> None:
        if self.away:
            raise StoreFailure("away")


class Session:
    def __init__(self, bot: StagedBot, number: int) -> None:
        self._bot, self._number = bot, number
        self.begun = 0
        self.open = False

    def is_closed(self) -> bool:
        return not self.open

    async def connect(self) -> None:
        await self._bot.before_identify_hook(self._number)
        self.begun += 1
        self.open = True
        await self._bot.on_shard_connect(self._number)

    async def disconnect(self) -> None:
        self.open = False
        await self._bot.on_shard_disconnect(self._number)


class StagedBot(ShardedBot):
    """A bot on a gateway that accepts every session at once."""

    def __init__(self, leases: FakeLeases, others: FakeGroup) -> None:
        stores, *parts = parts_of_bot()
        settings = BotSettings("1.2")
        super().__init__(replace(stores, ownership=leases), *parts, settings, process_group=others)
        self.leases, self.others = leases, others
        self.sessions: dict[int, Session] = {}

    @property
    def shards(self) -> Any:
        return self.sessions

    def get_shard(self, shard_id: int, /) -> Any:
        return self.sessions.get(shard_id)

    async def launch_shard(self, gateway: object, shard_id: int, *, initial: bool = False) -> None:
        self.sessions[shard_id] = Session(self, shard_id)
        await self.sessions[shard_id].connect()

    def open_shards(self) -> list[int]:
        return [number for number, session in self.sessions.items() if session.open]

    async def hold_open(self, *numbers: int) -> None:
        """Hold these partitions, and wait until their shards alone have a session."""
        self.leases.hold(*numbers)
        await wait_until(lambda: self.open_shards() == [*numbers])


@dataclass
class SharedGroup(FakeGroup):
    """One process's place in a group in which each hears what the others report."""

    members: list[SharedGroup] = field(default_factory=list)

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        self._look()
        self.statuses = [status]
        others = [each.statuses[-1] for each in self.members if each is not self and each.statuses]
        heard_count, stored = (
            frozenset[int]().union(*each) for each in ([o.shards for o in others], [o.lasting_shards for o in others])
        )
        return GroupStatus(0.5, len(others) + 1, heard_count, stored)

    async def leave_group(self) -> None:
        self.statuses = []


@pytest.fixture
async def staged_bot(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StagedBot]:
    """Return a connected bot next to another process. It holds no partitions yet."""

    monkeypatch.setattr(sharded_client, "FOLLOW_SECONDS", 0.02)
    monkeypatch.setattr(sharded_client, "FAST_POLL_SECONDS", 0.01)
    monkeypatch.setattr(MotleyBot, "resume_matches", lambda bot: None)
    async with connected(StagedBot(FakeLeases(), FakeGroup()), monkeypatch) as bot:
        yield bot
        bot.others.group_status = GroupStatus()


@asynccontextmanager
async def connected(bot: StagedBot, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StagedBot]:
    await bot._async_setup_hook()
    await set_up(bot, monkeypatch)
    connecting = asyncio.create_task(bot.connect(), name="connect")
    try:
        yield bot
    finally:
        connecting.cancel()
        with suppress(asyncio.CancelledError):
            await connecting
        await bot.tasks.close()


@pytest.fixture
async def two_bots(
    staged_bot: StagedBot, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[StagedBot, StagedBot]]:
    """Return two processes of one group, of which each holds two of four partitions, and has done so for long."""
    members: list[SharedGroup] = []
    async with AsyncExitStack() as stack:
        bots = []
        for numbers in ((0, 1), (2, 3)):
            members.append(SharedGroup(members=members))
            bots.append(await stack.enter_async_context(connected(StagedBot(FakeLeases(), members[-1]), monkeypatch)))
            bots[-1].clock = SetMonotonic()
            await bots[-1].hold_open(*numbers)
        await let_time_pass(*bots)
        yield bots[0], bots[1]
        for bot in bots:  # so that none waits until another takes over
            bot.others.away = False
        members.clear()


async def let_time_pass(*bots: StagedBot) -> None:
    """Let what changed hands be long ago."""
    for bot in bots:
        clock = bot.clock
        assert isinstance(clock, SetMonotonic)
        clock.seconds += SIBLING_SECONDS + 1
    for bot in bots:
        await bot._exchange_status()


async def answer_late(bot: StagedBot, shard: int, *, private: bool = False) -> None:
    """Another process has answered a click of a server of this shard before this one."""
    interaction = SimpleNamespace(guild_id=None if private else shard << GUILD_SHIFT)
    await bot.on_motley_answer(SimpleNamespace(click_id=7, was_answered_elsewhere=True, interaction=interaction))  # type: ignore[arg-type]


def has_warned(bot: StagedBot) -> bool:
    return bool(bot.access._warnings)


async def test_an_answer_that_no_process_of_the_group_can_have_given_tells_of_a_second_bot(
    two_bots: tuple[StagedBot, StagedBot],
) -> None:
    first, second = two_bots
    await answer_late(second, 2)
    assert has_warned(second)
    assert not has_warned(first)
    await answer_late(first, DIRECT_MESSAGE_SHARD, private=True)
    assert has_warned(first)


async def test_while_a_shard_changes_hands_either_process_may_have_answered(
    two_bots: tuple[StagedBot, StagedBot],
) -> None:
    first, second = two_bots
    second.leases.hold(1, 2, 3)  # the first one's session stays for a moment, and both are told of each click
    first.leases.hold(0)
    await wait_until(lambda: 1 in second.open_shards() and 1 not in first.open_shards())
    for bot in two_bots:
        await answer_late(bot, 1)
        assert not has_warned(bot)
    await answer_late(second, 2)
    assert has_warned(second), "that shard is the second one's as before"


async def test_a_session_that_began_a_moment_ago_is_asked_for(two_bots: tuple[StagedBot, StagedBot]) -> None:
    """The first process has not heard of it when Discord refuses its answer."""
    first, second = two_bots
    second.leases.hold(1, 2, 3)
    assert 1 not in second.open_shards()
    await answer_late(first, 1)
    assert 1 in second.open_shards()
    assert not has_warned(first)


async def test_while_the_store_is_away_no_second_bot_is_suspected(two_bots: tuple[StagedBot, StagedBot]) -> None:
    first, _ = two_bots
    first.others.away = True
    await answer_late(first, 1)
    assert not has_warned(first)
    first.others.away = False
    await answer_late(first, 1)
    assert has_warned(first)


async def test_after_a_process_has_left_its_answers_may_still_arrive(two_bots: tuple[StagedBot, StagedBot]) -> None:
    first, second = two_bots
    second.others.away, second.others.statuses = True, []
    first.leases.hold(0, 1, 2, 3)
    await answer_late(first, 2)
    assert not has_warned(first)
    await let_time_pass(first)
    await answer_late(first, 2)
    assert has_warned(first)


async def test_a_session_begins_when_its_part_is_held_and_it_is_ready_when_all_is_heard(staged_bot: StagedBot) -> None:
    await staged_bot.hold_open(1, 3)
    assert staged_bot.others.turns == [(1, 0.0), (1, 0.0)]
    assert not staged_bot.is_ready()
    staged_bot.others.hear(0, 2)
    await wait_until(staged_bot.is_ready)
    staged_bot.leases.hold(0, 1, 3)
    assert not staged_bot.is_ready(), "that another hears what is held here will not last"
    await wait_until(staged_bot.is_ready)
    assert staged_bot.open_shards() == [1, 3, 0]
    await wait_until(lambda: staged_bot.others.statuses[-1].shards == {0, 1, 3})


async def test_a_session_ends_once_another_process_is_told_of_the_same(staged_bot: StagedBot) -> None:
    await staged_bot.hold_open(1, 2)
    staged_bot.leases.hold(2)
    staged_bot.others.hear(3, 2)
    await asyncio.sleep(0.1)
    assert staged_bot.open_shards() == [1, 2], "nobody else is told of the one, and the other is held"
    staged_bot.others.hear(1)
    await wait_until(lambda: staged_bot.open_shards() == [2])
    await wait_until(lambda: staged_bot.others.statuses[-1].shards == {2})
    await staged_bot.hold_open(1, 2)
    assert staged_bot.sessions[1].begun == 2


async def test_neither_of_two_processes_that_give_up_a_shard_ends_the_session_of_the_other(
    staged_bot: StagedBot,
) -> None:
    await staged_bot.hold_open(1, 2)
    await wait_until(lambda: staged_bot.others.statuses[-1].lasting_shards == {1, 2})
    staged_bot.leases.hold(2)
    staged_bot.others.hear(passing=(1,))
    await wait_until(
        lambda: staged_bot.others.statuses[-1].shards == {1, 2} and staged_bot.others.statuses[-1].lasting_shards == {2}
    )
    await asyncio.sleep(0.1)
    assert staged_bot.open_shards() == [1, 2], "neither would be told of it"
    staged_bot.others.hear(1)
    await wait_until(lambda: staged_bot.open_shards() == [2])


async def test_while_the_store_is_away_sessions_stay_and_none_begins(staged_bot: StagedBot) -> None:
    await staged_bot.hold_open(1, 2)
    staged_bot.others.hear(1)
    await asyncio.sleep(0.1)
    staged_bot.others.away = True
    staged_bot.leases.hold(2, 3)
    await asyncio.sleep(0.1)
    assert staged_bot.open_shards() == [1, 2], "who keeps it may be giving it up by now, as one that relies on this one"
    staged_bot.others.away = False
    await wait_until(lambda: staged_bot.open_shards() == [2, 3])


async def test_only_known_servers_of_its_own_partitions_count(staged_bot: StagedBot) -> None:
    await staged_bot.hold_open(1, 2)
    assert staged_bot._present_servers()[1] == Partition(frozenset({1, 2}), RECOMMENDED)
    staged_bot.leases.hold(0, 1)
    assert staged_bot._present_servers()[1] == Partition(frozenset({1}), RECOMMENDED)


async def test_time_rests_for_clicks_of_servers_that_no_process_hears(staged_bot: StagedBot) -> None:
    """Players press the buttons of their hands in direct messages, which may reach this process."""

    def began() -> int | None:
        return staged_bot.downtime.rest_began(2 << GUILD_SHIFT)

    await staged_bot.hold_open(0, 2)
    staged_bot.others.hear(1, 2, 3)
    await staged_bot.hold_open(0)
    await wait_until(lambda: began() is None)
    staged_bot.others.hear(1, 3)
    await wait_until(lambda: began() == staged_bot.clock.now())
    staged_bot.others.hear(1, 2, 3)
    await wait_until(lambda: began() is None)


async def test_people_are_reached_in_direct_messages_by_whichever_process(staged_bot: StagedBot) -> None:
    await staged_bot.hold_open(1)
    assert not staged_bot.downtime.time_runs_for(1 << GUILD_SHIFT)
    staged_bot.others.hear(0)
    await wait_until(lambda: staged_bot.downtime.time_runs_for(1 << GUILD_SHIFT))
    staged_bot.others.hear()
    await wait_until(lambda: not staged_bot.downtime.time_runs_for(1 << GUILD_SHIFT))


async def test_at_its_end_it_answers_until_others_are_told_of_all(staged_bot: StagedBot) -> None:
    await staged_bot.hold_open(0, 1)
    ending = asyncio.create_task(staged_bot._hand_over_sessions())
    await wait_until(lambda: staged_bot.leases.given_back)
    staged_bot.others.hear(0)
    await wait_until(lambda: staged_bot.open_shards() == [1])
    assert not ending.done()
    await staged_bot.on_interaction(SimpleNamespace(id=7, type=None))  # type: ignore[arg-type]
    staged_bot.others.hear(0, 1)
    await wait_until(lambda: staged_bot.open_shards() == [])
    await asyncio.sleep(0.05)
    assert not ending.done(), "somebody waits for an answer"
    await staged_bot.on_motley_answer(SimpleNamespace(click_id=7, was_answered_elsewhere=False))  # type: ignore[arg-type]
    await staged_bot.on_interaction(SimpleNamespace(id=7, type=None))  # type: ignore[arg-type]  # delivered twice
    async with asyncio.timeout(60):
        await ending


async def test_it_ends_after_a_while_if_nobody_takes_over(
    staged_bot: StagedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharded_client, "TAKEOVER_START_SECONDS", -9.9)
    await staged_bot.hold_open(1)
    async with asyncio.timeout(60):
        await staged_bot._hand_over_sessions()
    assert staged_bot.open_shards() == []


async def test_one_that_is_alone_ends_its_sessions_and_answers_what_was_asked(staged_bot: StagedBot) -> None:
    staged_bot.others.group_status = GroupStatus()
    await staged_bot.hold_open(1)
    await staged_bot.on_interaction(SimpleNamespace(id=7, type=None))  # type: ignore[arg-type]
    ending = asyncio.create_task(staged_bot._hand_over_sessions())
    await wait_until(lambda: staged_bot.open_shards() == [])
    await asyncio.sleep(0.05)
    assert not ending.done()
    await staged_bot.on_motley_answer(SimpleNamespace(click_id=7, was_answered_elsewhere=False))  # type: ignore[arg-type]
    async with asyncio.timeout(60):
        await ending


@pytest.mark.parametrize(("versions", "synced"), [((), True), (("1.2", "1.1"), True), (("1.1", "1.10"), False)])
async def test_commands_are_left_to_a_newer_version(
    versions: tuple[str, ...], synced: bool, staged_bot: StagedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs: list[bool] = []

    async def sync(bot: MotleyBot) -> None:
        syncs.append(True)

    monkeypatch.setattr(MotleyBot, "_sync_commands", sync)
    staged_bot.others.group_status = GroupStatus(0.5, 3, versions=frozenset(versions))
    await staged_bot._sync_commands()
    assert bool(syncs) is synced
    assert staged_bot.others.sections == ["commands"]
    assert staged_bot.others.statuses[-1].version == "1.2"
