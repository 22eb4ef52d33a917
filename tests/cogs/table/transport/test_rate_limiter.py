"""The bot's requests never exceed Discord's limit, and deferred ones are sent only if there is room."""

from __future__ import annotations

import asyncio

import pytest
from discord.http import Route
from yarl import URL

from cogs.table.transport.rate_limiter import DISCORD_LIMIT, FILL_LIMIT, SEND_LIMIT, RateLimiter, is_counted
from tests.cogs.waiting import let_tasks_run
from tests.manual_time import ManualTime


class SendingBot:
    def __init__(self, time: ManualTime) -> None:
        self.traffic = RateLimiter(time)
        self.sent: list[float] = []
        self.followed: list[float] = []
        self.time = time
        self._tasks: list[asyncio.Task[None]] = []

    def send(self, count: int) -> None:
        self._tasks += [asyncio.create_task(self._send()) for _ in range(count)]

    def send_hands(self, count: int, requests: int = 1) -> None:
        """Send this many deferred hands, each with this many requests."""
        self._tasks += [asyncio.create_task(self._follow(requests)) for _ in range(count)]

    async def advance(self, seconds: float) -> None:
        """Advance the clock, and let all ready tasks run on the way."""
        await let_tasks_run(500)
        end = self.time.seconds + seconds
        while self.time.next_due() <= end:
            self.time.advance_to(self.time.next_due())
            await let_tasks_run(500)
        self.time.advance_to(end)
        await let_tasks_run(500)

    async def _send(self) -> None:
        await self.traffic.acquire()
        self.sent.append(self.time.seconds)

    async def _follow(self, requests: int) -> None:
        async with self.traffic.wait_for_room():
            for _ in range(requests):
                await self.traffic.acquire()
                self.followed.append(self.time.seconds)


@pytest.fixture
def bot() -> SendingBot:
    return SendingBot(ManualTime())


def max_per_second(times: list[float]) -> int:
    return max(sum(at <= other < at + 1 for other in times) for at in times)


async def test_no_second_has_more_requests_than_discord_takes(bot: SendingBot) -> None:
    bot.send(130)
    await bot.advance(0)
    assert len(bot.sent) == SEND_LIMIT < DISCORD_LIMIT
    await bot.advance(3)
    assert len(bot.sent) == 130
    assert max_per_second(bot.sent) <= DISCORD_LIMIT


async def test_a_hand_goes_before_tables_that_wait(bot: SendingBot) -> None:
    bot.send(3 * SEND_LIMIT)
    await bot.advance(0.5)
    hand = bot.traffic.run_first(bot.traffic.acquire())
    await bot.advance(0.6)
    assert hand.done()
    assert len(bot.sent) < 3 * SEND_LIMIT - 10


async def test_nothing_follows_while_what_must_be_shown_takes_more_than_half(bot: SendingBot) -> None:
    for _ in range(100):  # ten seconds
        bot.send(3)
        bot.send_hands(1)
        await bot.advance(0.1)
    early = [at for at in bot.followed if at >= 1]
    assert not early
    assert len(bot.followed) < FILL_LIMIT
    await bot.advance(10)
    assert len(bot.followed) == 100


async def test_requests_that_may_wait_fill_only_part_of_the_rest(bot: SendingBot) -> None:
    bot.send_hands(200)
    for number in range(80):
        bot.send(1)
        await bot.advance(0.1)
        assert len(bot.sent) == number + 1  # urgent requests find room at once
    assert len(bot.followed) == 200
    assert max_per_second(bot.followed) <= FILL_LIMIT


@pytest.mark.parametrize("error", [None, LookupError])
async def test_leave_to_send_is_given_back_when_it_is_not_used(bot: SendingBot, error: type[Exception] | None) -> None:

    async def need_nothing() -> None:
        async with bot.traffic.wait_for_room():
            if error is not None:
                raise error

    idle = [asyncio.create_task(need_nothing()) for _ in range(2 * FILL_LIMIT)]
    await bot.advance(3)
    assert [type(each.exception()) for each in idle] == [error or type(None)] * len(idle)
    bot.send_hands(FILL_LIMIT // 2)
    await bot.advance(1)
    assert len(bot.followed) == FILL_LIMIT // 2


async def test_a_caller_that_needs_no_request_after_all_holds_up_nobody(bot: SendingBot) -> None:

    async def need_nothing() -> None:
        async with bot.traffic.wait_for_room():
            await bot.time.sleep(0.002)  # the time it takes to draw a hand and find it current

    idle = [asyncio.create_task(need_nothing()) for _ in range(FILL_LIMIT)]
    bot.send_hands(1)
    await bot.advance(0.5)
    assert all(each.done() for each in idle)
    assert len(bot.followed) == 1


async def test_a_process_keeps_to_its_share_and_tells_what_it_needs(bot: SendingBot) -> None:
    bot.traffic.set_share(1 / 3, 3)
    bot.send(SEND_LIMIT)
    bot.send_hands(FILL_LIMIT)
    await bot.advance(0)
    assert len(bot.sent) == SEND_LIMIT // 3
    assert bot.traffic.needed_share() == (SEND_LIMIT + FILL_LIMIT) / SEND_LIMIT
    for _ in range(30):
        await bot.advance(0.5)
        bot.traffic.set_share(1 / 3, 3)
    assert max_per_second([*bot.sent, *bot.followed]) == SEND_LIMIT // 3
    assert (len(bot.sent), len(bot.followed)) == (SEND_LIMIT, FILL_LIMIT)
    assert bot.traffic.needed_share() == 0


async def test_a_share_that_became_smaller_counts_at_once_and_one_of_nothing_is_one_request(bot: SendingBot) -> None:
    bot.traffic.set_share(0.5, 2)
    bot.send(SEND_LIMIT)
    await bot.advance(0.9)
    bot.traffic.set_share(0, 2)
    await bot.advance(1.9)
    assert len(bot.sent) == SEND_LIMIT // 2 + 2
    assert max_per_second(bot.sent[SEND_LIMIT // 2 :]) == 1


@pytest.mark.parametrize(("share", "left"), [(0.9, 0.25), (0.1, 0.1)])
async def test_without_news_the_share_is_even(share: float, left: float, bot: SendingBot) -> None:
    bot.traffic.set_share(share, 4)
    await bot.advance(3)
    bot.send(SEND_LIMIT)
    await bot.advance(0)
    assert len(bot.sent) == int(SEND_LIMIT * left)


COUNTED = "/channels/1/messages/2", "/users/@me"
ANSWERS = "/interactions/1/token/callback", "/webhooks/1/token/messages/@original"


@pytest.mark.parametrize("path", [*COUNTED, *ANSWERS])
def test_answers_to_people_do_not_count(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_counted(URL(Route.BASE + path)) is (path in COUNTED)
    assert not is_counted(URL("https://cdn.discordapp.com" + path))
    monkeypatch.setattr(Route, "BASE", "http://127.0.0.1:8750/api/v10")
    assert is_counted(URL(Route.BASE + path)) is (path in COUNTED)
