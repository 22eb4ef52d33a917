"""What might have happened: moves that nobody made, from a moment of a finished match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cogs.features.replays.replay_place import OTHER_VERSION, ReplayPlace
from cogs.table.state.replayed_match import ReplayedMatch
from engines.hosting.match import MatchEvent, MatchSnapshot, RequestRefused
from engines.kit.contract import AnyGame
from engines.store.match_store import Status
from players.levels import Player, player_model_of

FULL = "A “what if” cannot be longer than this. Press **Back to the match**, or take a move back with ◀."


def what_if_snapshot(replayed: ReplayedMatch, place: ReplayPlace) -> MatchSnapshot:
    """Return the match after the moves of a “what if”, whose events come last. The cards stay those of the match.

    Raises RequestRefused if there is no such move.
    """
    snapshot = replayed.snapshot(place.moment)
    for index in place.what_if or ():
        snapshot = _play(snapshot, index)
    return snapshot


def acting_seat(snapshot: MatchSnapshot) -> int | None:
    """Return the seat for which the next move of a “what if” is chosen: the first that the match waits for."""
    return min(snapshot.due_seats(), default=None)


def play_on(replayed: ReplayedMatch, place: ReplayPlace) -> ReplayPlace:
    """Return the place after computers played until the seat that made the first move of the “what if” is to act.

    Without a move, that is the seat to act now. It ends early if the match is over or the custom ids are full.
    """
    own = acting_seat(replayed.snapshot(place.moment))
    snapshot, player = what_if_snapshot(replayed, place), Player(player_model_of(replayed.game), "normal")
    while not place.is_full and (seat := acting_seat(snapshot)) is not None:
        moves, seed = list(snapshot.moves(seat)), f"what if {place.match} {snapshot.info.moves}"
        index = _index_of(snapshot.game, moves, player.policy_move(snapshot.view(seat), moves, seed))
        place = replace(place, what_if=(*(place.what_if or ()), index))
        snapshot = _play(snapshot, index)
        if acting_seat(snapshot) == own:
            break
    return place


def _index_of(game: AnyGame, moves: Sequence[Any], move: Any) -> int:
    """Return the place of a move among the listed ones, which may have its parts in another order."""
    if move in moves:
        return moves.index(move)
    words = sorted(game.format_move(move).split())
    return next(index for index, each in enumerate(moves) if sorted(game.format_move(each).split()) == words)


def _play(snapshot: MatchSnapshot, index: int) -> MatchSnapshot:
    """Make a move of the seat to act in a snapshot whose state nobody else has, and which is used up."""
    seat, game, number = acting_seat(snapshot), snapshot.game, snapshot.info.moves + 1
    moves = () if seat is None else snapshot.moves(seat)
    if seat is None or index >= len(moves):
        raise RequestRefused(OTHER_VERSION)
    state = snapshot.state
    events = tuple(MatchEvent(number, event) for event in game.play(state, seat, moves[index]))
    status = Status.OVER if game.outcome(state) is not None else Status.RUNNING
    info = replace(snapshot.info, moves=number, status=status)
    return replace(snapshot, info=info, events=(*snapshot.events, *events), movers=(*snapshot.movers, seat))
