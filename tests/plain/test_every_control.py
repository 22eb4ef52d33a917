"""Every kind of control, well-formed and malformed, in every phase of a match: each click gets exactly one answer.

Clicks come from people who sit at the table and from others, on public, private and ephemeral messages, with and
without picked values. Nothing may be logged as an error, and whatever they compute or post has a share.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import MagicMock

import pytest

from cogs.features.registry import FEATURE_UIS
from cogs.table.actions.hand_actions import HandActions
from cogs.table.commands.component_router import ComponentRouter
from engines.store.match_store import Status
from tests.contract.helpers import HELPERS
from tests.features.parsing import CORE_KINDS, parse
from tests.log_checks import collect_log
from tests.plain.fake_discord import EPHEMERAL_FLAG
from tests.plain.payloads import CHANNEL
from tests.plain.plain_bot import PEOPLE, WATCHER, PlainBot, form_data, start_plain_bot
from tests.plain.share_watch import watch_shares

HOST, OTHER = PEOPLE[:2]
KEY = "wizard"  # a game in which moves can be planned
PHASES = ("lobby", "running", "paused", "over", "closed", "unknown")
UNKNOWN = "zzzzzzzz"
ACTIONS = MagicMock()
OPTION_PRESSES = (
    *(
        "v:{match}:preset=quick hands",
        "v:{match}:preset=as published",
        "v:{match}:preset=wild",
        "v:{match}:pace=together",
    ),
    *("v:{match}:pace=together", "v:{match}:pace=slow", "v:{match}:special_cards", "v:{match}:hints=false"),
)
SAMPLES: Mapping[str, Sequence[str]] = {
    "m": ("m:{match}:0:bid 0", "m:{match}:0:nonsense", "m:{match}:999999:bid 0"),
    "c": ("c:{match}:0:bid 0", "c:{match}:0:nonsense"),
    "s": ("s:{match}:0:0",),
    "p": ("p:{match}:0:pass", "p:{match}:0:bid"),
    "o": ("o:{match}:0:bid 0", "o:{match}:0:nonsense"),
    "f": ("f:{match}:0:0",),
    "n": ("n:{match}:0:a/b",),
    "g": ("g:{match}:0:a",),
    "v": ("v:{match}:rounds", "v:{match}:rounds=1", "v:{match}:clock=none", "v:{match}:nonsense=1", *OPTION_PRESSES),
    "b": ("b:{match}:0123abcd",),
    "r": ("r:wizard", "r:wizard:1", "r:wizard:99", "r:nonsense", "r:nonsense:1"),
    "u": ("u:wizard:W1", "u:wizard:X999", "u:nonsense:W1"),
    "a": ("a:{match}:cancel:0", "a:{match}:nonsense:0", "a:{match}:reset:5", "a:{match}:remove:1"),
    "l": ("l:0", "l:9999"),
    "h": ("h:clock", "h:clock=none", "h:nonsense", "h:nonsense=1", "h:calls=off"),
    "y": ("y:words", "y:words=on", "y:nonsense", "y:nonsense=1", "y:call=60"),
    "i": ("i:pick", "i:help", "i:games", "i:table:wizard", "i:table:nonsense", "i:table", "i:nonsense", "i:help:jest"),
    "q": ("q:data", "q:data:99", "q:ask", "q:again", "q:sure:1", "q:keep", "q:nonsense"),
    "breaks": (
        "y:break",
        "y:break=back",
        "breaks::choose",
        "breaks::choose:back",
        "breaks::choose:9days",
        "breaks::ask",
        "breaks::x",
    ),
    "guesses": (
        "e:{match}:0",
        "e:{match}:99",
        *(f"guesses:{{match}}:{each}" for each in ("open", "pick:1", "pick:99")),
    ),
    "hints": (
        *("t:{match}:hint", "t:{match}:review"),
        *(f"hints:{{match}}:{each}" for each in ("ask", "review", "nonsense", "ask:1")),
    ),
    "reports": (
        *("t:{match}:wrong", "w:{match}:wrong", "w:{match}:send.1", "w:{match}:drop.99"),
        *(f"reports:{{match}}:{each}" for each in ("open", "write", "send:1", "drop:99", "send", "send:x")),
    ),
    "lessons": ("t:{match}:learn", "lessons:{match}:open", "lessons:{match}:open:1"),
    "notes": ("w:{match}", *(f"notes:{{match}}:{each}" for each in ("open", "write", "nonsense", "open:1"))),
    "plans": (
        *("d:{match}:0:none", "d:{match}:0:move", "d:{match}:0:if any"),
        "plans:{match}:open",
        *(f"plans:{{match}}:change:{each}" for each in ("0:none", "0:move", "0:if any", "1:nonsense", "x:none", "0")),
    ),
    "deals": (
        *(f"k:{{match}}{rest}" for rest in ("", ":cut", ":last", ":free", ":check")),
        *(f"deals:{{match}}:{each}" for each in ("cut", "write", "last", "free", "check", "nonsense", "cut:1")),
    ),
    "replays": (
        *("x:{match}:n0ty0", "x:{match}:p0ty0", "x:{match}:q9zq1", "z:{match}:1:n0ty0", "t:{match}:replay"),
        *(f"replays:{{match}}:at:{each}" for each in ("n0ty0", "n0ty99999", "n0oy1:zz", "q9zq1", "nonsense")),
        *(f"replays:{{match}}:{each}:n0ty0" for each in ("own", "together", "practice", "led:1", "led:zz", "open")),
        "replays:{match}:open",
    ),
    "clips": (
        *("j:{match}:open", "j:{match}:pick", "j:{match}:post=1"),
        *(f"clips:{{match}}:{each}" for each in ("open", "pick", "post:1", "post:x", "nonsense")),
    ),
    "takebacks": (
        *(f"t:{{match}}:{word}{n}" for word in ("take-back", "practice", "agree", "refuse") for n in ("", "=1")),
        *("y:take_backs=on", "takebacks::allow:on", "takebacks::allow:maybe"),
        *(f"takebacks:{{match}}:{each}" for each in ("take", "practice:1", "agree:0123abcd", "refuse:x", "nonsense")),
    ),
}
EXERCISES = (
    *(
        "m:~wizard.1:0:bid 0",
        "n:~wizard.1:0:a",
        "t:~wizard.1:show",
        "t:~wizard.1:skip",
        "t:~wizard.99:show",
        "t:~x.1:play",
    ),
    *("m:!wizard.1:0:bid 0", "n:!wizard.1:0:a", "t:!wizard.1:show", "t:!wizard.99:show", "x:!wizard.1:n0ty0"),
    *("m:+wizard.1:0:bid 0", "t:+wizard.1:show"),  # answered by nobody
)
MALFORMED = ("", "nonsense", "t:", "t:{match}", "t:{match}:", "m:{match}:0:", "??:{match}:0")
VALUES: Sequence[Sequence[str] | None] = (None, ["1"], ["=bid 0"], ["x", "y"], [])


@dataclass
class ClickEverything:
    """One phase of a match, which is made again when a click has ended it."""

    plain_bot: PlainBot
    phase: str
    match: str = UNKNOWN

    async def prepare(self) -> None:
        if self.phase == "unknown" or (self.match != UNKNOWN and await self._is_there()):
            return
        for info in await self.plain_bot.matches.lookup.find():
            await self.plain_bot.matches.seating.reset_match(info.id, by=0)
        await self.plain_bot.pass_time(5)
        self.plain_bot.bot.shares._posts_free_at.clear()  # as when more time has passed
        game = HELPERS[KEY].game
        self.match, lobby = await self.plain_bot.open_lobby(HOST, game, rounds=1)
        await self.plain_bot.click_control(OTHER, lobby, f"t:{self.match}:join")
        await self.plain_bot.click_control(PEOPLE[2], lobby, f"t:{self.match}:join")
        if self.phase == "closed":
            await self.plain_bot.matches.lobbies.cancel_lobby(self.match, self.plain_bot.wire.people[HOST])
        elif self.phase != "lobby":
            await self.plain_bot.click_control(HOST, lobby, f"t:{self.match}:start")
        if self.phase == "paused":
            await self.plain_bot.matches.seating.leave_match(self.match, self.plain_bot.wire.people[PEOPLE[2]])
        while self.phase == "over" and (snapshot := await self.plain_bot.load_snapshot(self.match)).decisions():
            await self.plain_bot.click_move(snapshot, min(snapshot.decisions()))

    async def _is_there(self) -> bool:
        info = (await self.plain_bot.load_snapshot(self.match)).info
        seated = [info.seat_of(self.plain_bot.wire.people[name]) is not None for name in (HOST, OTHER)]
        wanted = {"lobby": Status.LOBBY, "running": Status.RUNNING, "paused": Status.PAUSED}
        return self.phase not in wanted or (info.status is wanted[self.phase] and all(seated) and not info.votes)

    def messages(self) -> Iterator[dict[str, Any]]:
        """A public message, an ephemeral one, and one in direct messages."""
        own = self.plain_bot.wire.inbox_of(self.plain_bot.wire.people[HOST])
        for channel, flags, number in ((CHANNEL, 0, 1), (CHANNEL, EPHEMERAL_FLAG, 2), (own, 0, 3)):
            message = {"id": str(number), "channel_id": str(channel), "type": 0, "content": "", "components": []}
            reader = self.plain_bot.wire.people[HOST] if flags else None
            self.plain_bot.wire.place_message(message | {"flags": flags}, reader)
            yield message | {"flags": flags}

    async def click(self, name: str, custom_id: str, values: Sequence[str] | None, message: dict[str, Any]) -> None:
        interaction = await self.plain_bot.click_control(
            name, message, custom_id.replace("{match}", self.match), values
        )
        first = interaction.first_answer_kinds
        assert len(first) == 1, f"{len(first)} answers to {custom_id} {values} of {name} ({self.phase})"


@asynccontextmanager
async def _phase(phase: str) -> AsyncIterator[ClickEverything]:
    with collect_log(lambda record: True, logging.ERROR) as log:
        async with start_plain_bot("5e" * 16) as plain_bot:
            clicks = ClickEverything(plain_bot, phase)
            await clicks.prepare()
            with watch_shares(plain_bot) as unshared:
                yield clicks
    assert unshared == []
    assert not log, f"logged: {log}"


def _table_actions(router: ComponentRouter) -> list[str]:
    own = [name.removeprefix("t:") for name in router.core if name.startswith("t:")]
    return [*own, "host", "host=1", "hand=1", "hand2", "nonsense", "nonsense=1"]


def _custom_ids(router: ComponentRouter) -> list[str]:
    """All of them; what changes a match comes last."""
    actions = [f"t:{{match}}:{action}" for action in _table_actions(router)]
    changing = {name.removeprefix("t:") for name, control in router.core.items() if control.changes_match}
    quiet = [each for each in actions if each.rpartition(":")[2].partition("=")[0] not in changing]
    rest = [each for each in actions if each not in quiet]
    return [*(each for samples in SAMPLES.values() for each in samples), *EXERCISES, *MALFORMED, *quiet, *rest]


def test_every_kind_of_control_is_tried() -> None:
    features = [(ui.name, ui.controls(ACTIONS), ui.exercises(ACTIONS)) for ui in FEATURE_UIS]
    assert {*SAMPLES, "t"} == CORE_KINDS | {name for name, controls, _ in features if controls}
    marks = {control.exercise.mark for each in EXERCISES if (control := parse(each)) and control.exercise}
    assert marks > {exercises.mark for _, _, exercises in features if exercises}
    for kind, samples in SAMPLES.items():
        for each in samples:
            control = parse(each.replace("{match}", UNKNOWN))
            assert control is not None, each
            assert control.kind == kind, each


@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", PHASES)
async def test_every_control_gets_one_answer_in_every_phase(phase: str) -> None:
    async with _phase(phase) as clicks:
        cog = clicks.plain_bot.bot.get_cog("ComponentRouter")
        assert isinstance(cog, ComponentRouter)
        for number, custom_id in enumerate(_custom_ids(cog)):
            for turn, message in enumerate([*clicks.messages()]):
                values = VALUES[(number + turn) % len(VALUES)]
                for name, picked in ((HOST, values), (WATCHER, None)):
                    if name == WATCHER and turn == 2:
                        continue  # the direct messages are the host's
                    await clicks.prepare()
                    await clicks.click(name, custom_id, picked, message)


@pytest.mark.parametrize("phase", PHASES)
async def test_every_form_gets_one_answer_in_every_phase(phase: str) -> None:
    async with _phase(phase) as clicks:
        for custom_id in (
            "w:{match}",
            "w:{match}:wrong",
            "reports:{match}:write",
            "k:{match}",
            "deals:{match}:write",
            "t:{match}:hand",
            "nonsense",
        ):
            for is_malformed in (False, True):
                await clicks.prepare()
                given = form_data(custom_id.replace("{match}", clicks.match), "12")
                given |= {"components": []} if is_malformed else {}
                interaction = await clicks.plain_bot._dispatch(HOST, CHANNEL, 5, given)
                assert len(interaction.first_answer_kinds) == 1, f"{custom_id} {phase}"


async def test_a_click_that_nothing_answers_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(hands: HandActions, reply: Any, match: str) -> None:
        return

    monkeypatch.setattr(HandActions, "show_hand", silent)
    with pytest.raises(AssertionError, match="UnansweredInteraction"):
        async with _phase("running") as clicks:
            await clicks.click(HOST, "t:{match}:hand", None, next(clicks.messages()))
