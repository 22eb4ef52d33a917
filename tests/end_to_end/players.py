"""What people do at a table, in a few words each."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from cogs.table.pages.page import Page
from engines.hosting.match import Look
from engines.store.match_store import Status
from tests.end_to_end.world import Chooser, Message, World, move_buttons, selects
from tests.messages import about

THREE = ("Ada", "Bela", "Chidi")
USUAL, SHORT = "wizard", {"rounds": 1}  # what is played where a test holds of every game alike and none is named


def first(choices: list[str]) -> str:
    """The first of the moves that are offered."""
    return choices[0]


def at_random(seed: int) -> Chooser:
    """Any of the moves that are offered, the same ones for the same seed."""
    return random.Random(seed).choice


async def open_lobby(w: World, host: str = "Ada", channel: Any = None, *, game: str = USUAL, **options: Any) -> str:
    """`/<game> new`; the match's id."""
    known = {info.id for info in await w.bot.matches.find()}
    await w[host].slash(channel or w.table, f"{game} new", **options)
    (match,) = {info.id for info in await w.bot.matches.find()} - known
    return match


async def surface(w: World, match: str, kind: Any, seat: int = -1) -> Message:
    """The message that shows a lobby, a table or a hand of a match."""
    found = await w.bot.keeper.surface(match, kind, seat)
    assert found is not None, f"match {match} has no {kind} {seat}"
    channel = w.env.backend.get_channel(found.channel)
    return next(m for m in w.messages(channel) if m["id"] == str(found.message))


async def lobby(w: World, match: str) -> Message:
    """The lobby's message."""
    return await surface(w, match, "lobby")


async def table(w: World, match: str) -> Message:
    """The table's message."""
    return await surface(w, match, "table")


async def join(w: World, match: str, *names: str) -> None:
    """Press Join, one after the other."""
    for name in names:
        await w.press(name, await lobby(w, match), "Join")


async def start(w: World, match: str, host: str = "Ada") -> None:
    """Press Start."""
    await w.press(host, await lobby(w, match), "Start")


async def seat_and_start(
    w: World, names: Sequence[str] = THREE, channel: Any = None, *, game: str = USUAL, **options: Any
) -> str:
    """A match that has begun; its id."""
    short = SHORT if game == USUAL else {}
    match = await open_lobby(w, names[0], channel, game=game, **{**short, **options})
    await join(w, match, *names[1:])
    await start(w, match, names[0])
    return match


async def leave(w: World, match: str, name: str) -> None:
    """Leave a running match by the menu, as a person does."""
    menu = await w.press(name, await table(w, match), "⋯")
    assert menu.response is not None
    asked = await w[name].click(menu.response, label="Leave the match")
    assert asked.response is not None
    await w[name].click(asked.response, label="Leave the match")


async def look(w: World, match: str) -> Look:
    """The match as it is now."""
    return await w.bot.matches.look(match)


async def due(w: World, match: str) -> str | None:
    """Whose turn it is, by name; None where nothing can be played."""
    now = await look(w, match)
    seats = now.due()
    return name_of(w, now.info.seats[seats[0]].user) if seats else None


async def turn(w: World, match: str) -> str:
    """Whose turn it is; somebody's it must be."""
    name = await due(w, match)
    assert name is not None
    return name


def name_of(w: World, user: int) -> str:
    """The name of a person by their id."""
    return next(name for name, actor in w.people.items() if actor.id == user)


def hand(w: World, name: str, match: str) -> Message:
    """The newest message about that match in somebody's direct messages, answers to commands left out."""
    return next(m for m in reversed(w.public(w[name].user.dm_channel)) if about(m, match))


async def hand_on_demand(w: World, name: str, match: str) -> Message:
    """The hand that the table's button shows to that person alone."""
    await w.press(name, await table(w, match), "Show my hand")
    return [seen.message for seen in w.ephemerals() if seen.by == w[name].id][-1]


async def move(w: World, match: str, choose: Chooser = first) -> str:
    """Whoever's turn it is makes a move, by the hand in their direct messages where they have one; who that was."""
    name = await due(w, match)
    assert name is not None, "nobody can move"
    by_dm = any(about(message, match) for message in w.inbox(name))
    message = hand(w, name, match) if by_dm else await hand_on_demand(w, name, match)
    if buttons := move_buttons(message):
        await w.press(name, message, choose(buttons))
    else:
        custom_id, values = next(iter(selects(message).items()))
        await w.choose(name, message, custom_id, choose(values))
    return name


async def play_out(w: World, match: str, choose: Chooser = first, most: int = 1000) -> int:
    """Play to the end; how many moves that took."""
    moves = 0
    while (await look(w, match)).info.status is Status.RUNNING:
        await move(w, match, choose)
        moves += 1
        assert moves <= most, "the match does not end"
    return moves


async def played_out(w: World, game: str, names: Sequence[str], seed: int = 1, **options: Any) -> str:
    """A match of any game between these people, played to its end while nobody looks; its id."""
    match = await open_lobby(w, names[0], game=game, **options)
    await join(w, match, *names[1:])
    await start(w, match, names[0])
    await w.env.settle()
    matches, rng = w.bot.matches, random.Random(seed)
    told, matches.changed = matches.changed, lambda match: None
    while (now := await matches.look(match)).info.status is Status.RUNNING:
        seat = now.due()[0]
        notation = now.game.write(rng.choice(now.moves(seat)))
        await matches.play(match, now.info.seats[seat].user, None, notation)
    matches.changed = told
    await w[names[0]].slash(w.table, f"{game} status", match=match)  # wakes the keeper
    return match


async def play_on(w: World, match: str, phase: str, round_: int = 1, choose: Chooser = first) -> None:
    """Play until that phase of that round."""
    while ((now := await look(w, match)).state.round, now.state.phase) != (round_, phase):
        await move(w, match, choose)


async def behind(w: World, match: str) -> set[int]:
    """The seats whose hands do not show how the match stands; -1 for the table."""
    now, keeper = await look(w, match), w.bot.keeper
    setting = await keeper.showing.setting(now)
    wanted: dict[tuple[str, int], Page] = {("table", -1): await keeper.showing.drawings.table(now, setting)}
    for seat in range(len(now.info.seats)):
        wanted["hand", seat] = await keeper.showing.drawings.hand(
            now, seat, setting, await keeper.showing.readers.of(now, seat)
        )
    kept: dict[tuple[str, int], str] = {(each.kind, each.seat): each.digest for each in await w.bot.shown.of(match)}
    return {seat for (kind, seat), page in wanted.items() if kept[kind, seat] != page.digest}
