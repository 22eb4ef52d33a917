"""What people do at a table, in a few words each; these are methods of SimulatedServer, too."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cogs.table.pages.page import Page
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Status
from tests.messages import Message, alt_texts, is_about_match, message_text, move_buttons, move_selects
from tests.playing import first_tap

if TYPE_CHECKING:
    from tests.end_to_end.simulated_server import SimulatedServer

Chooser = Callable[[list[str]], str]
THREE = ("Ada", "Bela", "Chidi")
USUAL_GAME, SHORT_OPTIONS = "wizard", {"rounds": 1}  # played if a test holds for every game alike and names none


def choose_first(choices: list[str]) -> str:
    return choices[0]


def seat_after(name: str, steps: int = 1) -> str:
    return THREE[(THREE.index(name) + steps) % 3]


def random_chooser(seed: int) -> Chooser:
    return random.Random(seed).choice


async def open_lobby(
    w: SimulatedServer, host: str = "Ada", channel: Any = None, *, game: str = USUAL_GAME, **options: Any
) -> str:
    """`/<game> new`; the match's id."""
    known = {info.id for info in await w.bot.matches.lookup.find()}
    await w[host].slash(channel or w.table, f"{game} new", **options)
    (match,) = {info.id for info in await w.bot.matches.lookup.find()} - known
    return match


async def find_surface(w: SimulatedServer, match: str, kind: Any, seat: int = -1) -> Message:
    found = await w.bot.surfaces.find_surface(match, kind, seat)
    assert found is not None, f"match {match} has no {kind} {seat}"
    return next(m for m in w.messages(found.channel) if m["id"] == str(found.message))


async def find_lobby(w: SimulatedServer, match: str) -> Message:
    return await find_surface(w, match, "lobby")


async def find_table(w: SimulatedServer, match: str) -> Message:
    return await find_surface(w, match, "table")


async def lobby_text(w: SimulatedServer, match: str) -> str:
    """What a lobby says, and what is said of its picture."""
    lobby = await find_lobby(w, match)
    return "\n".join((message_text(lobby), *alt_texts(lobby)))


async def press_in_menu(w: SimulatedServer, name: str, match: str, label: str) -> Any:
    """Open the menu of a lobby, and press a button in it."""
    menu = await w.press_button(name, await find_lobby(w, match), "More")
    return await w.press_answer(name, menu, label)


async def menu_text(w: SimulatedServer, name: str, match: str) -> str:
    """What the menu of a lobby says to somebody."""
    await w.press_button(name, await find_lobby(w, match), "More")
    return message_text(w.newest_private(name))


async def table_text(w: SimulatedServer, match: str) -> str:
    return message_text(await find_table(w, match))


def hand_text(w: SimulatedServer, name: str, match: str) -> str:
    return message_text(find_hand(w, name, match))


async def join_lobby(w: SimulatedServer, match: str, *names: str) -> None:
    for name in names:
        await w.press_button(name, await find_lobby(w, match), "Join")


async def fill_lobby(w: SimulatedServer, *guests: str, **options: Any) -> str:
    """A lobby that Ada opened and these joined; its id."""
    match = await open_lobby(w, **options)
    await join_lobby(w, match, *guests)
    return match


async def start_match(w: SimulatedServer, match: str, host: str = "Ada") -> None:
    await w.press_button(host, await find_lobby(w, match), "Start")


async def seat_and_start(
    w: SimulatedServer, names: Sequence[str] = THREE, channel: Any = None, *, game: str = USUAL_GAME, **options: Any
) -> str:
    """A match that has begun, in which no move is made automatically unless that is chosen; its id."""
    short = SHORT_OPTIONS if game == USUAL_GAME else {}
    match = await open_lobby(w, names[0], channel, game=game, **{"autoplay": "false", **short, **options})
    await join_lobby(w, match, *names[1:])
    await start_match(w, match, names[0])
    return match


async def start_due(w: SimulatedServer, names: Sequence[str] = THREE, **options: Any) -> tuple[str, str]:
    """A match that has begun: its id, and whose turn it is."""
    match = await seat_and_start(w, names, **options)
    return match, await due_name_now(w, match)


async def leave_match(w: SimulatedServer, match: str, name: str) -> None:
    menu = await w.press_button(name, await find_table(w, match), "More")
    question = await w.press_answer(name, menu, "Leave the match")
    await w.press_answer(name, question, "Leave the match")


async def load_snapshot(w: SimulatedServer, match: str) -> MatchSnapshot:
    return await w.bot.matches.cache.get_snapshot(match)


async def status(w: SimulatedServer, match: str) -> Status:
    return (await load_snapshot(w, match)).info.status


async def move_count(w: SimulatedServer, match: str) -> int:
    return (await load_snapshot(w, match)).info.moves


async def due_name(w: SimulatedServer, match: str) -> str | None:
    """Whose turn it is, by name; None where nothing can be played."""
    now = await load_snapshot(w, match)
    seats = now.due_seats()
    return name_of(w, now.info.seats[seats[0]].user) if seats else None


async def due_name_now(w: SimulatedServer, match: str) -> str:
    name = await due_name(w, match)
    assert name is not None
    return name


async def due_hand(w: SimulatedServer, match: str) -> tuple[str, Message]:
    """Whose turn it is, and the hand in their direct messages."""
    name = await due_name_now(w, match)
    return name, find_hand(w, name, match)


def name_of(w: SimulatedServer, user: int) -> str:
    return next(name for name, actor in w.people.items() if actor.id == user)


def find_hand(w: SimulatedServer, name: str, match: str) -> Message:
    """The newest message about that match in somebody's direct messages, answers to commands left out."""
    return next(m for m in reversed(w.public_messages(w[name].user.dm_channel)) if is_about_match(m, match))


async def show_hand(w: SimulatedServer, name: str, match: str) -> Message:
    """The hand that the table's button shows to that person alone."""
    await w.press_button(name, await find_table(w, match), "Show my hand")
    return w.private_messages(name)[-1]


async def make_move(w: SimulatedServer, match: str, choose: Chooser = choose_first) -> str:
    """The due player makes a move, by the hand in their direct messages where they have one; who that was."""
    name = await due_name(w, match)
    assert name is not None, "nobody can move"
    by_dm = any(is_about_match(message, match) for message in w.inbox_messages(name))
    message = find_hand(w, name, match) if by_dm else await show_hand(w, name, match)
    if buttons := move_buttons(message):
        await w.press_button(name, message, choose(buttons))
    else:
        custom_id, values = next(iter(move_selects(message).items()))
        await w.choose_options(name, message, custom_id, choose(values))
    return name


async def play_out(w: SimulatedServer, match: str, choose: Chooser = choose_first) -> None:
    for _ in range(1000):
        if await status(w, match) is not Status.RUNNING:
            return
        await make_move(w, match, choose)
    raise AssertionError("the match does not end")


async def play_out_unseen(w: SimulatedServer, game: str, names: Sequence[str], seed: int = 1, **options: Any) -> str:
    """A match of any game between these people, played to its end while nobody looks; its id."""
    match = await seat_and_start(w, names, game=game, **options)
    await w.env.settle()
    matches, rng = w.bot.matches, random.Random(seed)
    listeners = [*matches.editor.on_changed]
    matches.editor.on_changed.clear()
    while (now := await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        seat = now.due_seats()[0]
        notation = now.game.format_move(rng.choice(now.moves(seat)))
        await matches.moves.play_move(match, now.info.seats[seat].user, None, notation)
    matches.editor.on_changed[:] = listeners
    await w[names[0]].slash(w.table, f"{game} status", match=match)  # wakes the keeper
    return match


async def play_on(w: SimulatedServer, match: str, phase: str, round_: int = 1, choose: Chooser = choose_first) -> None:
    while ((now := await load_snapshot(w, match)).state.round, now.state.phase) != (round_, phase):
        await make_move(w, match, choose)


async def stale_seats(w: SimulatedServer, match: str) -> set[int]:
    """The seats whose hands do not show how the match stands; -1 for the table."""
    now, sync = await load_snapshot(w, match), w.bot.reconciler.surface_sync
    digests = {(each.kind, each.seat): each.digest for each in await w.bot.surfaces.surfaces_of(match)}
    setting = await sync.page_context_of(now)
    wanted: dict[tuple[Any, int], Page] = {("table", -1): await sync.page_cache.table_page(now, setting)}
    for seat in range(len(now.info.seats)):
        reader = await sync.readers.reader_of(now, seat)
        wanted["hand", seat] = await sync.page_cache.hand_page(now, seat, setting, reader)
    return {seat for (kind, seat), page in wanted.items() if digests[kind, seat] != page.digest}


async def find_first_tap(w: SimulatedServer, match: str) -> tuple[Message, int, tuple[str, Sequence[str] | None]]:
    """A hand, its seat, and the first tap on the way to a move that takes several; others are made until then."""
    rng = random.Random(7)
    for _ in range(100):
        now = await load_snapshot(w, match)
        for seat in now.due_seats():
            message, moves = await find_surface(w, match, "hand", seat), [*map(now.game.format_move, now.moves(seat))]
            if tap := next(filter(None, (first_tap(now, seat, move) for move in moves)), None):
                return message, seat, tap
        click = f"m:{match}:{now.decisions()[seat].number}:{rng.choice(moves)}"
        await w.forge_click(name_of(w, now.info.seats[seat].user), message, click)
    raise AssertionError("no move of this match takes several taps")
