"""The playground's simulation in memory, with the bot in it and the people whom tests act for; time is virtual."""

from __future__ import annotations

import asyncio
import contextvars
import fnmatch
import json
import random
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
from discord.http import Route

from cogs.client import MotleyBot
from cogs.table.state.server_lease import check_lease
from playground.page.player_actions import PersonActions
from playground.rest.answers import BotRequest
from playground.simulation.gateway import Opcode
from playground.simulation.interactions import Interaction, InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids
from playground.world.permissions import EVERYONE_PERMISSIONS
from playground.world.world import Guild, Member, Message, Role, User, World
from tests.end_to_end.people_and_places import GuildHandle, InteractionResult
from tests.in_memory_discord import InMemoryApi, http_error, plug_in, read_request, webhooks_by_line
from tests.virtual_time import VirtualClock, VirtualTime

Json = dict[str, Any]
INVITED_PERMISSIONS = 309237763072  # as README.md says
FIRST_PERSON, ID_STEP = 1_100_000_000_000_000_000, 1000  # ids of people; their direct messages lie between
BUTTON, SUBCOMMANDS = 2, (1, 2)
NORMAL_CLOSURE = 1000


@dataclass
class RequestFault:
    """Requests that fail, before Discord has done what they ask or after it."""

    method: str = "*"
    path: str = "*"  # patterns as for files
    after: bool = False
    times: int | None = 1  # None: until all is mended
    error: Callable[[], Exception] = aiohttp.ServerDisconnectedError
    later: bool = False  # Discord does it all the same, when the test says so
    percent: float = 100
    chance: random.Random = field(default_factory=lambda: random.Random(0))

    def take_hit(self, method: str, path: str) -> bool:
        """Whether this request is hit; uses up one."""
        if self.times == 0 or not fnmatch.fnmatch(method, self.method) or not fnmatch.fnmatch(path, self.path):
            return False
        if self.chance.random() * 100 >= self.percent:
            return False
        if self.times is not None:
            self.times -= 1
        return True


@dataclass(frozen=True)
class LoggedRequest:
    """A request as the bot made it, whatever became of it."""

    method: str
    path: str
    params: dict[str, str]
    json: Any


class SimulatedDiscord:
    """The simulation, its time, the requests that the bot has made, and the bot's connection."""

    def __init__(self, time: VirtualTime) -> None:
        self.time = time
        clock = VirtualClock(time)
        world = World(clock)
        world.users[ids.BOT] = User(ids.BOT, "motley", "Motley", bot=True)
        self.world = world
        self.simulation = Simulation("http://discord.test", clock=clock, rate_limited=False, world=world)
        self.people = PersonActions(self.simulation)
        self.api = InMemoryApi(self.simulation)
        self.http_requests: list[LoggedRequest] = []
        self.refusals: list[RequestFault] = []
        self.connection_cuts: list[RequestFault] = []
        self.late_requests: list[BotRequest] = []  # what Discord has yet to do
        self.seconds_fast = 0.0  # by which Discord's clock is ahead of the bot's
        self.errors: list[BaseException] = []
        self._outside = frozenset(asyncio.all_tasks())
        self._bot: MotleyBot | None = None
        self._gateway: GatewayLine | None = None

    # What the bot asks

    async def request(self, bot: MotleyBot, route: Route, **how: Any) -> Any:
        """Answer a request as discord.py wants it, or fail as it would."""
        check_lease()
        request = read_request(self.simulation, route, **how)
        self.http_requests.append(LoggedRequest(request.method, request.path, request.query, request.payload))
        self._break(request, self.connection_cuts, after=False)
        self._break(request, self.refusals, after=False)
        sent = bot.discord_time.moment()
        status, body = await self.api.answer(request)
        bot.discord_time.note_date(self.simulation.clock.now() + self.seconds_fast, sent)
        self._break(request, self.connection_cuts, after=True)
        return self.api.read(status, body)

    def _break(self, request: BotRequest, faults: Sequence[RequestFault], *, after: bool) -> None:
        for fault in faults:
            if fault.after == after and fault.take_hit(request.method, request.path):
                if fault.later:
                    self.late_requests.append(request)
                raise fault.error()

    async def carry_out_late(self) -> None:
        """Do now what was cut short and is to be done later; of answers it takes one alone."""
        for request in self.late_requests:
            await self.api.answer(request)
        self.late_requests.clear()

    def inject_error(self, method: str, path: str, *, status: int = 500, code: int = 0, times: int | None = 1) -> None:
        """Have Discord refuse such requests."""
        body = {"code": code, "message": f"{code}, as the test wants it"}
        self.refusals.append(RequestFault(method, path, times=times, error=lambda: http_error(status, body)))

    # Time

    async def settle(self) -> None:
        """Wait until the bot has nothing left to do."""
        await self.time.rest()

    async def advance_time(self, seconds: float) -> None:
        await self.time.advance(seconds)

    # The bot

    async def connect(self, bot: MotleyBot) -> None:
        """Log a bot in, and tell it all that Discord tells at first."""
        self._bot = bot
        bot.on_error = self._note_error  # type: ignore[method-assign]
        bot.http.static_login = LoginLine(self, bot).log_in  # type: ignore[method-assign]
        bot._connection.guild_ready_timeout = 0.0  # nobody waits for servers that are slow to come
        await bot.login(self.simulation.token)
        self._gateway = GatewayLine(bot)
        gateway = self.simulation.gateway
        gateway.open_connection(self._gateway)
        identify = {"token": self.simulation.token, "intents": bot.intents.value}
        gateway.handle_frame(self._gateway, json.dumps({"op": Opcode.IDENTIFY, "d": identify}))
        await self.settle()

    async def disconnect(self) -> None:
        """Cut the bot off where it stands: whatever it does ends, and it hears nothing more."""
        if self._gateway is not None:
            self.simulation.gateway.close_connection(self._gateway, NORMAL_CLOSURE)
        while left := asyncio.all_tasks() - self._outside - {asyncio.current_task()}:
            for task in left:
                task.cancel()
            for ended in await asyncio.gather(*left, return_exceptions=True):
                if isinstance(ended, Exception):
                    self.errors.append(ended)
        self.time.cancel_timers()
        if self._bot is not None:
            with self.time.owing():
                await self._bot.worker_pool.close()

    async def _note_error(self, event: str, /, *args: Any, **more: Any) -> None:
        """Keep an error that discord.py would only log."""
        error = sys.exc_info()[1]
        assert error is not None
        self.errors.append(error)
        assert self._bot is not None
        await discord.Client.on_error(self._bot, event, *args, **more)

    def raise_errors(self) -> None:
        """Raise every error that nobody has seen to."""
        found = [*self.errors, *self.time.unread_errors()]
        if found:
            raise BaseExceptionGroup(f"{len(found)} errors in the bot", found)

    # The world

    def create_user(self, name: str, *, global_name: str | None = None) -> User:
        number = FIRST_PERSON + len(self.world.users) * ID_STEP
        user = self.world.users[number] = User(number, name, global_name or name)
        return user

    def create_guild(self, name: str, owner: int) -> GuildHandle:
        """A server with the bot in it, which has the permissions that its invitation asks for."""
        number, bot_role = self.world.snowflakes.next_id(), self.world.snowflakes.next_id()
        guild = Guild(number, name, owner, bot_role, 0, has_bot=False)
        guild.roles = {
            number: Role(number, "@everyone", EVERYONE_PERMISSIONS, 0),
            bot_role: Role(bot_role, "Motley", INVITED_PERMISSIONS, 1, bot_id=ids.BOT),
        }
        guild.members[owner] = Member(owner, self.world.clock.now())
        self.world.guilds[number] = guild
        self.simulation.add_bot(guild)
        return GuildHandle(self, guild)

    def find_messages(self, channel: int) -> list[Message]:
        return sorted(self.world.messages.get(channel, {}).values(), key=lambda message: message.id)

    # What people do

    async def act(self, person: int, do: str, **how: Any) -> InteractionResult:
        """Have somebody do something to which the bot answers, and wait until all is done that follows."""
        result = self.begin_act(person, do, **how)
        await self.settle()
        return result

    def begin_act(self, person: int, do: str, **how: Any) -> InteractionResult:
        done = self.people.perform({"person": str(person), "do": do, **how})
        assert isinstance(done, Interaction), f"the bot need not answer {do}"
        return InteractionResult(self, done)

    def perform(self, person: int, do: str, **how: Any) -> Json:
        """Have somebody do something that the bot does not answer."""
        done = self.people.perform({"person": str(person), "do": do, **how})
        assert isinstance(done, dict)
        return done

    async def forge_form(
        self, person: int, channel: int, custom_id: str, components: Sequence[Json]
    ) -> InteractionResult:
        data: Json = {"custom_id": custom_id, "components": list(components)}
        start = self.simulation.interactions.start_interaction
        interaction = start(InteractionKind.MODAL_SUBMIT, person, self.world.channel(channel), data)
        await self.settle()
        return InteractionResult(self, interaction)


class LoginLine:
    """One bot's way to Discord."""

    def __init__(self, discord_: SimulatedDiscord, bot: MotleyBot) -> None:
        self._discord = discord_
        self._bot = bot

    async def log_in(self, token: str) -> Any:
        self._bot.http.token = token
        plug_in(self._bot, self)
        return await self._bot.http.request(Route("GET", "/users/@me"))

    async def request(self, route: Route, **how: Any) -> Any:
        return await self._discord.request(self._bot, route, **how)

    async def close(self) -> None:
        """Nothing is open."""


class GatewayLine:
    """A bot's connection to the gateway. What comes goes to the bot at once, by its own parsers."""

    def __init__(self, bot: MotleyBot) -> None:
        self._bot = bot
        self._context = contextvars.copy_context()

    def send(self, frame: str) -> None:
        event = json.loads(frame)
        if event["op"] == Opcode.DISPATCH and not self._bot.is_closed():
            parse = self._bot._connection.parsers.get(event["t"])
            if parse is not None:
                self._context.copy().run(parse, event["d"])

    def hang_up(self, code: int) -> None:
        raise AssertionError(f"the gateway has hung up with {code}")


@asynccontextmanager
async def start_discord() -> AsyncIterator[SimulatedDiscord]:
    """An empty Discord; at the end whatever is still under way there ends."""
    time = VirtualTime()
    with time.governing(), webhooks_by_line():
        simulated = SimulatedDiscord(time)
        try:
            yield simulated
        finally:
            await simulated.disconnect()
            time.cancel_timers(lasting=True)
