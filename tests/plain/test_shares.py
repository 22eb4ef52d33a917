"""What one person may have computed: many requests of theirs hold up nobody else, whatever they request."""

from __future__ import annotations

import ast
import asyncio
import pickle
import threading
from collections.abc import Callable
from contextlib import nullcontext
from random import Random
from typing import Any

import pytest

from cogs.features.hints import feature_ui as hint_ui
from cogs.features.hints.feature_ui import STILL_REVIEWING_TEXT
from cogs.features.puzzles.feature_ui import STILL_COMPARING_TEXT
from cogs.table.pages import custom_ids
from cogs.table.state import page_drawing
from cogs.table.state.person_shares import PersonShares, current_request
from engines.store.match_store import Status
from tests.contract.helpers import HELPERS
from tests.features.exercises import PUZZLES
from tests.games import ROOT
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.plain.test_hints import message_words, play_randomly, request_hint
from tests.worker_pool.immediate_pool import ImmediatePool
from worker_pool.fair_queue import JobOwner, Person, TableTurn
from worker_pool.pool import WorkerPool
from worker_pool.protocol import Job, JobResult, message_length

SEED = "0d" * 16
ADA, BELA = 1, 2
JEST, WIZARD = HELPERS["jest"], HELPERS["wizard"]  # in Jest, all are due at the start


class GatedPool(WorkerPool):
    """One worker, which is this process; it waits until the gate is open. It notes whose jobs it did, by their seed."""

    def __init__(self) -> None:
        super().__init__(1)
        self.gate = asyncio.Event()
        self.requested = 0
        self.done: list[tuple[Any, ...]] = []

    async def run(self, *arguments: Any, **more: Any) -> Any:
        self.requested += 1
        return await super().run(*arguments, **more)

    async def _ask_worker(self, job: bytes) -> JobResult:
        await self.gate.wait()
        unpickled: Job = pickle.loads(job[message_length(b"") :])
        self.done.append(unpickled.args)
        return JobResult(unpickled.function(*unpickled.args))

    async def wait_for_requests(self, number: int) -> None:
        async with asyncio.timeout(60):
            while self.requested < number:  # noqa: ASYNC110  # nothing tells that the bot has come so far
                await asyncio.sleep(0.001)


async def start_alone(plain_bot: PlainBot, name: str) -> str:
    return await plain_bot.seat_match(JEST.game, [name], JEST.short_options, ["easy", "easy"])


def press_at_once(plain_bot: PlainBot, presses: list[tuple[int, dict[str, Any], str]]) -> asyncio.Task[None]:
    """Start to click these controls of these messages for these people, all at once."""
    payloads = [
        plain_bot.wire.start_interaction(
            person, int(message["channel_id"]), 3, {"component_type": 2, "custom_id": custom_id}, message
        )[1]
        for person, message, custom_id in presses
    ]
    return asyncio.create_task(plain_bot.dispatch_at_once(*payloads))


async def test_many_hints_of_one_person_hold_up_neither_others_nor_a_computer() -> None:
    pool = GatedPool()
    async with start_plain_bot(SEED, worker_pool=pool) as plain_bot:
        flooded = [await start_alone(plain_bot, "Ada") for _ in range(hint_ui.HINTS_AT_ONCE)]
        other = await start_alone(plain_bot, "Bela")
        third = await plain_bot.seat_match(WIZARD.game, PEOPLE[2:5], WIZARD.short_options)
        presses: list[Any] = [
            (ADA, await plain_bot.surface_message(match, "table"), f"hints:{match}:ask") for match in flooded
        ]
        presses.append((BELA, await plain_bot.surface_message(other, "table"), f"hints:{other}:ask"))
        start = len(plain_bot.wire.sent_requests)
        pressing = press_at_once(plain_bot, presses)
        await pool.wait_for_requests(len(presses))
        snapshot = await plain_bot.load_snapshot(third)
        computer = asyncio.create_task(
            plain_bot.bot.computers.choose_notation(snapshot, snapshot.due_seats()[0], "hard")
        )
        await pool.wait_for_requests(len(presses) + 1)
        pool.gate.set()
        await computer
        await pressing
        hints = [
            message_words(each) for each in plain_bot.wire.sent_requests[start:] if "-# Hint: " in message_words(each)
        ]
    order = [next((match for match in (*flooded, other) if match in str(args)), "computer") for args in pool.done]
    assert order == [flooded[0], "computer", other, *flooded[1:]]
    assert len(hints) == len(presses), "each of them gets an answer in turn"


async def test_hints_of_a_person_who_left_or_of_a_past_decision_are_dropped() -> None:
    pool = GatedPool()
    async with start_plain_bot(SEED, worker_pool=pool) as plain_bot:
        busy, left, moved_on, ended, stays = [await start_alone(plain_bot, "Ada") for _ in range(5)]
        hints = [
            (ADA, await plain_bot.surface_message(match, "table"), f"hints:{match}:ask")
            for match in (busy, left, moved_on, ended, stays)
        ]
        start = len(plain_bot.wire.sent_requests)
        pressing = press_at_once(plain_bot, hints)
        await pool.wait_for_requests(5)
        await plain_bot.matches.seating.leave_match(left, ADA)
        snapshot = await plain_bot.load_snapshot(moved_on)
        await plain_bot.matches.moves.play_move(
            moved_on, ADA, snapshot.decisions()[0].number, snapshot.game.format_move(snapshot.moves(0)[0])
        )
        await plain_bot.matches.seating.reset_match(ended, 9)
        pool.gate.set()
        await pressing
        texts = [message_words(each) for each in plain_bot.wire.sent_requests[start:]]
    assert [
        next(match for match in (busy, left, moved_on, ended, stays) if match in str(args)) for args in pool.done
    ] == [
        busy,
        stays,
    ]
    assert pool.stats().dropped == 3
    assert sum("-# Hint: " in each for each in texts) == 2
    for why in ("not sitting at this table", "nothing for you to decide right now", "That decision is no longer open"):
        assert sum(why in each for each in texts) == 1


async def test_anyone_with_many_hints_to_come_is_told_to_wait_for_one() -> None:
    pool = GatedPool()
    async with start_plain_bot(SEED, worker_pool=pool) as plain_bot:
        matches = [await start_alone(plain_bot, "Ada") for _ in range(hint_ui.HINTS_AT_ONCE + 1)]
        tables = [await plain_bot.surface_message(match, "table") for match in matches]
        presses: list[Any] = [(ADA, table, f"hints:{match}:ask") for match, table in zip(matches, tables, strict=True)]
        start = len(plain_bot.wire.sent_requests)
        pressing = press_at_once(plain_bot, [*presses, presses[0]])  # the same one again is no other
        await pool.wait_for_requests(hint_ui.HINTS_AT_ONCE)
        pool.gate.set()
        await pressing
        texts = [message_words(each) for each in plain_bot.wire.sent_requests[start:]]
        assert sum("I am still thinking about 8 other hints for you." in each for each in texts) == 1
        assert sum("-# Hint: " in each for each in texts) == hint_ui.HINTS_AT_ONCE + 1
        _, (sent,) = await request_hint(plain_bot, matches[-1], 0)
        assert "-# Hint: " in message_words(sent), "the places are free again"


async def test_a_person_has_one_puzzle_and_one_review_worked_out_at_a_time() -> None:
    pool = GatedPool()
    pool.gate.set()
    async with start_plain_bot(SEED, worker_pool=pool) as plain_bot:
        matches = [await plain_bot.seat_match(JEST.game, PEOPLE[:3], JEST.short_options) for _ in range(2)]
        for match in matches:
            await play_randomly(plain_bot, match, Random(SEED))
        puzzles = PUZZLES["wizard"]
        presses: list[Any] = [
            (ADA, await plain_bot.surface_message(match, "table"), f"hints:{match}:review") for match in matches
        ]
        for number in (1, 2):
            message = (await plain_bot.run_command("Ada", "motley puzzle", game="wizard", number=number)).answer
            seat, snapshot = puzzles.puzzles[number - 1].seat, puzzles.snapshot(number)
            notation = snapshot.game.format_move(snapshot.moves(seat)[0])
            name = puzzles.match_id(number)
            presses.append((ADA, message, custom_ids.move_id(name, snapshot.decisions()[seat].number, notation)))
        pool.gate.clear()
        pool.requested, start = 0, len(plain_bot.wire.sent_requests)
        pressing = press_at_once(plain_bot, presses)
        await pool.wait_for_requests(2)
        pool.gate.set()
        await pressing
        texts = [message_words(each) for each in plain_bot.wire.sent_requests[start:]]
        assert sum(STILL_REVIEWING_TEXT in each for each in texts) == 1
        assert sum(STILL_COMPARING_TEXT in each for each in texts) == 1
        assert sum(each.startswith("### Your costliest moves") for each in texts) == 1
        await plain_bot.press("Ada", matches[1], "review")
        assert message_words(plain_bot.wire.sent_requests[-1]).startswith("### Your costliest moves"), (
            "it is free again"
        )


JOBS = {
    "advise_on_view": Person(ADA),
    "past_decisions": Person(ADA),
    "review_decision": Person(ADA),
    "compare_on_view": Person(ADA),
    "make_clip": Person(ADA),
    "choose_notation": TableTurn,
}
"""The functions that the bot lets the pool run, and whose jobs they are if Ada requested them or sits at that table."""
POOL_METHODS = ("run", "run_in_background")


def jobs_in(source: str) -> set[str]:
    """The names of all functions that are given to a pool: its second argument, after whose job it is."""
    return {
        ast.unparse(node.args[1]) if len(node.args) > 1 else f"line {node.lineno}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in POOL_METHODS
        and ("pool" in ast.unparse(node.func.value) or ast.unparse(node.func.value) == "self")
        and "seconds" in [each.arg for each in node.keywords]
    }


def test_every_kind_of_job_is_in_the_table_of_jobs() -> None:
    sources = [
        path.read_text(encoding="utf-8") for room in ("cogs", "worker_pool") for path in (ROOT / room).rglob("*.py")
    ]
    assert set().union(*map(jobs_in, sources)) == set(JOBS)
    assert jobs_in("self._worker_pool.run(owner, new_job, 1, seconds=2)") == {"new_job"} != set(JOBS)


class NotedPool(ImmediatePool):
    """It does jobs at once, and notes whose they are."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: dict[str, JobOwner] = {}

    async def run(self, owner: JobOwner, function: Callable[..., Any], *args: Any, **more: Any) -> Any:
        self.noted[function.__name__] = owner
        return await super().run(owner, function, *args, **more)


async def test_each_kind_of_job_is_that_of_the_person_who_requested_it_or_of_the_table() -> None:
    pool = NotedPool()
    async with start_plain_bot(SEED, worker_pool=pool) as plain_bot:
        match = await plain_bot.seat_match(WIZARD.game, ["Ada"], WIZARD.short_options, ["hard", "hard"])
        hinted = False
        while (snapshot := await plain_bot.load_snapshot(match)).info.status is Status.RUNNING:
            if 0 not in snapshot.due_seats():
                await plain_bot.pass_pause(match)
                continue
            if not hinted:
                await request_hint(plain_bot, match, 0)
                hinted = True
            await plain_bot.click_move(snapshot, 0, Random(SEED))
        await plain_bot.press("Ada", match, "review")
        table = await plain_bot.surface_message(match, "table")
        await plain_bot.click_control("Ada", table, f"clips:{match}:open")
        puzzle = (await plain_bot.run_command("Ada", "motley puzzle", game="wizard", number=4)).answer
        assert puzzle is not None
        puzzles = PUZZLES["wizard"]
        seat, snapshot = puzzles.puzzles[3].seat, puzzles.snapshot(4)
        name, number = puzzles.match_id(4), snapshot.decisions()[seat].number
        choice = custom_ids.move_id(name, number, snapshot.game.format_move(snapshot.moves(seat)[0]))
        await plain_bot.click_control("Ada", puzzle, choice)
    choose = pool.noted.pop("choose_notation")
    assert choose == TableTurn(match)
    assert pool.noted == {name: owner for name, owner in JOBS.items() if owner is not TableTurn}


# Drawing


async def test_people_who_request_drawings_take_turns_and_redraws_wait_for_none_of_them() -> None:
    is_released, order = threading.Event(), list[int | None]()

    def draw(owner: int | None) -> None:
        is_released.wait(60)
        order.append(owner)

    shares = PersonShares(lambda: 0.0)

    async def request(owner: int | None) -> None:
        with nullcontext() if owner is None else shares.request(owner):
            await page_drawing.draw_in_thread(draw, owner)

    drawing = [asyncio.create_task(request(owner)) for owner in (*[ADA] * 20, BELA, None)]
    await asyncio.sleep(0)
    is_released.set()
    await asyncio.gather(*drawing)
    assert order == [ADA, None, BELA, *[ADA] * 19]


async def test_drawings_of_a_click_count_for_its_person_and_redraws_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    drawings = set[tuple[str, Person | None]]()
    submit: Any = page_drawing._submit_drawing

    def note(match: str, draw: Any, *args: Any, **kwargs: Any) -> Any:
        drawings.add((draw.__name__, request.person if (request := current_request.get()) else None))
        return submit(match, draw, *args, **kwargs)

    monkeypatch.setattr(page_drawing, "_submit_drawing", note)
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(WIZARD.game, PEOPLE[:3], WIZARD.short_options)
        await plain_bot.press("Bela", match, "sheet")
        await plain_bot.run_command("Ada", "motley luck", game="wizard")
        await plain_bot.run_command("Ada", "motley puzzle", game="wizard", number=4)
    owners = {name: {owner for each, owner in drawings if each == name} for name, _ in drawings}
    assert owners["sheet_page"] == {Person(BELA)}
    assert owners["puzzle_page"] == {Person(ADA)}
    assert None in owners["_draw_with_picture"], "a table or a hand that is drawn again"
