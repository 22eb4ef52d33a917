"""A whole match of every game: from the lobby to the result, with a restart in each kind of decision."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from PIL import Image

from cogs.pictures.spec import Spec
from cogs.pictures.studio import Studio
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Status
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import MatchSecrets, PlannedMove
from tests.described_pictures import describe_picture
from tests.end_to_end.simulated_server import NAMES, SimulatedServer
from tests.messages import Message, button_labels, client_text
from tests.playing import check_ending, due_kinds, make_move, short_match

PNG = b"\x89PNG"
WRITES = ("POST", "PATCH", "PUT", "DELETE")
OTHERS_LOG = ("aiosqlite", "asyncio")
WATCHER = "Greta"


@dataclass
class PictureBrush:
    """Says what is to be drawn; while it is `fine`, after drawing it."""

    fine: bool = False


@pytest.fixture
def brush(monkeypatch: pytest.MonkeyPatch, painter: None) -> PictureBrush:
    """The brush of the match; `painter` has left drawing as it is."""
    brush, render = PictureBrush(), Studio.render

    def drawn(studio: Studio, spec: Spec) -> bytes:
        return (render(studio, spec) if brush.fine else b"") + describe_picture(studio, spec)

    monkeypatch.setattr(Studio, "render", drawn)
    return brush


@dataclass
class LeakSearch:
    """Looks for what is hidden in all that was shown, and logged, since it looked last."""

    world: SimulatedServer
    secrets: MatchSecrets
    log: pytest.LogCaptureFixture
    since: int = 0

    def search_new(self, now: MatchSnapshot) -> None:
        """Search once; answers for one person alone are then taken away, so that they are searched once."""
        assert self.world.seed is not None
        for seen_message in (*self.world.seen_messages[self.since :], *self.world.ephemeral_messages()):
            reader = now.info.seat_of(seen_message.viewer) if seen_message.viewer is not None else None
            files = [
                each.rpartition(PNG)[2].decode(errors="replace") for each in self.world.file_bytes(seen_message.message)
            ]
            text = "\n".join((client_text(seen_message.message), *files))
            assert self.secrets.find_given_away(now, reader, text) == [], f"told to {seen_message.viewer}"
            assert self.world.seed not in text
            assert not [each for each in seen_message.message["attachments"] if each["filename"].endswith(".txt")]
        own = [each.getMessage() for each in self.log.records if not each.name.startswith(OTHERS_LOG)]
        assert self.secrets.find_given_away(now, None, "\n".join(own)) == []
        assert not [line for line in own if self.world.seed in line]
        self.since = len(self.world.seen_messages)
        self.log.clear()
        for seen_message in self.world.ephemeral_messages():
            self.world.delete_message(seen_message.message)
        self.world.bot.reconciler.surface_sync.ephemeral_hands.hands.clear()


@pytest.mark.sampled(2)
@pytest.mark.painted
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_a_whole_match(
    server: SimulatedServer, helper: GameHelper, brush: PictureBrush, caplog: pytest.LogCaptureFixture
) -> None:
    """Made by what stands on messages, the last seat's by hands shown at the table; with a restart in every kind of
    decision and on the way to a move of each, after which old messages go on; searched for what is hidden."""
    caplog.set_level(logging.DEBUG)
    plans = (short_match(helper, seats) for seats in helper.game.seats[:2])  # as few as it takes, and one more
    begin, plan = min(plans, key=lambda each: len(each[1]))
    names = NAMES[: begin.seats]
    server.seed = begin.seed
    await server.restart()  # dealt from that seed
    match = await _start_from_lobby(server, helper, names)
    search = LeakSearch(server, MatchSecrets(helper, [step.state for step in plan]), caplog)
    rng, kinds, on_the_way = Random(1), set[str](), set[str]()
    for number, step in enumerate(plan, 1):
        now = await server.load_snapshot(match)
        assert now.state == step.state, "another move was made"
        fresh = set(due_kinds(helper, step)) - kinds
        kinds |= fresh
        if fresh:
            await _restart_and_compare(server, match, names)
            brush.fine = True  # the new bot has no pictures yet
            for name in names:
                _check_picture(server, await server.show_hand(name, match))
            await server[WATCHER].slash(server.table, f"{helper.game.key} status", match=match)
            _check_picture(server, server.newest_private(WATCHER))
        if number % 4 == 1:  # more of that over a plain wire
            await server.show_hand(rng.choice(names), match)
            await server[WATCHER].slash(server.table, f"{helper.game.key} status", match=match)
            await server.press_button(WATCHER, await server.find_table(match), "Score sheet")
        search.search_new(now)
        kind = now.decisions()[step.seat].kind

        async def between(message: Message, kind: str = kind) -> None:
            if kind not in on_the_way:
                on_the_way.add(kind)
                await _restart_and_compare(server, match, names)

        brush.fine = number == len(plan)
        await _make_move(server, match, now, step, names, None if step.seat == len(names) - 1 else between)
        after = await server.load_snapshot(match)
        assert after.info.moves == now.info.moves + 1
        if after.info.status is Status.RUNNING:
            search.search_new(after)
    await server.env.settle()
    final = await server.find_table(match)
    hands = [server.find_hand(name, match) for name in names]
    over, lobby = await server.load_snapshot(match), await server.find_lobby(match)
    check_ending(over, final, lobby, hands, names, server.file_bytes(final))
    assert kinds == {kind for step in plan for kind in due_kinds(helper, step)}
    _check_picture(server, final)


async def _start_from_lobby(w: SimulatedServer, helper: GameHelper, names: Sequence[str]) -> str:
    """Opened, joined and started; in the lobby it says who is in, and whom it takes."""
    match = await w.open_lobby(names[0], game=helper.game.key, **helper.short_options)
    seats = helper.game.seats
    for number, name in enumerate(names[1:], 2):
        if number <= seats[0]:
            await w.press_button(names[0], await w.find_lobby(match), "Start")
            assert await w.status(match) is Status.LOBBY
        await w.join_lobby(match, name)
        text = await w.lobby_text(match)
        assert f"{name} (joined)" in text
        assert ("needed" in text) is (number < seats[0])
        assert (f"{names[0]} (host, can start)" in text) is (number >= seats[0])
    await w.start_match(match, names[0])
    assert "Show my hand" in button_labels(await w.find_table(match))
    return match


def _check_picture(w: SimulatedServer, message: Message) -> None:
    (png,) = [each for each in w.file_bytes(message) if each.startswith(PNG)]
    with Image.open(io.BytesIO(png)) as image:
        image.verify()


async def _restart_and_compare(w: SimulatedServer, match: str, names: Sequence[str]) -> None:
    async def shown() -> list[Message]:
        return [await w.find_table(match), *(w.find_hand(name, match) for name in names)]

    await w.env.settle()
    before, sent = (await w.load_snapshot(match), await shown()), len(w.sent_requests())
    await w.restart()
    assert [request for request in w.sent_requests(sent) if request[0] in WRITES] == []
    assert (await w.load_snapshot(match), await shown()) == before


async def _make_move(
    w: SimulatedServer, match: str, now: MatchSnapshot, step: PlannedMove, names: Sequence[str], between: Any
) -> None:
    """Make a move by the hand in direct messages; without a pause on the way, by one that is shown at the table."""
    name = names[step.seat]
    first = w.find_hand(name, match) if between else await w.show_hand(name, match)

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        if values is None:
            await w.press_button(name, message, custom_id)
        else:
            await w.choose_options(name, message, custom_id, *values)
        return next(each for each in w.messages(int(message["channel_id"])) if each["id"] == message["id"])

    await make_move(click, first, now, step, between)
