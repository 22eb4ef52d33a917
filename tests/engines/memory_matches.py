"""Matches over a store in memory, with a clock that is set by hand and people at their tables."""

from __future__ import annotations

from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Place, Seat, Status, TableLimits
from engines.store.table_options import TableOptions
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES

WIZARD = GAMES["wizard"]
SEED = "5eed" * 8
ADA, BELA, CHIDI, DORA = 11, 12, 13, 14
TIMELESS = TableOptions(clock=None, autoplay=False)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def make_matches(
    store: MemoryStore, clock: Clock, games: dict[str, AnyGame] | None = None, limits: TableLimits | None = None
) -> Matches:
    return Matches(
        store,
        games or GAMES,
        clock,
        sources=MatchSources(new_chance=lambda: Chance(SEED)),
        limits=limits or TableLimits(),
        features=FEATURES,
    )


async def reload_live(matches: Matches) -> list[MatchInfo]:
    return [info async for info in matches.lookup.verify_matches()]


async def open_lobby(
    matches: Matches,
    *users: int,
    rounds: int | None = None,
    table_options: TableOptions = TIMELESS,
    game: AnyGame = WIZARD,
) -> str:
    options = game.options() if rounds is None else game.options(rounds=rounds)
    info = await matches.lobbies.open_lobby(
        game, options, Place(1, 2), Seat(users[0], f"user{users[0]}"), table_options=table_options
    )
    for user in users[1:]:
        await matches.lobbies.join(info.id, user, f"user{user}")
    return info.id


async def start_match(
    matches: Matches,
    *users: int,
    rounds: int | None = None,
    table_options: TableOptions = TIMELESS,
    game: AnyGame = WIZARD,
) -> str:
    users = users or (ADA, BELA, CHIDI)
    match = await open_lobby(matches, *users, rounds=rounds, table_options=table_options, game=game)
    await matches.lobbies.start_match(match, users[0])
    return match


def first_due_move(snapshot: MatchSnapshot) -> tuple[int, int, str]:
    seat = snapshot.due_seats()[0]
    return (
        snapshot.info.seats[seat].user,
        snapshot.decisions()[seat].number,
        snapshot.game.format_move(snapshot.moves(seat)[0]),
    )


async def play_first_legal(matches: Matches, match: str) -> MatchInfo:
    user, decision, notation = first_due_move(await matches.cache.get_snapshot(match))
    return await matches.moves.play_move(match, user, decision, notation)


async def play_to_end(matches: Matches, match: str) -> None:
    while (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        await play_first_legal(matches, match)


async def play_out(matches: Matches, *users: int, rounds: int = 1) -> str:
    match = await start_match(matches, *users, rounds=rounds)
    await play_to_end(matches, match)
    return match
