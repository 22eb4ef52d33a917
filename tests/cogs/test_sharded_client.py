"""When shards begin and end, and what it means that one is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs import sharded_client
from cogs.client import Motley
from cogs.sharded_client import Sharded
from cogs.table.transport.network_errors import named
from engines import GAMES
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from engines.store.partition import SHIFT, Part
from engines.store.process_group import Crew, Sign
from engines.store.server_ownership import Alone
from tests.engines.memory_shown import MemoryShown
from tests.engines.memory_store import MemoryStore
from tests.fronts import FRONTS
from tests.thinking.at_once import AtOnce

RECOMMENDED = 4


async def made(monkeypatch: pytest.MonkeyPatch, part: Part | None, refusal: Exception | None = None) -> Sharded:
    """The bot before any shard has begun."""

    async def gateway() -> tuple[int, str, dict[str, int]]:
        if isinstance(refusal, discord.HTTPException):  # as discord.py tells of it
            raise discord.GatewayNotFound from refusal
        if refusal:
            raise refusal
        return RECOMMENDED, "", {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 2}

    async def nothing(bot: Motley) -> None: ...

    monkeypatch.setattr(Motley, "setup_hook", nothing)
    bot = Sharded(Matches(MemoryStore(), GAMES, lambda: 1000), MemoryShown(), FRONTS, AtOnce(), lambda: 1000, part=part)
    monkeypatch.setattr(bot.http, "get_bot_gateway", gateway)
    await bot.setup_hook()
    await bot.absence.begin()
    return bot


def reached(bot: Sharded) -> list[int]:
    """The parts of the servers whose people can reach the bot."""
    return [number for number in range(bot.part.of) if bot.absence.there_for(number << SHIFT)]


async def rest() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("part", "ids", "count"), [(None, [0, 1, 2, 3], RECOMMENDED), (Part.read("2-4/16"), [2, 3, 4], 16)]
)
async def test_there_are_as_many_shards_as_is_said_or_else_recommended(
    part: Part | None, ids: list[int], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await made(monkeypatch, part)
    assert (bot.shard_ids, bot.shard_count) == (ids, count)
    assert reached(bot) == ids


def refused(status: int) -> discord.HTTPException:
    """As discord.py tells of a refusal."""
    response: Any = SimpleNamespace(status=status, reason="Refused")
    return discord.HTTPException(response, None)


REFUSALS = refused(403), refused(503), discord.RateLimited(100.0)


@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
async def test_if_discord_recommends_nothing_those_that_are_named_begin(
    refusal: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bot = await made(monkeypatch, Part.read("2-4/16"), refusal)
    assert (bot.shard_ids, bot.shard_count) == ([2, 3, 4], 16)
    assert [record.levelname for record in caplog.records if named(refusal) in record.message] == ["WARNING"]


@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
async def test_if_discord_recommends_nothing_and_none_are_named_its_refusal_is_told(
    refusal: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(type(refusal)) as told:
        await made(monkeypatch, None, refusal)
    assert told.value is refusal


async def test_from_a_shard_that_is_gone_its_servers_cannot_reach_the_bot_until_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bot = await made(monkeypatch, None)
    await bot.on_disconnect()
    await bot.on_shard_disconnect(3)
    assert reached(bot) == [0, 1, 2]
    await bot.on_connect()
    await rest()
    assert reached(bot) == [0, 1, 2], "it was another one that came"
    await bot.on_shard_resumed(3)
    await rest()
    assert reached(bot) == [0, 1, 2, 3]


async def test_without_the_shard_of_direct_messages_nobody_can(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = await made(monkeypatch, None)
    await bot.on_shard_disconnect(0)
    await bot.on_shard_disconnect(1)
    assert reached(bot) == []
    await bot.on_shard_connect(0)
    await rest()
    assert reached(bot) == [0, 2, 3]


async def test_matches_resume_once_and_each_session_is_told_by_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = await made(monkeypatch, None)
    told: list[Any] = []
    monkeypatch.setattr(bot, "dispatch", lambda event, *args: told.append((event, *args)))
    monkeypatch.setattr(bot, "tasks", SimpleNamespace(start=lambda name, *_: told.append(name)))
    await bot.on_shard_ready(2)
    await bot.on_ready()
    await bot.on_ready()
    assert told == [("session", Part(frozenset({2}), 4)), "resume"]


class Leases(Alone):
    """What is held, as the test says."""

    def __init__(self) -> None:
        super().__init__(Part(frozenset(), RECOMMENDED))
        self.given_back = False

    async def divide(self, part: Part | None, recommended: int) -> Part:
        return part or Part.all(recommended)

    async def give_back(self) -> None:
        self.given_back = True
        self.hold()

    def hold(self, *numbers: int) -> None:
        """Hold these parts from now on."""
        before, self.part = self.part, Part(frozenset(numbers), RECOMMENDED)
        self.changed(Part(self.part.numbers - before.numbers), Part(before.numbers - self.part.numbers))


@dataclass
class Others:
    """The other processes, as the test says."""

    crew: Crew = field(default_factory=lambda: Crew(0.5, 2))
    told: list[Sign] = field(default_factory=list)
    turns: list[tuple[int, float]] = field(default_factory=list)
    deeds: list[str] = field(default_factory=list)
    away: bool = False
    left: bool = False

    def hear(self, *numbers: int, passing: tuple[int, ...] = ()) -> None:
        """Of these shards another is told from now on; of the others until somebody else is."""
        self.crew = Crew(0.5, 2, frozenset({*numbers, *passing}), frozenset(numbers), self.crew.versions)

    async def turn(self, bucket: int, after: float = 0.0) -> None:
        self._look()
        self.turns.append((bucket, after))

    async def beat(self, sign: Sign) -> Crew:
        self._look()
        self.told.append(sign)
        return self.crew

    @asynccontextmanager
    async def alone(self, what: str) -> AsyncIterator[None]:
        self.deeds.append(what)
        yield

    async def leave(self) -> None:
        self.left = True

    def _look(self) -> None:
        if self.away:
            raise StoreFailure("away")


class Session:
    """A session as discord.py shows it."""

    def __init__(self, bot: Staged, number: int) -> None:
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


class Staged(Sharded):
    """The bot over a gateway that takes every session at once."""

    def __init__(self, leases: Leases, others: Others) -> None:
        matches = Matches(MemoryStore(), GAMES, lambda: 1000)
        super().__init__(
            matches,
            MemoryShown(),
            FRONTS,
            AtOnce(),
            lambda: 1000,
            holding=leases,
            together=others,
            version="1.2",
        )
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

    def open(self) -> list[int]:
        """The shards of which it is told."""
        return [number for number, session in self.sessions.items() if session.open]

    async def comes(self, seen: Callable[[], bool]) -> None:
        """Wait until that is so."""
        async with asyncio.timeout(5):
            while not seen():  # noqa: ASYNC110  # nothing else tells of it
                await asyncio.sleep(0.005)


@pytest.fixture
async def staged(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Staged]:
    """The bot beside another process; it is connected, and holds nothing yet."""

    async def gateway() -> tuple[int, str, dict[str, int]]:
        return RECOMMENDED, "", {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 2}

    async def nothing(bot: Motley) -> None:
        bot.holding.changed = bot.held

    monkeypatch.setattr(sharded_client, "BEAT", 0.02)
    monkeypatch.setattr(sharded_client, "HURRIED", 0.01)
    monkeypatch.setattr(Motley, "setup_hook", nothing)
    monkeypatch.setattr(Motley, "resume_matches", lambda bot: None)
    bot = Staged(Leases(), Others())
    monkeypatch.setattr(bot.http, "get_bot_gateway", gateway)
    await bot._async_setup_hook()
    await bot.setup_hook()
    await bot.absence.begin()
    connected = asyncio.create_task(bot.connect(), name="connect")
    yield bot
    bot.others.crew = Crew()
    connected.cancel()
    with suppress(asyncio.CancelledError):
        await connected
    await bot.tasks.close()


async def test_a_session_begins_when_its_part_is_held(staged: Staged) -> None:
    staged.leases.hold(1, 3)
    await staged.comes(lambda: staged.open() == [1, 3])
    assert staged.others.turns == [(1, 0.0), (1, 0.0)]
    staged.leases.hold(0, 1, 3)
    await staged.comes(lambda: staged.open() == [1, 3, 0])
    await staged.comes(lambda: staged.others.told[-1].heard == {0, 1, 3})


async def test_it_is_ready_when_all_is_heard_by_it_or_others(staged: Staged) -> None:
    staged.leases.hold(1, 3)
    await staged.comes(lambda: staged.open() == [1, 3])
    assert not staged.is_ready()
    staged.others.hear(0, 2)
    await staged.comes(staged.is_ready)
    staged.leases.hold(0, 1, 3)
    assert not staged.is_ready(), "that another hears what is held here will not last"
    await staged.comes(staged.is_ready)


async def test_a_session_ends_once_another_process_is_told_of_the_same(staged: Staged) -> None:
    staged.leases.hold(1, 2)
    await staged.comes(lambda: staged.open() == [1, 2])
    staged.leases.hold(2)
    staged.others.hear(3, 2)
    await asyncio.sleep(0.1)
    assert staged.open() == [1, 2], "nobody else is told of the one, and the other is held"
    staged.others.hear(1)
    await staged.comes(lambda: staged.open() == [2])
    await staged.comes(lambda: staged.others.told[-1].heard == {2})
    staged.leases.hold(1, 2)
    await staged.comes(lambda: staged.open() == [1, 2])
    assert staged.sessions[1].begun == 2


async def test_of_two_that_give_up_the_same_shard_neither_ends_its_session_for_the_other(staged: Staged) -> None:
    staged.leases.hold(1, 2)
    await staged.comes(lambda: staged.open() == [1, 2])
    await staged.comes(lambda: staged.others.told[-1].kept == {1, 2})
    staged.leases.hold(2)
    staged.others.hear(passing=(1,))
    await staged.comes(lambda: staged.others.told[-1].heard == {1, 2} and staged.others.told[-1].kept == {2})
    await asyncio.sleep(0.1)
    assert staged.open() == [1, 2], "neither would be told of it"
    staged.others.hear(1)
    await staged.comes(lambda: staged.open() == [2])


async def test_no_session_ends_before_the_others_know_that_it_is_given_up(staged: Staged) -> None:
    staged.leases.hold(1, 2)
    await staged.comes(lambda: staged.open() == [1, 2])
    staged.others.hear(1)
    await asyncio.sleep(0.1)
    staged.others.away = True
    staged.leases.hold(2)
    await asyncio.sleep(0.1)
    assert staged.open() == [1, 2], "who keeps it may be giving it up by now, as one that relies on this one"
    staged.others.away = False
    await staged.comes(lambda: staged.open() == [2])


async def test_while_the_store_is_away_sessions_stay_and_begin_when_it_is_back(staged: Staged) -> None:
    staged.leases.hold(1)
    await staged.comes(lambda: staged.open() == [1])
    staged.others.away = True
    staged.leases.hold(1, 2)
    await asyncio.sleep(0.1)
    assert staged.open() == [1]
    staged.others.away = False
    await staged.comes(lambda: staged.open() == [1, 2])


async def test_of_servers_those_count_of_which_it_is_told_and_that_it_holds(staged: Staged) -> None:
    staged.leases.hold(1, 2)
    await staged.comes(lambda: staged.open() == [1, 2])
    assert staged._servers()[1] == Part(frozenset({1, 2}), RECOMMENDED)
    staged.leases.hold(0, 1)
    assert staged._servers()[1] == Part(frozenset({1}), RECOMMENDED)


async def test_people_are_reached_in_direct_messages_by_whichever_process(staged: Staged) -> None:
    staged.leases.hold(1)
    await staged.comes(lambda: staged.open() == [1])
    assert not staged.absence.there_for(1 << SHIFT)
    staged.others.hear(0)
    await staged.comes(lambda: staged.absence.there_for(1 << SHIFT))
    staged.others.hear()
    await staged.comes(lambda: not staged.absence.there_for(1 << SHIFT))


async def test_at_its_end_it_answers_until_others_are_told_of_all(staged: Staged) -> None:
    staged.leases.hold(0, 1)
    await staged.comes(lambda: staged.open() == [0, 1])
    ending = asyncio.create_task(staged._hand_over())
    await staged.comes(lambda: staged.leases.given_back)
    staged.others.hear(0)
    await staged.comes(lambda: staged.open() == [1])
    assert not ending.done()
    await staged.on_interaction(SimpleNamespace(id=7, type=None))  # type: ignore[arg-type]
    staged.others.hear(0, 1)
    await staged.comes(lambda: staged.open() == [])
    await asyncio.sleep(0.05)
    assert not ending.done(), "somebody waits for an answer"
    await staged.on_motley_answer(SimpleNamespace(click=7))  # type: ignore[arg-type]
    await staged.on_interaction(SimpleNamespace(id=7, type=None))  # type: ignore[arg-type]  # told twice
    async with asyncio.timeout(1):
        await ending


async def test_where_nobody_takes_over_it_ends_after_a_while(staged: Staged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharded_client, "STARTING", -9.9)
    staged.leases.hold(1)
    await staged.comes(lambda: staged.open() == [1])
    async with asyncio.timeout(2):
        await staged._hand_over()
    assert staged.open() == []


async def test_one_that_is_alone_ends_its_sessions_and_answers_what_was_asked(staged: Staged) -> None:
    staged.others.crew = Crew()
    staged.leases.hold(1)
    await staged.comes(lambda: staged.open() == [1])
    await staged.on_interaction(SimpleNamespace(id=7, type=None))  # type: ignore[arg-type]
    ending = asyncio.create_task(staged._hand_over())
    await staged.comes(lambda: staged.open() == [])
    await asyncio.sleep(0.05)
    assert not ending.done()
    await staged.on_motley_answer(SimpleNamespace(click=7))  # type: ignore[arg-type]
    async with asyncio.timeout(1):
        await ending


@pytest.mark.parametrize(("versions", "synced"), [((), True), (("1.2", "1.1"), True), (("1.1", "1.10"), False)])
async def test_commands_are_left_to_a_newer_version(
    versions: tuple[str, ...], synced: bool, staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[bool] = []

    async def sync(bot: Motley) -> None:
        done.append(True)

    monkeypatch.setattr(Motley, "_sync", sync)
    staged.others.crew = Crew(0.5, 3, versions=frozenset(versions))
    await staged._sync()
    assert bool(done) is synced
    assert staged.others.deeds == ["commands"]
    assert staged.others.told[-1].version == "1.2"
