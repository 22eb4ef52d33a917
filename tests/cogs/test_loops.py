"""No error ends a loop: each is started through one error boundary, and goes on after a failing first pass."""

from __future__ import annotations

import ast
import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cogs.command_sync import register_at_last
from cogs.table.transport import background_tasks
from cogs.table.transport.background_tasks import BackgroundTasks, keep_running, retry_until_done
from engines.store.match_store import NotLeaseHolder, StoreFailure
from motley.metrics import Metrics
from motley.scheduled_backups import BackupPlan, run_backups
from tests.cogs.waiting import wait_until
from tests.contract.helpers import HELPERS
from tests.games import GAMES, ROOT
from tests.manual_time import HastyClock
from tests.plain.plain_bot import PEOPLE, start_plain_bot

PLACES = ("bot.py", "cogs", "engines", "motley", "storage", "worker_pool")
BOUNDARIES = ("start_loop", "keep_running", "retry_until_done")  # the functions behind which no error ends anything
ENDLESS_CALLS = ("exponential_backoff", "count")

# Endless loops that no task of their own runs, each with its reason.
INSIDE = {
    "keep_running": "it is the boundary",
    "exponential_backoff": "it only yields numbers",
    "exclusive_match": "a request waits for a match's lock",
    "wait_for_turn": "a shard waits for its turn to identify, inside discord.py's own loop",
    "_wait_for_identify_turn": "the same",
    "choose_paced": "part of a deadline's action, which is retried",
    "_take_turn": "part of _play_match",
    "_hand_out_when_due": "part of Scheduler._run",
    "_act_when_possible": "Deadlines._start runs it with retry_until_done",
    "_wipe": "part of Retention._run and of the tasks that forget somebody",
    "_stay_connected": "the main program: an unforeseen error ends it with exit status 1, and it is started again",
    "_open_when_reachable": "the same",
    "_watch_leases": "it has a boundary of its own below the bot: see test_a_failing_renewal_ends_no_lease_for_good",
    "run": "the container's entry: the main program of its process",
}
# Places that create a task in another way, each with its reason.
TASKS = {
    "background_tasks.start": "the one place for background tasks",
    "bot.run_bot": "the main program waits for both",
    "client._end_without_token": "it closes the bot once",
    "sharded_client.connect": "discord.py's connection, for which the caller waits",
    "computer_turns.choose_paced": "a choice, for which the caller waits",
    "computer_turns._take_turn": "the same",
    "task_cache": "a search, for which the caller waits",
    "rate_limiter.run_first": "a reply, for which the caller waits",
    "rate_limiter._wait_for_turn": "one sleep",
    "lobby_drawing.new_lobby_page": "one picture, whose end is noted",
    "interaction_response.reply_boundary": "one acknowledgement, whose errors are caught",
    "discord_internals.__aexit__": "one sleep of discord.py's rate limit",
    "read_through_cache": "one write, for which the caller waits",
    "match_changes.change_match": "one change, for which the caller waits",
    "group_commit.write": "drains the waiting writes, each of which is answered",
    "leases.hold": "see _watch_leases",
    "database._commit": "one vacuum",
    "bulk_copy._await_to_end": "the owner's command, which waits for it",
    "connection": "one connection, for which the caller waits",
    "database_move": "the owner's command, which waits for it",
}


class Source(NamedTuple):
    module: str
    tree: ast.Module


def sources() -> Iterator[Source]:
    for place in PLACES:
        paths = [ROOT / place] if place.endswith(".py") else sorted((ROOT / place).rglob("*.py"))
        for path in paths:
            yield Source(path.stem, ast.parse(path.read_text(encoding="utf-8")))


def called_name(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_awaiting(node: ast.AST, name: str = "") -> bool:
    found = (each for each in ast.walk(node) if isinstance(each, ast.Await))
    return any(not name or called_name(each.value) == name for each in found)


def is_endless(function: ast.AST) -> bool:
    """Whether it has a loop that nothing but itself ends."""
    loops = [
        each
        for each in ast.walk(function)
        if isinstance(each, ast.While | ast.For | ast.AsyncFor) and is_awaiting(each)
    ]
    return any(
        isinstance(each.test, ast.Constant) if isinstance(each, ast.While) else called_name(each.iter) in ENDLESS_CALLS
        for each in loops
    )


def sleeps_in_a_loop(function: ast.AST) -> bool:
    return any(isinstance(each, ast.While) and is_awaiting(each, "sleep") for each in ast.walk(function))


def functions(tree: ast.AST) -> Iterator[ast.AsyncFunctionDef | ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef))


def passed_functions(call: ast.Call) -> set[str]:
    """The functions that a call is handed."""
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in call.args}


def escaped_loops(found: list[Source]) -> set[str]:
    """The functions with an endless loop that are neither behind the boundary nor inside something that is.

    Work that is started as a task may also not sleep between passes outside the boundary.
    """
    guarded, plain = set[str](), set[str]()
    for source in found:
        for call in (node for node in ast.walk(source.tree) if called_name(node) in (*BOUNDARIES, "start")):
            assert isinstance(call, ast.Call)
            is_guarded = called_name(call) in BOUNDARIES or passed_functions(call) & {*BOUNDARIES}
            (guarded if is_guarded else plain).update(passed_functions(call))
    return {
        f"{source.module}.{each.name}"
        for source in found
        for each in functions(source.tree)
        if isinstance(each, ast.AsyncFunctionDef)
        and each.name not in guarded | INSIDE.keys()
        and (is_endless(each) or (each.name in plain and sleeps_in_a_loop(each)))
    }


def other_tasks(found: list[Source]) -> set[str]:
    return {
        f"{source.module}.{each.name}"
        for source in found
        for each in functions(source.tree)
        if any(called_name(node) in ("create_task", "ensure_future") for node in ast.walk(each))
        and not {f"{source.module}.{each.name}", source.module} & TASKS.keys()
    }


def test_every_endless_loop_is_behind_the_boundary() -> None:
    assert not escaped_loops([*sources()])


def test_no_task_is_started_past_the_boundary() -> None:
    assert not other_tasks([*sources()])


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n        await self.look()",
        "while self.is_open:\n        await self.clock.sleep(5)",
        "for pause in exponential_backoff(1, 60):\n        await self.look()",
        "for number in count(1):\n        await self.look()",
    ],
)
def test_a_loop_that_escapes_would_be_found(loop: str) -> None:
    text = f"async def _go_on(self):\n    {loop}\n\ndef start(self):\n    self._tasks.start('x', self._go_on)\n"
    assert escaped_loops([Source("new", ast.parse(text))]) == {"new._go_on"}
    assert not escaped_loops([Source("new", ast.parse(text.replace("tasks.start(", "tasks.start_loop(clock, ")))])
    assert other_tasks([Source("new", ast.parse(text.replace("_tasks.start('x', ", "asyncio.create_task(")))]) == {
        "new.start"
    }


# The boundary itself


class FailingWork:
    def __init__(self, *errors: BaseException) -> None:
        self.errors, self.passes = [*errors], 0

    async def __call__(self) -> None:
        self.passes += 1
        if self.errors:
            raise self.errors.pop(0)


@pytest.mark.parametrize("error", [KeyError("retry_after"), StoreFailure("away"), NotLeaseHolder(), TimeoutError()])
async def test_work_begins_again_after_an_error(error: Exception) -> None:
    work, clock = FailingWork(error), HastyClock()
    await keep_running(clock, work)
    assert (work.passes, clock.slept) == (2, [1])


async def test_work_begins_again_after_a_cancellation_of_something_that_it_awaited(
    caplog: pytest.LogCaptureFixture,
) -> None:
    work, clock = FailingWork(asyncio.CancelledError()), HastyClock()
    await keep_running(clock, work)
    assert (work.passes, clock.slept) == (2, [1])
    assert "CancelledError" in caplog.text


async def test_a_loop_that_is_stopped_ends() -> None:
    async def wait() -> None:
        with pytest.raises(asyncio.CancelledError):
            await asyncio.sleep(60)
        raise asyncio.CancelledError  # some libraries raise a new one

    running = asyncio.create_task(keep_running(HastyClock(), wait))
    await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait({running})
    assert running.cancelled()


async def test_the_same_error_is_logged_once_and_the_pauses_grow(caplog: pytest.LogCaptureFixture) -> None:
    errors = [KeyError("x")] * 8 + [ValueError("y")]
    work, clock = FailingWork(*errors), HastyClock()
    await keep_running(clock, work)
    assert clock.slept == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert [record.getMessage().split()[2] for record in caplog.records] == ["KeyError", "ValueError"]


async def test_work_is_not_retried_after_the_lease_is_lost() -> None:
    work = FailingWork(ValueError("x"), NotLeaseHolder())
    await retry_until_done(HastyClock(), work)
    assert work.passes == 2


# Every loop, with a failing first pass


class Once:
    """Fails when it is first called, and then does what it should."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self.does, self.calls = does, 0

    def __call__(self, *args: Any, **more: Any) -> Any:
        self.calls += 1
        if self.calls == 1:
            raise KeyError("unforeseen")
        return self.does(*args, **more)


EXPECTED = (
    *("OwnerRequests._run", "Retention._run", "Retention._forget_requested", "Scheduler._run", "register_at_last"),
    *("MotleyBot._resume_partition", "MotleyBot._check_live_matches", "ComputerPlayers._play_match"),
    *("Downtime._make_up_for", "StaleTracker._save_later", "HandPacing._show_when_due"),
)


@pytest.fixture
def start_counts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often each loop began since; whatever is started fails the first time."""
    passes: dict[str, int] = defaultdict(int)

    async def failing_first(clock: Any, work: Any, *args: Any) -> None:
        async def attempt() -> None:
            passes[work.__qualname__] += 1
            if passes[work.__qualname__] == 1:
                raise KeyError("unforeseen")
            await work(*args)

        await keep_running(clock, attempt)

    monkeypatch.setattr(background_tasks, "keep_running", failing_first)
    return passes


async def test_a_bot_whose_every_loop_fails_at_first_plays_a_match(start_counts: dict[str, int]) -> None:
    async with start_plain_bot("5e") as plain:
        bot = plain.bot
        bot.resume_matches()
        await plain.pass_time(5)
        helper = HELPERS["wizard"]
        match = await plain.seat_match(helper.game, PEOPLE[:2], helper.short_options, ("normal",))
        for _ in range(8):
            await plain.pass_time(10)
            snapshot = await plain.load_snapshot(match)
            for seat in snapshot.due_seats():
                if not snapshot.info.seats[seat].level:
                    await plain.click_move(snapshot, seat)
        assert (await plain.load_snapshot(match)).info.moves > 3
        bot.retention.start_forgetting()
        bot.downtime.mark_unreachable("a test")
        await plain.pass_time(10)
        bot.downtime.mark_reachable("a test")
        await plain.wait_quiet()
        await plain.pass_time(10)
    assert not {name for name in EXPECTED if start_counts[name] < 2}


async def test_registering_the_commands_goes_on_after_an_unforeseen_error() -> None:
    """A 429 without a waiting time made discord.py raise a KeyError, and the bot had no commands for good."""
    sync, clock, tasks = FailingWork(KeyError("retry_after")), HastyClock(), BackgroundTasks()
    tasks.start_loop(clock, "commands", register_at_last, clock, sync)
    await asyncio.wait(tasks._running.values(), timeout=60)
    assert sync.passes == 2


async def test_backups_go_on_after_an_unforeseen_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, tasks, is_made = HastyClock(), BackgroundTasks(), asyncio.Event()
    backup = Once(lambda *_: is_made.set())
    monkeypatch.setattr(BackupPlan, "next_due", lambda plan, now: 0.0)
    monkeypatch.setattr(BackupPlan, "make_backup", lambda plan, *_: backup())
    monkeypatch.setattr(asyncio, "to_thread", lambda work, *args: _run_at_once(work, *args))
    tasks.start_loop(clock, "backups", run_backups, BackupPlan(tmp_path), tmp_path / "m.db", clock)
    async with asyncio.timeout(60):
        await is_made.wait()
    await tasks.close()
    assert backup.calls >= 2


async def _run_at_once(work: Callable[..., Any], *args: Any) -> Any:
    await asyncio.sleep(0)
    return work(*args)


async def test_the_loop_is_watched_after_an_unforeseen_error(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics, clock, tasks = Metrics(GAMES), HastyClock(), BackgroundTasks()
    observe = Once(metrics.loop_lag.observe)
    monkeypatch.setattr(metrics.loop_lag, "observe", observe)
    tasks.start_loop(clock, "watch the loop", metrics.watch_loop, clock)
    await wait_until(lambda: observe.calls >= 3)
    await tasks.close()
