"""Lobbies in which people come and go while Discord is slow: each page must reach the person it was drawn for.

Direct messages open late, in any order, or not at all, and every other request takes a moment. Meanwhile people join
and leave, computers and people are removed or shut out, and the host starts. After the start, no message may name what
is hidden from the person who gets it, and each player has exactly one hand with live buttons: their own.

Time is the event loop's, which skips idle time (`tests/faults/skipped_time.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from cogs.table.pages.page import Page
from cogs.table.scheduling.computer_turns import ComputerPlayers
from engines.hosting.match import RequestRefused
from engines.store.match_store import Status
from engines.store.owner_storage import Block
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import MatchSecrets
from tests.faults import skipped_time
from tests.log_checks import collect_log
from tests.manual_time import ManualTime
from tests.messages import Message, control_ids, message_text
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import (
    BUTTON,
    COMMAND_KIND,
    COMPONENT_KIND,
    NOW,
    PEOPLE,
    PlainBot,
    command_data,
    start_plain_bot,
)

OPENING = "POST /users/@me/channels"
HOST = PEOPLE[0]
SLOW_SECONDS = (0.0, 0.0, 0.3, 0.8, 0.8, 2.0, 4.0)  # how long direct messages take to open
QUICK_SECONDS = (0.0, 0.0, 0.01, 0.05, 0.3)  # how long other requests take
PAUSES = (0.0, 0.0, 0.05, 0.3, 0.7, 1.5)  # seconds between what people do
SETTLE_SECONDS = 300.0  # after which all that failed was tried again
FAILURES: Mapping[int, tuple[type[discord.HTTPException], Mapping[str, Any]]] = {
    503: (discord.DiscordServerError, {"code": 0, "message": "Service Unavailable"}),
    403: (discord.Forbidden, {"code": 50007, "message": "Cannot send messages to this user"}),
}


class LoopTime(ManualTime):
    """The time of the event loop."""

    def now(self) -> int:
        return self.start + int(self.monotonic())

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def refuse(status: int) -> discord.HTTPException:
    kind, body = FAILURES[status]
    answer: Any = SimpleNamespace(status=status, reason="")
    return kind(answer, dict(body))


@dataclass
class SeatStorm:
    """One lobby, those who come and go, and what happened."""

    plain_bot: PlainBot
    helper: GameHelper
    rng: Random
    match: str = ""
    lobby: Message = field(default_factory=dict)
    tasks: list[asyncio.Task[Any]] = field(default_factory=list)
    clicks: list[Any] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    async def open_lobby(self) -> None:
        data = command_data(f"{self.helper.game.key} new", {"autoplay": "false"}, "")
        self.ask(HOST, COMMAND_KIND, data, None)
        await asyncio.sleep(1)
        (self.match,) = [info.id for info in await self.plain_bot.matches.lookup.find()]
        self.lobby = await self.plain_bot.surface_message(self.match, "lobby")
        self.plain_bot.wire.gate = self.pass_gate

    async def pass_gate(self, bot: str, request: str) -> None:
        """Let a request through late; let some openings of direct messages fail."""
        if request != OPENING:
            await asyncio.sleep(self.rng.choice(QUICK_SECONDS))
            return
        self.counts["openings"] += 1
        await asyncio.sleep(self.rng.choice(SLOW_SECONDS))
        if self.rng.random() < 0.1:
            self.counts["failed openings"] += 1
            raise refuse(self.rng.choice([*FAILURES]))

    def press(self, name: str, action: str) -> None:
        """Press a button of the lobby, without waiting for the answer."""
        data = {"custom_id": f"t:{self.match}:{action}", "component_type": BUTTON}
        self.ask(name, COMPONENT_KIND, data, self.plain_bot.current_message(self.lobby))

    def ask(self, name: str, kind: int, data: dict[str, Any], source: Message | None) -> None:
        interaction, payload = self.plain_bot.wire.start_interaction(
            self.plain_bot.wire.people[name], CHANNEL, kind, data, source
        )
        self.clicks.append(interaction)
        self.plain_bot.bot._connection.parsers["INTERACTION_CREATE"](payload)

    def run(self, work: Coroutine[Any, Any, Any]) -> None:
        async def unless_refused() -> None:
            with suppress(RequestRefused):
                await work

        self.tasks.append(asyncio.create_task(unless_refused()))

    def draw_slowly(self, patch: pytest.MonkeyPatch, seconds: Sequence[float] = QUICK_SECONDS) -> None:
        """Have hands take a moment to be drawn."""
        cache = self.plain_bot.bot.reconciler.surface_sync.page_cache
        draw = cache.hand_page

        async def slowly(*arguments: Any) -> Page:
            await asyncio.sleep(self.rng.choice(seconds))
            return await draw(*arguments)

        patch.setattr(cache, "hand_page", slowly)

    async def act(self) -> None:
        """Somebody does something that may move seats."""
        name = self.rng.choice(PEOPLE[1:])
        user = self.plain_bot.wire.people[name]
        match self.rng.choice(("join",) * 5 + ("leave",) * 3 + ("computer", "no computer", "remove", "shut out")):
            case "join":
                self.press(name, "join")
            case "leave":
                self.press(name, "leave")
            case "computer":
                self.press(HOST, "computer-easy")
            case "no computer":
                self.press(HOST, "no-computer")
            case "remove":
                self.run(self.plain_bot.matches.seating.remove_player(self.match, user, by=0))
            case "shut out":
                self.run(self.shut_out(user))
        await asyncio.sleep(self.rng.choice(PAUSES))

    async def shut_out(self, user: int) -> None:
        requests, block = self.plain_bot.bot.owner_requests, Block(GUILD, user)
        await requests.put_block(block)
        await requests.drop_block(block)

    async def start(self) -> bool:
        """Fill the table as far as needed, and start at once."""
        fewest = self.helper.game.seats_with(self.helper.game.options())[0]
        for name in PEOPLE[1:]:
            info = (await self.plain_bot.load_snapshot(self.match)).info
            if len(info.seats) < fewest and info.seat_of(self.plain_bot.wire.people[name]) is None:
                self.press(name, "join")
                await asyncio.sleep(0)
        self.press(HOST, "start")
        for _ in range(200):
            await asyncio.sleep(0.01)
            if (await self.plain_bot.load_snapshot(self.match)).info.status is Status.RUNNING:
                return True
        return False

    async def settle(self) -> None:
        await asyncio.sleep(SETTLE_SECONDS)
        await asyncio.gather(*self.tasks)

    async def check(self) -> None:
        """Nothing hidden was told to anybody, and everybody has their own hand and no other."""
        snapshot = await self.plain_bot.load_snapshot(self.match)
        secrets = MatchSecrets(self.helper, [snapshot.state])
        for sent in self.plain_bot.wire.sent_requests:
            seat = None if sent.reader is None else snapshot.info.seat_of(sent.reader)
            given_away = secrets.find_given_away(snapshot, seat, sent.text, sent.interaction_text)
            assert not given_away, (
                f"{given_away} told to {sent.reader}: {sent.method} {sent.path} {sent.body_text[:600]}"
            )
        for name, user in self.plain_bot.wire.people.items():
            await self._check_inbox(name, user, snapshot.info.seat_of(user))
        assert all(each.first_answer_kinds for each in self.clicks), "a click was left unanswered"

    async def _check_inbox(self, name: str, user: int, seat: int | None) -> None:
        inbox = self.plain_bot.wire.inbox_of(user)
        live = [each for each in self.plain_bot.wire.channels.get(inbox, {}).values() if control_ids(each)]
        known = await self.plain_bot.bot.surfaces.inbox(user)
        if seat is None:
            assert not live, f"{name} has no seat, and still has {[message_text(each) for each in live]}"
            return
        self.counts["seated"] += 1
        if known is None or known.closed or not known.channel:
            return
        row = await self.plain_bot.bot.surfaces.find_surface(self.match, "hand", seat)
        assert row is not None, f"{name} has no hand"
        assert row.channel == inbox, f"the hand of {name} is in {row.channel}"
        assert [int(each["id"]) for each in live] == [row.message], f"{name} has {len(live)} live messages"
        assert "Your hand" in message_text(live[0]) or self.match in str(control_ids(live[0]))
        self.counts["hands"] += 1


def run_storm(seed: int) -> Counter[str]:
    """One storm, in a loop that skips all idle time: nothing comes from outside."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(skipped_time, "POLL_COUNT", 0)
        patched.setattr(skipped_time, "MAX_SKIP", SETTLE_SECONDS)
        return skipped_time.run_skipping(partial(weather_storm, seed))


async def weather_storm(seed: int) -> Counter[str]:
    """One storm: several people come and go, then the host starts at once. Returns what happened in it."""
    rng = Random(seed)
    helper, dealt = rng.choice([*HELPERS.values()]), f"{rng.getrandbits(128):032x}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ComputerPlayers, "wake", lambda computers, match: None)  # so that all stays as it was dealt
        async with start_plain_bot(dealt, clock=LoopTime(NOW)) as plain_bot:
            storm = SeatStorm(plain_bot, helper, rng)
            storm.draw_slowly(patched)
            with collect_log(lambda record: True, logging.ERROR) as log:
                await storm.open_lobby()
                for _ in range(rng.randint(2, 9)):
                    await storm.act()
                if await storm.start():
                    storm.counts["starts"] += 1
                    await storm.settle()
                    await storm.check()
            assert not log, f"logged: {log}"
    return storm.counts
