"""One unmodified bot over eight shards, in four servers: it plays in each, and each shard comes and goes alone."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from playground.page.client import SeenMessage, Visitor
from playground.server import Playground
from playground.world import ids
from tests.processes.bot_process import BotProcess
from tests.processes.playing import Table, kept

SERVERS = {"The Jesters' Inn": "jokers", "The Old Mill": "wizard", "Harbour Lights": "jest", "Moonrakers": "court"}
GUILDS = [ids.elsewhere(ids.GUILD, number) for number in range(len(SERVERS))]
SHARDS = [ids.shard_of(guild, 8) for guild in GUILDS]
COMMANDS = ("motley matches", "motley server", "motley privacy", "motley check", "admin matches")


class Seen:
    """What the log says from a moment on."""

    def __init__(self, playground: Playground, visitor: Visitor) -> None:
        self._log = playground.house.log
        self._visitor = visitor
        self._since = max((entry["n"] for entry in self._log.since(0)), default=0)

    def shards(self, event: str) -> list[int]:
        """The shards that were told of that, in order."""
        return [entry["shard"][0] for entry in self._log.since(self._since) if entry["method"] == event]

    async def told(self, event: str, shard: int) -> None:
        """Wait until a shard was told of that."""
        await self._visitor.until(lambda: shard in self.shards(event), f"{event} for shard {shard}", 20)


def has_result(visitor: Visitor, guild: int) -> bool:
    """Whether a match in a server shows its result."""
    there = [channel["id"] for channel in visitor.channels.values() if channel.get("guild_id") == str(guild)]
    shown = (SeenMessage(message) for channel in there for message in visitor.messages.get(channel, {}).values())
    return any(button.label == "Play again" for message in shown for button in message.buttons)


def departed(path: Path) -> list[int]:
    """The servers of which the bot has noted that it is in them no more."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        return [guild for (guild,) in raw.execute("SELECT guild FROM departed")]


async def test_four_servers_are_played_in_over_eight_shards(tmp_path: Path) -> None:
    async with (
        Playground(paced=False, guilds=4, shards=8, concurrency=8) as playground,
        Visitor.to(playground.base) as visitor,
    ):
        bot = BotProcess(playground, tmp_path / "motley.db")
        bot.environment["MOTLEY_SHARDS"] = "auto"
        begun = Seen(playground, visitor)
        await bot.start()
        await visitor.bot_ready()
        await begun.told("READY", 7)
        assert begun.shards("READY") == list(range(8))
        tables = [
            await Table.started(visitor, bot.database, game, f"{server}/games") for server, game in SERVERS.items()
        ]
        await commands_answer_in_every_server(visitor)
        await asyncio.gather(*(some(table) for table in tables))
        await one_shard_is_cut_off_and_goes_on(Seen(playground, visitor), visitor, tables)
        await one_shard_begins_anew_while_the_others_play(Seen(playground, visitor), visitor, tables)
        await asyncio.gather(*(to_its_end(table) for table in tables))
        for guild, table in zip(GUILDS, tables, strict=True):
            await visitor.until(partial(has_result, visitor, guild), f"a result in {guild}")
            assert kept(bot.database, table.match).status == "over"
        await a_server_puts_the_bot_out_while_its_shard_is_away(playground, visitor, bot.database)
        await visitor.fault("invalidate_session")
        await asyncio.sleep(1)  # of the five seconds that it waits before they begin anew
        async with asyncio.timeout(20):
            assert await bot.kill(signal.SIGTERM) == 0
    assert not any("Traceback" in line or "ERROR" in line for line in bot.said), bot.said


async def commands_answer_in_every_server(visitor: Visitor) -> None:
    for server, host in zip(SERVERS, ("Ada", "Bela", "Chidi", "Dora"), strict=True):
        player = visitor.player(host)
        for command in COMMANDS:
            answer = await player.answer(await player.command(command, f"{server}/games"))
            assert answer.ephemeral, (server, command)


async def some(table: Table) -> None:
    """Moves by hands, whose clicks come by the shard of direct messages, and by what stands in the server."""
    for count in range(2):
        assert await table.move("hand" if count % 2 else "table")


async def to_its_end(table: Table) -> None:
    while await table.move("hand"):
        pass


async def one_shard_is_cut_off_and_goes_on(seen: Seen, visitor: Visitor, tables: list[Table]) -> None:
    await visitor.fault("drop_gateway", shard=SHARDS[2])
    await seen.told("RESUMED", SHARDS[2])
    assert await tables[2].move()
    assert seen.shards("RESUMED") == [SHARDS[2]]
    assert not seen.shards("READY")


async def one_shard_begins_anew_while_the_others_play(seen: Seen, visitor: Visitor, tables: list[Table]) -> None:
    await visitor.fault("invalidate_session", shard=SHARDS[1])
    await visitor.until(lambda: visitor.bot_status == "partly", "the end of that session")
    for number, table in enumerate(tables):
        assert await table.move("hand" if number == 1 else "table")  # hands of its matches are another shard's
    assert visitor.bot_status == "partly"
    await seen.told("READY", SHARDS[1])
    await visitor.bot_ready()
    assert await tables[1].move()
    assert seen.shards("READY") == [SHARDS[1]]


async def a_server_puts_the_bot_out_while_its_shard_is_away(
    playground: Playground, visitor: Visitor, path: Path
) -> None:
    await visitor.fault("invalidate_session", shard=SHARDS[3])
    await visitor.player("Dora").act("remove_bot", guild_id=str(GUILDS[3]))
    async with asyncio.timeout(20):
        while departed(path) != [GUILDS[3]]:  # noqa: ASYNC110  # nothing tells of the file
            await asyncio.sleep(0.1)
