"""Plays a match on in the bot's database while no bot runs, past what nobody wants to watch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from cogs.system_clock import SystemClock
from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.jokers import deck as jokers_deck
from engines.jokers import view as jokers_view
from engines.jokers.melds import best_split
from engines.jokers.model import Declare, Trade
from engines.kit.chance import Chance
from engines.store.match_store import Status
from engines.wizard import deck
from engines.wizard.model import Bid, Play
from engines.wizard.view import View
from storage import Database, MatchStore
from tests.engines.jesters import policy as jesters_policy
from tests.games import GAMES

StopCondition = Callable[[MatchSnapshot], bool]
ChooseMove = Callable[[Any, Any, Random], Any]  # of a seat's view and moves


async def play_ahead(database: Path, seed: str, until: StopCondition, choose: ChooseMove | None = None) -> None:
    """Start the lobby that is there, if there is one, with that seed, and play as somebody might who wants to win."""
    rng = Random(seed)
    async with Database.open(database, clock=SystemClock().now) as file:
        matches = Matches(
            MatchStore(file),
            GAMES,
            SystemClock().now,
            sources=MatchSources(new_chance=lambda: Chance(seed)),
            features=FEATURES,
        )
        (info,) = await matches.lookup.find()
        if info.status is Status.LOBBY:
            await matches.lobbies.start_match(info.id, info.host)
        while not until(snapshot := await matches.cache.get_snapshot(info.id)):
            seat = rng.choice(snapshot.due_seats())
            chosen = choose or _SENSIBLE_CHOICES.get(snapshot.game.key, _choose_any)
            move = chosen(snapshot.view(seat), snapshot.moves(seat), rng)
            await matches.moves.play_move(
                info.id, snapshot.info.seats[seat].user, None, snapshot.game.format_move(move)
            )


def choose_sensible(view: Any, moves: Sequence[Any], rng: Random) -> Any:
    """The move of somebody at Jesters who wants to win; to be asked for, since such matches are long."""
    return jesters_policy.choose_move(view)


def _choose_any(view: Any, moves: Sequence[Any], rng: Random) -> Any:
    return rng.choice(moves)


def _choose_wizard(view: View, moves: Any, rng: Random) -> Any:
    match moves[0]:
        case Bid():
            return moves[min(sum(_is_strong(view, card) for card in view.hand), view.round)]
        case Play():
            wants = view.taken[view.turn] < (view.bids[view.turn] or 0)
            return (max if wants else min)(moves, key=lambda move: (deck.STRENGTH[move.card], move.card))
        case _:
            return moves[0]


def _is_strong(view: View, card: int) -> bool:
    trump = deck.SUIT[card] is not None and deck.SUIT[card] == view.trump
    return deck.STRENGTH[card] >= (11 if trump else 13)


def _choose_jokers(view: jokers_view.View, moves: Any, rng: Random) -> Any:
    others = [move for move in moves if not isinstance(move, Trade)]
    if Declare() in others:
        return Declare()
    extras = best_split(jokers_deck.make_hand(view.hand)).extras if view.phase == "turn" else ()
    if 0 < len(extras) <= max((len(move.cards) for move in moves if isinstance(move, Trade)), default=0):
        return Trade(tuple(rng.sample(extras, len(extras)))) if rng.random() < 0.8 else rng.choice(others)
    return rng.choice(others)


_SENSIBLE_CHOICES: dict[str, ChooseMove] = {"wizard": _choose_wizard, "jokers": _choose_jokers}
