"""The order in which the fair queue serves its jobs. Nothing here depends on time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from worker_pool.fair_queue import PATIENCE, FairQueue, JobOwner, Person, Rank, TableTurn

ANN, BEN, CLEO = Person(1), Person(2), Person(3)
FIRST, SECOND = TableTurn("m1"), TableTurn("m2")
Asked = tuple[JobOwner, Rank]


class Jobs:
    """Jobs that go on until the test ends them, each after the others that began before it."""

    def __init__(self, slots: int) -> None:
        self.waits: list[Rank] = []
        self.queue = FairQueue(slots)
        self.queue.on_served.append(lambda rank, _: self.waits.append(rank))
        self.begun: list[JobOwner] = []
        self.going: list[tuple[JobOwner, asyncio.Event]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def request(self, *requests: Asked) -> None:
        self.tasks += [asyncio.create_task(self._work(*each)) for each in requests]
        await settle()

    async def _work(self, owner: JobOwner, rank: Rank) -> None:
        async with self.queue.turn(owner, rank):
            self.begun.append(owner)
            self.going.append((owner, ending := asyncio.Event()))
            await ending.wait()

    async def finish_all(self) -> list[JobOwner]:
        """End the oldest job again and again; return whose jobs began, in order."""
        while self.going:
            self.going.pop(0)[1].set()
            await settle()
        await asyncio.gather(*self.tasks)
        return self.begun


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def requests(owner: JobOwner, number: int = 1) -> Sequence[Asked]:
    return [(owner, Rank.TURN if isinstance(owner, TableTurn) else Rank.REQUEST)] * number


async def test_many_requests_of_one_person_hold_up_nobody_else() -> None:
    jobs = Jobs(1)
    await jobs.request(*requests(ANN, 20), *requests(BEN), *requests(FIRST))
    assert await jobs.finish_all() == [ANN, FIRST, BEN, *[ANN] * 19]


async def test_people_take_turns() -> None:
    jobs = Jobs(1)
    await jobs.request(*requests(ANN, 3), *requests(BEN, 3), *requests(CLEO))
    assert await jobs.finish_all() == [ANN, BEN, CLEO, ANN, BEN, ANN, BEN]


async def test_a_person_has_one_job_in_progress_at_a_time_even_if_a_worker_is_idle() -> None:
    jobs = Jobs(3)
    await jobs.request(*requests(ANN, 5))
    assert jobs.begun == [ANN]
    await jobs.request(*requests(BEN, 2), (ANN, Rank.BACKGROUND))
    assert jobs.begun == [ANN, BEN]
    assert jobs.queue.waiting() == 6
    assert sorted(await jobs.finish_all(), key=str) == sorted([*[ANN] * 6, *[BEN] * 2], key=str)
    assert jobs.queue.waiting() == 0


async def test_tables_take_turns_before_people_but_people_are_not_starved() -> None:
    jobs = Jobs(1)
    await jobs.request(*requests(FIRST, 5), *requests(SECOND, 5), *requests(ANN, 2))
    turns = [FIRST, SECOND, FIRST, SECOND, FIRST, SECOND, FIRST, SECOND, FIRST, SECOND]
    most = PATIENCE[Rank.REQUEST]
    assert await jobs.finish_all() == [
        turns[0], *turns[1 : most + 1], ANN, *turns[most + 1 : 2 * most + 1], ANN, *turns[2 * most + 1 :]
    ]  # fmt: skip


async def test_background_jobs_wait_for_all_others_but_not_for_ever() -> None:
    jobs = Jobs(1)
    most = PATIENCE[Rank.BACKGROUND]
    await jobs.request(*requests(ANN), (BEN, Rank.BACKGROUND), *requests(CLEO, most + 5))
    assert await jobs.finish_all() == [ANN, *[CLEO] * most, BEN, *[CLEO] * 5]


async def test_one_background_job_goes_on_at_a_time() -> None:
    jobs = Jobs(2)
    await jobs.request((ANN, Rank.BACKGROUND), (BEN, Rank.BACKGROUND))
    assert jobs.begun == [ANN]
    assert await jobs.finish_all() == [ANN, BEN]


@pytest.mark.parametrize("cancelled", [0, 1, 2, 3])
async def test_anyone_who_no_longer_waits_frees_their_place(cancelled: int) -> None:
    jobs = Jobs(1)
    await jobs.request(*requests(ANN, 3), *requests(BEN))
    jobs.tasks[cancelled].cancel()
    if cancelled == 0:
        jobs.going.clear()
    await settle()
    del jobs.tasks[cancelled]
    left = [ANN, BEN, ANN, ANN] if cancelled == 0 else [ANN, ANN, ANN] if cancelled == 3 else [ANN, BEN, ANN]
    assert await jobs.finish_all() == left
    await jobs.request(*requests(CLEO))
    assert (await jobs.finish_all())[-1] == CLEO


async def test_a_task_that_is_cancelled_while_its_turn_comes_gives_it_back() -> None:
    """Also if the turn comes between the call of `cancel` and the task's end, in either order."""
    for end_first in (True, False):
        jobs = Jobs(1)
        await jobs.request(*requests(ANN), *requests(BEN), *requests(CLEO))
        ending = jobs.going.pop(0)[1]
        if end_first:
            ending.set()
            await asyncio.sleep(0)
            jobs.tasks.pop(1).cancel()
        else:
            jobs.tasks.pop(1).cancel()
            ending.set()
        await settle()
        assert (await jobs.finish_all())[-1] == CLEO


async def test_it_says_who_was_served() -> None:
    jobs = Jobs(1)
    await jobs.request(*requests(ANN), *requests(FIRST), (BEN, Rank.BACKGROUND))
    await jobs.finish_all()
    assert jobs.waits == [Rank.REQUEST, Rank.TURN, Rank.BACKGROUND]
