"""Records as matches to watch, moment by moment."""

from __future__ import annotations

from cogs.table.state.replayed_match import ReplayedMatch
from engines.hosting.records.record import Record, game_for_record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Move, Place, Seat, Status


def replay_record(game: AnyGame, record: Record, match: str = "") -> ReplayedMatch:
    """Return the match of a record. Raises BadRecord if its rules are unknown."""
    rules = game_for_record(record, {game.key: game})
    state = rules.start(record.seats, rules.options_adapter.validate_json(record.options), Chance(record.seed))
    names = record.players or tuple(f"Player {number}" for number in range(1, record.seats + 1))
    seats = tuple(Seat(number, name) for number, name in enumerate(names, 1))
    moves = [Move(0, move.seat, 0, move.notation, move.seat + 1) for move in record.in_force().moves]
    info = MatchInfo(
        match, record.game, record.rules, record.options, Status.OVER, 1, Place(0, 0), seats, moves=len(moves)
    )
    return ReplayedMatch(game, info, rules, state, moves, record.seed)
