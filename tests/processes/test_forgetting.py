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
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.store.match_store import Place, Seat, Status
from engines.store.table_options import TableOptions
from playground.page.client import Outcome, Player, RequestRejected
from playground.server import Playground
from playground.world import ids
from storage import Database, MatchStore, SurfaceStore
from tests.messages import kind_of
from tests.processes.bot_process import wrong_lines
from tests.processes.crash_book import CallWitness
from tests.processes.forked_bots import ForkedBots
from tests.processes.killable_bot import STEPS, Step

SOON = 30.0  # seconds that something may take on a busy machine
PARTS = 2  # side by side, if there are workers
LOOK = 0.2  # seconds between two looks: a reader keeps the log from being emptied
NAMES = {ids.GRETA: "Greta", ids.BELA: "Bela", ids.CHIDI: "Chidi"}
TRACES = ("Greta", str(ids.GRETA), str(ids.GRETA + ids.DM_OFFSET))
OTHERS = 2  # hands in a running match when one of three is forgotten
BEGUN = "I am forgetting you."
UNSHOWN = "SELECT COUNT(*) FROM surfaces WHERE nonce <> '' OR old <> 0 OR digest = '' OR lost <> ''"
HANDS = "SELECT COUNT(*) FROM surfaces JOIN matches USING (match) WHERE kind = 'hand' AND status = 'running'"


class ForgettingRuns:
    def __init__(self, bot: ForkedBots, visitor: CallWitness) -> None:
        self.bot, self.visitor = bot, visitor
        self.greta: Player = visitor.player("Greta")
        self.running = ""

    async def prepare_file(self) -> None:
        """One match that is over, one that goes on, and a lobby of hers; nothing of before."""
        async with Database.open(self.bot.database, clock=self.bot.now) as database:
            store, lots = MatchStore(database), random.Random(1)
            matches = Matches(
                store,
                GAMES,
                self.bot.now,
                sources=MatchSources(new_chance=lambda: Chance(lots.randbytes(16).hex())),
                features=FEATURES,
            )
            for info in await matches.lookup.find(statuses=frozenset(Status)):
                await matches.forgetting.erase_match(info.id)
            finished, self.running = await self._start_match(matches), await self._start_match(matches)
            while (await matches.cache.get_snapshot(finished)).info.status is Status.RUNNING:
                await _make_move(matches, finished)
            for _ in range(4):
                await _make_move(matches, self.running)
            await self._open_lobby(matches)
            await SurfaceStore(database).change_preferences(ids.GRETA, lambda old: old)

    async def _open_lobby(self, matches: Matches) -> str:
        game = GAMES["wizard"]
        host, place = Seat(ids.GRETA, NAMES[ids.GRETA]), Place(ids.GUILD, ids.GAMES_CHANNEL)
        options, table_options = game.options(rounds=1), TableOptions(clock=None, autoplay=False)
        match = (await matches.lobbies.open_lobby(game, options, place, host, table_options=table_options)).id
        for user in (ids.BELA, ids.CHIDI):
            await matches.lobbies.join(match, user, NAMES[user])
        return match

    async def _start_match(self, matches: Matches) -> str:
        match = await self._open_lobby(matches)
        await matches.lobbies.start_match(match, ids.GRETA)
        return match

    async def start(self, step: Step = "", times: int = 1) -> None:
        await self.bot.start_bot(step, times, counted=bool(step))
        await self.visitor.wait_until(lambda: self.visitor.bot_status == "online", "the bot", SOON)

    async def wait_until(self, condition: Callable[[], bool], what: str) -> bool:
        """Whether that holds soon; False if the bot has died."""
        async with asyncio.timeout(SOON):
            while not condition():
                if await self.bot.dies_within(LOOK):
                    return False
        return True

    def is_all_shown(self, hands: int) -> bool:
        return self.bot.query(UNSHOWN) == [(0,)] and self.bot.query(HANDS) == [(hands,)]

    async def ask_to_be_forgotten(self) -> bool:
        """Greta wants to be forgotten; whether she was told that it is being done."""
        question = await self.greta.run_command("motley forget-me")
        second_question = await self.greta.click(question.reply, "Continue")
        await self.bot.start_counting()
        outcome: Outcome | None = None
        with suppress(RequestRejected, TimeoutError):
            outcome = await self.greta.click(second_question.reply, "Forget me")
        return (
            outcome is not None and outcome.responded and outcome.message is not None and BEGUN in outcome.message.text
        )

    def find_traces(self) -> list[tuple[str, tuple[Any, ...]]]:
        tables = [name for (name,) in self.bot.query("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [
            (table, row)
            for table in tables
            for row in self.bot.query(f"SELECT * FROM {table}")
            if any(trace in str(value) for value in row for trace in TRACES)
        ]

    def has_trace_in_bytes(self) -> bool:
        wanted = [b"Greta", *(number.to_bytes(8, "big") for number in (ids.GRETA, ids.GRETA + ids.DM_OFFSET))]
        files = [self.bot.database, Path(f"{self.bot.database}-wal")]
        return any(each in file.read_bytes() for file in files if file.exists() for each in wanted)

    def is_all_gone(self) -> bool:
        return not self.find_traces() and not self.has_trace_in_bytes() and self.is_all_shown(OTHERS)


async def _make_move(matches: Matches, match: str) -> None:
    snapshot = await matches.cache.get_snapshot(match)
    seat = snapshot.due_seats()[0]
    await matches.moves.play_move(
        match, snapshot.info.seats[seat].user, None, snapshot.game.format_move(snapshot.moves(seat)[-1])
    )


async def dies_forgetting(runs: ForgettingRuns, step: Step, times: int) -> bool:
    """Whether it died there; either way Greta is forgotten in the end, or nothing has happened and then she is."""
    await runs.prepare_file()
    await runs.start(step, times)
    assert await runs.wait_until(lambda: runs.is_all_shown(OTHERS + 1), "all is shown")
    before, count = runs.find_traces(), runs.visitor.count_saying("Somebody has left the match.")
    is_promised = await runs.ask_to_be_forgotten()
    died = not await runs.wait_until(runs.is_all_gone, "forgotten")
    if not died:
        await runs.bot.kill_bot()
    wanted = bool(runs.bot.query("SELECT 1 FROM forgetting")) or not _without_shown(runs.find_traces())
    assert wanted or not is_promised, f"{step} {times}: it was promised, and nobody knows of it any more"
    half = not wanted and _without_shown(before) != _without_shown(runs.find_traces())
    assert not half, f"{step} {times}: half of it is done: {before} {runs.find_traces()}"
    await runs.visitor.wait_until(lambda: runs.visitor.bot_status != "online", "the playground to notice", SOON)
    await runs.start()
    if not wanted:
        assert await runs.ask_to_be_forgotten(), f"{step} {times}: she could not ask again"
    try:
        assert await runs.wait_until(runs.is_all_gone, "forgotten")
    except TimeoutError:
        raise AssertionError(f"{step} {times}: {runs.find_traces()}, {runs.has_trace_in_bytes()}") from None
    assert runs.bot.query("SELECT 1 FROM matches WHERE status = 'aside'") == []
    inbox = runs.greta.visible_messages("dm")
    hands = [message for message in inbox if f":{runs.running}:" in str(message.data["components"])]
    assert not [each for each in hands if any(kind_of(button.custom_id) in {*"msn"} for button in each.buttons)], hands
    assert runs.visitor.count_saying("Somebody has left the match.") <= count + 1
    await runs.bot.kill_bot()
    await runs.visitor.wait_until(lambda: runs.visitor.bot_status != "online", "the playground to notice", SOON)
    return died


def _without_shown(rows: list[tuple[str, tuple[Any, ...]]]) -> list[tuple[str, tuple[Any, ...]]]:
    """What is kept but for what was shown, which the reconciler looks after in its own time."""
    return [each for each in rows if each[0] in ("matches", "seats", "moves", "history", "preferences")]


@pytest.mark.timeout(2_000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_killed_at_any_step_somebody_is_forgotten_wholly_or_not_at_all(tmp_path: Path, part: int) -> None:
    async with Playground(rate_limited=False) as playground, CallWitness.connect(playground.base_url) as visitor:
        runs = ForgettingRuns(ForkedBots.create(playground, tmp_path), visitor)
        try:
            for step in STEPS[part::PARTS]:
                times = 1
                while await dies_forgetting(runs, step, times):
                    times += 1
                print(f"{step}: {times - 1} kills", flush=True)
        finally:
            print(*runs.bot.log_lines[-20:], sep="\n")
            await runs.bot.close()
    assert not wrong_lines(runs.bot.log_lines), "\n".join(wrong_lines(runs.bot.log_lines))
