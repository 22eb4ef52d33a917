"""Matches over a store in memory, with a clock that is set by hand and people at their tables."""

from __future__ import annotations

from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import Info, Limits, Place, Seat, Status
from engines.store.table_options import House
from engines.wizard.model import Options
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES

WIZARD = GAMES["wizard"]
SEED = "5eed" * 8
ADA, BELA, CHIDI, DORA = 11, 12, 13, 14
TIMELESS = House(clock=None)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def over(
    store: MemoryStore, clock: Clock, games: dict[str, AnyGame] | None = None, limits: Limits | None = None
) -> Matches:
    """Matches as after a start of the bot."""
    return Matches(store, games or GAMES, clock, seed=lambda: Chance(SEED), limits=limits)


async def checked(matches: Matches) -> list[Info]:
    """Every live match, read as after a restart."""
    return [info async for info in matches.check()]


async def lobby(matches: Matches, *users: int, rounds: int | None = None, house: House = TIMELESS) -> str:
    """A lobby with these users, the first its host."""
    info = await matches.open(WIZARD, Options(rounds), Place(1, 2), Seat(users[0], f"user{users[0]}"), house=house)
    for user in users[1:]:
        await matches.join(info.id, user, f"user{user}")
    return info.id


async def started(matches: Matches, *users: int, rounds: int | None = None, house: House = TIMELESS) -> str:
    """A running match of these users."""
    match = await lobby(matches, *(users or (ADA, BELA, CHIDI)), rounds=rounds, house=house)
    await matches.start(match, (users or (ADA,))[0])
    return match


def due(look: Look) -> tuple[int, int, str]:
    """Who has to move, which decision it is, and the first legal move's notation."""
    seat = look.due()[0]
    return look.info.seats[seat].user, look.decisions()[seat].number, look.game.write(look.moves(seat)[0])


async def move(matches: Matches, match: str) -> Info:
    """The first legal move of whoever is due."""
    user, decision, notation = due(await matches.look(match))
    return await matches.play(match, user, decision, notation)


async def played_out(matches: Matches, *users: int, rounds: int = 1) -> str:
    """A match of these users that was played to its end."""
    match = await started(matches, *users, rounds=rounds)
    while (await matches.look(match)).info.status is Status.RUNNING:
        await move(matches, match)
    return match
