"""A short whole match of each game in simcord, as its authors made it: another opinion on what Discord accepts.

Every other test here trusts the playground. If both are wrong about Discord in the same way, neither tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import simcord
from simcord.backend import serializers
from simcord.env import Env
from simcord.results import ResponseMessage

from cogs.client import BotStores, MotleyBot
from cogs.system_clock import SystemClock
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.store.match_store import Status
from storage import Database, MatchStore, SurfaceStore
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.end_to_end.simulated_server import NAMES
from tests.game_uis import GAME_UIS
from tests.games import GAMES
from tests.manual_time import HastyClock
from tests.messages import Message, button_labels
from tests.playing import make_move, short_match
from worker_pool.pool import WorkerPool


class WaitingClock(SystemClock):
    """Tells simcord that a pause of the bot's is no work."""

    env: Env | None = None

    async def sleep(self, seconds: float) -> None:
        if self.env is not None and asyncio.current_task() in self.env._work.tasks:
            await self.env.external_wait(asyncio.sleep(seconds), reason="a pause")
        else:
            await asyncio.sleep(seconds)


@dataclass
class SimcordTable:
    """People at a table in simcord, and the bot."""

    env: Env
    bot: MotleyBot
    channel: simcord.ChannelHandle
    people: dict[str, simcord.MemberActor]

    async def surface(self, match: str, kind: Any, seat: int = -1) -> Message:
        found = await self.bot.surfaces.find_surface(match, kind, seat)
        assert found is not None, f"there is no {kind} {seat}"
        return self.message(found.channel, found.message)

    def message(self, channel: int, number: int) -> Message:
        return dict(serializers.message_payload(self.env.backend, self.env.backend.get_message(channel, number)))

    async def click(self, name: str, message: Message, control: str, values: Sequence[str] | None = None) -> Message:
        """Press the button with that label or custom_id, or choose values of a list; the message as it is then."""
        channel, number = int(message["channel_id"]), int(message["id"])
        where = ResponseMessage(self.env, self.env.backend.get_message(channel, number))
        actor: Any = self.people[name]
        actor = actor if self.env.backend.get_channel(channel).guild_id else actor.user
        if values is not None:
            await actor.select(where, list(values), custom_id=control)
        else:
            await actor.click(where, **{"label" if control in button_labels(message) else "custom_id": control})
        return self.message(channel, number)


@asynccontextmanager
async def start_simcord(path: Path, seed: str) -> AsyncIterator[SimcordTable]:
    """The whole bot in simcord, with people; every match is dealt from the seed."""
    clock = WaitingClock()
    async with Database.open(path, clock=clock.now) as database:
        sources = MatchSources(new_chance=lambda: Chance(seed))
        matches = Matches(MatchStore(database), GAMES, clock.now, sources=sources, features=FEATURES)
        bot = MotleyBot(BotStores(matches, SurfaceStore(database)), GAME_UIS, WorkerPool(), clock)
        bot.rate_limiter.clock = bot.reconciler.hand_pacing.clock = HastyClock()  # there is room here, and no hurry
        clock.env = env = Env(bot, settle_timeout=60)
        await env.start()
        try:
            guild = env.create_guild("The Inn")
            people = {name: guild.add_member(env.create_user(name)) for name in NAMES}
            yield SimcordTable(env, bot, guild.create_text_channel("games"), people)
            env.raise_errors()
        finally:
            await env.shutdown()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_simcord_accepts_a_whole_match_of_each_game(
    tmp_path: Path, helper: GameHelper, painter: None, no_errors: None
) -> None:
    begin, plan = short_match(helper, helper.game.seats[0])
    names = NAMES[: begin.seats]
    async with start_simcord(tmp_path / "motley.db", begin.seed) as table:
        options = {"autoplay": "false", **helper.short_options}
        await table.people[names[0]].slash(table.channel, f"{helper.game.key} new", **options)
        (info,) = await table.bot.matches.lookup.find()
        for name in names[1:]:
            await table.click(name, await table.surface(info.id, "lobby"), "Join")
        await table.click(names[0], await table.surface(info.id, "lobby"), "Start")
        for step in plan:
            now, name = await table.bot.matches.cache.get_snapshot(info.id), names[step.seat]
            assert now.state == step.state, "another move was made"

            async def click(message: Message, control: str, values: Sequence[str] | None, who: str = name) -> Message:
                return await table.click(who, message, control, values)

            await make_move(click, await table.surface(info.id, "hand", step.seat), now, step, sure=True)
        over = await table.bot.matches.cache.get_snapshot(info.id)
        assert over.info.status is Status.OVER
        assert "Play again" in button_labels(await table.surface(info.id, "table"))
