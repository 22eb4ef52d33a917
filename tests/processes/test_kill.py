"""`kill -9` at random moments of a match: no acknowledged move is lost, none is made twice, and it plays to its end.

MOTLEY_KILLS says how often (`make soak-ci` asks for more); MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from playground.client import Outcome, Player, SeenMessage, TurnedDown, Visitor
from playground.server import Playground
from tests.processes.bot_process import BotProcess, Made

NAMES = ("Ada", "Bela", "Chidi", "Dora")
KILLS = int(os.environ.get("MOTLEY_KILLS", "5"))
UPDATED = 7  # Discord's response that redraws the clicked message: the move is acknowledged
MOVES_A_KILL = 4  # on average; the match is made twice as long as the kills need


@dataclass
class Script:
    """A match played by clicks on the newest hands, with a book of every move that was acknowledged."""

    visitor: Visitor
    chance: random.Random
    acknowledged: list[tuple[str, int, str]] = field(default_factory=list)  # match, decision, notation
    clicks: int = 0

    async def open(self, rounds: int) -> None:
        """From the command to the start."""
        host, *others = [self.visitor.player(name) for name in NAMES]
        opened = await host.command("wizard new", "games", rounds=rounds)
        for player in others:
            await player.click(opened.shown, "Join")
        await host.click(opened.shown, "Start")

    async def step(self) -> bool:
        """One click of somebody who can move; False where nobody can (any more, or just now)."""
        offers = [(p, hand, i) for p in map(self.visitor.player, NAMES) if (hand := hand_of(p)) for i in offered(hand)]
        if not offers:
            return False
        player, hand, (custom_id, value) = self.chance.choice(offers)
        try:
            outcome = await self._press(player, hand, custom_id, value)
        except TurnedDown:
            return False  # the message was redrawn in between
        self.clicks += 1
        if outcome.responded and outcome.response_type == UPDATED:
            _, match, decision, notation = custom_id.split(":", 3)
            self._book(match, int(decision), value or notation, hand_of(player))
        return True

    async def _press(self, player: Player, hand: SeenMessage, custom_id: str, value: str) -> Outcome:
        return await (player.select(hand, custom_id, value) if value else player.click(hand, custom_id))

    def _book(self, match: str, decision: int, notation: str, shown: SeenMessage | None) -> None:
        """An answer that calls the click stale acknowledges nothing."""
        if shown is None or "no longer open" not in shown.text:
            self.acknowledged.append((match, decision, notation))


def hand_of(player: Player) -> SeenMessage | None:
    """The newest hand in somebody's direct messages."""
    try:
        return player.newest("dm", lambda message: bool(message.data.get("components")))
    except KeyError:
        return None


def offered(hand: SeenMessage) -> list[tuple[str, str]]:
    """The moves on a hand: custom_id, and for a select's lines their value."""
    found = [(button.custom_id, "") for button in hand.buttons if button.custom_id.startswith("m:")]
    for select in hand.selects:
        if select.custom_id.startswith("s:"):
            found += [(select.custom_id, value) for value in select.values]
    return found


def check(bot: BotProcess, script: Script) -> list[Made]:
    """Every acknowledged move is there, in its order and once; the numbers have no holes."""
    moves = bot.moves()
    assert [move.number for move in moves] == list(range(1, len(moves) + 1))
    for seat in range(len(NAMES)):
        decisions = [move.decision for move in moves if move.seat == seat]
        assert decisions == list(range(len(decisions))), f"seat {seat} decided {decisions}"
    kept: Iterator[tuple[int, str]] = iter([(move.decision, move.notation) for move in moves])
    lost = [each for _, *each in script.acknowledged if not any(tuple(each) == one for one in kept)]
    assert not lost, f"acknowledged but not kept, in order: {lost}"
    return moves


async def until_killed(bot: BotProcess, script: Script) -> None:
    """Play a few clicks, then kill the bot in the middle of whatever it is doing."""
    wanted = script.clicks + script.chance.randrange(2 * MOVES_A_KILL - 1)
    reached = asyncio.Event()

    async def play() -> None:
        while True:
            if script.clicks >= wanted:
                reached.set()
            if not await script.step():
                await asyncio.sleep(0.02)

    playing = asyncio.create_task(play(), name="script")
    await asyncio.wait_for(reached.wait(), 60)
    await asyncio.sleep(script.chance.uniform(0, 0.1))
    await bot.kill()
    await asyncio.sleep(0.05)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def to_the_end(bot: BotProcess, script: Script) -> None:
    """Play on until the match is over."""
    async with asyncio.timeout(240):
        while bot.status() != "over":
            if not await script.step():
                await asyncio.sleep(0.02)


@pytest.mark.timeout(1500)
async def test_killed_at_random_moments_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    seed = int(os.environ.get("MOTLEY_SEED", random.randrange(10**6)))
    chance = random.Random(seed)
    rounds = next(r for r in range(1, 16) if r == 15 or 2 * r * (r + 3) >= 2 * MOVES_A_KILL * KILLS)
    print(f"{KILLS} kills, {rounds} rounds, MOTLEY_SEED={seed}")
    async with Playground(paced=False) as playground, Visitor.to(playground.base) as visitor:
        bot = BotProcess(playground, tmp_path / "motley.db")
        script = Script(visitor, chance)
        await bot.start()
        try:
            await visitor.bot_ready()
            await script.open(rounds)
            for _ in range(KILLS):
                await until_killed(bot, script)
                check(bot, script)
                await bot.start()
                await visitor.until(lambda: visitor.bot_status == "online", "the bot after a kill", 30)
            await to_the_end(bot, script)
        finally:
            await bot.kill()
    moves = check(bot, script)
    assert len(moves) == 4 * (rounds * (rounds + 1) // 2 + rounds) + sum(m.notation.startswith("trump") for m in moves)
    assert len(script.acknowledged) > 0.5 * len(moves)
    wrong = ("cogs.table.faults", "is set aside", "Traceback")  # an error of ours, a damaged record
    assert not [line for line in bot.said if any(mark in line for mark in wrong)], bot.said[-20:]
