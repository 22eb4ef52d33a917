"""`kill -9` at random moments, and at every step of a commit, while people and computers play all games at once.

No acknowledged move is lost, none is made twice, everything is right within its first redraw, nothing is doubled or
orphaned, nobody is called twice, and deadlines are kept. MOTLEY_KILLS says how often (`make soak-ci` asks for more);
MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from playground.server import Playground
from tests.processes.bot_process import wrong_lines
from tests.processes.crash_book import BotLives, CallWitness, CrashTables
from tests.processes.forked_bots import ForkedBots

KILLS = int(os.environ.get("MOTLEY_KILLS", "4"))
PARTS = min(4, -(-KILLS // 25))  # side by side, if there are workers


@pytest.mark.timeout(20_000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_is_lost_or_doubled_however_the_bot_dies(tmp_path: Path, part: int) -> None:
    seed = os.environ.get("MOTLEY_SEED", str(random.randrange(10**6)))
    kills = len(range(part, KILLS, PARTS))
    async with Playground(rate_limited=False) as playground, CallWitness.connect(playground.base_url) as visitor:
        bot = ForkedBots.create(playground, tmp_path)
        tables = CrashTables(playground, visitor, random.Random(f"{seed}-{part}"), bot=bot, witness=visitor)
        night = BotLives(tables, bot, tmp_path)
        try:
            for number in range(kills):
                await night.live_once(number)
            assert await night.starts_well()
            print(f"{kills} kills, MOTLEY_SEED={seed}: {night.summary_text()}")
        except BaseException:
            print(f"MOTLEY_SEED={seed}, part {part}, {night.deaths.total()} kills. The bot said:")
            print(*bot.log_lines[-20:], sep="\n")
            raise
        finally:
            await bot.close()
    assert not wrong_lines(bot.log_lines)
