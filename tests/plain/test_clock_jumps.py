"""A clock that jumps under a running bot, and a machine that sleeps: what people do in that second keeps its time."""

from __future__ import annotations

import pytest

from cogs.table.scheduling import downtime
from engines.store.match_store import DueTime, StoreFailure
from engines.store.partition import ALL_SERVERS
from tests.games import GAMES
from tests.plain.plain_bot import NOW, PEOPLE, PlainBot, start_plain_bot

DAY = 86_400
BACK, FORTH = (-2 * DAY, -600, -40), (40, 600, 2 * DAY)
JUMPS = [*((jump, False) for jump in (*BACK, *FORTH)), *((jump, True) for jump in FORTH)]
CLOCKS = {"30 seconds": 30, "24 hours": DAY}
LEEWAY = 61  # seconds by which a time may be wrong at most: the clocks may differ by a minute


class Discord:
    """Discord's clock, which the wire tells. It runs on while the machine sleeps."""

    def __init__(self, plain_bot: PlainBot) -> None:
        self.plain_bot, self.slept = plain_bot, 0
        plain_bot.wire.tell_time = self.now

    def now(self) -> int:
        return NOW + int(self.plain_bot.time.seconds) + self.slept

    async def answer(self) -> None:
        time = self.plain_bot.bot.discord_time
        time.note_date(self.now(), time.moment())
        await self.plain_bot.wait_quiet()


async def seconds_left(plain_bot: PlainBot, match: str, now: int) -> int:
    """What the newest decision has left."""
    await plain_bot.wait_quiet()
    snapshot = await plain_bot.load_snapshot(match)
    assert not snapshot.timeout_moves, "somebody's time has run out"
    due = {each.seat: each for each in await plain_bot.matches.editor.store.load_deadlines(match)}
    return due[snapshot.due_seats()[0]].at - now


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize(("jump", "slept"), JUMPS)
async def test_an_act_in_the_second_of_a_clock_jump_keeps_its_time(
    monkeypatch: pytest.MonkeyPatch, jump: int, slept: bool, clock: str
) -> None:
    """If the machine slept, the jump is right; otherwise somebody sets the clock right an hour later."""
    async with start_plain_bot("5eed" * 8) as plain_bot:
        discord, full, plain_bot.may_fail = Discord(plain_bot), CLOCKS[clock], True
        match = await plain_bot.seat_match(GAMES["wizard"], PEOPLE[:3], {"clock": clock})
        await plain_bot.pass_time(2)
        snapshot = await plain_bot.load_snapshot(match)
        with monkeypatch.context() as beating:
            beating.setattr(downtime, "LATE_SECONDS", 4.0)
            plain_bot.time.start += jump
            discord.slept = jump if slept else 0
            await plain_bot.click_move(snapshot, snapshot.due_seats()[0])
        assert (await plain_bot.load_snapshot(match)).info.moves == 1
        await discord.answer()
        if not plain_bot.bot.downtime.is_clock_right:
            await plain_bot.pass_time(3600)
            plain_bot.time.start -= jump
            await discord.answer()
        assert plain_bot.bot.downtime.is_clock_right
        assert full - 10 <= await seconds_left(plain_bot, match, plain_bot.time.now()) <= full + LEEWAY


async def test_a_break_ends_only_while_the_clock_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock may become doubtful before the store answers."""
    async with start_plain_bot("5eed" * 8) as plain_bot:
        tries: list[int] = []

        async def fail(now: int) -> list[str]:
            tries.append(now)
            raise StoreFailure("No room.")

        monkeypatch.setattr(plain_bot.store, "end_expired_rests", fail)
        plain_bot.bot.deadlines.handlers["break"](DueTime("break", "m", 0, 0, NOW))
        await plain_bot.wait_quiet()
        assert tries == [NOW]
        plain_bot.bot.discord_time.doubt()
        plain_bot.may_fail = True
        await plain_bot.pass_time(10)
        assert tries == [NOW]


async def test_nobody_pays_for_a_move_that_arrives_before_the_start_is_made_good() -> None:
    """A click may come as soon as the session has begun, before the deadlines are postponed."""
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], PEOPLE[:3], {"clock": "2 minutes plus 15 seconds a move"})
        snapshot = await plain_bot.load_snapshot(match)
        seat = snapshot.due_seats()[0]
        plain_bot.bot.downtime.stop_watching(ALL_SERVERS)
        plain_bot.time.seconds += 100  # for which the bot was away
        await plain_bot.click_move(snapshot, seat)
        assert (await plain_bot.load_snapshot(match)).info.banks[seat] == snapshot.info.banks[seat] + 15
