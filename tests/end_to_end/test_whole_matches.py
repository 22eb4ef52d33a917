"""A whole match of every game in simcord: from the lobby to the result, with a restart in each kind of decision."""

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
from engines.hosting.match import Look
from engines.store.match_store import Status
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import Secrets, Step
from tests.end_to_end.players import hand, hand_on_demand, join, lobby, look, open_lobby, start, table
from tests.end_to_end.world import NAMES, World, everything, labels, words
from tests.messages import Message
from tests.painting import paint
from tests.playing import due, ends, make, short_match

PNG = b"\x89PNG"
WRITES = ("POST", "PATCH", "PUT", "DELETE")
OTHERS_LOG = ("aiosqlite", "asyncio")
WATCHER = "Greta"


@dataclass
class Brush:
    """Says what is to be drawn; while it is `fine`, after drawing it."""

    fine: bool = False


@pytest.fixture
def brush(monkeypatch: pytest.MonkeyPatch, painter: None) -> Brush:
    """The brush of the match; `painter` has left drawing as it is."""
    made, render = Brush(), Studio.render

    def drawn(studio: Studio, spec: Spec) -> bytes:
        if not made.fine:
            return paint(studio, spec)
        return render(studio, spec) + paint(studio, spec)

    monkeypatch.setattr(Studio, "render", drawn)
    return made


@dataclass
class Search:
    """Looks for what is hidden in all that was shown, and logged, since it looked last."""

    world: World
    secrets: Secrets
    log: pytest.LogCaptureFixture
    since: int = 0

    def look(self, now: Look) -> None:
        """Search once; answers for one person alone are then taken away, so that they are searched once."""
        assert self.world.seed is not None
        for seen in (*self.world.seen[self.since :], *self.world.ephemerals()):
            reader = now.info.seat_of(seen.by) if seen.by is not None else None
            files = [each.rpartition(PNG)[2].decode(errors="replace") for each in self.world.bytes_of(seen.message)]
            text = "\n".join((everything(seen.message), *files))
            assert self.secrets.given_away(now, reader, text) == [], f"told to {seen.by}"
            assert self.world.seed not in text
            assert not [each for each in seen.message["attachments"] if each["filename"].endswith(".txt")]
        own = [each.getMessage() for each in self.log.records if not each.name.startswith(OTHERS_LOG)]
        assert self.secrets.given_away(now, None, "\n".join(own)) == []
        assert not [line for line in own if self.world.seed in line]
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.since = len(self.world.seen)
        self.log.clear()
        for channel in self.world.env.backend.messages.values():
            for message in [each for each in channel.values() if each.is_ephemeral]:
                del channel[message.id]
        self.world.bot.keeper.showing.snapshots.kept.clear()


def shortest(helper: Helper) -> tuple[Any, Sequence[Step]]:
    """Of the short matches of a game between as few as it takes, and one more, the shorter."""
    return min((short_match(helper, seats) for seats in helper.game.seats[:2]), key=lambda each: len(each[1]))


@pytest.mark.painted
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_a_whole_match(inn: World, helper: Helper, brush: Brush, caplog: pytest.LogCaptureFixture) -> None:
    """Made by what stands on messages, the last seat's by hands shown at the table; with a restart in every kind of
    decision and on the way to a move of each, after which old messages go on; searched for what is hidden."""
    caplog.set_level(logging.DEBUG)
    begin, plan = shortest(helper)
    names = NAMES[: begin.seats]
    inn.seed = begin.seed
    await inn.restart()  # dealt from that seed
    match = await _from_the_lobby(inn, helper, names)
    search = Search(inn, Secrets(helper, [step.state for step in plan]), caplog)
    rng, kinds, on_the_way = Random(1), set[str](), set[str]()
    for number, step in enumerate(plan, 1):
        now = await look(inn, match)
        assert now.state == step.state, "another move was made"
        fresh = set(due(helper, step)) - kinds
        kinds |= fresh
        if fresh:
            await _restarted(inn, match, names)
            brush.fine = True  # the new bot has no pictures yet
            await _look_around(inn, match, names)
        if number % 4 == 1:  # more of that over a plain wire
            await _asked(inn, match, rng.choice(names))
        search.look(now)
        kind = now.decisions()[step.seat].kind

        async def between(message: Message, kind: str = kind) -> None:
            if kind not in on_the_way:
                on_the_way.add(kind)
                await _restarted(inn, match, names)

        brush.fine = number == len(plan)
        await _make(inn, match, now, step, names, None if step.seat == len(names) - 1 else between)
        after = await look(inn, match)
        assert after.info.moves == now.info.moves + 1
        if after.info.status is Status.RUNNING:
            search.look(after)
    await inn.env.settle()
    final = await table(inn, match)
    hands = [hand(inn, name, match) for name in names]
    ends(await look(inn, match), final, await lobby(inn, match), hands, names, inn.bytes_of(final))
    assert kinds == {kind for step in plan for kind in due(helper, step)}
    _has_a_picture(inn, final)


async def _from_the_lobby(w: World, helper: Helper, names: Sequence[str]) -> str:
    """Opened, joined and started; in the lobby it says who is in, and whom it takes."""
    match = await open_lobby(w, names[0], game=helper.game.key, **helper.short)
    seats = helper.game.seats
    for number, name in enumerate(names[1:], 2):
        if number <= seats[0]:
            await w.press(names[0], await lobby(w, match), "Start")
            assert (await look(w, match)).info.status is Status.LOBBY
        await join(w, match, name)
        said = words(await lobby(w, match))
        assert f"{number} players; " in said
        assert (f"{seats[0] - number} more needed" in said) is (number < seats[0])
        assert (f"{names[0]} can start" in said) is (number >= seats[0])
    await start(w, match, names[0])
    assert "Show my hand" in labels(await table(w, match))
    return match


async def _look_around(w: World, match: str, names: Sequence[str]) -> None:
    """Everybody's hand and the table have pictures that are truly drawn."""
    for name in names:
        _has_a_picture(w, await hand_on_demand(w, name, match))
    await w[WATCHER].slash(w.table, f"{(await look(w, match)).info.game} status", match=match)
    _has_a_picture(w, [seen.message for seen in w.ephemerals() if seen.by == w[WATCHER].id][-1])


def _has_a_picture(w: World, message: Message) -> None:
    (png,) = [each for each in w.bytes_of(message) if each.startswith(PNG)]
    with Image.open(io.BytesIO(png)) as image:
        image.verify()


async def _asked(w: World, match: str, name: str) -> None:
    """Somebody at the table looks at their hand, and somebody who watches at all that there is."""
    await hand_on_demand(w, name, match)
    await w[WATCHER].slash(w.table, f"{(await look(w, match)).info.game} status", match=match)
    await w.press(WATCHER, await table(w, match), "Score sheet")


async def _restarted(w: World, match: str, names: Sequence[str]) -> None:
    """The bot stops and starts: the match is as it was, and nothing that is shown changes."""
    await w.env.settle()
    before, shown = await look(w, match), [await table(w, match), *(hand(w, name, match) for name in names)]
    sent = len(w.sent())
    await w.restart()
    assert [request for request in w.sent(sent) if request[0] in WRITES] == []
    assert await look(w, match) == before
    assert [await table(w, match), *(hand(w, name, match) for name in names)] == shown


async def _make(w: World, match: str, now: Look, step: Step, names: Sequence[str], between: Any) -> None:
    """Make a move by the hand in direct messages; without a pause on the way, by one that is shown at the table."""
    name = names[step.seat]
    first = hand(w, name, match) if between else await hand_on_demand(w, name, match)

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        if values is None:
            await w.press(name, message, custom_id)
        else:
            await w.choose(name, message, custom_id, *values)
        there = w.env.backend.get_channel(int(message["channel_id"]))
        return next(each for each in w.messages(there) if each["id"] == message["id"])

    await make(click, first, now, step, between)
