"""That nobody is told what they cannot know: two searches over whatever the bot sends, for every game.

Both raise AssertionError. The first looks for the names that a game's helper gives for what is hidden. The second plays
the match in two worlds that one reader cannot tell apart, and holds that all they are shown stays the same to the byte.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from itertools import count
from random import Random
from typing import Any

from cogs.table import ids
from engines.match import Look
from tests.contract.helper import Helper, Start
from tests.contract.secrets import Secrets, Step, named, plainly, planned
from tests.contract.walk import readers
from tests.messages import SELECT, controls, walk
from tests.plain.inn import PEOPLE, WATCHER, Plain, plain
from tests.plain.wire import Sent

Law = Callable[[Helper, Start, int], Awaitable[None]]
OTHERS_LOG = ("aiosqlite", "asyncio")
DATA = "my-motley-data"  # in the name of the file of what is kept of somebody
TRIES = 8
"""How often another world is looked for in which a move is legal as well."""


# By name


async def nothing_hidden_is_named(helper: Helper, start: Start, positions: int) -> None:
    """No message, answer, offer while typing or line of the log names what is hidden from who reads it; nor the seed.

    And the names are those that are used: most hands that hold what is hidden from others name it.
    """
    rng, plan = Random(f"{start.seed} names"), planned(helper, start, positions)
    secrets, moves = Secrets(helper, [step.state for step in plan]), [step.move for step in plan]
    with logged() as log:
        async with plain(start.seed) as inn:
            match, turns = await begun(inn, helper, start), count()
            found = held = 0
            for step in plan:
                look = await inn.look(match)
                if not step.looked:
                    await inn.play(look, step.seat, step.move)
                    continue
                since = len(inn.wire.sent)
                log.clear()
                await inn.catch_up(match)
                await ask(inn, look, (step.seat + next(turns)) % start.seats, moves, rng)
                await ask(inn, look, None, moves, rng)
                _search(secrets, start, look, inn.wire.sent[since:], log)
                for seat in range(start.seats):
                    own = {*helper.secrets(look.state, None)} - {*helper.secrets(look.state, seat)}
                    hand = await inn.surface(match, "hand", seat)
                    held += bool(own)
                    found += bool(own and named(tuple(own), helper.harmless(plainly(repr(hand)))))
                since = len(inn.wire.sent)
                log.clear()
                await press(inn, match, step)
                look = await inn.look(match)
                if look.decisions():  # else all is shown: the record tells the seed
                    _search(secrets, start, look, inn.wire.sent[since:], log)
    assert found > held / 2, f"of {held} hands, the search finds what is hidden from others on {found}"


def _search(secrets: Secrets, start: Start, look: Look, messages: Sequence[Sent], log: Sequence[str]) -> None:
    """Search all that was sent and logged while the match stood so."""
    for sent in messages:
        reader = seat_of(start, sent.by)
        text = sent.text if DATA not in sent.said else _without_own(look, reader, sent.text)
        said = secrets.given_away(look, reader, text, sent.asked)
        assert not said, f"{said} told to {sent.by}: {sent.method} {sent.path} {sent.said[:600]}"
    said = secrets.given_away(look, None, "\n".join(log))
    assert not said, f"the log tells {said}"
    assert not [text for text in (*log, *(sent.text for sent in messages)) if start.seed in text], "the seed is told"


def _without_own(look: Look, reader: int | None, text: str) -> str:
    """A file without the board of the reader's own view, and their moves: these name what is hidden again by now."""
    text = re.sub(r'"made": "[^"]*"', "", text)
    lines = [] if reader is None else str(look.view(reader)).splitlines()
    for line in sorted(map(str.rstrip, lines), key=len, reverse=True):
        text = text.replace(json.dumps(line, ensure_ascii=False), "")
    return text


# By another world


async def other_worlds_look_the_same(helper: Helper, start: Start, positions: int) -> None:
    """Exchange all that somebody cannot know: they see nothing of it, whatever they ask and whatever happens next.

    What they are sent is the same to the byte, and so is the log; the others, whose hands it changes, do see it.
    """
    rng = Random(f"{start.seed} worlds")
    plan = planned(helper, start, positions)
    moves, seen_by_others, moved = [step.move for step in plan], 0, 0
    with logged() as log:
        async with plain(start.seed) as one, plain(start.seed) as two:
            match = await begun(one, helper, start)
            assert await begun(two, helper, start) == match
            everybody = list(readers(start))
            for number, step in enumerate(plan):
                look = await one.look(match)
                if step.looked:
                    everybody.append(reader := everybody.pop(0))
                    other = _elsewhere(helper, look, reader, step, rng)
                    seen_by_others += await _exchanged(one, two, look, other, reader)
                    await _same(one, two, look, reader, log, lambda inn: ask(inn, look, reader, moves, Random(number)))  # noqa: B023
                    if _tellable(helper, look.state, other, reader, step):
                        await _same(one, two, look, reader, log, lambda inn: press(inn, match, step))  # noqa: B023
                        moved += 1
                        continue
                await one.play(look, step.seat, step.move)
    assert seen_by_others, "nothing was ever exchanged that anybody can see"
    assert moved, "no move was ever made in both worlds"


def _elsewhere(helper: Helper, look: Look, reader: int | None, step: Step, rng: Random) -> Any:
    """Another state that the reader cannot tell from this one; where that can be, one in which the move is legal."""
    for _ in range(TRIES):
        other = helper.scramble(look.state, reader, rng)
        other.chance = look.state.chance.copy()
        if step.move in helper.game.moves(other, step.seat):
            break
    return other


def _tellable(helper: Helper, state: Any, other: Any, reader: int | None, step: Step) -> bool:
    """Whether the move can be made in both worlds, ends neither, and shows the reader nothing that was hidden."""
    game = helper.game
    if step.move not in game.moves(other, step.seat) or helper.reveals(state, reader, step.seat, step.move):
        return False
    for world in (state, other):
        after = game.copy(world)
        game.play(after, step.seat, step.move)
        if not game.decisions(after):
            return False
    return True


async def _exchanged(one: Plain, two: Plain, look: Look, other: Any, reader: int | None) -> bool:
    """Bring both to this moment, then one of them to the other state, of which the reader sees nothing.

    Whether somebody else does.
    """
    await one.exchange(look)
    await two.exchange(look, one)
    since = len(two.wire.sent)
    await two.exchange(replace(await two.look(look.info.id), state=other))
    await one.exchange(await one.look(look.info.id))
    told = [sent for sent in two.wire.sent[since:] if visible(look, reader, sent)]
    assert not told, f"the reader in seat {reader} sees another world: {told[0].path} {told[0].text[:600]}"
    return len(two.wire.sent) > since


async def _same(
    one: Plain, two: Plain, look: Look, reader: int | None, log: list[str], act: Callable[[Plain], Awaitable[None]]
) -> None:
    """Do the same in both; the reader, and the log, must be told the same."""
    told = []
    for inn in (one, two):
        since = len(inn.wire.sent)
        log.clear()
        await act(inn)
        sent = [each for each in inn.wire.sent[since:] if visible(look, reader, each)]
        told.append([*sorted(sent, key=lambda each: each.path), *sorted(log)])
    for first, second in zip(*told, strict=False):
        assert first == second, f"the reader in seat {reader} is told {differing(first, second)}"
    assert len(told[0]) == len(told[1]), f"the reader in seat {reader} is told more or less"


def differing(first: Sent | str, second: Sent | str) -> str:
    """Where two things that were said begin to differ."""
    one, two = (each if isinstance(each, str) else f"{each.path} {each.text}" for each in (first, second))
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"“…{one[max(0, at - 60) : at + 60]}…” here and “…{two[max(0, at - 60) : at + 60]}…” there"


def visible(look: Look, reader: int | None, sent: Sent) -> bool:
    """Whether the reader can see what was sent."""
    return sent.by is None or (sent.by == PEOPLE.index(WATCHER) + 1 if reader is None else sent.by == reader + 1)


# What both do


async def begun(inn: Plain, helper: Helper, start: Start) -> str:
    """The match at its first decision; its id."""
    usual = helper.game.options()
    given = {each.name: getattr(start.options, each.name) for each in fields(usual)}
    options = {name: value for name, value in given.items() if value != getattr(usual, name)}
    match = await inn.seat(helper.game, PEOPLE[: start.seats], options)
    look = await inn.look(match)
    for seat in look.info.seats[::2]:  # all that a hand can say, and what it shows to most
        await inn.bot.shown.prefer(seat.user, lambda old: replace(old, words=True))
    await inn.exchange(replace(look, state=helper.begin(start)))
    return match


def seat_of(start: Start, user: int | None) -> int | None:
    """The seat of somebody; None for who watches, and for everybody."""
    return user - 1 if user is not None and user <= start.seats else None


async def press(inn: Plain, match: str, step: Step) -> None:
    """Make a move by the button that a hand has for it, or would have after a few steps."""
    look, hand = await inn.look(match), await inn.surface(match, "hand", step.seat)
    number = look.decisions()[step.seat].number
    custom_id = f"m:{look.info.id}:{number}:{look.game.write(step.move)}"
    await inn.click(PEOPLE[step.seat], hand, custom_id)
    assert (await inn.look(look.info.id)).info.moves == look.info.moves + 1, f"{custom_id} was not made"


async def ask(inn: Plain, look: Look, seat: int | None, moves: Sequence[Any], rng: Random) -> None:
    """Somebody asks for all that there is: by the table's buttons, by commands, by steps on a hand, by wrong moves."""
    match, key = look.info.id, look.game.key
    name = WATCHER if seat is None else PEOPLE[seat]
    table = await inn.surface(match, "table")
    for action in ("hand", "sheet", "more", "status"):
        await inn.click(name, table, f"t:{match}:{action}")
    if seat in look.decisions():
        await inn.click(name, table, f"t:{match}:hint")
    for command in ("hand", "status"):
        await inn.slash(name, f"{key} {command}", match=match)
    if seat is not None and rng.random() < 0.25:
        await inn.slash(name, "motley my-data")
    if seat is None:
        await inn.slash(name, "admin show", match=match)
        await inn.slash(name, "admin matches")
    await _type(inn, look, name, rng)
    await _try(inn, look, name, seat, moves, rng)
    if seat is not None:
        await _look_through(inn, match, name, seat, rng)


async def _type(inn: Plain, look: Look, name: str, rng: Random) -> None:
    """Begin to type one of the game's commands."""
    commands = next(command for command in inn.wire.commands if command["name"] == look.game.key)["options"]
    options = [(each["name"], o) for each in commands for o in each.get("options", ()) if o.get("autocomplete")]
    own = [(command, option) for command, option in options if command != "options" and option["name"] != "match"]
    command, option = rng.choice(own or options)
    others = {o["name"]: "" for o in _options(commands, command) if o["type"] == 3 and o["name"] != option["name"]}
    await inn.typing(name, f"{look.game.key} {command}", option["name"], "", **others | {"match": look.info.id})


def _options(commands: Sequence[Mapping[str, Any]], command: str) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = next(each for each in commands if each["name"] == command).get("options", ())
    return found


async def _try(inn: Plain, look: Look, name: str, seat: int | None, moves: Sequence[Any], rng: Random) -> None:
    """Try moves of other seats and of other moments: what is said against them tells nothing either."""
    own = set() if seat is None else set(look.moves(seat))
    decision = None if seat is None else look.decisions().get(seat)
    number = decision.number if decision else 0
    table = await inn.surface(look.info.id, "table")
    for move in [move for move in rng.sample(moves, min(4, len(moves))) if move not in own][:2]:
        await inn.click(name, table, f"m:{look.info.id}:{number}:{look.game.write(move)}")


async def _look_through(inn: Plain, match: str, name: str, seat: int, rng: Random) -> None:
    """Go about on the own hand, as far as no move is made, and back."""
    hand = await inn.surface(match, "hand", seat)
    for _ in range(3):
        found = [c for c in walk(hand["components"]) if c["type"] == SELECT and c["custom_id"][0] in "fp"]
        lines = [[each["value"] for each in c["options"] if not ids.made(each["value"])] for c in found]
        lists = [(c, values) for c, values in zip(found, lines, strict=True) if values]
        if not lists:
            break
        chosen, values = rng.choice(lists)
        await inn.click(name, hand, chosen["custom_id"], values[: max(1, chosen.get("min_values", 1))])
        hand = inn.newest(hand)
    asks = [custom_id for custom_id in controls(hand) if custom_id.startswith("c:")]
    if asks:
        await inn.click(name, hand, rng.choice(asks))
    await inn.click(name, hand, f"t:{match}:back")


@contextmanager
def logged() -> Iterator[list[str]]:
    """Every line that is logged of our own and of what lies between us and Discord, of whatever level."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith(OTHERS_LOG):
                lines.append(record.getMessage())

    root, handler = logging.getLogger(), Kept()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


LAWS: Mapping[str, Law] = {law.__name__: law for law in (nothing_hidden_is_named, other_worlds_look_the_same)}
