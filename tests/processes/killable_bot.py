"""Runs the bot in processes forked from this one, which has loaded all of it; each may be told where it is to die.

A line comes in for each: JSON, an `Order`. Two go out: the number of its process, and how it ended. What runs is
`bot.main`, as it is. But its pictures' parts are drawn already; it does not wait two seconds for more servers, as
discord.py does after connecting; and its clock may run faster, so that calls and deadlines, which take minutes, come
between two kills.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial, wraps
from itertools import islice
from math import inf
from typing import Any, Literal, get_args

from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter

import bot
from cogs.client import MotleyBot
from cogs.screens.screen import Picture
from cogs.system_clock import SystemClock
from cogs.table.scheduling import downtime
from engines import GAMES
from engines.store.match_store import Change
from storage.sqlite import writer
from tests.game_uis import STUDIO
from tests.processes.picture_load import pages_of_match

Step = Literal["", "before", "inside", "after", "answer", "redraw", "sending", "sent"]
"""Where it dies: before a transaction, at its end before it is committed, when it is and nobody knows; before a first
answer is sent, after it has come through; before a message is posted, changed or deleted, and after that."""
STEPS: tuple[Step, ...] = get_args(Step)[1:]
COUNT_SIGNAL, COUNTED_TEXT = signal.SIGUSR1, "it counts"  # sent to a bot that is to be told, and what it says then
FEW_PICTURES = 12  # pages of a match, by which most parts are drawn
HURRY_FACTOR = 8  # times as quick are computers, and what may wait a while


@dataclass(frozen=True)
class RunOrder:
    """How to run a bot: where it dies, the how manyth time there, from when on, which transactions count; its clock."""

    environment: dict[str, str]
    step: Step = ""
    times: int = 1
    moves: bool = False  # whether only moves' transactions count
    counted: bool = False  # whether all counts only when it is `COUNT`ed from
    since: float = 0  # Unix seconds, from when on the clock runs faster,
    speed: float = 1  # by so much

    def to_line(self) -> str:
        return json.dumps(asdict(self)) + "\n"

    def now(self) -> int:
        return int(self.since + (time.time() - self.since) * self.speed)


class FastClock(SystemClock):
    """The wall clock of an order. Sleeps are `factor` times as short."""

    def __init__(self, order: RunOrder, factor: float = 1) -> None:
        self._order, self._factor = order, factor

    def now(self) -> int:
        return self._order.now()

    def monotonic(self) -> float:
        return super().monotonic() * self._factor

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds / self._factor)


class DeathPlan:
    """Kills its own process as nothing else does: no handler runs, nothing is flushed."""

    def __init__(self, order: RunOrder) -> None:
        self._step, self._left = order.step, order.times
        self._moves = order.moves
        self._counts = not order.counted

    def start_counting(self, *signal: object) -> None:
        self._counts = True
        print(COUNTED_TEXT, file=sys.stderr, flush=True)

    def reach_step(self, step: Step) -> None:
        if step == self._step and self._counts:
            self._left -= 1
            if not self._left:
                os.kill(os.getpid(), signal.SIGKILL)

    def commit_or_die(
        self,
        real: Callable[..., list[Any]],
        batch: Sequence[Any],
        guard: writer.CommitCheck | None,
        raw: sqlite3.Connection,
    ) -> list[Any]:
        if self._moves and not any(_is_move(work) for work in batch):
            return real(batch, guard, raw)
        self.reach_step("before")
        return real(batch, guard, DyingConnection(raw, self))

    async def request_or_die(
        self, real: Callable[..., Awaitable[Any]], client: Any, route: Route, *rest: Any, **arguments: Any
    ) -> Any:
        path = route.url.removeprefix(Route.BASE)
        answering, message = path.endswith("/callback"), route.method != "GET" and "/messages" in path
        if answering:
            self.reach_step("answer")
        if message:
            self.reach_step("sending")
        found = await real(client, route, *rest, **arguments)
        if answering:
            self.reach_step("redraw")
        if message:
            self.reach_step("sent")
        return found


class DyingConnection:
    """A connection whose COMMIT may be the last that is seen of the process."""

    def __init__(self, raw: sqlite3.Connection, death: DeathPlan) -> None:
        self._raw = raw
        self._death = death

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql != "COMMIT":
            return self._raw.execute(sql, *values)
        self._death.reach_step("inside")
        result = self._raw.execute(sql)
        self._death.reach_step("after")
        return result


def _is_move(work: Any) -> bool:
    given = work.args if isinstance(work, partial) else ()
    return any(isinstance(each, Change) and each.move is not None for each in given)


def set_clock(clock: FastClock, *services: Any) -> None:
    """Have services of the bot go by this clock."""
    for service in services:
        service._services = replace(service._services, clock=clock)


def prepare(order: RunOrder) -> None:
    """Have this process, which is to be the bot, go by the order."""
    death = DeathPlan(order)

    class Prompt(MotleyBot):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._connection.guild_ready_timeout = 0.05
            set_clock(FastClock(order, order.speed), self.scheduler, self.retention)
            set_clock(FastClock(order, HURRY_FACTOR), self.computers)
            set_clock(FastClock(order, HURRY_FACTOR), self.reconciler.stale_tracker)  # else some edit is always unsaved
            self.reconciler.hand_pacing.clock = FastClock(order, HURRY_FACTOR)

    commit, client, adapter = writer._commit_batch, HTTPClient.request, AsyncWebhookAdapter.request

    def request(real: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(real)  # a start checks the parameters of discord.py's functions
        async def request_or_die(owner: Any, route: Route, *rest: Any, **arguments: Any) -> Any:
            return await death.request_or_die(real, owner, route, *rest, **arguments)

        return request_or_die

    vars(bot).update(MotleyBot=Prompt, SystemClock=partial(FastClock, order))
    vars(downtime).update(LATE_SECONDS=inf)  # its two clocks differ in speed
    vars(writer).update(_commit_batch=partial(death.commit_or_die, commit))
    setattr(HTTPClient, "request", request(client))  # noqa: B010  # mypy lets nobody assign a method
    setattr(AsyncWebhookAdapter, "request", request(adapter))  # noqa: B010
    os.environ.update(order.environment)
    signal.signal(COUNT_SIGNAL, death.start_counting)


def draw_shared() -> None:
    for game in GAMES.values():
        for page in islice(pages_of_match(game), FEW_PICTURES):
            if isinstance(page.picture, Picture):
                STUDIO.render(page.picture.spec)


def main() -> None:
    draw_shared()
    for line in sys.stdin:
        order = RunOrder(**json.loads(line))
        child = os.fork()
        if not child:
            prepare(order)
            status = bot.main()
            sys.stderr.flush()
            os._exit(status)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
