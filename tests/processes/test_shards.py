"""One unmodified bot over eight shards, in four servers: it plays in each, and each shard comes and goes alone."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from pathlib import Path

from playground.page.client import PlaygroundClient, SeenMessage
from playground.server import Playground
from playground.world import ids
from tests.processes.bot_process import BotProcess, query_file, visited_playground
from tests.processes.playing import PlayedTable, load_match

SERVERS = {"The Jesters' Inn": "jokers", "The Old Mill": "wizard", "Harbour Lights": "jest", "Moonrakers": "court"}
GUILDS = [ids.id_in_guild(ids.GUILD, number) for number in range(len(SERVERS))]
SHARDS = [ids.shard_of(guild, 8) for guild in GUILDS]
COMMANDS = ("motley matches", "motley server", "motley privacy", "motley check", "admin matches")


class ShardLog:
    def __init__(self, playground: Playground, visitor: PlaygroundClient) -> None:
        self._log = playground.simulation.request_log
        self._visitor = visitor
        self._since = max((entry["n"] for entry in self._log.entries_since(0)), default=0)

    def event_shards(self, event: str) -> list[int]:
        return [entry["shard"][0] for entry in self._log.entries_since(self._since) if entry["method"] == event]

    async def wait_event(self, event: str, shard: int) -> None:
        await self._visitor.wait_until(lambda: shard in self.event_shards(event), f"{event} for shard {shard}", 20)


def has_result(visitor: PlaygroundClient, guild: int) -> bool:
    channels = [channel["id"] for channel in visitor.channels.values() if channel.get("guild_id") == str(guild)]
    messages = (SeenMessage(message) for channel in channels for message in visitor.messages.get(channel, {}).values())
    return any(button.label == "Play again" for message in messages for button in message.buttons)


async def test_four_servers_are_played_in_over_eight_shards(tmp_path: Path) -> None:
    async with visited_playground(guilds=4, shards=8, concurrency=8) as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "motley.db")
        bot.environment["MOTLEY_SHARDS"] = "auto"
        shard_log = ShardLog(playground, visitor)
        await bot.start()
        await visitor.wait_bot_ready()
        await shard_log.wait_event("READY", 7)
        assert shard_log.event_shards("READY") == list(range(8))
        start_match = partial(PlayedTable.start_match, visitor, bot.database)
        tables = [await start_match(game, f"{server}/games") for server, game in SERVERS.items()]
        for server, host in zip(SERVERS, ("Ada", "Bela", "Chidi", "Dora"), strict=True):
            for command in COMMANDS:
                reply = await visitor.player(host).run_command(command, f"{server}/games")
                assert (await visitor.player(host).wait_reply(reply)).is_ephemeral, (server, command)
        await asyncio.gather(*(play_some(table) for table in tables))
        await one_shard_is_cut_off(ShardLog(playground, visitor), visitor, tables)
        await one_shard_begins_again(ShardLog(playground, visitor), visitor, tables)
        await asyncio.gather(*(play_to_end(table) for table in tables))
        for guild, table in zip(GUILDS, tables, strict=True):
            await visitor.wait_until(partial(has_result, visitor, guild), f"a result in {guild}")
            assert load_match(bot.database, table.match).status == "over"
        await a_server_puts_the_bot_out(playground, visitor, bot.database)
        await visitor.cause_fault("invalidate_session")
        await asyncio.sleep(1)  # of the five seconds that it waits before they begin anew
        async with asyncio.timeout(20):
            assert await bot.kill(signal.SIGTERM) == 0
    assert not any("Traceback" in line or "ERROR" in line for line in bot.log_lines), bot.log_lines


async def play_some(table: PlayedTable) -> None:
    """Moves by hands, whose clicks come by the shard of direct messages, and by what stands in the server."""
    for count in range(2):
        assert await table.make_move("hand" if count % 2 else "table")


async def play_to_end(table: PlayedTable) -> None:
    while await table.make_move("hand"):
        pass


async def one_shard_is_cut_off(shard_log: ShardLog, visitor: PlaygroundClient, tables: list[PlayedTable]) -> None:
    await visitor.cause_fault("drop_gateway", shard=SHARDS[2])
    await shard_log.wait_event("RESUMED", SHARDS[2])
    assert await tables[2].make_move()
    assert shard_log.event_shards("RESUMED") == [SHARDS[2]]
    assert not shard_log.event_shards("READY")


async def one_shard_begins_again(shard_log: ShardLog, visitor: PlaygroundClient, tables: list[PlayedTable]) -> None:
    await visitor.cause_fault("invalidate_session", shard=SHARDS[1])
    await visitor.wait_until(lambda: visitor.bot_status == "partly", "the end of that session")
    for number, table in enumerate(tables):
        assert await table.make_move("hand" if number == 1 else "table")  # hands of its matches are another shard's
    assert visitor.bot_status == "partly"
    await shard_log.wait_event("READY", SHARDS[1])
    await visitor.wait_bot_ready()
    assert await tables[1].make_move()
    assert shard_log.event_shards("READY") == [SHARDS[1]]


async def a_server_puts_the_bot_out(playground: Playground, visitor: PlaygroundClient, path: Path) -> None:
    await visitor.cause_fault("invalidate_session", shard=SHARDS[3])
    await visitor.player("Dora").act("remove_bot", guild_id=str(GUILDS[3]))
    async with asyncio.timeout(20):
        while query_file(path, "SELECT guild FROM departed") != [(GUILDS[3],)]:  # noqa: ASYNC110  # nothing tells of it
            await asyncio.sleep(0.1)
