"""A process of the bot that does nothing but ask Discord for so much a second, beside others on the same database.

A line goes out: how many requests were made, and how many of them were answered as they should be.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from cogs.client import BotStores
from cogs.games import GAME_UIS
from cogs.sharded_client import FOLLOW_SECONDS, ShardedBot
from cogs.table.transport.discord_internals import use_api
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from playground.world import ids
from storage.postgres import Database, MatchStore, PostgresGroup, SurfaceStore
from tests.worker_pool.immediate_pool import ImmediatePool

CHANNELS = [ids.id_in_guild(ids.GAMES_CHANNEL, number) for number in range(4)]


async def send_requests(bot: ShardedBot, rate: int, seconds: int) -> list[bool]:
    """So many requests a second, whether or not the ones before were answered; which were in the end."""
    clock = asyncio.get_running_loop().time
    start, tasks = clock(), []
    for number in range(rate * seconds):
        await asyncio.sleep(max(0.0, start + number / rate - clock()))
        tasks.append(asyncio.create_task(bot.http.send_typing(CHANNELS[number % len(CHANNELS)])))
    results = await asyncio.gather(*tasks, return_exceptions=True)
    return [not isinstance(each, BaseException) for each in results]


async def main(address: str, token: str, rate: int, seconds: int) -> None:
    async with Database.open(address, clock=time.time) as database:
        matches = Matches(MatchStore(database), GAMES, lambda: int(time.time()), features=FEATURES)
        group = PostgresGroup(database)
        async with ShardedBot(
            BotStores(matches, SurfaceStore(database)), GAME_UIS, ImmediatePool(), process_group=group
        ) as bot:

            async def beat() -> None:
                while True:
                    await bot._exchange_status()
                    await asyncio.sleep(FOLLOW_SECONDS)

            await bot.http.static_login(token)
            beating = asyncio.create_task(beat(), name="beats")
            answered = await send_requests(bot, rate, seconds)
            beating.cancel()
    print(json.dumps({"asked": len(answered), "answered": sum(answered)}))


if __name__ == "__main__":
    use_api(sys.argv[2])
    asyncio.run(main(sys.argv[1], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
