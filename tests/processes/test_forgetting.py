"""`kill -9` at every step of forgetting somebody: after the next start it is done wholly, or nothing has happened."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from engines import GAMES
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.store.match_store import Place, Seat, Status
from engines.store.table_options import House
from playground.page.client import Outcome, Player, TurnedDown
from playground.server import Playground
from playground.world import ids
from storage import Database, MatchStore, SurfaceStore
from tests.processes.crashing import Witness
from tests.processes.forks import Forks
from tests.processes.killable import STEPS, Step

SOON = 30.0  # seconds that something may take on a busy machine
PARTS = 2  # side by side, where there are workers
LOOK = 0.2  # seconds between two looks: whoever reads keeps the log from being emptied
NAMES = {ids.GRETA: "Greta", ids.BELA: "Bela", ids.CHIDI: "Chidi"}
TRACES = ("Greta", str(ids.GRETA), str(ids.GRETA + ids.DM_OFFSET))
OTHERS = 2  # hands in a running match when one of three is forgotten
BEGUN = "I am forgetting you."
UNSHOWN = "SELECT COUNT(*) FROM surfaces WHERE nonce <> '' OR old <> 0 OR digest = '' OR lost <> ''"
HANDS = "SELECT COUNT(*) FROM surfaces JOIN matches USING (match) WHERE kind = 'hand' AND status = 'running'"


class Evenings:
    """A bot that is killed, and started again; and between, on its file, matches in which Greta has a part."""

    def __init__(self, bot: Forks, visitor: Witness) -> None:
        self.bot, self.visitor = bot, visitor
        self.greta: Player = visitor.player("Greta")
        self.running = ""

    async def prepare(self) -> None:
        """One match that is over, one that goes on, and a lobby of hers; nothing of before."""
        async with Database.open(self.bot.database, clock=self.bot.now) as database:
            store, lots = MatchStore(database), random.Random(1)
            matches = Matches(store, GAMES, self.bot.now, seed=lambda: Chance(lots.randbytes(16).hex()))
            for info in await matches.find(statuses=frozenset(Status)):
                await matches.erase(info.id)
            over, self.running = await self._begun(matches), await self._begun(matches)
            while (await matches.look(over)).info.status is Status.RUNNING:
                await _moved(matches, over)
            for _ in range(4):
                await _moved(matches, self.running)
            await self._opened(matches)
            await SurfaceStore(database).prefer(ids.GRETA, lambda old: old)

    async def _opened(self, matches: Matches) -> str:
        game = GAMES["wizard"]
        host, place = Seat(ids.GRETA, NAMES[ids.GRETA]), Place(ids.GUILD, ids.GAMES)
        match = (await matches.open(game, game.options(rounds=1), place, host, house=House(clock=None))).id
        for user in (ids.BELA, ids.CHIDI):
            await matches.join(match, user, NAMES[user])
        return match

    async def _begun(self, matches: Matches) -> str:
        match = await self._opened(matches)
        await matches.start(match, ids.GRETA)
        return match

    async def start(self, step: Step = "", times: int = 1) -> None:
        """Start it, and wait until all is shown."""
        await self.bot.start(step, times, told=bool(step))
        await self.visitor.until(lambda: self.visitor.bot_status == "online", "the bot", SOON)

    async def until(self, condition: Callable[[], bool], what: str) -> bool:
        """Whether that holds soon; not where the bot has died."""
        async with asyncio.timeout(SOON):
            while not condition():
                if await self.bot.died(LOOK):
                    return False
        return True

    def shown(self, hands: int) -> bool:
        """Whether all is, with so many hands of the match that goes on."""
        return self.bot.rows(UNSHOWN) == [(0,)] and self.bot.rows(HANDS) == [(hands,)]

    async def ask(self) -> bool:
        """Greta wants to be forgotten; whether she was told that it is being done."""
        question = await self.greta.command("motley forget-me")
        again = await self.greta.click(question.shown, "Go on")
        await self.bot.count()
        done: Outcome | None = None
        with suppress(TurnedDown, TimeoutError):
            done = await self.greta.click(again.shown, "Forget me")
        return done is not None and done.responded and done.message is not None and BEGUN in done.message.text

    def kept(self) -> list[tuple[str, tuple[Any, ...]]]:
        """Where her name, her number or her direct messages stand."""
        tables = [name for (name,) in self.bot.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [
            (table, row)
            for table in tables
            for row in self.bot.rows(f"SELECT * FROM {table}")
            if any(trace in str(value) for value in row for trace in TRACES)
        ]

    def in_bytes(self) -> bool:
        """Whether they stand in the bytes of the file or of its log."""
        wanted = [b"Greta", *(number.to_bytes(8, "big") for number in (ids.GRETA, ids.GRETA + ids.DM_OFFSET))]
        files = [self.bot.database, Path(f"{self.bot.database}-wal")]
        return any(each in file.read_bytes() for file in files if file.exists() for each in wanted)

    def gone(self) -> bool:
        """Whether nothing of her is left, and everybody sees what is so now."""
        return not self.kept() and not self.in_bytes() and self.shown(OTHERS)


async def _moved(matches: Matches, match: str) -> None:
    look = await matches.look(match)
    seat = look.due()[0]
    await matches.play(match, look.info.seats[seat].user, None, look.game.write(look.moves(seat)[-1]))


async def killed(here: Evenings, step: Step, times: int) -> bool:
    """Whether it died there; either way Greta is forgotten in the end, or nothing has happened and then she is."""
    await here.prepare()
    await here.start(step, times)
    assert await here.until(lambda: here.shown(OTHERS + 1), "all is shown")
    before, said = here.kept(), here.visitor.told("Somebody has left the match.")
    told = await here.ask()
    died = not await here.until(here.gone, "forgotten")
    if not died:
        await here.bot.kill()
    wanted = bool(here.bot.rows("SELECT 1 FROM forgetting")) or not _lasting(here.kept())
    assert wanted or not told, f"{step} {times}: it was promised, and nobody knows of it any more"
    half = not wanted and _lasting(before) != _lasting(here.kept())
    assert not half, f"{step} {times}: half of it is done: {before} {here.kept()}"
    await here.visitor.until(lambda: here.visitor.bot_status != "online", "the playground to notice", SOON)
    await here.start()
    if not wanted:
        assert await here.ask(), f"{step} {times}: she could not ask anew"
    try:
        assert await here.until(here.gone, "forgotten")
    except TimeoutError:
        raise AssertionError(f"{step} {times}: {here.kept()}, {here.in_bytes()}") from None
    assert here.bot.rows("SELECT 1 FROM matches WHERE status = 'aside'") == []
    hands = [message for message in here.greta.messages("dm") if f":{here.running}:" in str(message.data["components"])]
    assert not [each for each in hands if any(button.custom_id[0] in "msn" for button in each.buttons)], hands
    assert here.visitor.told("Somebody has left the match.") <= said + 1
    await here.bot.kill()
    await here.visitor.until(lambda: here.visitor.bot_status != "online", "the playground to notice", SOON)
    return died


def _lasting(kept: list[tuple[str, tuple[Any, ...]]]) -> list[tuple[str, tuple[Any, ...]]]:
    """What is kept but for what was shown, which the keeper looks after in its own time."""
    return [each for each in kept if each[0] in ("matches", "seats", "moves", "history", "preferences")]


@pytest.mark.timeout(2_000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_killed_at_any_step_somebody_is_forgotten_wholly_or_not_at_all(tmp_path: Path, part: int) -> None:
    async with Playground(paced=False) as playground, Witness.to(playground.base) as visitor:
        here = Evenings(Forks.of(playground, tmp_path), visitor)
        try:
            for step in STEPS[part::PARTS]:
                times = 1
                while await killed(here, step, times):
                    times += 1
                print(f"{step}: {times - 1} kills", flush=True)
        finally:
            print(*here.bot.said[-20:], sep="\n")
            await here.bot.close()
    wrong = ("cogs.table.transport.error_reports", "is set aside", "Traceback")
    assert not [line for line in here.bot.said if any(mark in line for mark in wrong)], here.bot.said[-20:]
